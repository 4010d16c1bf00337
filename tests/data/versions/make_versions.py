#!/usr/bin/env python3
"""Wrote the files beside it: one of each form of workspaces, captures, lessons and settings that a version has written.

They stay as they are, for they stand for the files of users: a new form is a new function here and a new file, made by
`make_versions.py NAME`. expected.json holds the output of each by NumPy, which tests/core/test_versions.cpp compares.
"""
import io
import json
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
numbers = np.random.default_rng(1)


def workspace(name, arrays, description):
    with zipfile.ZipFile(HERE / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for array, values in arrays.items():
            data = io.BytesIO()
            np.save(data, values)
            archive.writestr(zipfile.ZipInfo(f"{array}.npy"), data.getvalue())
        text = json.dumps({"format": "attnlab-workspace", "version": 1, **description}, indent=1, ensure_ascii=False)
        archive.writestr(zipfile.ZipInfo("workspace.json"), text)


def attention(query, key, value, scale, kept=None):
    scores = query @ key.swapaxes(-1, -2) * scale
    if kept is not None:
        scores = np.where(kept, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ value


def workspace_first():
    """The first form: no positions, no second setting, arrays before workspace.json."""
    arrays = {name: numbers.standard_normal((2, 4, 3)) for name in ("query", "key", "value")}
    workspace("workspace_first.npz", arrays, {
        "spec": {"variant": "scaled_dot_product", "parameters": {}, "scale": {"id": "sqrt_dk", "parameters": {}},
                 "scale_after_softmax": False, "masks": [{"id": "causal", "parameters": {}}],
                 "mask_fill": {"value": "-inf", "mode": "replace"}, "mask_true": "blocks", "statistics": True},
        "query_tokens": ["the", "cat", "sat", "."], "key_tokens": ["the", "cat", "sat", "."], "view": {}})
    return attention(*arrays.values(), 3 ** -0.5, np.tri(4, dtype=bool))


def workspace_whole():
    """Every key of version 1."""
    arrays = {name: numbers.standard_normal((1, 2, 4, 4)).astype(np.float32) for name in ("query", "key", "value")}
    arrays["key_padding_mask"] = np.array([[False, False, False, True]])
    selection = {"id": "temperature", "parameters": {"t": 2.5}}
    spec = {"variant": "scaled_dot_product", "parameters": {}, "scale": selection, "scale_after_softmax": False,
            "position": {"id": "", "parameters": {}},
            "masks": [{"id": "key_padding", "parameters": {}}, {"id": "window", "parameters": {"w": 4}}],
            "mask_fill": {"value": -10000.0, "mode": "add"}, "mask_true": "keeps", "statistics": False}
    workspace("workspace_whole.npz", arrays, {
        "spec": spec,
        "compared_with": {**spec, "scale": {"id": "none", "parameters": {}}, "rounding": "bfloat16:scores"},
        "key_grid": {"rows": 2, "columns": 2},
        "query_tokens": ["读", "a", "b", "c"], "key_tokens": ["k0", "k1", "k2", ""],
        "view": {"page": "matrix", "stage": "weights", "batch": 0, "head": 1, "pinned": [1, 2], "colormap": "magma",
                 "logarithmic": True, "locked": True, "low": 0.125, "high": 0.5}})
    query, key, value = (arrays[name].astype(float) for name in ("query", "key", "value"))
    distance = np.abs(np.subtract.outer(np.arange(4), np.arange(4)))
    blocked = np.logical_or(distance > 2, np.array([False, False, False, True]))
    scores = query @ key.swapaxes(-1, -2) / 2.5 + np.where(blocked, -10000.0, 0.0)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ value


def capture():
    """Two passes as attnlab.capture has written them."""
    arrays = {f"layer.{i}.{what}": numbers.standard_normal((1, heads, 3, 2)).astype(np.float32)
              for i in range(2) for what, heads in (("query", 2), ("key", 1), ("value", 1))}
    passes = [{"name": f"layer.{i}", "heads": 2, "key_value_heads": 1, "scale": 2 ** -0.5, "causal": True,
               "query_tokens": "text", "key_tokens": "text"} for i in range(2)]
    description = {"schema": 1, "made_by": "attnlab for Python", "passes": passes, "title": "two layers",
                   "tokens": {"text": [["a", "b", "c"]]}}
    header = {"__metadata__": {"attnlab.capture": json.dumps(description)}}
    end = 0
    for name, values in arrays.items():
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [end, end + values.nbytes]}
        end += values.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(HERE / "capture.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(values.tobytes() for values in arrays.values()))
    query, key, value = (arrays[f"layer.0.{what}"].astype(float) for what in ("query", "key", "value"))
    return attention(query, key, value, 2 ** -0.5, np.tri(3, dtype=bool))


if __name__ == "__main__":
    expected = json.loads((HERE / "expected.json").read_text()) if (HERE / "expected.json").exists() else {}
    for name in sys.argv[1:]:
        expected[name] = globals()[name]().ravel().tolist()
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")
