"""Makes a recording of one pass from the caller's arrays."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from .arrays import Array, as_array, cells_of, heads_of, labels_of
from .bands import Band, Window, band_of
from .errors import AttnLabError
from .masks import Mask, split
from .recording import Pass, Recording


def record(q: Any = None, k: Any = None, v: Any = None, *, weights: Any = None, mask: Any = None, bias: Any = None,
           scale: Optional[float] = None, causal: bool = False, window: Window = 0,
           window_size: Optional[Sequence[int]] = None, query_offset: Any = None, offset: Any = None,
           soft_cap: Optional[float] = None, sinks: Any = None, lse: Any = None, tokens: Any = None,
           key_tokens: Any = None, layout: str = "BHLE", name: str = "attention", title: str = "") -> Recording:
    """See `attnlab.show`."""
    if offset is not None:  # its name in earlier versions
        if query_offset is not None:
            raise AttnLabError(f"offset: is {offset!r}, and query_offset is {query_offset!r}; expected one of them")
        query_offset = offset
    if weights is not None:
        if any(given is not None for given in (q, k, v, mask, bias, sinks, lse, scale, soft_cap)):
            raise AttnLabError("weights: stand alone; q, k, v and what belongs to them cannot be given beside them")
        passes = _weights(weights, name)
    else:
        one = _pass(q, k, v, layout, name)
        passes = [one]
        batch, _, queries, keys = one.shape
        band = band_of(causal, window, window_size, query_offset, (batch, queries, keys), stacklevel=4)
        _set_mask(one, mask, bias, band)
        one.scale = one.scale if scale is None else _finite(scale, "scale")
        one.soft_cap = _positive(soft_cap, "soft_cap") if soft_cap else None
        if sinks is not None:
            one.sinks = _of_shape(sinks, (one.shape[1],), "sinks", "(H)")
        if lse is not None:
            one.lse = _of_shape(lse, one.shape[:3], "lse", "(B,H,L)")
    recording = Recording(passes, title=title)
    _set_labels(recording, tokens, key_tokens)
    return recording


def _pass(q: Any, k: Any, v: Any, layout: str, name: str) -> Pass:
    if q is None or k is None:
        raise AttnLabError("show: expected q and k, or weights")
    query, key = heads_of(q, layout, "q"), heads_of(k, layout, "k")
    value = heads_of(v, layout, "v") if v is not None else None
    b, h, _, e = query.shape
    kv_heads, keys = key.shape[1:3]
    if (key.shape[0], key.shape[3]) != (b, e) or kv_heads == 0 or h % kv_heads:
        raise AttnLabError(f"k: has the shape {key.shape}, expected ({b}, Hkv, S, {e}) where Hkv divides {h}, as q has "
                           f"the shape {query.shape}")
    if value is not None and value.shape[:3] != key.shape[:3]:
        raise AttnLabError(f"v: has the shape {value.shape}, expected ({b}, {kv_heads}, {keys}, Ev), as k has the "
                           f"shape {key.shape}")
    return Pass(name, query, key, value, scale=1 / math.sqrt(max(1, e)))


def _weights(weights: Any, name: str) -> list[Pass]:
    """One array, one for each layer as in `output_attentions`, or such a list for each step as of `generate()`."""
    if isinstance(weights, (list, tuple)) and weights and all(isinstance(step, (list, tuple)) and step and
                                                              hasattr(step[0], "shape") for step in weights):
        return _written(weights, name)
    several = isinstance(weights, (list, tuple)) and len(weights) > 0 and hasattr(weights[0], "shape")
    layers = weights if several else [weights]
    passes = []
    for index, layer in enumerate(layers):
        array = as_array(layer, f"weights[{index}]" if len(layers) > 1 else "weights")
        if array.bits.ndim not in (2, 3, 4) or array.type not in ("F16", "BF16", "F32", "F64"):
            raise AttnLabError(f"weights: has the shape {array.shape} and the type {array.type}, expected floats of "
                               f"(B,H,L,S), (H,L,S) or (L,S), or a list of them")
        array = array.with_bits(array.bits.reshape((1,) * (4 - array.bits.ndim) + array.shape))
        passes.append(Pass(f"{name}.{index}" if len(layers) > 1 else name, weights=array))
    return passes


def _written(steps: Sequence[Sequence[Any]], name: str) -> list[Pass]:
    """The rows of the prompt, then a row for each token that was written; keys that came later have the weight 0."""
    layers = len(steps[0])
    if any(len(step) != layers for step in steps):
        raise AttnLabError(f"weights: the steps have {sorted({len(step) for step in steps})} layers, expected as many in each")
    passes = []
    for layer in range(layers):
        arrays = [as_array(step[layer], f"weights[{index}][{layer}]") for index, step in enumerate(steps)]
        first = arrays[0]
        for index, array in enumerate(arrays):
            if len(array.shape) != 4 or array.shape[:2] != first.shape[:2] or array.type != first.type or \
                    array.type not in ("F16", "BF16", "F32", "F64"):
                raise AttnLabError(f"weights[{index}][{layer}]: has the shape {array.shape} and the type {array.type}, "
                                   f"expected floats of (B,H,L,S) with the batch, the heads and the type of the first step")
        keys = max(array.shape[3] for array in arrays)
        rows = [np.pad(array.bits, ((0, 0), (0, 0), (0, 0), (0, keys - array.shape[3]))) for array in arrays]
        joined = first.with_bits(np.ascontiguousarray(np.concatenate(rows, axis=2)))
        grows = all(later.shape[3] == before.shape[3] + 1 for before, later in zip(arrays, arrays[1:]))
        one = Pass(f"{name}.{layer}", weights=joined)
        one.causal = grows and len(arrays) > 1 and joined.shape[2] == keys
        passes.append(one)
    return passes


def _set_mask(one: Pass, mask: Any, bias: Any, band: Band) -> None:
    found = Mask()
    if mask is not None:
        cells = cells_of(mask, one.shape, "mask")
        if cells.type[0] in "UI":
            raise AttnLabError("mask: has integers, expected bool, whose True keeps, or floats that are added")
        found = split(cells)
    if bias is not None:
        if found.bias is not None:
            raise AttnLabError("mask: has floats that are added, and bias is given too")
        one.bias = cells_of(bias, one.shape, "bias")
    one.bias = one.bias if one.bias is not None else found.bias
    if not band.is_all and (found.causal or found.window):
        found = Mask(kept=Array("BOOL", np.ascontiguousarray(cells_kept(found, one.shape))), bias=found.bias)
    one.causal, one.offset, one.window, one.mask = found.causal, found.offset, found.window, found.kept
    if band.is_all:
        return
    if band.keys is not None and len(band.offsets) == 1:
        (one.causal, one.window), one.offset = band.keys, band.offsets[0]
        return
    kept = band.kept(*one.shape[2:])
    one.mask = Array("BOOL", kept if one.mask is None else np.ascontiguousarray(kept & one.mask.bits))


def cells_kept(mask: Mask, shape: tuple[int, int, int, int]) -> np.ndarray:
    """The band and `kept` together: (B|1,H|1,L,S)."""
    at = np.arange(shape[2])[:, None] + mask.offset
    j = np.arange(shape[3])
    band = np.ones((shape[2], shape[3]), bool)
    if mask.causal:
        band &= j <= at
    if mask.window:
        band &= np.abs(at - j) < mask.window
    return band[None, None] if mask.kept is None else band & mask.kept.bits


def _set_labels(recording: Recording, tokens: Any, key_tokens: Any) -> None:
    _, _, queries, keys = recording.passes[0].shape
    if tokens is not None:
        recording.tokens["queries"] = labels_of(tokens, queries, "tokens")
    if key_tokens is not None:
        recording.tokens["keys"] = labels_of(key_tokens, keys, "key_tokens")
    for one in recording.passes:
        if tokens is not None:
            one.query_tokens = "queries"
        if key_tokens is not None:
            one.key_tokens = "keys"
        elif tokens is not None and queries == keys:
            one.key_tokens = "queries"


def _of_shape(value: Any, shape: tuple[int, ...], name: str, axes: str) -> Array:
    array = as_array(value, name)
    if array.shape != shape:
        raise AttnLabError(f"{name}: has the shape {array.shape}, expected {shape}, {axes}")
    return array


def _finite(value: float, name: str) -> float:
    if not isinstance(value, numbers.Real):
        raise AttnLabError(f"{name}: is {value!r}, expected a number")
    if not math.isfinite(value):
        raise AttnLabError(f"{name}: is {value}, expected a finite number")
    return float(value)


def _positive(value: float, name: str) -> float:
    if not (_finite(value, name) > 0):
        raise AttnLabError(f"{name}: is {value}, expected a number above 0")
    return float(value)
