"""Passes of attention in memory, and in the file that AttnLab opens (docs/file-formats.md, "Captures")."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import safetensors
from .arrays import Array, require_text
from .errors import AttnLabError
from .safetensors import short

SCHEMA = 1
METADATA = "attnlab.capture"
ARRAYS = ("query", "key", "value", "weights", "lse", "sinks", "beta", "log_gate", "gamma")
#: Mechanisms that carry a state, with the arrays that they need and may have besides query, key and value.
CARRIED = {"gated_delta": ("log_gate", "beta"), "gated_linear": ("log_gate",), "delta_rule": ("beta",), "retention": ("gamma",)}

#: What an attention function may have ignored, and why its output may differ from the record.
REASONS = {
    "mask": "the mask", "causal": "the causal mask", "window": "the window", "padding": "the padding",
    "documents": "the documents that are packed into one sequence", "soft_cap": "the soft cap", "sinks": "the sinks",
    "scale": "the scale", "dropout": "dropout", "not_finite": "numbers that are not finite",
}


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
    mechanism: Optional[str] = None  #: of CARRIED: a state is carried instead of a softmax
    beta: Optional[Array] = None  #: (B,H,L)
    log_gate: Optional[Array] = None  #: (B,H,L) or (B,H,L,E), the logarithm
    gamma: Optional[Array] = None  #: (H)
    scale: float = 1.0
    soft_cap: Optional[float] = None
    causal: bool = False
    offset: int = 0
    window: int = 0
    mask: Optional[Array] = None
    bias: Optional[Array] = None
    query_tokens: Optional[str] = None
    key_tokens: Optional[str] = None
    ignored: tuple[str, ...] = ()  #: of REASONS: asked for, but not computed; the pass is recorded as computed
    differs: Optional[float] = None  #: largest difference from the function's output, over its largest number
    likely: tuple[str, ...] = ()  #: of REASONS: why it differs

    def __repr__(self) -> str:
        settings = [word for word, holds in (("causal", self.causal), (f"window={self.window}", self.window),
                                             ("mask", self.mask is not None), ("bias", self.bias is not None)) if holds]
        return f"Pass({', '.join([repr(self.name), f'(B, H, L, S) = {self.shape}', *settings])})"

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

    @property
    def remark(self) -> str:
        """A description of what is unusual about this pass; empty if nothing is."""
        parts = []
        if self.ignored:
            parts.append(f"the function ignored {_listed(self.ignored)}; recorded as computed")
        if self.differs is not None:
            why = f"; likely because of {_listed(self.likely)}" if self.likely else ""
            parts.append(f"differs from the output that the function returned by {self.differs:.2g} of its largest "
                         f"number{why}")
        return "; ".join(parts)

    def arrays(self) -> dict[str, Array]:
        """The arrays of this pass, by their names in the file."""
        named = {what: getattr(self, what) for what in ARRAYS}
        return {f"{self.name}.{what}": array for what, array in named.items() if array is not None}

    def description(self) -> dict[str, Any]:
        kv_heads = self.key.shape[1] if self.key is not None else self.shape[1]
        entry: dict[str, Any] = {"name": self.name, "heads": self.shape[1], "key_value_heads": kv_heads,
                                 "scale": self.scale}
        if self.mechanism:
            entry["mechanism"] = self.mechanism
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
        for name in ("ignored", "likely"):
            if getattr(self, name):
                entry[name] = list(getattr(self, name))
        if self.differs is not None:
            entry["differs"] = self.differs
        return entry


def _listed(reasons: tuple[str, ...]) -> str:
    return " and ".join(REASONS[reason] for reason in reasons)


@dataclass
class Recording:
    """Passes and the labels of their tokens: one list for each sequence of the batch, or one for all."""

    passes: list[Pass] = field(default_factory=list)
    tokens: dict[str, list[list[str]]] = field(default_factory=dict)
    title: str = ""

    def __repr__(self) -> str:
        some = [f"{one.name} {one.shape}" for one in self.passes[:4]]
        more = f", and {len(self.passes) - 4} more" if len(self.passes) > 4 else ""
        title = f"{self.title[:60]!r}, " if self.title else ""
        count = "1 pass" if len(self.passes) == 1 else f"{len(self.passes)} passes"
        return f"{type(self).__name__}({title}{count}: {', '.join(some)}{more})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from .figure import bundle_of

        return bundle_of(self, include, exclude)

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

    @property
    def remarks(self) -> list[str]:
        """One line for each pass that has a remark."""
        return [f"{one.name}: {one.remark}" for one in self.passes if one.remark]

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file, whole or not at all."""
        if not self.passes:
            raise AttnLabError("there is no attention to save")
        arrays, entries = self._contents()
        description: dict[str, Any] = {"schema": SCHEMA, "made_by": "attnlab for Python", "passes": entries}
        if self.title:
            description["title"] = require_text(self.title, "title")
        if self.tokens:
            description["tokens"] = self.tokens
        try:
            text = json.dumps(description, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as error:  # passes that the caller has changed
            raise AttnLabError(f"{path}: the description of the passes cannot be written: {error}") from error
        safetensors.write(path, arrays, {METADATA: require_text(text, "the description of the passes")})

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
    """Reads a file of `Recording.save`. Raises AttnLabError with the reason if the file is not a valid capture."""
    arrays, metadata = safetensors.read(path)
    if METADATA not in metadata:
        raise AttnLabError(f"{path}: is no capture: its metadata have no {METADATA!r}")
    where = f"{path}: {METADATA}"
    description = safetensors.json_object(metadata[METADATA], where)
    schema = description.get("schema")
    if isinstance(schema, bool) or schema != SCHEMA:
        raise AttnLabError(f"{path}: has the schema {short(schema)}, expected {SCHEMA}")
    _require_keys(description, {"schema", "made_by", "title", "tokens", "passes"}, where)
    for name in ("made_by", "title"):
        require_text(description.get(name, ""), f"{where}: {name}")
    tokens = _tokens(description.get("tokens", {}), where)
    entries = description.get("passes")
    if not isinstance(entries, list) or not entries:
        raise AttnLabError(f"{where}: passes is {short(entries)}, expected a list of at least one pass")
    passes: list[Pass] = []
    names: set[str] = set()
    for at, entry in enumerate(entries):
        passes.append(_pass_of(entry, arrays, f"{where}: passes[{at}]"))
        if passes[-1].name in names:
            raise AttnLabError(f"{where}: passes[{at}]: name is {short(passes[-1].name)}, which another pass has")
        names.add(passes[-1].name)
        _check(passes[-1], entry, tokens, path)
    return Recording(passes, tokens, description.get("title", ""))


def _require_keys(entry: dict[str, Any], known: set[str], where: str) -> None:
    for key in entry:
        if key not in known:
            raise AttnLabError(f"{where}: {short(key)} is unknown, expected some of {', '.join(sorted(known))}")


def _tokens(value: Any, where: str) -> dict[str, list[list[str]]]:
    def is_list_of(items: Any, fits: Callable[[Any], bool]) -> bool:
        return isinstance(items, list) and all(map(fits, items))

    if not isinstance(value, dict):
        raise AttnLabError(f"{where}: tokens is {short(value)}, expected lists by name")
    for name, lists in value.items():
        if not lists or not is_list_of(lists, lambda labels: is_list_of(labels, lambda one: isinstance(one, str))):
            raise AttnLabError(f"{where}: tokens: {short(name)} is {short(lists)}, expected a list of labels for each "
                               f"sequence")
    return value


_NAME = ("a name", lambda value: isinstance(value, str) and value != "")
_REASONS = ("a list of reasons, each once", lambda value: isinstance(value, list) and all(
    isinstance(reason, str) and reason in REASONS and value.count(reason) == 1 for reason in value))


def _integer(least: int, most: int) -> tuple[str, Callable[[Any], bool]]:
    return f"an integer from {least} to {most}", lambda value: (
        isinstance(value, int) and not isinstance(value, bool) and least <= value <= most)


def _number(least: float) -> tuple[str, Callable[[Any], bool]]:
    def fits(value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return False
        try:
            return math.isfinite(value) and float(value) > least
        except OverflowError:
            return False

    return "a finite number" if least == -math.inf else "a finite number above 0", fits


_FARTHEST = 2 ** 40
_ENTRIES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": _NAME, "heads": _integer(1, 2 ** 20), "key_value_heads": _integer(1, 2 ** 20),
    "scale": _number(-math.inf),
    "mechanism": (f"one of {', '.join(CARRIED)}", lambda value: value in CARRIED), "soft_cap": _number(0.0),
    "causal": ("true or false", lambda value: isinstance(value, bool)), "offset": _integer(-_FARTHEST, _FARTHEST),
    "window": _integer(1, _FARTHEST), "mask": _NAME, "bias": _NAME, "query_tokens": _NAME, "key_tokens": _NAME,
    "ignored": _REASONS, "differs": _number(0.0), "likely": _REASONS,
}


def _pass_of(entry: Any, arrays: dict[str, Array], where: str) -> Pass:
    if not isinstance(entry, dict):
        raise AttnLabError(f"{where}: is {short(entry)}, expected an object of JSON")
    _require_keys(entry, set(_ENTRIES), where)
    for key in ("name", "heads", "key_value_heads"):
        if key not in entry:
            raise AttnLabError(f"{where}: {key} is missing")
    for key, value in entry.items():
        expected, fits = _ENTRIES[key]
        if not fits(value):
            raise AttnLabError(f"{where}: {key} is {short(value)}, expected {expected}")
    values = {key: value for key, value in entry.items() if key not in ("heads", "key_value_heads", "mask", "bias")}
    for key in ("scale", "soft_cap", "differs"):
        if key in values:
            values[key] = float(values[key])
    for key in ("ignored", "likely"):
        values[key] = tuple(values.get(key, ()))
    for what in ARRAYS:
        values[what] = arrays.get(f"{entry['name']}.{what}")
    for what in ("mask", "bias"):
        if what in entry and entry[what] not in arrays:
            raise AttnLabError(f"{where}: {what} is {short(entry[what])}, which is not an array of the file")
        values[what] = arrays[entry[what]] if what in entry else None
    return Pass(**values)


def _check(one: Pass, entry: dict[str, Any], tokens: dict[str, list[list[str]]], path: Any) -> None:
    """Compares the arrays of a pass with each other, as the program does."""
    sizes = {"H": entry["heads"], "K": entry["key_value_heads"]}
    if sizes["H"] % sizes["K"]:
        raise AttnLabError(f"{path}: pass {short(one.name)}: has {sizes['H']} heads and {sizes['K']} key-value heads, "
                           f"expected a multiple")
    axes = {"query": "BHLE", "key": "BKSE", "value": "BKSV", "lse": "BHL", "sinks": "H", "weights": "BHLS"}
    needed: tuple[str, ...] = ("weights",) if one.query is None and one.weights is not None else ("query", "key")
    if one.mechanism:
        axes = {"query": "BHLE", "key": "BKLE", "value": "BKLV", "beta": "BHL", "gamma": "H",
                "log_gate": "BHLE" if one.log_gate is not None and len(one.log_gate.shape) == 4 else "BHL"}
        needed = ("query", "key", *CARRIED[one.mechanism])
    for what in ("beta", "log_gate", "gamma"):
        if getattr(one, what) is not None and what not in CARRIED.get(one.mechanism or "", ()):
            raise AttnLabError(f"{path}: the array {short(one.name + '.' + what)} is of no use to this pass")
    if one.mechanism and (one.mask is not None or one.bias is not None or one.sinks is not None or one.soft_cap or one.window
                          or one.offset):
        raise AttnLabError(f"{path}: pass {short(one.name)}: {one.mechanism} has no mask, bias, sinks, soft cap, window or "
                           f"offset")
    for what in needed:
        if getattr(one, what) is None:
            raise AttnLabError(f"{path}: the array {short(one.name + '.' + what)} is missing")
    for what in axes if needed != ("weights",) else needed:
        array = getattr(one, what)
        if array is not None:
            _bind(f"{path}: {short(one.name + '.' + what)}", array, axes[what], sizes)
    if one.mechanism:
        sizes["S"] = sizes["L"]
    for what, kinds in (("mask", ("BOOL",)), ("bias", ("F16", "BF16", "F32", "F64"))):
        cells = getattr(one, what)
        if cells is None:
            continue
        name = f"{path}: {short(entry[what])}"
        if len(cells.shape) != 4 or cells.shape[3] != sizes["S"] or any(
                size not in (1, sizes[axis]) for size, axis in zip(cells.shape, "BHL")):
            raise AttnLabError(f"{name} has the shape {cells.shape}, expected {_described('BHLS', sizes)}, where B, H and "
                               f"L may be 1")
        if cells.type not in kinds:
            raise AttnLabError(f"{name} has the type {cells.type}, expected {'bool' if what == 'mask' else 'floats'}")
    for given, count in ((one.query_tokens, sizes["L"]), (one.key_tokens, sizes["S"])):
        if given is None:
            continue
        lists = tokens.get(given)
        if lists is None:
            raise AttnLabError(f"{path}: the tokens {short(given)} are missing")
        if len(lists) not in (1, sizes["B"]):
            raise AttnLabError(f"{path}: tokens {short(given)}: has {len(lists)} lists, expected {sizes['B']}, one for "
                               f"each sequence, or 1")
        for labels in lists:
            if len(labels) != count:
                raise AttnLabError(f"{path}: tokens {short(given)}: has {len(labels)} labels, expected {count}")


def _bind(name: str, array: Array, axes: str, sizes: dict[str, int]) -> None:
    """Checks a shape against the known sizes, and adds its other sizes to them."""
    if array.type not in ("F16", "BF16", "F32", "F64"):
        raise AttnLabError(f"{name} has the type {array.type}, expected floats")
    if len(array.shape) != len(axes) or any(sizes.get(axis, size) != size for axis, size in zip(axes, array.shape)):
        raise AttnLabError(f"{name} has the shape {array.shape}, expected {_described(axes, sizes)}")
    sizes.update(zip(axes, array.shape))


def _described(axes: str, sizes: dict[str, int]) -> str:
    names = {"K": "Hkv", "V": "Ev"}
    return "(" + ", ".join(names.get(axis, axis) + (f" = {sizes[axis]}" if axis in sizes else "") for axis in axes) + ")"
