import contextlib
import enum


class SDPBackend(enum.Enum):
    MATH = 0
    FLASH_ATTENTION = 1
    EFFICIENT_ATTENTION = 2
    CUDNN_ATTENTION = 3


chosen = None


@contextlib.contextmanager
def sdpa_kernel(backends):
    global chosen
    before, chosen = chosen, backends
    try:
        yield
    finally:
        chosen = before
