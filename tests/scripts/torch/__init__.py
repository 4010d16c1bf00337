"""As much of PyTorch as scripts/gpu_bench.py calls, over NumPy, with a device in ordinary memory. FAKE_TORCH_BREAKS names
a length at which the device gives up: every call fails from then on."""
import contextlib
import os
import time
import types

import numpy as np

__version__ = "fake"
version = types.SimpleNamespace(cuda="0.0")
float32, float64, bfloat16, float16, int64, uint8 = "float32", "float64", "bfloat16", "float16", "int64", "uint8"
STORED = {"bfloat16": np.uint16}
BREAKS_AT = int(os.environ.get("FAKE_TORCH_BREAKS", "0"))
random = np.random.default_rng(1)
device_is_broken = False


class OutOfMemoryError(RuntimeError):
    pass


def require_device():
    if device_is_broken:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")


class Tensor:
    """Numbers as they are stored: bfloat16 as its bits."""

    def __init__(self, stored, dtype):
        self.stored, self.dtype, self.device = stored, dtype, "cuda"

    @staticmethod
    def of(numbers, dtype):
        if dtype == "bfloat16":
            bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
            rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
            return Tensor(np.where(np.isnan(numbers), 0x7FC0, rounded).astype(np.uint16), dtype)
        return Tensor(np.array(numbers, dtype=dtype), dtype)

    def numbers(self):
        if self.dtype == "bfloat16":
            return (self.stored.astype(np.uint32) << 16).view(np.float32)
        return self.stored

    shape = property(lambda self: self.stored.shape)
    T = property(lambda self: Tensor(self.stored.T, self.dtype))

    def data_ptr(self):
        return self.stored.ctypes.data

    def zero_(self):
        require_device()
        return self

    def double(self):
        return Tensor(self.numbers().astype(np.float64), "float64")

    def long(self):
        return Tensor(self.numbers().astype(np.int64), "int64")

    def __getitem__(self, index):
        plain = lambda one: one.stored if isinstance(one, Tensor) else one
        index = tuple(map(plain, index)) if isinstance(index, tuple) else plain(index)
        return Tensor(self.stored[index], self.dtype)

    def _with(self, other, operation):
        numbers = operation(self.numbers(), other.numbers() if isinstance(other, Tensor) else other)
        return Tensor(np.asarray(numbers), str(numbers.dtype))

    def __matmul__(self, other):
        return self._with(other, np.matmul)

    def __sub__(self, other):
        return self._with(other, np.subtract)

    def __add__(self, other):
        return self._with(other, np.add)

    def __mul__(self, other):
        return self._with(other, np.multiply)

    def __truediv__(self, other):
        return self._with(other, np.divide)

    def __gt__(self, other):
        return self._with(other, np.greater)

    def __neg__(self):
        return self * -1

    def masked_fill_(self, mask, value):
        self.stored[np.broadcast_to(mask.stored, self.shape)] = value
        return self

    def softmax(self, axis):
        weights = np.exp(self.stored - self.stored.max(axis, keepdims=True))
        return Tensor(weights / weights.sum(axis, keepdims=True), self.dtype)

    def logsumexp(self, axis):
        most = self.stored.max(axis, keepdims=True)
        return Tensor(np.log(np.exp(self.stored - most).sum(axis)) + most.squeeze(axis), self.dtype)

    def _reduced(self, operation):
        return Tensor(np.asarray(operation(self.numbers())), self.dtype)

    def abs(self):
        return self._reduced(np.abs)

    def max(self):
        return self._reduced(np.max)

    def sum(self):
        return self._reduced(np.sum)

    def isnan(self):
        return Tensor(np.isnan(self.numbers()), "bool")

    def any(self):
        return self._reduced(np.any)

    def item(self):
        return self.numbers().item()


def randn(*shape, device, dtype=float32):
    global device_is_broken
    if BREAKS_AT and BREAKS_AT in shape:
        device_is_broken = True
    require_device()
    return Tensor.of(random.standard_normal(shape), dtype)


def full(shape, value, device, dtype):
    return Tensor.of(np.full(shape, value), dtype)


def full_like(like, value):
    return Tensor.of(np.full(like.shape, value), like.dtype)


def empty(count, device, dtype):
    return Tensor(np.empty(min(count, 1 << 20), dtype), dtype)


def arange(count, device):
    return Tensor(np.arange(count), int64)


def linspace(first, last, count, device):
    return Tensor(np.linspace(first, last, count), float32)


def unique(tensor):
    return Tensor(np.unique(tensor.stored), tensor.dtype)


def exp2(tensor):
    return Tensor(np.exp2(tensor.stored), tensor.dtype)


def manual_seed(seed):
    pass


def no_grad():
    return contextlib.nullcontext()


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = time.perf_counter()

    def synchronize(self):
        require_device()

    def elapsed_time(self, later):
        return (later.at - self.at) * 1000.0


cuda = types.SimpleNamespace(Event=Event, synchronize=require_device, empty_cache=lambda: None,
                             is_available=lambda: True, get_device_name=lambda: "Fake device",
                             current_stream=lambda: types.SimpleNamespace(cuda_stream=0),
                             OutOfMemoryError=OutOfMemoryError)
backends = types.SimpleNamespace(cudnn=types.SimpleNamespace(version=lambda: 0))
