"""The band of keys that causal and window leave to each query, and where the first query stands among the keys."""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from .arrays import as_array
from .errors import AttnLabError

Window = Union[int, Sequence[int]]
_FARTHEST = 2 ** 40


@dataclass(frozen=True)
class Band:
    """Query i of sequence b reads keys from p - left to p + right, where p = i + offsets[b]; None is unlimited."""

    left: Optional[int] = None
    right: Optional[int] = None
    offsets: tuple[int, ...] = (0,)  #: one for each sequence, or one for all

    @property
    def is_all(self) -> bool:
        return self.left is None and self.right is None

    @property
    def keys(self) -> Optional[tuple[bool, int]]:
        """`causal` and the number of keys of a window to either side, the query's own included, 0 for all; None where
        these two cannot say it."""
        if self.left is not None and self.left == self.right:
            return False, self.left + 1
        if self.right == 0:
            return True, 0 if self.left is None else self.left + 1
        return (False, 0) if self.is_all else None

    def kept(self, queries: int, keys: int) -> np.ndarray:
        """(B|1,1,L,S)."""
        at = np.asarray(self.offsets)[:, None, None, None] + np.arange(queries)[:, None]
        kept = np.ones((len(self.offsets), 1, queries, keys), bool)
        if self.left is not None:
            kept &= np.arange(keys) >= at - self.left
        if self.right is not None:
            kept &= np.arange(keys) <= at + self.right
        return kept


def band_of(causal: bool, window: Window, window_size: Optional[Sequence[int]], offset: Any, sizes: tuple[int, int, int],
            stacklevel: int) -> Band:
    """See `attnlab.show`. `sizes`: B, L and S."""
    left, right = reaches_of(window, window_size)
    if causal:
        right = 0
    is_band = left is not None or right is not None
    if offset is not None and not is_band:
        raise AttnLabError("query_offset: goes with causal and window, which are not given")
    if not is_band:
        return Band()
    if offset is not None:
        return Band(left, right, offsets_of(offset, sizes))
    _, queries, keys = sizes
    if window_size is not None:  # flash-attention's, which lines up the last ones
        return Band(left, right, (keys - queries,))
    at = max(0, keys - queries)
    if queries != keys:
        where = "the last query stands at the last key" if at else "the first query stands at the first key"
        warnings.warn(f"there are {queries} queries and {keys} keys: {where} (query_offset={at}); query_offset= says "
                      f"where the first query stands", stacklevel=stacklevel)
    return Band(left, right, (at,))


def reaches_of(window: Window, window_size: Optional[Sequence[int]]) -> tuple[Optional[int], Optional[int]]:
    """Keys before and after a query; None: all."""
    if window_size is not None:
        if not _is_none(window):
            raise AttnLabError(f"window: is {window!r}, and window_size is {window_size!r}; expected one of them")
        return _two(window_size, "window_size")
    if isinstance(window, numbers.Integral) and not isinstance(window, bool):
        if not 0 <= window <= _FARTHEST:
            raise AttnLabError(f"window: is {window!r}, expected the number of keys, 0 for all, or (left, right)")
        return (int(window) - 1, int(window) - 1) if window else (None, None)
    return _two(window, "window")


def _is_none(window: Any) -> bool:
    return isinstance(window, numbers.Integral) and not isinstance(window, bool) and window == 0


def _two(window: Any, name: str) -> tuple[Optional[int], Optional[int]]:
    expected = "expected two integers (left, right), where -1 is unlimited"
    try:
        given = list(window) if not isinstance(window, str) else []
    except TypeError:
        given = []
    if len(given) != 2 or any(isinstance(one, bool) or not isinstance(one, numbers.Integral) or abs(one) > _FARTHEST
                              for one in given):
        raise AttnLabError(f"{name}: is {window!r}, {expected}")
    left, right = (None if one < 0 else int(one) for one in given)
    return left, right


def offsets_of(offset: Any, sizes: tuple[Optional[int], int, int]) -> tuple[int, ...]:
    """Where the first query stands among the keys, for each sequence or for all. A batch of None is any."""
    batch, queries, keys = sizes
    several = "sequence" if batch is None else f"of the {batch} sequences"
    expected = f"expected an integer, one for each {several}, or 'bottom_right'"
    if isinstance(offset, str):
        if offset != "bottom_right":
            raise AttnLabError(f"query_offset: is {offset!r}, {expected}")
        return (keys - queries,)
    if isinstance(offset, bool) or offset is None:
        raise AttnLabError(f"query_offset: is {offset!r}, {expected}")
    if isinstance(offset, numbers.Integral):
        values = [int(offset)]
    else:
        array = as_array(offset, "query_offset")
        if array.type[0] not in "UI":
            raise AttnLabError(f"query_offset: has the type {array.type}, {expected}")
        if array.shape not in ((), (batch,)) and (batch is not None or len(array.shape) != 1):
            raise AttnLabError(f"query_offset: has the shape {array.shape}, {expected}")
        values = [int(one) for one in array.numpy().reshape(-1)]
    for one in values:
        if abs(one) > _FARTHEST:
            raise AttnLabError(f"query_offset: has {one}, expected integers from {-_FARTHEST} to {_FARTHEST}")
    return (values[0],) if values and len(set(values)) == 1 else tuple(values)
