"""Arrays of any library as bytes of a known type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from .errors import AttnLabError

# The types of safetensors that AttnLab reads, and how NumPy holds their bits. NumPy has no bfloat16.
STORAGE = {
    "BOOL": np.dtype("?"), "U8": np.dtype("u1"), "I8": np.dtype("i1"), "U16": np.dtype("<u2"), "I16": np.dtype("<i2"),
    "U32": np.dtype("<u4"), "I32": np.dtype("<i4"), "U64": np.dtype("<u8"), "I64": np.dtype("<i8"),
    "F16": np.dtype("<f2"), "BF16": np.dtype("<u2"), "F32": np.dtype("<f4"), "F64": np.dtype("<f8"),
}
_TYPE_OF = {dtype.newbyteorder("=").str[1:]: name for name, dtype in STORAGE.items() if name != "BF16"}

#: What the axes of query, key and value may be: batch, head, token, feature.
LAYOUTS = ("BHLE", "BLHE", "HLE", "LHE", "LE")


@dataclass(frozen=True)
class Array:
    """The bits of an array and its type, named as in safetensors."""

    type: str
    bits: np.ndarray

    def __repr__(self) -> str:
        return f"Array({self.type}, {self.shape})"

    @property
    def shape(self) -> tuple[int, ...]:
        return self.bits.shape

    def numpy(self) -> np.ndarray:
        """The numbers; bfloat16 is widened to float32."""
        if self.type != "BF16":
            return self.bits
        return (self.bits.astype(np.uint32) << 16).view(np.float32)

    def with_bits(self, bits: np.ndarray) -> Array:
        return Array(self.type, bits)


def as_array(value: Any, name: str = "array", copy: bool = False) -> Array:
    """`value` from NumPy, PyTorch (any device), JAX, or with `__dlpack__` or `__array__`.

    Without `copy` the result may share the memory of `value`.
    """
    if isinstance(value, Array):
        return value.with_bits(value.bits.copy()) if copy else value
    if hasattr(value, "detach") and hasattr(value, "cpu"):
        return _from_torch(value, name, copy)
    given = _numpy_of(value, name)
    array = _from_numpy(given, name)
    return array.with_bits(array.bits.copy()) if copy and np.may_share_memory(array.bits, given) else array


def _from_torch(tensor: Any, name: str, copy: bool) -> Array:
    import torch

    for kind in ("nested", "sparse", "quantized", "meta"):
        if getattr(tensor, f"is_{kind}", False):
            without = ", which has no numbers" if kind == "meta" else ""
            raise AttnLabError(f"{name}: is a {kind} tensor{without}, expected a dense one")
    if tensor.layout != torch.strided:
        raise AttnLabError(f"{name}: is a sparse tensor, expected a dense one")
    if tensor.dtype not in _torch_types():
        raise AttnLabError(f"{name}: has the type {str(tensor.dtype)[len('torch.'):]}, expected bool, integers or floats")
    try:
        held = tensor.detach().to("cpu").resolve_conj().resolve_neg().contiguous()
        if copy and held.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr():
            held = held.clone()
        if held.dtype == torch.bfloat16:
            return Array("BF16", held.view(torch.int16).numpy().view(np.uint16))
        return _from_numpy(held.numpy(), name)
    except (RuntimeError, TypeError, ValueError) as error:  # NotImplementedError is a RuntimeError
        raise AttnLabError(f"{name}: this {type(tensor).__name__} cannot be read, expected a dense tensor: "
                           f"{_first_line(error)}") from error


def _torch_types() -> set[Any]:
    import torch

    names = ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "bfloat16",
             "float32", "float64")
    return {getattr(torch, name) for name in names if hasattr(torch, name)}


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _numpy_of(value: Any, name: str) -> np.ndarray:
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (list, tuple, int, float)):
        try:
            return np.asarray(value)
        except (ValueError, TypeError, OverflowError, RuntimeError) as error:  # lists of different lengths
            raise AttnLabError(f"{name}: this {type(value).__name__} cannot be read as an array: "
                               f"{_first_line(error)}") from error
    why: Optional[Exception] = None
    for has, read in (("__array__", np.asarray), ("__dlpack__", np.from_dlpack)):
        if hasattr(value, has):
            try:
                array = read(value)
                if isinstance(array, np.ndarray):
                    return array
            except Exception as error:  # code of another library: of another device, deleted, or not implemented
                why = error
    if why is not None:
        raise AttnLabError(f"{name}: this {type(value).__name__} cannot be read, expected an array in the memory of "
                           f"the CPU: {_first_line(why)}") from why
    raise AttnLabError(f"{name}: is a {type(value).__name__}, expected an array of NumPy, PyTorch or JAX")


def _from_numpy(array: np.ndarray, name: str) -> Array:
    if np.ma.is_masked(array):
        raise AttnLabError(f"{name}: is a masked array, whose mask would be lost, expected an array without one")
    if array.dtype.name == "bfloat16":  # ml_dtypes, which JAX takes
        return Array("BF16", np.ascontiguousarray(array).view(np.uint16))
    kind = _TYPE_OF.get(array.dtype.newbyteorder("=").str[1:])
    if kind is None:
        raise AttnLabError(f"{name}: has the type {array.dtype}, expected bool, integers or floats")
    return Array(kind, np.ascontiguousarray(array, STORAGE[kind]).reshape(array.shape))


def heads_of(value: Any, layout: str, name: str) -> Array:
    """`value` as (B,H,L,E). An array of two axes is one head."""
    if layout not in LAYOUTS:
        raise AttnLabError(f"layout: is {layout!r}, expected one of {', '.join(LAYOUTS)}")
    array = as_array(value, name)
    if array.bits.ndim == 2:
        layout = "LE"
    if array.bits.ndim != len(layout):
        raise AttnLabError(f"{name}: has the shape {array.shape}, expected {len(layout)} axes ({','.join(layout)}); "
                           f"layout= says what the axes are")
    if array.type not in ("F16", "BF16", "F32", "F64"):
        raise AttnLabError(f"{name}: has the type {array.type}, expected floats")
    bits = array.bits
    for axis, letter in enumerate("BH"):
        if letter not in layout:
            bits = np.expand_dims(bits, axis)
            layout = layout[:axis] + letter + layout[axis:]
    return array.with_bits(np.ascontiguousarray(bits.transpose([layout.index(axis) for axis in "BHLE"])))


def cells_of(value: Any, shape: tuple[int, int, int, int], name: str) -> Array:
    """`value` as (B|1,H|1,L|1,S), which broadcasts to the weights (B,H,L,S)."""
    array = as_array(value, name)
    given = array.shape
    if array.bits.ndim == 3 and given[0] in (shape[0] * shape[1],) and shape[0] > 1:  # (B*H,L,S)
        array = array.with_bits(array.bits.reshape(shape[0], shape[1], *given[1:]))
    if array.bits.ndim not in (2, 3, 4):
        raise AttnLabError(f"{name}: has the shape {given}, expected {_axes(shape)}, or its last axes")
    array = array.with_bits(array.bits.reshape((1,) * (4 - array.bits.ndim) + array.shape))
    fits = array.shape[3] == shape[3] and all(a in (1, b) for a, b in zip(array.shape[:3], shape))
    if not fits:
        raise AttnLabError(f"{name}: has the shape {given}, expected {_axes(shape)}; B, H and L may be 1")
    return array


def _axes(shape: tuple[int, ...]) -> str:
    return "(" + ", ".join(f"{axis} = {size}" for axis, size in zip("BHLS", shape)) + ")"


def labels_of(tokens: Any, count: Optional[int], name: str) -> list[list[str]]:
    """Lists of labels: one for each sequence, or one for all."""
    try:
        given = list(tokens)
        lists = [given] if not given or isinstance(given[0], (str, bytes, int, np.integer)) else list(map(list, given))
    except TypeError:
        raise AttnLabError(f"{name}: is a {type(tokens).__name__}, expected a list of labels, or one for each "
                           f"sequence") from None
    labels = [[word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word) for word in words]
              for words in lists]
    for words in labels:
        if count is not None and len(words) != count:
            raise AttnLabError(f"{name}: has {len(words)} labels, expected {count}")
        for at, word in enumerate(words):
            require_text(word, f"{name}: label {at}")
    return labels


def require_text(text: Any, name: str) -> str:
    """Raises AttnLabError if `text` cannot be encoded in UTF-8."""
    if not isinstance(text, str):
        raise AttnLabError(f"{name}: is {text!r}, expected text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise AttnLabError(f"{name}: is {text!r}, which has half of a surrogate pair, expected text that UTF-8 can "
                           f"hold") from None
    return text
