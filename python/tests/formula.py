"""Attention by its definition, in float64."""

import numpy as np


def weights_of(one):
    """(B,H,L,S) of a recorded pass; a fully masked row is zeros."""
    query, key = (array.numpy().astype(np.float64) for array in (one.query, one.key))
    key = np.repeat(key, query.shape[1] // key.shape[1], axis=1)
    scores = query @ key.swapaxes(-1, -2) * one.scale
    if one.soft_cap:
        scores = one.soft_cap * np.tanh(scores / one.soft_cap)
    if one.bias is not None:
        scores = scores + one.bias.numpy()
    at = np.arange(query.shape[2])[:, None] + one.offset
    j = np.arange(key.shape[2])
    kept = np.ones((query.shape[2], key.shape[2]), bool)
    if one.causal:
        kept = kept & (j <= at)
    if one.window:
        kept = kept & (np.abs(at - j) < one.window)
    if one.mask is not None:
        kept = kept & one.mask.bits
    scores = np.where(kept, scores, -np.inf)
    sink = np.full(scores.shape[:3] + (1,), -np.inf)
    if one.sinks is not None:
        sink[:] = one.sinks.numpy()[None, :, None, None]
    largest = np.maximum(scores.max(-1, keepdims=True), sink)
    largest = np.where(np.isfinite(largest), largest, 0)
    numbers = np.exp(scores - largest)
    total = numbers.sum(-1, keepdims=True) + np.exp(sink - largest)
    return np.divide(numbers, total, out=np.zeros_like(numbers), where=total > 0)
