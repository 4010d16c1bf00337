"""Shows arrays in the program's window: writes a file to the user's runtime folder and sends a line of JSON to the
window's socket."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Optional, Union

from .errors import AttnLabError, NoWindowError, ProgramError
from .program import program
from .recording import Recording
from .single import record

PROTOCOL = 1
_PATIENCE = 0.01  # seconds for the window's answer; without one it is busy, and shows the file later
_START = 0.1  # seconds in which a program that cannot open a window has ended
_START_WITHOUT_DISPLAY = 10.0
_numbers = itertools.count()
_started: list[subprocess.Popen[bytes]] = []


def runtime_folder() -> Path:
    """The folder of the window's socket and of shown files. Only this user may read it."""
    base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    folder = Path(base, f"attnlab-{os.getuid()}")
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise AttnLabError(f"{folder}: is not a folder of this user alone, expected one with mode 700")
    return folder


def show(q: Any = None, k: Any = None, v: Any = None, *, new_window: bool = False, **options: Any) -> None:
    """Shows an attention in the open window, or opens one.

    q, k, v:   NumPy, PyTorch or JAX arrays. `layout` names their axes, by default (B,H,L,E). v is optional.
    weights:   instead of q, k and v: (B,H,L,S), (H,L,S), (L,S), a list of such arrays, one for each layer, or what
               generate() returns: such a list for each step. Rows are joined, keys that came later have the weight 0.
    mask:      bool (True keeps), or floats that are added to the scaled scores; (L,S), or with heads and batches.
    bias:      floats that are added, together with a mask of bool.
    scale:     by default 1 / sqrt(E).
    causal, soft_cap, sinks, lse: as in attention functions.
    window:    a number of keys to either side, including the query's own; or (left, right), the number of keys before and
               after the query, where -1 is unlimited.
    window_size: (left, right) as in flash-attention: like `window`, with the last query at the last key.
    query_offset: the position of the first query among the keys, for causal and window: an integer, one integer for each
               sequence (the tokens in its cache), or "bottom_right", which aligns the last query with the last key. If
               there are more keys than queries (a decoding step), "bottom_right" is the default, with a warning.
               query_offset=0 is is_causal of PyTorch. `offset` is the former name.
    tokens, key_tokens: labels, one list for all or one for each sequence.

    Returns as soon as the file is written. The window reads it later; of several files in a row it shows the last.

    Where there is no display: a notebook shows a page instead (see `render`), anything else raises ProgramError.
    """
    _require_sockets()
    show_recording(record(q, k, v, **options), new_window=new_window)


def show_recording(recording: Recording, *, new_window: bool = False) -> None:
    folder = runtime_folder()
    _tidy(folder)
    path = folder / f"{os.getpid()}-{next(_numbers) % 2}.safetensors"
    recording.save(path)
    try:
        open_window(path, new_window=new_window)
    except NoWindowError:
        from .figure import in_notebook, show_inline

        if not in_notebook():
            raise
        show_inline(recording)


def open_window(*paths: Union[str, "os.PathLike[str]"], new_window: bool = False) -> None:
    """Shows files in the open window, or starts the program. Without files, starts it if no window is open."""
    _require_sockets()
    whole = [str(Path(path).absolute()) for path in paths]
    for path in whole:
        if "\0" in path:
            raise AttnLabError(f"{path!r}: has a NUL character, expected the path of a file")
    if not new_window:
        answer = _ask({"attnlab": PROTOCOL, "do": "show" if whole else "raise", "paths": whole})
        if answer is not None:
            if not answer.get("ok"):
                raise ProgramError(f"the window: {answer.get('why', 'has refused')}")
            return
    options = ["--new-window"] if new_window else []
    _started[:] = [window for window in _started if window.poll() is None]
    with tempfile.TemporaryFile() as errors:
        try:
            started = subprocess.Popen([program(), *options, *whole], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
        except OSError as error:
            raise ProgramError(f"{program()}: cannot be run: {error.strerror}") from error
        _started.append(started)
        try:
            code = started.wait(_START if _has_display() else _START_WITHOUT_DISPLAY)
        except subprocess.TimeoutExpired:  # it runs
            return
        if code:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip() or f"attnlab has ended with code {code}"
            raise (NoWindowError if "display" in said else ProgramError)(said)


def _has_display() -> bool:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform == "darwin" or any(os.environ.get(name) for name in names)


def _ask(message: dict[str, Any]) -> Optional[dict[str, Any]]:
    """The window's answer; {"ok": True} if it is busy; None if there is no window."""
    line = json.dumps(message).encode() + b"\n"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(_PATIENCE)
        address = str(runtime_folder() / "window")
        try:
            connection.connect(address)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except (BlockingIOError, TimeoutError):  # many are waiting already: this one is skipped
            return {"ok": True}
        except OSError as error:  # the address is too long, or is no socket
            raise AttnLabError(f"{address}: cannot be asked for a window: {error}; XDG_RUNTIME_DIR says where it is "
                               f"looked for") from error
        try:
            connection.sendall(line)
            answer = b""
            while not answer.endswith(b"\n"):
                piece = connection.recv(4096)
                if not piece:  # the window has closed
                    return None
                answer += piece
        except (TimeoutError, BlockingIOError):
            return {"ok": True}
        except (BrokenPipeError, ConnectionResetError):
            return None
    try:
        return dict(json.loads(answer))
    except (ValueError, TypeError, RecursionError):
        return {"ok": False, "why": "the answer is no JSON"}


def _tidy(folder: Path) -> None:
    """Removes files of ended processes. Recent files stay, because a window may still read them."""
    for path in folder.glob("*.safetensors"):
        with contextlib.suppress(OSError, ValueError):
            pid = int(path.name.split("-")[0])
            if pid != os.getpid() and time.time() - path.stat().st_mtime > 600 and not _runs(pid):
                path.unlink()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _require_sockets() -> None:
    if sys.platform == "win32":
        raise AttnLabError("show: works on Linux and macOS; Recording.save writes a file that the window opens")
