import os

import numpy as np
import pytest

from attnlab import safetensors
from attnlab.arrays import STORAGE, Array
from attnlab.errors import AttnLabError


def of_every_type():
    return {name.lower(): Array(name, np.arange(6).astype(dtype).reshape(2, 3)) for name, dtype in STORAGE.items()}


def test_comes_back(tmp_path):
    arrays = {**of_every_type(), "none": Array("F32", np.zeros((0, 3), "f4")), "one": Array("F64", np.array(2.0)),
              "名": Array("F32", np.ones(3, "f4"))}
    safetensors.write(tmp_path / "a.safetensors", arrays, {"what": "π \"x\""})
    read, metadata = safetensors.read(tmp_path / "a.safetensors")
    assert metadata == {"what": "π \"x\""}
    assert read.keys() == arrays.keys()
    for name, array in arrays.items():
        assert read[name].type == array.type and np.array_equal(read[name].bits, array.bits)


def test_official_reader_and_writer(tmp_path):
    official = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    path = tmp_path / "a.safetensors"
    arrays = {name: array for name, array in of_every_type().items() if array.type != "BF16"}
    safetensors.write(path, arrays)
    for name, array in official.load_file(path).items():
        assert np.array_equal(array, arrays[name].bits) and array.dtype == arrays[name].bits.dtype
    official.save_file({name: array.bits for name, array in arrays.items()}, path, {"a": "b"})
    read, metadata = safetensors.read(path)
    assert metadata == {"a": "b"}
    assert all(np.array_equal(read[name].bits, array.bits) for name, array in arrays.items())


def test_nothing_is_left_of_a_failed_write(tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    path.write_bytes(b"before")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        safetensors.write(path, of_every_type())
    assert [file.name for file in tmp_path.iterdir()] == ["a.safetensors"] and path.read_bytes() == b"before"


@pytest.mark.parametrize("data", [b"", b"1234567", b"\xff" * 16, b"\x10" + b"\0" * 7 + b"{}"])
def test_damaged_files(tmp_path, data):
    (tmp_path / "a.safetensors").write_bytes(data)
    with pytest.raises(AttnLabError, match="not a safetensors file, or cut short"):
        safetensors.read(tmp_path / "a.safetensors")
