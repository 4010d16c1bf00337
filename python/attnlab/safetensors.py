"""The safetensors format: eight bytes of length, a header of JSON, and the bytes of the tensors."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Union

import numpy as np

from .arrays import STORAGE, Array
from .errors import AttnLabError

Path_ = Union[str, "os.PathLike[str]"]
_LARGEST_HEADER = 100_000_000


def write(path: Path_, arrays: Mapping[str, Array], metadata: Optional[Mapping[str, str]] = None) -> None:
    """Writes a file beside `path` and renames it, so that no reader ever sees half of it."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    order = sorted(arrays, key=lambda name: -STORAGE[arrays[name].type].itemsize)  # every tensor is aligned
    end = 0
    for name in order:
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
    """The tensors and the metadata of a file."""
    data = Path(path).read_bytes()
    length = struct.unpack("<Q", data[:8])[0] if len(data) >= 8 else len(data) + 1
    if length > min(_LARGEST_HEADER, len(data) - 8):
        raise AttnLabError(f"{path}: is no safetensors file, or cut short")
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, entry in header.items():
        if entry["dtype"] not in STORAGE:
            raise AttnLabError(f"{path}: {name} has the type {entry['dtype']}, expected one of {', '.join(STORAGE)}")
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        bits = np.frombuffer(data[begin:end], STORAGE[entry["dtype"]]).reshape(entry["shape"])
        arrays[name] = Array(entry["dtype"], bits)
    return arrays, metadata
