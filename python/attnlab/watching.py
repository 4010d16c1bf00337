"""Follows which modules run and what attention they compute. Nothing here computes for the model.

PyTorch is changed once, however many captures there are: hooks of all modules (those of one module would turn fast paths
off), functions of torch.nn.functional, and how Transformers looks up attention functions. The last capture to end
restores what was found. While a model runs, a mode sees the functions that its thread calls.
"""

from __future__ import annotations

import contextlib
import functools
import re
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any, Callable, Optional

import torch
from torch.nn import functional
from torch.nn.modules import module as torch_modules
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.overrides import TorchFunctionMode

from . import recurrences
from . import torch_attention as record
from .capture import Recorder
from .offset_attention import is_offset_attention, length_without_padding, weights_of
from .softmax_attention import Trace

_MultiheadAttention = torch.nn.MultiheadAttention
_EncoderLayer = torch.nn.TransformerEncoderLayer
_WITH_FAST_PATH = (_MultiheadAttention, _EncoderLayer, torch.nn.TransformerEncoder)  # a mode would turn it off
_IS_ATTENTION = re.compile(r"att(entio)?n", re.IGNORECASE)
_CARRIES_A_STATE = re.compile(r"Delta(Net|Rule)|Retention|GatedLinear|LinearAttn")
_IS_A_PART = re.compile(r"output|adapter|norm|mask|embed|rotary|bias", re.IGNORECASE)


class Watch:
    """One capture in the thread that has entered it."""

    def __init__(self, recorder: Recorder, thread: Thread) -> None:
        self.recorder = recorder
        self.thread = thread
        self.running: list[tuple[Any, int]] = []  # owned modules; attentions that were seen before each
        self.unrolled: list[tuple[str, Any]] = []  # names and weights of passes that may have padding

    def enter(self, module: Any) -> None:
        if self.recorder.owns(module):
            if not self.running:
                self.unrolled.clear()
                self.recorder.begin_run()
            self.running.append((module, self.recorder.seen))

    def leave(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        if not any(one is module for one, _ in self.running):
            return
        while self.running[-1][0] is not module:  # their hooks were not called
            self.running.pop()
        _, before = self.running.pop()
        if output is None:  # the module has thrown; PyTorch then passes no keyword arguments
            return
        kind = type(module).__name__
        is_one = _IS_ATTENTION.search(kind) or _CARRIES_A_STATE.search(kind)
        if self.recorder.seen == before and is_one and not _IS_A_PART.search(kind):
            self.recorder.skip(self.recorder.path_of(module), f"{kind} has run, but no attention of a kind that can be "
                                                              f"recorded was seen in it")
        length = length_without_padding(module, output) if self.unrolled else 0
        if length or not self.running:
            self._end_unrolled(length)
        if not self.running:
            self.recorder.end_run(args, kwargs)

    def unroll(self, recorder: Recorder, path: str, module: Any, args: Any, kwargs: Any, computed: list[Any]) -> None:
        weights = weights_of(module, args, kwargs, computed).cpu()
        name = recorder.name_of(path, None, False)
        if name is not None:
            self.unrolled.append((name, weights))

    def _end_unrolled(self, length: int) -> None:
        for name, weights in self.unrolled:
            end = length or weights.shape[2]
            self.recorder.end_weights(name, weights[:, :, :end, :end])
        self.unrolled.clear()


class Thread:
    """What runs in a thread that has captures."""

    def __init__(self) -> None:
        self.watches: tuple[Watch, ...] = ()
        self.modules: list[Any] = []  # from the outermost that a capture owns
        self.frames: list[list[Any]] = []  # attention functions that run, and the attention seen in each
        self.busy = False  # recording
        self.trace = Trace()
        self.mode = _Mode(self)
        self._calls: list[int] = []  # of multi_head_attention_forward before each module
        self.calls = 0
        self.offset_weights: list[Any] = []  # that an attention of distances has computed
        self._is_used = False

    def enter(self, module: Any) -> None:
        if self.busy:
            return
        if not self.modules:
            if not any(watch.recorder.owns(module) for watch in self.watches):
                return
            self._is_used = True
            _patch.use()
            self.mode.begin_run()
        self.modules.append(module)
        if is_offset_attention(module):
            self.offset_weights.clear()
        self._calls.append(self.calls)
        for watch in self.watches:
            watch.enter(module)
        self._place_mode()

    def leave(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        if self.busy or not any(one is module for one in self.modules):
            return
        while self.modules[-1] is not module:
            self._pop()
        before = self._calls[-1]
        if output is not None and self.calls == before and not self.frames:
            if isinstance(module, _MultiheadAttention):
                self.calls += 1
                self._record(record.native_attention, module, args, kwargs, output)
            elif isinstance(module, _EncoderLayer):
                self.calls += 1
                self._record(record.native_layer, module, args, kwargs, output)
        if output is not None and is_offset_attention(module):
            with self.recording():
                for watch in self.running():
                    if watch.recorder.owns(module):
                        guarded(watch.recorder, watch.recorder.path_of(module), watch.unroll, module, args, kwargs,
                                self.offset_weights)
            self.offset_weights.clear()
        self._pop()
        for watch in self.watches:
            watch.leave(module, args, kwargs, output)
        self._place_mode()
        if not self.modules:
            self.end()

    def _pop(self) -> None:
        self.modules.pop()
        self._calls.pop()

    def _record(self, function: Callable[..., Any], module: Any, *args: Any) -> None:
        with self.recording():
            for watch in self.watches:
                if watch.running and watch.recorder.owns(module):
                    guarded(watch.recorder, watch.recorder.path_of(module), function, module, *args)

    def cut(self, depth: int) -> None:
        """Forgets modules whose hooks were not called, as KeyboardInterrupt has passed them."""
        if len(self.modules) > depth:
            gone = self.modules[depth:]
            while len(self.modules) > depth:
                self._pop()
            for watch in self.watches:
                while watch.running and any(watch.running[-1][0] is module for module in gone):
                    watch.running.pop()
            self.frames.clear()
            self.busy = False
            self._place_mode()
        if not self.modules:
            self.end()

    def end(self) -> None:
        self.trace.clear()
        self.offset_weights.clear()
        if self._is_used:
            self._is_used = False
            _patch.release()

    def _place_mode(self) -> None:
        wanted = bool(self.modules) and not isinstance(self.modules[-1], _WITH_FAST_PATH)
        self.mode.place(wanted)

    @property
    def sees(self) -> bool:
        return bool(self.modules) and not self.busy

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        self.busy = True
        try:
            with torch.no_grad():
                yield
        finally:
            self.busy = False

    @contextlib.contextmanager
    def frame(self) -> Iterator[list[Any]]:
        events: list[Any] = []
        self.frames.append(events)
        try:
            yield events
        finally:
            if self.frames and self.frames[-1] is events:
                self.frames.pop()

    def running(self) -> list[Watch]:
        return [watch for watch in self.watches if watch.running]

    def seen(self, modules: list[Any], function: Callable[..., Any], *args: Any) -> None:
        """Records attention of the innermost of these modules that a capture owns."""
        for watch in self.running():
            for module in reversed(modules):
                if watch.recorder.owns(module):
                    guarded(watch.recorder, watch.recorder.path_of(module), function, *args)
                    break


def guarded(recorder: Recorder, path: str, function: Callable[..., Any], *args: Any) -> Any:
    """What cannot be recorded is named, and does not end the model's run."""
    try:
        return function(recorder, path, *args)
    except Exception as error:
        recorder.skip(path, f"could not be recorded: {(str(error) or type(error).__name__).splitlines()[0]}")
        return None


class _Mode(TorchFunctionMode):
    """Sees the functions of torch that its thread calls."""

    def __init__(self, thread: Thread) -> None:
        super().__init__()
        self._thread = thread
        self._is_placed = False
        self._at = 0  # its place among the modes of the thread

    def begin_run(self) -> None:
        self._at = len(torch.overrides._get_current_function_mode_stack())

    def place(self, wanted: bool) -> None:
        """Puts it among the modes or takes it out. Others that were entered meanwhile stay where they are."""
        if wanted == self._is_placed:
            return
        self._is_placed = wanted
        stack = torch.overrides._get_current_function_mode_stack()
        if wanted:
            above = stack[self._at:]
            changed = [self, *above]
        else:
            self._at = next((at for at, mode in enumerate(stack) if mode is self), len(stack))
            above = stack[self._at:]
            changed = above[1:]
        for _ in above:
            torch.overrides._pop_mode()
        for mode in changed:
            torch.overrides._push_mode(mode)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        thread = self._thread
        if not thread.sees:
            return func(*args, **kwargs)
        name = getattr(func, "__name__", "")
        if name == "scaled_dot_product_attention":
            return _called_sdpa(thread, func, args, kwargs)
        if name == "multi_head_attention_forward":
            return _called_multihead(thread, func, args, kwargs)
        result = func(*args, **kwargs)
        if _IS_ATTENTION.search(name) and not thread.frames:  # flex_attention, kernels of other packages
            with thread.recording():
                thread.seen(thread.modules, record.kernel, name.split(".")[0])
            return result
        if is_offset_attention(thread.modules[-1]):
            if name == "dropout":
                thread.offset_weights.append(result)
            return result
        event = thread.trace.follow(name, args, kwargs, result, thread.modules)
        if event is not None:
            if thread.frames:
                thread.frames[-1].append(event)
            else:
                with thread.recording():
                    thread.seen(event.modules, record.softmax, event)
        return result


def _called_sdpa(thread: Thread, func: Any, args: Any, kwargs: Any) -> Any:
    result = func(*args, **kwargs)
    event = record.bound_sdpa(args, kwargs, result)
    if event is not None:
        if thread.frames:
            thread.frames[-1].append(event)
        else:
            with thread.recording():
                thread.seen(thread.modules, record.sdpa, event, [])
    return result


def _called_multihead(thread: Thread, func: Any, args: Any, kwargs: Any) -> Any:
    if thread.frames:
        return func(*args, **kwargs)
    with thread.frame():
        result = func(*args, **kwargs)
    thread.calls += 1
    with thread.recording():
        thread.seen(thread.modules, record.multihead, args, kwargs, result)
    return result


# What is changed while there are captures


class _Patch:
    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._uses = 0
        self._undo = contextlib.ExitStack()

    def use(self) -> None:
        with self._lock:
            if self._uses == 0:
                with contextlib.ExitStack() as stack:
                    stack.callback(register_module_forward_pre_hook(_enter).remove)
                    handle = register_module_forward_hook(_leave, with_kwargs=True, always_call=True)
                    stack.callback(torch_modules._global_forward_hooks_with_kwargs.pop, handle.id, None)  # PyTorch leaves it
                    stack.callback(handle.remove)
                    _replace(stack, functional, "multi_head_attention_forward", _wrapped_multihead)
                    if not isinstance(functional.scaled_dot_product_attention, types.BuiltinFunctionType):
                        _replace(stack, functional, "scaled_dot_product_attention", _wrapped_sdpa)  # another's
                    if "transformers" in sys.modules:
                        _watch_interface(stack)
                    if "torch._dynamo" in sys.modules and hasattr(torch.compiler, "set_stance"):
                        # Compiled code would contain these hooks, or call no function that can be seen.
                        stack.enter_context(torch.compiler.set_stance("force_eager"))
                    self._undo = stack.pop_all()
            self._uses += 1

    def release(self) -> None:
        with self._lock:
            self._uses -= 1
            if self._uses == 0:
                self._undo.close()


class _Functions:
    """Functions of layers that carry a state, in the files of the modules of models: each is wrapped while a capture of a
    model that may call it runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._uses: dict[tuple[int, str], tuple[int, contextlib.ExitStack]] = {}

    def use(self, recorder: Recorder) -> list[tuple[int, str]]:
        files = {id(file): file for file in (sys.modules.get(type(one).__module__) for one in recorder.model.modules())
                 if file is not None}
        used = []
        with self._lock:
            for file in files.values():
                for name in [name for name in vars(file) if recurrences.kind_of(name)]:
                    if not callable(vars(file)[name]):
                        continue
                    key = (id(file), name)
                    count, stack = self._uses.get(key, (0, contextlib.ExitStack()))
                    if count == 0:
                        _replace(stack, file, name, functools.partial(_wrapped_recurrence, name))
                    self._uses[key] = (count + 1, stack)
                    used.append(key)
        return used

    def release(self, used: list[tuple[int, str]]) -> None:
        with self._lock:
            for key in used:
                count, stack = self._uses.pop(key)
                if count > 1:
                    self._uses[key] = (count - 1, stack)
                else:
                    stack.close()


_patch = _Patch()
_functions = _Functions()
_lock = threading.Lock()
_threads = threading.local()
_watches: tuple[Watch, ...] = ()  # of all threads


@contextlib.contextmanager
def watched(recorder: Recorder) -> Iterator[None]:
    """Passes what is seen in this thread to `recorder`."""
    global _watches
    thread = _this_thread()
    if thread is None:
        thread = _threads.thread = Thread()
    watch = Watch(recorder, thread)
    depth = len(thread.modules)
    _patch.use()
    wrapped = _functions.use(recorder)
    with _lock:
        thread.watches += (watch,)
        _watches += (watch,)
    try:
        yield
    except BaseException:
        if thread is _this_thread():
            thread.cut(depth)
        raise
    finally:
        with _lock:
            thread.watches = tuple(one for one in thread.watches if one is not watch)
            _watches = tuple(one for one in _watches if one is not watch)
        _functions.release(wrapped)
        _patch.release()


def _this_thread() -> Optional[Thread]:
    return getattr(_threads, "thread", None)


def _enter(module: Any, _args: Any) -> None:
    thread = _this_thread()
    if thread is not None and thread.watches:
        thread.enter(module)
    if thread is None or not thread.modules:
        for watch in _watches:
            if watch.thread is not thread and watch.recorder.owns(module) and not watch.recorder.path_of(module):
                watch.recorder.skip(type(module).__name__, "has run in another thread than the one that has entered the "
                                                           "capture")


def _leave(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any = None) -> None:
    thread = _this_thread()
    if thread is not None and thread.modules:
        thread.leave(module, args, kwargs, output)


def _replace(stack: contextlib.ExitStack, owner: Any, name: str, wrap: Callable[[Any], Any]) -> None:
    """Puts a wrapper in the place of an attribute. One that another has wrapped meanwhile stays, and passes calls on."""
    is_own = name in vars(owner)
    original = getattr(owner, name)
    wrapper = wrap(original)

    def restore() -> None:
        if vars(owner).get(name) is not wrapper:
            return
        if is_own:
            setattr(owner, name, original)
        else:
            delattr(owner, name)

    setattr(owner, name, wrapper)
    stack.callback(restore)


def _wrapped_sdpa(original: Any) -> Any:
    @functools.wraps(original)
    def scaled_dot_product_attention(*args: Any, **kwargs: Any) -> Any:
        thread = _this_thread()
        if thread is None or not thread.sees or thread.frames or isinstance(thread.modules[-1], _WITH_FAST_PATH):
            return original(*args, **kwargs)
        with thread.frame() as events:
            result = original(*args, **kwargs)
        asked = record.bound_sdpa(args, kwargs, result)
        if asked is not None:
            with thread.recording():
                thread.seen(thread.modules, record.sdpa, asked, events)
        return result

    return scaled_dot_product_attention


def _wrapped_recurrence(name: str, original: Any) -> Any:
    @functools.wraps(original)
    def recurrence(*args: Any, **kwargs: Any) -> Any:
        thread = _this_thread()
        if thread is None or not thread.sees or thread.frames:
            return original(*args, **kwargs)
        with thread.frame():  # what it computes inside is a part of it
            result = original(*args, **kwargs)
        with thread.recording():
            thread.seen(thread.modules, recurrences.record, original, name, args, kwargs, result)
        return result

    return recurrence


def _wrapped_multihead(original: Any) -> Any:
    @functools.wraps(original)
    def multi_head_attention_forward(*args: Any, **kwargs: Any) -> Any:
        thread = _this_thread()
        if thread is None or not thread.sees or not isinstance(thread.modules[-1], _WITH_FAST_PATH):
            return original(*args, **kwargs)  # elsewhere the mode sees it
        return _called_multihead(thread, original, args, kwargs)

    return multi_head_attention_forward


# Transformers


def _watch_interface(stack: contextlib.ExitStack) -> None:
    """Puts a function that records in front of each that a model looks up. The model keeps its setting and gets the
    masks that it would have got, and the registry stays as it is."""
    try:
        from transformers import AttentionInterface
    except ImportError:  # before 4.50 models looked functions up in a dictionary
        return

    def getting(original: Any) -> Any:
        @functools.wraps(original)
        def get(self: Any, name: str, *args: Any, **kwargs: Any) -> Any:
            return _recording(name, original(self, name, *args, **kwargs))

        return get

    for name in ("__getitem__", "get_interface"):
        if hasattr(AttentionInterface, name):
            _replace(stack, AttentionInterface, name, getting)


def _recording(name: str, function: Any) -> Any:
    if not callable(function) or getattr(function, "_attnlab_records", False):
        return function

    @functools.wraps(function)
    def attention(module: Any, query: Any, key: Any, value: Any, attention_mask: Any = None, *args: Any,
                  **kwargs: Any) -> Any:
        def compute() -> Any:
            return function(module, query, key, value, attention_mask, *args, **kwargs)

        thread = _this_thread()
        if thread is None or not thread.sees or thread.frames:
            return compute()
        watches = [watch for watch in thread.running() if watch.recorder.owns(module)]
        if not watches:
            return compute()
        with thread.recording():
            begun = [(watch.recorder, guarded(watch.recorder, watch.recorder.path_of(module), record.begin_interface,
                                              name, function, module, query, key, value, attention_mask, kwargs))
                     for watch in watches]
        with thread.frame() as events:
            result = compute()
        with thread.recording():
            for recorder, call in begun:
                if call is not None:
                    guarded(recorder, recorder.path_of(module), record.end_interface, call, events, result)
        return result

    attention._attnlab_records = True  # type: ignore[attr-defined]
    return attention
