"""The safetensors format: eight bytes of length, a header of JSON, and the bytes of the tensors."""

from __future__ import annotations

import json
import math
import os
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from .arrays import STORAGE, Array, require_text
from .errors import AttnLabError

Path_ = Union[str, "os.PathLike[str]"]
_LARGEST_HEADER = 100_000_000
_METADATA = "__metadata__"
_MOST_AXES = 32  # NumPy's before 2.0


def write(path: Path_, arrays: Mapping[str, Array], metadata: Optional[Mapping[str, str]] = None) -> None:
    """Writes a file beside `path` and renames it, so that no reader ever sees half of it."""
    header: dict[str, Any] = {}
    if metadata:
        header[_METADATA] = {require_text(key, "a name of the metadata"): require_text(text, key)
                             for key, text in metadata.items()}
    order = sorted(arrays, key=lambda name: -STORAGE[arrays[name].type].itemsize)  # every tensor is aligned
    end = 0
    for name in order:
        if require_text(name, "the name of an array") == _METADATA:
            raise AttnLabError(f"{name}: is what safetensors calls its metadata, expected another name of an array")
        begin, end = end, end + arrays[name].bits.nbytes
        header[name] = {"dtype": arrays[name].type, "shape": list(arrays[name].shape), "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    if len(text) > _LARGEST_HEADER:
        raise AttnLabError(f"{path}: the header would take {len(text)} bytes, expected at most {_LARGEST_HEADER}")
    target = Path(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for name in order:
                file.write(np.ascontiguousarray(arrays[name].bits, STORAGE[arrays[name].type]).data)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def read(path: Path_) -> tuple[dict[str, Array], dict[str, str]]:
    """The tensors and the metadata of a file. Throws AttnLabError unless they fill it without gaps or overlaps."""
    data = Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0] if len(data) >= 8 else len(data) + 1
    if length > min(_LARGEST_HEADER, len(data) - 8):
        raise AttnLabError(f"{path}: is not a safetensors file, or cut short")
    header = json_object(data[8:8 + length], f"{path}: the header")
    metadata = header.pop(_METADATA, {})
    if not isinstance(metadata, dict) or any(not isinstance(text, str) for text in metadata.values()):
        raise AttnLabError(f"{path}: {_METADATA} is {short(metadata)}, expected names and texts")
    body = memoryview(data)[8 + length:]
    arrays, spans = {}, []
    for name, entry in header.items():
        kind, shape, begin, end = _entry(f"{path}: {short(name)}", entry)
        if end > len(body):
            raise AttnLabError(f"{path}: {short(name)} ends at byte {end}, but there are {len(body)}; the file is cut "
                               f"short")
        arrays[name] = Array(kind, np.frombuffer(body[begin:end], STORAGE[kind]).reshape(shape))
        spans.append((begin, end, name))
    at = 0
    for begin, end, name in sorted(spans):
        if begin != at:
            raise AttnLabError(f"{path}: {short(name)} begins at byte {begin}, expected {at}, where the array before "
                               f"it ends")
        at = end
    if at != len(body):
        raise AttnLabError(f"{path}: has {len(body) - at} bytes behind its arrays, expected none")
    return arrays, metadata


def _entry(where: str, entry: Any) -> tuple[str, tuple[int, ...], int, int]:
    """Type, shape, first byte and end of an array."""
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise AttnLabError(f"{where} is {short(entry)}, expected dtype, shape and data_offsets")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(kind, str) or kind not in STORAGE:
        raise AttnLabError(f"{where} has the type {short(kind)}, expected one of {', '.join(STORAGE)}")
    if not isinstance(shape, list) or not all(map(_is_size, shape)) or len(shape) > _MOST_AXES:
        raise AttnLabError(f"{where}: shape is {short(shape)}, expected a list of at most {_MOST_AXES} sizes")
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_is_size, offsets)):
        raise AttnLabError(f"{where}: data_offsets is {short(offsets)}, expected two places in the file")
    if math.prod(max(1, size) for size in shape) * STORAGE[kind].itemsize >= 2 ** 63:
        raise AttnLabError(f"{where}: shape is {short(shape)}, expected sizes that fit memory")
    begin, end = offsets
    if end - begin != math.prod(shape) * STORAGE[kind].itemsize:
        raise AttnLabError(f"{where}: has {end - begin} bytes, expected {math.prod(shape) * STORAGE[kind].itemsize} "
                           f"for the shape {tuple(shape)} of {kind}")
    return kind, tuple(shape), begin, end


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 63


def json_object(text: Union[str, bytes], where: str) -> dict[str, Any]:
    """An object of JSON whose names differ and whose numbers are finite."""
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            name = next(name for at, (name, _) in enumerate(pairs) if any(name == other for other, _ in pairs[:at]))
            raise ValueError(f"the name {short(name)} is there twice")
        return found

    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is not a number of JSON")

    try:
        whole = text if isinstance(text, str) else text.decode("utf-8")
        value = json.loads(whole, object_pairs_hook=unique, parse_constant=refuse)
    except RecursionError:
        raise AttnLabError(f"{where}: is nested too deeply") from None
    except ValueError as error:  # bad JSON, bad UTF-8, numbers of thousands of digits
        raise AttnLabError(f"{where}: is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise AttnLabError(f"{where}: is {short(value)}, expected an object of JSON")
    return value


def short(value: Any) -> str:
    """What a message quotes of it."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
