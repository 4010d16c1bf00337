"""Compares a record of attention with what the attention function returned, on a few rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Optional

import numpy as np

from .arrays import Array
from .masks import Mask

_MOST_ROWS = 16
_UNIT = {"F64": 2.0 ** -53, "F32": 2.0 ** -24, "F16": 2.0 ** -11, "BF16": 2.0 ** -8}


@dataclass(frozen=True)
class Candidate:
    """What an attention function may have computed from queries, keys and values."""

    mask: Mask
    scale: float
    soft_cap: Optional[float] = None
    sinks: Optional[Array] = None
    ignored: tuple[str, ...] = ()  # of REASONS
    query: Optional[Array] = None  # None: those that the function was given
    key: Optional[Array] = None
    value: Optional[Array] = None

    def first(self, count: int) -> Candidate:
        """For the first `count` queries and keys alone."""
        def cut(cells: Optional[Array]) -> Optional[Array]:
            return cells and cells.with_bits(np.ascontiguousarray(cells.bits[:, :, :count, :count]))

        return replace(self, mask=replace(self.mask, kept=cut(self.mask.kept), bias=cut(self.mask.bias)))


def rows_of(count: int) -> np.ndarray:
    """All, or some from the first to the last."""
    return np.unique(np.linspace(0, count - 1, min(count, _MOST_ROWS)).round().astype(np.int64)) if count else np.arange(0)


class Check:
    """Knows rows of what was returned: `returned` (...), of `project(output)` where output is (B,H,R,Ev)."""

    def __init__(self, query: Array, key: Array, value: Array, rows: np.ndarray, returned: np.ndarray,
                 project: Optional[Callable[[np.ndarray], np.ndarray]] = None, unit: float = 0.0) -> None:
        """`unit`: the relative error of a number of the function's arithmetic, where it is more than that of the
        query's type."""
        self._given = (query, key, value)
        self._rows, self._returned = rows, returned
        self._project = project or (lambda output: output)
        self._unit = max(unit, _UNIT[query.type])
        self._raw: dict[tuple[int, int], np.ndarray] = {}
        self.is_finite = bool(np.isfinite(returned).all())

    def choose(self, candidates: list[Candidate]) -> tuple[Candidate, Optional[float]]:
        """The first candidate that fits, or the first of all and how much it differs."""
        differs = [0.0] * len(candidates)
        for at, candidate in enumerate(candidates):
            differs[at], fits = self.difference(candidate)
            if fits:
                return candidate, None
        largest = float(np.abs(self._returned[np.isfinite(self._returned)]).max(initial=0))
        return candidates[0], differs[0] / largest if largest > 0 and np.isfinite(differs[0]) else 1.0

    def is_same(self, one: Candidate, other: Candidate) -> bool:
        """Whether their weights are equal but for rounding."""
        with np.errstate(all="ignore"):
            return bool((np.abs(self.weights(one)[0] - self.weights(other)[0]) <= 1e-5).all())

    def difference(self, candidate: Candidate) -> tuple[float, bool]:
        """The largest difference of a cell, and whether rounding may explain every one."""
        weights, spread = self.weights(candidate)
        value = (candidate.value or self._given[2]).numpy().astype(weights.dtype, copy=False)
        batch, heads, rows, keys = weights.shape
        grouped = weights.reshape(batch, value.shape[1], -1, keys)
        with np.errstate(all="ignore"):
            output = (grouped @ value).reshape(batch, heads, rows, value.shape[3])
            made = self._project(output)
            apart = np.abs(made - self._returned)
        reads_nothing = (weights == 0).all(axis=-1, keepdims=True)  # its output may be NaN instead of zero
        if made.ndim == 3:  # (B,R,D), of all heads
            reads_nothing, spread = reads_nothing.any(axis=1), spread.max(axis=1)
        ends = np.isfinite(made) == np.isfinite(self._returned)
        apart = np.where(np.isfinite(apart), apart, np.where(ends | reads_nothing, 0.0, np.inf))
        size = max(np.abs(value[np.isfinite(value)]).max(initial=0), np.abs(made[np.isfinite(made)]).max(initial=0))
        allowed = np.maximum(2e-5, 2 * self._unit * (2 + spread)) * size
        return float(apart.max(initial=0)), bool((apart <= allowed).all())

    def weights(self, candidate: Candidate) -> tuple[np.ndarray, np.ndarray]:
        """(B,H,R,S) of the rows; and the largest of the scores that count, (B,H,R,1)."""
        query, key = candidate.query or self._given[0], candidate.key or self._given[1]
        scores = self._products(query, key) * candidate.scale
        rows, keys = scores.shape[2:]
        with np.errstate(all="ignore"):
            if candidate.soft_cap:
                scores = candidate.soft_cap * np.tanh(scores / candidate.soft_cap)
            mask = candidate.mask
            if mask.bias is not None:
                scores = scores + self._part(mask.bias).astype(scores.dtype, copy=False)
            at, j = self._rows[:, None] + mask.offset, np.arange(keys)
            kept = np.ones((1, 1, rows, keys), bool)
            if mask.causal:
                kept = kept & (j <= at)
            if mask.window:
                kept = kept & (np.abs(at - j) < mask.window)
            if mask.kept is not None:
                kept = kept & self._part(mask.kept)
            scores = np.where(kept, scores, -np.inf)
            sink = np.full(scores.shape[:3] + (1,), -np.inf, scores.dtype)
            if candidate.sinks is not None:
                sink[:] = candidate.sinks.numpy()[None, :, None, None]
            largest = np.maximum(scores.max(-1, keepdims=True, initial=-np.inf), sink)
            largest = np.where(np.isneginf(largest), 0, largest)
            numbers = np.exp(scores - largest)
            total = numbers.sum(-1, keepdims=True) + np.exp(sink - largest)
            spread = np.abs(np.where(numbers > 1e-4, scores, 0)).max(axis=-1, keepdims=True, initial=0)
            return np.divide(numbers, total, out=np.zeros_like(numbers), where=total != 0), spread

    def _products(self, query: Array, key: Array) -> np.ndarray:
        """q . k of the rows, (B,H,R,S)."""
        found = self._raw.get((id(query), id(key)))
        if found is None:
            kind = np.float64 if "F64" in (query.type, key.type) else np.float32
            q = query.with_bits(query.bits[:, :, self._rows]).numpy().astype(kind)
            k = key.numpy().astype(kind, copy=False)
            batch, heads, rows, width = q.shape
            with np.errstate(all="ignore"):
                found = q.reshape(batch, k.shape[1], -1, width) @ k.swapaxes(-1, -2)
            found = found.reshape(batch, heads, rows, k.shape[2])
            self._raw[id(query), id(key)] = found
        return found

    def _part(self, cells: Array) -> np.ndarray:
        return cells.with_bits(cells.bits[:, :, self._rows] if cells.shape[2] > 1 else cells.bits).numpy()
