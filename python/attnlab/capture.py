"""Recording the attention of a PyTorch model while it runs, without changing a number of it."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np

from .arrays import Array, as_array, labels_of
from .checks import Candidate
from .errors import AttnLabError
from .masks import Mask, split
from .recording import Pass, Recording

if TYPE_CHECKING:
    import torch

KINDS = ("query", "key", "value")
Layers = Union[None, Iterable[int], Callable[[str], bool]]
_MOST_MASKS = 4  # of one run that are compared with the next one


class Capture(Recording):
    """What `capture` returns: the passes in the order in which they ran. Later runs of a pass have "@1", "@2" and so on
    after its name. It keeps no reference to the model or the tokenizer."""

    def __init__(self, title: str = "", keep: Iterable[str] = KINDS) -> None:
        super().__init__(title=title)
        self.keep = frozenset(keep)
        self.skipped: list[str] = []  #: what was not recorded, and why

    def show(self, **options: Any) -> None:
        """Opens the window on it, or updates the one that is open."""
        from .window import show_recording

        show_recording(self, **options)


@dataclass
class Call:
    """A call of attention that has not computed yet, with copies of its queries (B,H,L,E), keys and values."""

    name: str  #: of the pass
    query: Array
    key: Array
    value: Array
    most: Optional[int]  #: the tokens that are kept, of more


class Recorder:
    """Fills a capture while a model runs. One thread uses it at a time."""

    def __init__(self, capture: Capture, model: "torch.nn.Module", layers: Layers, max_tokens: Optional[int],
                 tokenizer: Any) -> None:
        if not {"query", "key"} <= capture.keep <= set(KINDS):
            raise AttnLabError(f"keep: has {', '.join(sorted(capture.keep))}, expected query, key and perhaps value")
        if max_tokens is not None and max_tokens < 1:
            raise AttnLabError(f"max_tokens: is {max_tokens}, expected at least 1")
        self.capture = capture
        self.seen = 0  # attentions that were recorded, filtered out or named
        self._layers = layers if layers is None or callable(layers) else frozenset(layers)
        self.max_tokens = max_tokens
        self._tokenizer = tokenizer
        self._names: dict[int, str] = {id(module): _without_wrappers(name) for name, module in model.named_modules()}
        self.model = model  # held, so that no other module gets the address of one of its own
        self._runs: dict[str, int] = {}
        self._causal: set[str] = set()
        self._masks: list[tuple[Any, Mask]] = []
        self._arrays: list[tuple[Any, Array]] = []
        self._cells: list[Array] = []

    def owns(self, module: Any) -> bool:
        return id(module) in self._names

    def path_of(self, module: Any) -> str:
        return self._names[id(module)]

    def skip(self, what: str, why: str) -> None:
        self.seen += 1
        line = f"{what or 'the model'}: {why}"
        if line not in self.capture.skipped:
            self.capture.skipped.append(line)

    def begin_run(self) -> None:
        self._masks.clear()
        self._arrays.clear()
        self._cells.clear()

    def end_run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._tokenizer is None:
            return
        tokens = self.capture.tokens
        ids = kwargs.get("input_ids", args[0] if args else None)
        for name, given in (("input", ids), ("target", kwargs.get("decoder_input_ids"))):
            if given is not None and name not in tokens and getattr(given, "ndim", 0) == 2:
                words = [[_label(self._tokenizer, token) for token in row] for row in given.tolist()]
                tokens[name] = labels_of(words, None, name)

    def wants(self, path: str, layer: Optional[int]) -> bool:
        if self._layers is None:
            return True
        number = layer if layer is not None else _number_in(path)
        return bool(self._layers(path) if callable(self._layers) else number in self._layers)

    def begin(self, path: str, layer: Optional[int], is_causal_layer: bool, query: Any, key: Any, value: Any,
              mask: Mask) -> Optional[Call]:
        """Copies tensors (B,H,L,E); None if the pass is not recorded."""
        name = self.name_of(path, layer, is_causal_layer)
        if name is None:
            return None
        queries, keys = query.shape[2], key.shape[2]
        most = self.max_tokens if self.max_tokens is not None and max(queries, keys) > self.max_tokens else None
        if most is not None:
            if not (mask.causal and mask.offset == 0 and mask.bias is None and queries == keys):
                self.skip(name, f"has {max(queries, keys)} tokens, more than {most}, and is not causal, so that the "
                                f"weights of a part would be others")
                return None
            query, key, value = (tensor[:, :, :most] for tensor in (query, key, value))
        return Call(name, as_array(query, f"{name}.query", copy=True), as_array(key, f"{name}.key", copy=True),
                    as_array(value, f"{name}.value", copy=True), most)

    def end(self, call: Call, chosen: Candidate, differs: Optional[float] = None, likely: tuple[str, ...] = ()) -> None:
        """Records a pass as computed. `differs` is its difference from the function's output, if there is one."""
        mask = chosen.mask
        self.append(Pass(
            call.name, chosen.query or call.query, chosen.key or call.key,
            (chosen.value or call.value) if "value" in self.capture.keep else None, sinks=chosen.sinks,
            scale=chosen.scale, soft_cap=chosen.soft_cap, causal=mask.causal, offset=mask.offset, window=mask.window,
            mask=mask.kept, bias=mask.bias, ignored=chosen.ignored, differs=differs, likely=likely))

    def end_weights(self, name: str, weights: Any) -> None:
        """Records weights (B,H,L,S) if queries and keys cannot be recorded."""
        tokens = max(weights.shape[2:])
        if self.max_tokens is not None and tokens > self.max_tokens:
            self.skip(name, f"has {tokens} tokens, more than {self.max_tokens}, and is recorded as weights, which are "
                            f"not cut")
            return
        self.append(Pass(name, weights=as_array(weights, f"{name}.weights", copy=True)))

    def name_of(self, path: str, layer: Optional[int], is_causal_layer: bool) -> Optional[str]:
        """The name of a pass; None if it is not recorded."""
        self.seen += 1
        if not self.wants(path, layer):
            return None
        if is_causal_layer:
            self._causal.add(path)
        return pass_name(path, path in self._causal, layer)

    def append(self, one: Pass) -> None:
        run = self._runs.get(one.name, 0)
        self._runs[one.name] = run + 1
        if run:
            one.name = f"{one.name}@{run}"
        self.capture.passes.append(one)

    def mask_of(self, cells: Any) -> Mask:
        """Splits a mask (B|1,H|1,L|1,S) once for all layers that share it. Compares numbers, not addresses, because the
        same memory may hold other numbers by now."""
        return _once(self._masks, cells, lambda own: split(as_array(own, "the mask", copy=True)))

    def interned(self, mask: Mask) -> Mask:
        """The mask with the arrays of an equal earlier mask, so that the file has them once."""
        found = {}
        for what in ("kept", "bias"):
            own = getattr(mask, what)
            if own is not None:
                found[what] = next((one for one in self._cells if one.type == own.type and np.array_equal(
                    one.bits, own.bits)), own)
                self._cells = [found[what], *(one for one in self._cells if one is not found[what])][:_MOST_MASKS]
        return replace(mask, **found)

    def shared(self, tensor: Any) -> Array:
        return _once(self._arrays, tensor, lambda own: as_array(own, "the bias", copy=True))

    def finish(self) -> None:
        self._masks.clear()
        self._arrays.clear()
        capture = self.capture
        for one in capture.passes:
            decoder = one.name.startswith("decoder") and "target" in capture.tokens
            own, other = ("target", "input") if decoder else ("input", "input")
            for attribute, size, name in (("query_tokens", one.shape[2], own),
                                          ("key_tokens", one.shape[3], other if ".cross" in one.name else own)):
                lists = capture.tokens.get(name)
                if lists and len(lists) in (1, one.shape[0]):
                    if len(lists[0]) > size and one.shape[2] == one.shape[3]:  # max_tokens
                        name = f"{name}:{size}"
                        capture.tokens.setdefault(name, [words[:size] for words in lists])
                    if all(len(words) == size for words in capture.tokens[name]):
                        setattr(one, attribute, name)
        if not capture.passes:
            warnings.warn("no attention was recorded" + "".join(f"; {why}" for why in capture.skipped[:3]), stacklevel=4)
        else:
            for what, lines in (("was not recorded", capture.skipped),
                                ("differs from its record", [f"{one.name}: {one.remark}" for one in capture.passes
                                                             if one.differs is not None])):
                if lines:
                    more = f"; and {len(lines) - 3} more" if len(lines) > 3 else ""
                    warnings.warn(f"attention {what}: " + "; ".join(lines[:3]) + more, stacklevel=4)


def _once(held: list[tuple[Any, Any]], tensor: Any, make: Callable[[Any], Any]) -> Any:
    import torch

    tensor = tensor.detach()
    for axis in range(tensor.dim() - 1):
        if tensor.stride(axis) == 0 and tensor.shape[axis] > 1:
            tensor = tensor.narrow(axis, 0, 1)  # expanded
    for own, made in held:
        if own.shape == tensor.shape and own.dtype == tensor.dtype and own.device == tensor.device and torch.equal(
                own, tensor):
            return made
    own = tensor.clone()
    made = make(own)
    held.insert(0, (own, made))
    del held[_MOST_MASKS:]
    return made


def _without_wrappers(path: str) -> str:
    """The path without the name that torch.compile adds to a wrapped module."""
    return ".".join(name for name in path.split(".") if name != "_orig_mod")


def _label(tokenizer: Any, token: int) -> str:
    """The text of a token, or its spelling in the vocabulary if it has no valid text."""
    text = tokenizer.decode([token]) if hasattr(tokenizer, "decode") else ""
    text = text if text and "\ufffd" not in text else str(tokenizer.convert_ids_to_tokens([token])[0])
    return text.encode("utf-8", "replace").decode()


def _number_in(path: str) -> Optional[int]:
    numbers = re.findall(r"(?:^|\.)(\d+)(?=\.|$)", path)
    return int(numbers[0]) if numbers else None


def pass_name(path: str, is_causal: bool, layer: Optional[int] = None) -> str:
    """ "decoder.3.self", as AttnLab names the passes of a model; the module's path if it has no number."""
    number = _number_in(path) if layer is None else layer
    if number is None:
        return path or "attention"
    words = path.lower()
    is_cross = re.search(r"cross|encoder_attn|encdecattention|(?:^|\.)multihead_attn$", words)
    stacks = re.findall(r"(?:^|\.)(encoder|decoder)s?(?:\.|$)", words)
    stack = stacks[0] if stacks else "decoder" if is_causal or is_cross else "encoder"
    return f"{stack}.{number}.{'cross' if is_cross else 'self'}"


@contextlib.contextmanager
def capture(model: "torch.nn.Module", *, layers: Layers = None, max_tokens: Optional[int] = None,
            keep: Iterable[str] = KINDS, tokenizer: Any = None, title: str = "") -> Iterator[Capture]:
    """Records every attention that `model` computes inside the `with` block, in the thread that has entered it.

    Queries, keys and values are copied as attention receives them: after norms and rotary positions, in their own type.
    The model computes the same numbers as without a capture.

    Recorded are models of Transformers (eager, sdpa, flash and registered functions), `torch.nn.MultiheadAttention`,
    calls of `torch.nn.functional.scaled_dot_product_attention`, and a softmax followed by its product with values. Layers
    that carry a state (gated delta rules as in Qwen3-Next and Kimi Linear, delta rules, retention, gated linear attention)
    are recorded with their gates; the window shows the matrix that they equal. Only a softmax with its product may take memory that grows with the square of the length. Each pass is compared with the function's
    output on a few rows: see `Pass.ignored` and `Pass.differs`.

    Hooks do not run in compiled code. Modules that `torch.compile` has compiled before run uncompiled inside the block
    (PyTorch 2.6 or newer); their rounding may differ. Captures may overlap, in one thread and in several, and end in any
    order.

    layers:      numbers of layers, or a function from the path of a module to bool.
    max_tokens:  causal passes keep this many tokens; other passes that are longer are not recorded, see `skipped`.
    keep:        "query", "key" and "value"; the output needs the value, weights do not.
    tokenizer:   labels the tokens of `input_ids`.
    """
    from . import watching

    recorded = Capture(title or type(model).__name__, keep)
    recorder = Recorder(recorded, model, layers, max_tokens, tokenizer)
    try:
        with watching.watched(recorder):
            yield recorded
    finally:
        recorder.finish()
