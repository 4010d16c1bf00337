#!/usr/bin/env python3
"""Writes the files beside it with NumPy and the safetensors package, so that the readers are tested against what the
formats' own implementations make.

Run it in this folder after a change; the results are committed. Needs numpy and safetensors 0.8.
"""
import zipfile

import numpy as np
from safetensors import TensorSpec, serialize_file

DTYPES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
LONGEST_EXACT = 2**53


def sample(code):
    """2 x 3 numbers with the extremes of the type; tests/core/test_npz.cpp knows the same."""
    if code == "b1":
        return np.array([[0, 1, 1], [0, 0, 1]], dtype=bool)
    if code[0] == "f":
        info = np.finfo(code)
        return np.array([[0.5, -0.0, np.inf], [info.smallest_subnormal, -info.max, np.nan]], dtype=code)
    info = np.iinfo(code)
    low, high = max(int(info.min), -LONGEST_EXACT), min(int(info.max), LONGEST_EXACT)
    return np.array([[0, 1, 2], [low, high, 7]], dtype=code)


def every_kind():
    arrays = {}
    for code in DTYPES:
        for order_name, order in (("little", "<"), ("big", ">")):
            for layout in "CF":
                array = sample(code).astype(order + code)
                arrays[f"{code}.{order_name}.{layout}"] = np.asarray(array, order=layout)
    arrays["scalar"] = np.array(2.5)
    arrays["empty"] = np.zeros((0, 4), np.float32)
    arrays["cube.F"] = np.asfortranarray(np.arange(24.0).reshape(2, 3, 4))
    return arrays


def write_versions(path):
    with zipfile.ZipFile(path, "w") as archive:
        for version in ((1, 0), (2, 0), (3, 0)):
            with archive.open(f"v{version[0]}.npy", "w") as member:
                np.lib.format.write_array(member, np.arange(6.0).reshape(2, 3), version=version)


def write_zip64(path):
    """A small archive with the records that only one of more than 4 GiB needs."""
    limits = zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT
    zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = 10, 1
    np.savez(path, query=np.arange(6.0).reshape(2, 3), key=np.ones(3, np.float32))
    zipfile.ZIP64_LIMIT, zipfile.ZIP_FILECOUNT_LIMIT = limits


def write_refused():
    record = np.dtype([("x", "<f4"), ("y", "<f4")])
    refused = {
        "object": np.array([{"a": 1}, None], dtype=object),
        "complex": np.array([1 + 2j]),
        "unicode": np.array(["milk", "cat"]),
        "bytes": np.array([b"milk"]),
        "record": np.zeros(2, record),
        "raw": np.zeros(2, "V2"),
        "datetime": np.array(["2017-06-12"], dtype="datetime64[D]"),
        "longdouble": np.array([1.0], dtype=np.longdouble),
        "int64_beyond": np.array([1, 2**53 + 1]),
        "int64_below": np.array([-(2**53) - 1]),
        "uint64_beyond": np.array([2**64 - 1], dtype=np.uint64),
    }
    for name, array in refused.items():
        np.save(f"refused/{name}.npy", array, allow_pickle=name == "object")


def bfloat16(bits):
    return np.array(bits, np.uint16), "bfloat16"


def write_safetensors(path, tensors, metadata=None):
    """`tensors`: arrays, or pairs of an array and what its bytes mean where NumPy has no such type."""
    specs = {}
    for name, tensor in tensors.items():
        array, dtype = tensor if isinstance(tensor, tuple) else (tensor, tensor.dtype.name)
        specs[name] = TensorSpec(dtype=dtype, shape=array.shape, data_ptr=array.ctypes.data, data_len=array.nbytes)
    serialize_file(specs, path, metadata=metadata)


def write_every_safetensors():
    arrays = {code: sample(code) for code in DTYPES}
    arrays["bf16"] = bfloat16([[0x3F00, 0x8000, 0x7F80], [0x0001, 0xFF7F, 0x7FC0]])
    arrays["scalar"] = np.array(2.5)
    arrays["empty"] = np.zeros((0, 4), np.float32)
    arrays["cube"] = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    write_safetensors("every_type.safetensors", arrays, {"format": "np", "by": "\u201cmilk or cat?\u201d"})
    # One of each type that the program writes too.
    own = {f"{name}.{code}": arrays[code] for code in ["b1", "i8", "bf16", "f2", "f4", "f8"] for name in ("b", "a")}
    write_safetensors("own_types.safetensors", {**own, "scalar": arrays["scalar"], "empty": arrays["empty"]})
    write_safetensors("no_tensors.safetensors", {})


def write_state_dict():
    """A layer as torch.nn.MultiheadAttention names it, with its input and its mask."""
    with np.load("../golden/torch_mha_self.in.npz") as arrays:
        write_safetensors("torch_mha_self.safetensors", dict(arrays), {"format": "pt"})


def write_refused_safetensors():
    write_safetensors("refused/float8.safetensors", {"w": (np.zeros((2, 2), np.uint8), "float8_e4m3fn")})
    write_safetensors("refused/complex.safetensors", {"w": np.zeros(2, np.complex64)})
    write_safetensors("refused/int64_beyond.safetensors", {"w": np.array([1, 2**53 + 1])})
    write_safetensors("refused/int64_below.safetensors", {"w": np.array([-(2**53) - 1])})
    write_safetensors("refused/uint64_beyond.safetensors", {"w": np.array([2**64 - 1], dtype=np.uint64)})


def write_other_types(path):
    """Arrays that are read beside others that are not, and texts."""
    three = {name: np.arange(12.0).reshape(3, 4) / 10 + i for i, name in enumerate(("q", "k", "v"))}
    np.savez(path, **three, tokens=np.array(["the", "c\u00e4t", "\U0001f431"]), grid=np.array([["a", "b"], ["c", "d"]]),
             objects=np.array([{}, None], object), complex=np.ones(3, complex))


np.savez("stored.npz", **every_kind())
write_other_types("other_types.npz")
np.savez_compressed("compressed.npz", **every_kind())
write_versions("versions.npz")
write_zip64("zip64.npz")
write_refused()
np.save("float64.npy", np.array([[0.1, -0.0, np.inf], [5e-324, -1.7976931348623157e308, 1 / 3]]))
np.save("int64.npy", np.array([-3, 0, 2**53]))
np.save("bool.npy", np.array([[True, False]]))
write_every_safetensors()
write_state_dict()
write_refused_safetensors()
