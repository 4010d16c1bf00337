"""Masks as what they are made of: a causal band, a window, padding; so that nothing of size L x S is kept of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional

import numpy as np

from .arrays import Array

_ROWS = 1024  # compared at once


@dataclass(frozen=True)
class Mask:
    """Query i reads key j where j <= i + offset if `causal`, |i + offset - j| < window if `window` is not 0, where
    `kept` (B|1,H|1,L|1,S) is True; `bias`, of such a shape, is added to the scaled scores."""

    causal: bool = False
    offset: int = 0
    window: int = 0
    kept: Optional[Array] = None
    bias: Optional[Array] = None


def split(cells: Array) -> Mask:
    """A mask of four axes: bool, whose True keeps, or numbers that are added to the scores."""
    if cells.type == "BOOL":
        return compact(cells.bits)
    numbers = cells.numpy()
    floor = np.finfo(numbers.dtype if cells.type != "BF16" else np.float32).min / 2
    blocked = numbers <= floor
    # Where all of a row is blocked by finite numbers its weights are uniform: that row is no mask.
    if not np.all(blocked | (numbers == 0)) or blocked.all(axis=-1).any():
        return Mask(bias=cells)
    return compact(~blocked)


def compact(kept: np.ndarray) -> Mask:
    """(B|1,H|1,L|1,S), True keeps."""
    rows, keys = kept.shape[2:]
    if kept.all():
        return Mask()
    if rows > 1 and keys > 0:
        columns: np.ndarray = np.any(kept, axis=2, keepdims=True)
        padding = None if columns.all() else Array("BOOL", np.ascontiguousarray(columns))
        for causal, offset, window in _bands(kept):
            if _is_band(kept, columns, causal, offset, window):
                everywhere = np.ones((1, 1, 1, 1), bool)
                if padding is not None and _is_band(kept, everywhere, causal, offset, window):
                    padding = None  # keys that no query of the band reads, as the free places of a cache
                return Mask(causal, offset if causal or window else 0, window, padding)
    return Mask(kept=Array("BOOL", np.ascontiguousarray(kept)))


def _bands(kept: np.ndarray) -> Iterator[tuple[bool, int, int]]:
    """Likely bands, the likeliest first: causal, offset and window."""
    rows, keys = kept.shape[2:]
    corners = sorted({keys - rows, 0}, reverse=True)
    first = kept[:, :, 0][kept[:, :, 0].any(-1)]  # without sequences whose first query reads nothing: padding
    last = int((keys - 1 - first[:, ::-1].argmax(-1)).min()) if len(first) else 0
    for offset in corners:
        yield True, offset, 0
        yield True, offset, _width(kept, True, offset)
    yield True, last, 0  # tokens inside a cache
    for offset in corners:
        yield False, offset, 0
        yield False, offset, _width(kept, False, offset)
    yield True, last, _width(kept, True, last)


def _width(kept: np.ndarray, causal: bool, offset: int) -> int:
    """The smallest window with every kept cell."""
    keys = kept.shape[3]
    first = np.where(kept.any(-1), kept.argmax(-1), np.iinfo(np.int64).max)
    last = np.where(kept.any(-1), keys - 1 - kept[..., ::-1].argmax(-1), -1)
    at = np.arange(kept.shape[2]) + offset
    reads = last >= 0
    back = np.where(reads, at - np.minimum(first, keys), 0).max(initial=0)
    ahead = 0 if causal else np.where(reads, last - at, 0).max(initial=0)
    return int(max(back, ahead, 0)) + 1


def _is_band(kept: np.ndarray, columns: np.ndarray, causal: bool, offset: int, window: int) -> bool:
    rows, keys = kept.shape[2:]
    j = np.arange(keys)
    for begin in range(0, rows, _ROWS):
        at = np.arange(begin, min(begin + _ROWS, rows))[:, None] + offset
        band = np.ones((at.shape[0], keys), bool)
        if causal:
            band &= j <= at
        if window:
            band &= np.abs(at - j) < window
        if not (kept[:, :, begin:begin + _ROWS] == (band & columns)).all():
            return False
    return True
