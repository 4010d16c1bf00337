#!/usr/bin/env python3
"""Writes the files in the folder torch beside it with PyTorch, so that the reader is tested against what torch.save makes.

Beside a FILE.pt stands FILE.npz: the same tensors by their flat names, written by NumPy (bfloat16 as float32). Run it in this folder after a change; the results are committed. Needs PyTorch (2.15 wrote these) and NumPy.
"""
import argparse
import collections
import copy
import io
import os
import pathlib
import re
import zipfile

import numpy as np
import torch

FOLDER = pathlib.Path(__file__).parent / "torch"
LONGEST_EXACT = 2**53


def name_of(key):
    return f"({', '.join(map(str, key))})" if isinstance(key, tuple) else str(key)


def tensors_of(value, path=()):
    """The tensors in `value` by name, as the reader is meant to name them."""
    if isinstance(value, (torch.Tensor, np.ndarray)):
        yield ".".join(path), value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from tensors_of(item, (*path, name_of(key)))
    elif isinstance(value, (tuple, list)):
        for index, item in enumerate(value):
            yield from tensors_of(item, (*path, str(index)))


def as_numpy(array):
    if isinstance(array, np.ndarray):
        return array
    tensor = array.detach().contiguous()
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()


def save(name, value):
    """The file, and what it holds."""
    torch.save(value, FOLDER / f"{name}.pt")
    np.savez(FOLDER / f"{name}.npz", **{key or name: as_numpy(tensor) for key, tensor in tensors_of(value)})


def sample(dtype):
    """2 x 3 numbers with the extremes of the type."""
    if dtype == torch.bool:
        return torch.tensor([[0, 1, 1], [0, 0, 1]], dtype=dtype)
    if dtype.is_floating_point:
        info = torch.finfo(dtype)
        return torch.tensor([[0.5, -0.0, np.inf], [info.tiny, -info.max, np.nan]], dtype=torch.float64).to(dtype)
    info = torch.iinfo(dtype)
    low, high = max(int(info.min), -LONGEST_EXACT), min(int(info.max), LONGEST_EXACT)
    return torch.from_numpy(np.array([[0, 1, 2], [low, high, 7]], dtype=str(dtype).removeprefix("torch.")))


def every_type():
    names = "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64".split()
    return {name: sample(getattr(torch, name)) for name in names}


def views():
    base = torch.arange(24, dtype=torch.float32)
    cube = base.reshape(2, 3, 4)
    return {
        "whole": cube,
        "transposed": cube.transpose(0, 2),
        "permuted": cube.permute(1, 2, 0),
        "offset": base[5:11],
        "stepped": base[1::3],
        "part": cube[:, 1:, 1:3],
        "expanded_rows": base[:4].expand(3, 4),
        "expanded_all": base[7].expand(2, 3),
        "expanded_middle": base[:6].reshape(2, 1, 3).expand(2, 5, 3),
        "overlapping": base.unfold(0, 4, 2),
        "diagonal": base[:16].reshape(4, 4).diagonal(),
        "scalar": base[9],
        "none": base[3:3],
        "no_rows": cube[:, :0],
        "one_axis": cube[:1, :, :1].transpose(0, 2),
        "half": torch.arange(6).half().reshape(2, 3).t(),
        "mask": torch.tensor([[True, False, True]]).expand(2, 3),
        "ids": torch.arange(12).reshape(3, 4).t()[::2],
        "bytes": torch.arange(8, dtype=torch.uint8)[::2],
    }


def nested():
    generator = torch.Generator().manual_seed(1)
    matrix = torch.randn(2, 3, generator=generator)
    return {
        "layers": [{"weight": matrix, "bias": matrix[0]}, {"weight": matrix * 2, "bias": None}],
        "pair": (torch.ones(2), (torch.zeros(1), [torch.full((2, 2), 3.0)])),
        0: torch.tensor(4.0),
        (1, "x"): torch.tensor([5]),
        True: torch.tensor([6]),
        "tokens": ["milk", "or", "cat", "猫", ""],
        "words": ("a", "b"),
        "epoch": 3,
        "big": 2**70,
        "below": -(2**63),
        "rate": 0.125,
        "training": False,
        "name": "tiny",
        "raw": b"\x00\xff",
        "buffer": bytearray(b"ab"),
        "nothing": None,
        "ids": [101, 7592, 102],
        "mixed": [1, "one", torch.tensor([1.0])],
        "empty_list": [],
        "empty_dict": {},
        "shape": torch.Size([2, 3]),
        "type": torch.float16,
        "device": torch.device("cpu"),
        "layout": torch.strided,
        "members": {1, 2},
        "complex": 1 + 2j,
    }


def arrays():
    """NumPy's arrays and numbers within what torch.save writes."""
    columns = np.asfortranarray(np.arange(6.0, dtype=np.float32).reshape(2, 3))
    return {
        "rows": np.arange(6.0).reshape(2, 3),
        "columns": columns,
        "swapped": np.arange(3, dtype=">i2"),
        "mask": np.array([True, False]),
        "scalar": np.array(2.5),
        "none": np.zeros((0, 2), np.float16),
        "loss": np.float64(0.25),
        "step": np.int64(7),
        "done": np.bool_(True),
        "attention": torch.ones(1, 2),
    }


def tied():
    """Two names for one tensor, a tensor with attributes, and parameters with and without."""
    weight = torch.nn.Parameter(torch.arange(6.0).reshape(2, 3))
    marked = torch.nn.Parameter(torch.ones(2), requires_grad=False)
    marked.note = "kept"
    plain = torch.arange(4.0)
    plain.note = {"why": 1}
    return {"embed": weight, "head": weight, "view": weight.data.t(), "marked": marked, "plain": plain}


def states():
    torch.manual_seed(2)
    save("attention_state", torch.nn.MultiheadAttention(4, 2, kdim=3, vdim=5).state_dict())
    transformer = torch.nn.Transformer(4, 2, 1, 1, 6, batch_first=True)
    save("transformer_state", transformer.state_dict())
    half = copy.deepcopy(transformer).to(torch.bfloat16)
    save("half_state", half.state_dict())


def attentions():
    generator = torch.Generator().manual_seed(3)
    return tuple(torch.softmax(torch.randn(1, 2, 3, 3, generator=generator), -1) for _ in range(12))


def rewrite(source, target, change):
    """A copy of an archive whose members went through `change(name without folder, bytes)`; None leaves one out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for member in old.infolist():
            changed = change(member.filename.split("/", 1)[1], old.read(member))
            if changed is not None:
                new.writestr(zipfile.ZipInfo(member.filename), changed)


def write_big_endian():
    """every_type as a big-endian machine would write it."""
    sizes = [dtype.itemsize for dtype in (tensor.dtype for tensor in every_type().values())]

    def change(name, data):
        if name == "byteorder":
            return b"big"
        if number := re.fullmatch(r"data/(\d+)", name):
            return np.frombuffer(data, f"V{sizes[int(number[1])]}").view(f"u{sizes[int(number[1])]}").byteswap().tobytes()
        return data

    rewrite(FOLDER / "every_type.pt", FOLDER / "big_endian.pt", change)


def legacy(value, protocol=2):
    """The bytes of a file of the format before PyTorch 1.6. Keys of storages are addresses, so they differ at each run."""
    content = io.BytesIO()
    torch.save(value, content, pickle_protocol=protocol, _use_new_zipfile_serialization=False)
    return content.getvalue()


def save_legacy():
    """Beside the same tensors in a zip archive, whose .npz they share."""
    for name, value in {"every_type": every_type(), "views": views(), "nested": nested(), "arrays": arrays(),
                        "tied": tied()}.items():
        (FOLDER / f"{name}_legacy.pt").write_bytes(legacy(value))
    for protocol in (3, 4, 5):
        (FOLDER / f"nested_legacy{protocol}.pt").write_bytes(legacy(nested(), protocol))
    state = {name: torch.from_numpy(array) for name, array in np.load(FOLDER / "attention_state.npz").items()}
    (FOLDER / "attention_state_legacy.pt").write_bytes(legacy(collections.OrderedDict(state)))


class Calls:
    """Pickled as a call of `function`."""

    def __init__(self, function, *arguments):
        self.call = function, arguments

    def __reduce__(self):
        return self.call


def refused():
    weight = torch.ones(2)
    folder = FOLDER / "refused"
    (folder / "legacy_system.pt").write_bytes(legacy({"w": weight, "x": Calls(os.system, "touch executed")}))
    (folder / "legacy_class.pt").write_bytes(legacy({"w": weight, "x": argparse.Namespace(lr=0.5)}))
    (folder / "legacy_big_endian.pt").write_bytes(legacy({"w": weight}).replace(b"endianq\x02\x88", b"endianq\x02\x89"))
    torch.jit.script(torch.nn.Linear(1, 1)).save(folder / "torchscript.pt")
    values = {
        "eval": Calls(eval, "__import__('os').system('touch executed')"),
        "system": {"w": weight, "x": Calls(os.system, "touch executed")},
        "nested_call": [Calls(getattr, Calls(__import__, "os"), "system")],
        "class": torch.nn.Linear(1, 1),
        "path": {"path": pathlib.PurePosixPath("a")},
        "complex": {"good": weight, "bad": torch.ones(2, dtype=torch.complex64)},
        "float8": {"bad": torch.ones(2).to(torch.float8_e4m3fn)},
        "quantized": {"bad": torch.quantize_per_tensor(weight, 0.5, 0, torch.qint8)},
        "sparse": {"bad": torch.eye(2).to_sparse()},
        "meta": {"bad": torch.ones(2, device="meta")},
        "negated": {"bad": torch.tensor([1 + 2j]).conj().imag},
        "beyond": {"bad": torch.tensor([1, 2**53 + 1])},
        "objects": {"bad": np.array([{}, None], dtype=object)},
        "text": {"bad": np.array(["a"])},
    }
    for name, value in values.items():
        torch.save(value, folder / f"{name}.pt")


def main():
    (FOLDER / "refused").mkdir(parents=True, exist_ok=True)
    save("every_type", every_type())
    write_big_endian()
    save("views", views())
    save("lone", torch.arange(6.0).reshape(2, 3))
    save("nested", nested())
    save("arrays", arrays())
    for protocol in (3, 4, 5):
        torch.save(nested(), FOLDER / f"nested_protocol{protocol}.pt", pickle_protocol=protocol)
        torch.save(arrays(), FOLDER / f"arrays_protocol{protocol}.pt", pickle_protocol=protocol)
    save("tied", tied())
    save("attentions", attentions())
    states()
    save_legacy()
    torch.serialization.set_crc32_options(False)
    save("no_checksums", {"w": torch.arange(3.0)})
    torch.serialization.set_crc32_options(True)
    refused()


if __name__ == "__main__":
    main()
