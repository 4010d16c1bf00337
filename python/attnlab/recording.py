"""Passes of attention in memory, and in the file that AttnLab opens (docs/file-formats.md, "Captures")."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import safetensors
from .arrays import Array
from .errors import AttnLabError

SCHEMA = 1
METADATA = "attnlab.capture"


@dataclass
class Pass:
    """One attention of one layer: query (B,H,L,E), key (B,Hkv,S,E), value (B,Hkv,S,Ev); or weights (B,H,L,S) alone."""

    name: str
    query: Optional[Array] = None
    key: Optional[Array] = None
    value: Optional[Array] = None
    weights: Optional[Array] = None
    lse: Optional[Array] = None
    sinks: Optional[Array] = None
    scale: float = 1.0
    soft_cap: Optional[float] = None
    causal: bool = False
    offset: int = 0
    window: int = 0
    mask: Optional[Array] = None
    bias: Optional[Array] = None
    query_tokens: Optional[str] = None
    key_tokens: Optional[str] = None

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """(B, H, L, S)."""
        if self.query is None or self.key is None:
            assert self.weights is not None
            batch, heads, queries, keys = self.weights.shape
            return batch, heads, queries, keys
        batch, heads, queries, _ = self.query.shape
        return batch, heads, queries, self.key.shape[2]

    @property
    def nbytes(self) -> int:
        return sum(array.bits.nbytes for array in self.arrays().values())

    def arrays(self) -> dict[str, Array]:
        """Those that are named after the pass."""
        named = {what: getattr(self, what) for what in ("query", "key", "value", "weights", "lse", "sinks")}
        return {f"{self.name}.{what}": array for what, array in named.items() if array is not None}

    def description(self) -> dict[str, Any]:
        kv_heads = self.key.shape[1] if self.key is not None else self.shape[1]
        entry: dict[str, Any] = {"name": self.name, "heads": self.shape[1], "key_value_heads": kv_heads,
                                 "scale": self.scale}
        if self.soft_cap:
            entry["soft_cap"] = self.soft_cap
        if self.causal:
            entry["causal"] = True
        if self.offset:
            entry["offset"] = self.offset
        if self.window:
            entry["window"] = self.window
        for name in ("query_tokens", "key_tokens"):
            if getattr(self, name):
                entry[name] = getattr(self, name)
        return entry


@dataclass
class Recording:
    """Some passes, and labels of their tokens: a list for each sequence of the batch, or one for all."""

    passes: list[Pass] = field(default_factory=list)
    tokens: dict[str, list[list[str]]] = field(default_factory=dict)
    title: str = ""

    def __getitem__(self, name: str) -> Pass:
        for one in self.passes:
            if one.name == name:
                return one
        raise KeyError(f"{name!r} is none of {', '.join(one.name for one in self.passes)}")

    def __len__(self) -> int:
        return len(self.passes)

    @property
    def nbytes(self) -> int:
        return sum(array.bits.nbytes for array in self._contents()[0].values())

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file, whole or not at all."""
        if not self.passes:
            raise AttnLabError("there is no attention to save")
        arrays, entries = self._contents()
        description: dict[str, Any] = {"schema": SCHEMA, "made_by": "attnlab for Python", "passes": entries}
        if self.title:
            description["title"] = self.title
        if self.tokens:
            description["tokens"] = self.tokens
        safetensors.write(path, arrays, {METADATA: json.dumps(description, ensure_ascii=False, allow_nan=False)})

    def _contents(self) -> tuple[dict[str, Array], list[dict[str, Any]]]:
        arrays: dict[str, Array] = {}
        names: dict[int, str] = {}  # masks that several passes share are written once
        entries = []
        for one in self.passes:
            arrays.update(one.arrays())
            entry = one.description()
            for what in ("mask", "bias"):
                cells = getattr(one, what)
                if cells is None:
                    continue
                if id(cells) not in names:
                    names[id(cells)] = f"{what}.{len(names)}"
                    arrays[names[id(cells)]] = cells
                entry[what] = names[id(cells)]
            entries.append(entry)
        return arrays, entries


def load(path: Union[str, "os.PathLike[str]"]) -> Recording:
    """Reads what `Recording.save` has written."""
    arrays, metadata = safetensors.read(path)
    if METADATA not in metadata:
        raise AttnLabError(f"{path}: is no capture: its metadata have no {METADATA!r}")
    description = json.loads(metadata[METADATA])
    if description.get("schema") != SCHEMA:
        raise AttnLabError(f"{path}: has the schema {description.get('schema')}, expected {SCHEMA}")
    passes = []
    for entry in description["passes"]:
        values = {key: entry[key] for key in entry if key not in ("heads", "key_value_heads", "mask", "bias")}
        for what in ("query", "key", "value", "weights", "lse", "sinks"):
            values[what] = arrays.get(f"{entry['name']}.{what}")
        for what in ("mask", "bias"):
            values[what] = arrays[entry[what]] if what in entry else None
        passes.append(Pass(**values))
    return Recording(passes, description.get("tokens", {}), description.get("title", ""))
