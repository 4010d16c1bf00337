"""Recording the attention of a PyTorch model while it runs, without changing a number of it."""

from __future__ import annotations

import contextlib
import re
import threading
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from .arrays import Array, as_array, labels_of
from .errors import AttnLabError
from .masks import Mask, split
from .recording import Pass, Recording

if TYPE_CHECKING:
    import torch

KINDS = ("query", "key", "value")
Layers = Union[None, Iterable[int], Callable[[str], bool]]


class Capture(Recording):
    """What `capture` returns: the passes in the order in which they ran. A pass that ran again has "@1", "@2" and so
    on behind its name."""

    def __init__(self, model: "torch.nn.Module", layers: Layers, max_tokens: Optional[int], keep: Iterable[str],
                 tokenizer: Any, title: str) -> None:
        super().__init__(title=title or type(model).__name__)
        self.keep = frozenset(keep)
        if not {"query", "key"} <= self.keep <= set(KINDS):
            raise AttnLabError(f"keep: has {', '.join(sorted(self.keep))}, expected query, key and perhaps value")
        if max_tokens is not None and max_tokens < 1:
            raise AttnLabError(f"max_tokens: is {max_tokens}, expected at least 1")
        self.skipped: list[str] = []  #: what was not recorded, and why
        self._layers = layers if layers is None or callable(layers) else frozenset(layers)
        self._max_tokens = max_tokens
        self._tokenizer = tokenizer
        self._model = model
        self._names: dict[int, str] = {id(module): name for name, module in model.named_modules()}
        self._runs: dict[str, int] = {}
        self._masks: dict[tuple[Any, ...], tuple[Any, Mask]] = {}
        self._arrays: dict[tuple[Any, ...], tuple[Any, Array]] = {}

    def show(self, **options: Any) -> None:
        """Opens the window on it, or updates the one that is open."""
        from .window import show_recording

        show_recording(self, **options)

    # What follows is called while the model runs.

    def owns(self, module: Any) -> bool:
        return id(module) in self._names

    def path_of(self, module: Any) -> str:
        return self._names[id(module)]

    def skip(self, what: str, why: str) -> None:
        self.skipped.append(f"{what}: {why}")

    def begin_run(self) -> None:
        self._masks.clear()
        self._arrays.clear()

    def end_run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        if self._tokenizer is None:
            return
        ids = kwargs.get("input_ids", args[0] if args else None)
        for name, given in (("input", ids), ("target", kwargs.get("decoder_input_ids"))):
            if given is not None and name not in self.tokens and getattr(given, "ndim", 0) == 2:
                words = [[_label(self._tokenizer, token) for token in row] for row in given.tolist()]
                self.tokens[name] = labels_of(words, None, name)

    def add(self, path: str, *, is_causal_layer: bool, layer: Optional[int], query: Any, key: Any, value: Any,
            scale: Optional[float], mask: Mask, soft_cap: Optional[float] = None, sinks: Any = None) -> None:
        """Of tensors (B,H,L,E)."""
        name = pass_name(path, is_causal_layer, layer)
        number = layer if layer is not None else _number_in(path)
        if self._layers is not None:
            wanted = self._layers(path) if callable(self._layers) else number in self._layers
            if not wanted:
                return
        queries, keys = query.shape[2], key.shape[2]
        if self._max_tokens is not None and max(queries, keys) > self._max_tokens:
            if not (mask.causal and mask.offset == 0 and mask.bias is None and queries == keys):
                self.skip(name, f"has {max(queries, keys)} tokens, more than {self._max_tokens}, and is not causal, so "
                                f"that the weights of a part would be others")
                return
            most = self._max_tokens
            query, key, value = (tensor[:, :, :most] for tensor in (query, key, value))
            if mask.kept is not None:
                kept = mask.kept.bits[:, :, :most, :most]
                mask = Mask(mask.causal, 0, mask.window, Array("BOOL", kept.copy()))
        run = self._runs.get(name, 0)
        self._runs[name] = run + 1
        self.passes.append(Pass(
            f"{name}@{run}" if run else name, as_array(query), as_array(key),
            as_array(value) if "value" in self.keep else None,
            sinks=as_array(sinks) if sinks is not None else None,
            scale=float(scale) if scale is not None else query.shape[3] ** -0.5,
            soft_cap=float(soft_cap) if soft_cap else None, causal=mask.causal, offset=mask.offset, window=mask.window,
            mask=mask.kept, bias=mask.bias))

    def mask_of(self, cells: Any) -> Mask:
        """Of a tensor that layers may share: read once."""
        key = (cells.data_ptr(), tuple(cells.shape), cells.stride(), str(cells.dtype))
        if key not in self._masks:
            self._masks[key] = (cells, split(as_array(cells)))  # the tensor is held, so that its address stays its own
        return self._masks[key][1]

    def shared(self, tensor: Any) -> Array:
        key = (tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), str(tensor.dtype))
        if key not in self._arrays:
            self._arrays[key] = (tensor, as_array(tensor))
        return self._arrays[key][1]

    def finish(self) -> None:
        self._masks.clear()
        self._arrays.clear()
        for one in self.passes:
            decoder = one.name.startswith("decoder") and "target" in self.tokens
            own, other = ("target", "input") if decoder else ("input", "input")
            for attribute, size, name in (("query_tokens", one.shape[2], own),
                                          ("key_tokens", one.shape[3], other if ".cross" in one.name else own)):
                lists = self.tokens.get(name)
                if lists and len(lists) in (1, one.shape[0]):
                    if len(lists[0]) > size and one.shape[2] == one.shape[3]:  # max_tokens
                        name = f"{name}:{size}"
                        self.tokens.setdefault(name, [words[:size] for words in lists])
                    if all(len(words) == size for words in self.tokens[name]):
                        setattr(one, attribute, name)
        if not self.passes:
            warnings.warn("no attention was recorded" + "".join(f"; {why}" for why in self.skipped[:3]), stacklevel=3)


def _label(tokenizer: Any, token: int) -> str:
    """The text that a token stands for; its spelling where that is none."""
    text = tokenizer.decode([token]) if hasattr(tokenizer, "decode") else ""
    return text if text and "\ufffd" not in text else str(tokenizer.convert_ids_to_tokens([token])[0])


def _number_in(path: str) -> Optional[int]:
    numbers = re.findall(r"(?:^|\.)(\d+)(?=\.|$)", path)
    return int(numbers[0]) if numbers else None


def pass_name(path: str, is_causal: bool, layer: Optional[int] = None) -> str:
    """ "decoder.3.self": as AttnLab calls the passes of a model. The path of the module where it has no number."""
    number = _number_in(path) if layer is None else layer
    if number is None:
        return path or "attention"
    words = path.lower()
    is_cross = re.search(r"cross|encoder_attn|encdecattention|(?:^|\.)multihead_attn$", words)
    stacks = re.findall(r"(?:^|\.)(encoder|decoder)s?(?:\.|$)", words)
    stack = stacks[0] if stacks else "decoder" if is_causal or is_cross else "encoder"
    return f"{stack}.{number}.{'cross' if is_cross else 'self'}"


_active = threading.local()


@contextlib.contextmanager
def capture(model: "torch.nn.Module", *, layers: Layers = None, max_tokens: Optional[int] = None,
            keep: Iterable[str] = KINDS, tokenizer: Any = None, title: str = "") -> Iterator[Capture]:
    """Records every attention that `model` computes inside the `with` block.

    Queries, keys and values are copied as attention is given them: after norms and rotary positions, in their own type.
    Weights are never made, so memory grows with the length and not with its square. The model, its settings and its
    numbers stay as they are: what computes is what would have computed. Attention is seen in models of Transformers
    (eager, sdpa, flash), in `torch.nn.MultiheadAttention`, and wherever
    `torch.nn.functional.scaled_dot_product_attention` is called.

    layers:      numbers of layers, or a function from the path of a module to bool.
    max_tokens:  causal passes keep so many tokens; longer ones of other kinds are left out, see `skipped`.
    keep:        "query", "key" and "value"; the output needs the value, weights do not.
    tokenizer:   gives tokens their labels, from `input_ids`.
    """
    from . import torch_attention

    if getattr(_active, "capture", None) is not None:
        raise AttnLabError("a capture is running already in this thread")
    recorded = Capture(model, layers, max_tokens, keep, tokenizer, title)
    _active.capture = recorded
    try:
        with torch_attention.watched(recorded):
            yield recorded
    finally:
        _active.capture = None
        recorded.finish()
