"""Where attention happens in PyTorch, and what it is given there. Nothing here computes for the model."""

from __future__ import annotations

import contextlib
import inspect
import sys
import threading
from collections.abc import Iterator
from typing import Any, Callable, Optional

import torch
from torch.nn import functional
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

from .arrays import Array
from .capture import Capture
from .masks import Mask

_Attention = torch.nn.MultiheadAttention
_EncoderLayer = torch.nn.TransformerEncoderLayer


@contextlib.contextmanager
def watched(capture: Capture) -> Iterator[None]:
    """Passes what is seen in this thread to `capture`."""
    watch = _Watch(capture)
    with contextlib.ExitStack() as stack:
        for handle in (register_module_forward_pre_hook(watch.enter),
                       register_module_forward_hook(watch.leave, with_kwargs=True, always_call=True)):
            stack.callback(handle.remove)
        stack.enter_context(_wrapped_sdpa(watch))
        if "transformers" in sys.modules:
            stack.enter_context(_wrapped_interface(watch))
        yield


class _Watch:
    """Knows which module is running. Hooks of all modules, since hooks of one turn fast paths of PyTorch off."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture
        self.thread = threading.get_ident()
        self.running: list[Any] = []
        self.seen = 0  # calls of MultiheadAttention
        self.inside = False  # an attention function of Transformers, which may call sdpa

    def sees(self) -> bool:
        return threading.get_ident() == self.thread and bool(self.running)

    def enter(self, module: Any, _args: Any) -> None:
        if threading.get_ident() != self.thread or not self.capture.owns(module):
            return
        if not self.running:
            self.capture.begin_run()
        self.running.append((module, self.seen))

    def leave(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any = None) -> None:
        if not self.sees() or self.running[-1][0] is not module:
            return
        _, before = self.running.pop()
        if output is None:  # the module has thrown; PyTorch then passes no keyword arguments
            return
        if isinstance(module, _Attention):
            self.seen += 1
            _record_call(self.capture, self.capture.path_of(module), module, args, kwargs)
        elif isinstance(module, _EncoderLayer) and self.seen == before:  # the fast path of a whole layer
            self.seen += 1
            _record_layer(self.capture, module, args, kwargs)
        if not self.running:
            self.capture.end_run(args, kwargs)

    def current(self) -> Any:
        return self.running[-1][0]


# torch.nn.MultiheadAttention


def _record_layer(capture: Capture, layer: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    given = inspect.signature(layer.forward).bind(*args, **kwargs).arguments
    x = given["src"]
    path = capture.path_of(layer.self_attn)
    if x.is_nested:
        capture.skip(path, "reads a nested tensor; enable_nested_tensor=False of TransformerEncoder prevents that")
        return
    with torch.no_grad():
        x = layer.norm1(x) if layer.norm_first else x
    _record_call(capture, path, layer.self_attn, (x, x, x), {
        "attn_mask": given.get("src_mask"), "key_padding_mask": given.get("src_key_padding_mask")})


def _record_call(capture: Capture, path: str, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    given = inspect.signature(module.forward).bind(*args, **kwargs).arguments
    query, key, value = given["query"], given["key"], given["value"]
    if module.bias_k is not None or module.add_zero_attn:
        capture.skip(path, "appends keys of its own (add_bias_kv, add_zero_attn), which cannot be recorded")
        return
    if query.is_nested:
        capture.skip(path, "reads a nested tensor")
        return
    with torch.no_grad():
        heads = [_heads(x, module, batch_first=module.batch_first) for x in _projected(module, query, key, value)]
    mask = _mask_of_module(capture, heads, given.get("attn_mask"), given.get("key_padding_mask"))
    capture.add(path, is_causal_layer=mask.causal, layer=None, query=heads[0], key=heads[1], value=heads[2],
                scale=None, mask=mask)


def _projected(module: Any, query: Any, key: Any, value: Any) -> list[Any]:
    if module.in_proj_weight is not None:
        weights = module.in_proj_weight.chunk(3)
    else:
        weights = (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
    biases = module.in_proj_bias.chunk(3) if module.in_proj_bias is not None else (None, None, None)
    return [functional.linear(x, weight, bias) for x, weight, bias in zip((query, key, value), weights, biases)]


def _heads(x: Any, module: Any, batch_first: bool) -> Any:
    """(B,H,L,E)."""
    if x.dim() == 2:
        x = x.unsqueeze(0)
    elif not batch_first:
        x = x.transpose(0, 1)
    return x.unflatten(-1, (module.num_heads, module.head_dim)).transpose(1, 2)


def _mask_of_module(capture: Capture, heads: list[Any], cells: Any, padding: Any) -> Mask:
    """Here True blocks; padding is (B,S) or (S)."""
    batch, count, queries, _ = heads[0].shape
    if cells is not None and cells.dim() == 3:
        cells = cells.view(batch, count, *cells.shape[1:])
    elif cells is not None:
        cells = cells[None, None]
    if padding is not None:
        padding = padding.view(-1, padding.shape[-1])[:, None, None]
        if padding.dtype != torch.bool:
            padding = padding == -torch.inf
    if cells is not None and cells.dtype != torch.bool:
        mask = capture.mask_of(cells)
        if padding is None:
            return mask
        if mask.kept is None:
            return Mask(mask.causal, mask.offset, mask.window, _kept(~padding), mask.bias)
        cells = cells < 0  # the numbers are a mask, see split()
    if cells is None and padding is None:
        return Mask()
    blocked = cells if padding is None else padding if cells is None else cells | padding
    return capture.mask_of(~blocked)


def _kept(cells: Any) -> Optional[Array]:
    return Array("BOOL", cells.cpu().contiguous().numpy()) if not bool(cells.all()) else None


# torch.nn.functional.scaled_dot_product_attention


@contextlib.contextmanager
def _wrapped_sdpa(watch: _Watch) -> Iterator[None]:
    original = functional.scaled_dot_product_attention

    def scaled_dot_product_attention(*args: Any, **kwargs: Any) -> Any:
        if watch.sees() and not watch.inside and not isinstance(watch.current(), _Attention):
            _record_sdpa(watch, *args, **kwargs)
        return original(*args, **kwargs)

    functional.scaled_dot_product_attention = scaled_dot_product_attention
    try:
        yield
    finally:
        functional.scaled_dot_product_attention = original


def _record_sdpa(watch: _Watch, query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
                 is_causal: bool = False, scale: Optional[float] = None, enable_gqa: bool = False) -> None:
    capture, module = watch.capture, watch.current()
    path = capture.path_of(module)
    if not 2 <= query.dim() <= 4:
        capture.skip(path, f"scaled_dot_product_attention is given the shape {tuple(query.shape)}")
        return
    query, key, value = (x[(None,) * (4 - x.dim())] for x in (query, key, value))
    mask = Mask(causal=True) if is_causal else Mask()
    if attn_mask is not None:
        mask = capture.mask_of(attn_mask[(None,) * (4 - attn_mask.dim())].expand(-1, -1, -1, key.shape[2]))
    capture.add(path, is_causal_layer=mask.causal, layer=None, query=query, key=key, value=value, scale=scale,
                mask=mask)


# Transformers


@contextlib.contextmanager
def _wrapped_interface(watch: _Watch) -> Iterator[None]:
    """Puts a function that records in front of each that is registered, under its own name: the model keeps its setting
    and gets the masks that it would have got."""
    try:
        from transformers import AttentionInterface
    except ImportError:  # before 4.48 models had attention of their own
        yield
        return
    registry = AttentionInterface._global_mapping
    before = dict(registry)
    for name, function in before.items():
        AttentionInterface.register(name, _recording(watch, name, function))
    AttentionInterface.register("eager", _recording(watch, "eager", None))
    try:
        yield
    finally:
        registry.clear()
        registry.update(before)


def _recording(watch: _Watch, name: str, function: Optional[Callable[..., Any]]) -> Callable[..., Any]:
    def attention(module: Any, query: Any, key: Any, value: Any, attention_mask: Any = None, **kwargs: Any) -> Any:
        compute = function or _eager_of(module)
        if not watch.sees() or not watch.capture.owns(module):
            return compute(module, query, key, value, attention_mask, **kwargs)
        _record_interface(watch.capture, name, module, query, key, value, attention_mask, kwargs)
        was_inside, watch.inside = watch.inside, True
        try:
            return compute(module, query, key, value, attention_mask, **kwargs)
        finally:
            watch.inside = was_inside

    return attention


def _eager_of(module: Any) -> Callable[..., Any]:
    """Of the file that the model is in, as the model itself takes it."""
    for kind in type(module).__mro__:
        eager: Optional[Callable[..., Any]] = getattr(sys.modules.get(kind.__module__), "eager_attention_forward", None)
        if eager is not None:
            return eager
    raise KeyError(f"{type(module).__name__} has no eager_attention_forward beside it")


def _record_interface(capture: Capture, name: str, module: Any, query: Any, key: Any, value: Any, cells: Any,
                      kwargs: dict[str, Any]) -> None:
    path = capture.path_of(module)
    if query.dim() != 4 or key.dim() != 4 or name.startswith(("flex", "paged")):
        capture.skip(path, f"attention by {name} cannot be recorded; eager, sdpa and flash can")
        return
    mask = _mask_of_interface(capture, name, module, query, key, cells, kwargs)
    sinks = kwargs.get("s_aux")
    capture.add(path, is_causal_layer=mask.causal or bool(getattr(module, "is_causal", False)),
                layer=getattr(module, "layer_idx", None), query=query, key=key, value=value,
                scale=kwargs.get("scaling"), mask=mask, soft_cap=kwargs.get("softcap"), sinks=sinks)


def _mask_of_interface(capture: Capture, name: str, module: Any, query: Any, key: Any, cells: Any,
                       kwargs: dict[str, Any]) -> Mask:
    queries, keys = query.shape[2], key.shape[2]
    is_causal = kwargs.get("is_causal")
    is_causal = bool(getattr(module, "is_causal", True) if is_causal is None else is_causal)
    if "flash" in name:  # the last query stands at the last key; cells are padding, (B,S)
        kept = _kept(cells[:, None, None].bool()) if cells is not None else None
        return Mask(is_causal, keys - queries, int(kwargs.get("sliding_window") or 0), kept)
    if cells is None:
        mask = Mask(causal=name == "sdpa" and is_causal and queries > 1)
    else:
        mask = capture.mask_of(cells[..., :keys])
    bias = kwargs.get("position_bias")
    if bias is None:
        return mask
    if mask.bias is not None:
        bias = bias + cells[..., :keys]
    return Mask(mask.causal, mask.offset, mask.window, mask.kept, capture.shared(bias))
