#!/usr/bin/env python3
"""Writes the files in the folder gguf beside it with the gguf package of llama.cpp, so that the reader is tested against
what the format's own implementation makes and computes.

types.gguf has a tensor of random blocks of each type and metadata of each kind; model.safetensors has what
gguf.quants.dequantize() makes of the tensors. Run it in this folder after a change; the results are committed. Needs
gguf (0.19 wrote these), NumPy and safetensors.
"""
import pathlib

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).parent / "gguf"
ROWS, COLUMNS = 2, 256
# Where a block has its float16 scales, in bytes.
SCALES = {Type.Q8_0: [0], Type.Q4_0: [0], Type.Q4_1: [0, 2], Type.Q5_0: [0], Type.Q5_1: [0, 2], Type.Q4_K: [0, 2],
          Type.Q5_K: [0, 2], Type.Q6_K: [208], Type.MXFP4: []}


def random_blocks(rng, type_):
    """Any bytes, but finite scales, the smallest and the largest among them."""
    block, size = gguf.GGML_QUANT_SIZES[type_]
    blocks = rng.integers(0, 256, (ROWS * COLUMNS // block, size), dtype=np.uint8)
    for at in SCALES[type_]:
        scales = rng.normal(size=len(blocks)).astype(np.float16)
        scales[0], scales[-1] = np.float16(6e-8), np.float16(-65504)
        blocks[:, at:at + 2] = scales.view(np.uint8).reshape(-1, 2)
    if type_ == Type.MXFP4:  # a power of two, whose smallest are subnormal
        blocks[:3, 0] = 0, 1, 255
    return blocks.reshape(ROWS, -1)


def plain(rng, type_):
    numbers = rng.normal(size=(ROWS, COLUMNS)).astype(np.float32)
    if type_ == Type.BF16:
        return (numbers.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
    return numbers.astype({Type.F64: np.float64, Type.F32: np.float32, Type.F16: np.float16}[type_])


def widened(stored, type_):
    if type_ == Type.BF16:
        return (stored.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return gguf.quants.dequantize(stored, type_) if type_ in SCALES else stored.astype(np.float32)


def main():
    rng = np.random.default_rng(1)
    writer = gguf.GGUFWriter(FOLDER / "types.gguf", "llama")
    writer.add_custom_alignment(64)
    for name, value in {"uint8": 255, "int8": -128, "uint16": 65535, "int16": -32768, "uint32": 2**32 - 1,
                        "int32": -2**31, "uint64": 2**63 - 1, "int64": -2**63, "float32": 0.1, "float64": 0.1,
                        "bool": True}.items():
        getattr(writer, f"add_{name}")(f"test.{name}", value)
    writer.add_string("test.string", "猫 \"x\"\n")
    writer.add_array("test.integers", [1, -2, 3])
    writer.add_array("test.numbers", [0.5, -0.25])
    writer.add_array("test.texts", ["a", "", "Ġb"])
    writer.add_array("test.bools", [True, False])
    writer.add_array("test.nested", [[1, 2], [3]])
    expected = {}
    for type_ in [Type.F64, Type.F32, Type.F16, Type.BF16, *SCALES]:
        stored = random_blocks(rng, type_) if type_ in SCALES else plain(rng, type_)
        writer.add_tensor(type_.name, stored, raw_dtype=type_)
        expected[type_.name] = np.ascontiguousarray(widened(stored, type_))
    writer.add_tensor("ids", np.arange(3, dtype=np.int32))
    writer.add_tensor("three axes", np.arange(24, dtype=np.float32).reshape(2, 3, 4))
    writer.add_tensor("Q2_K", np.zeros((1, 84), np.uint8), raw_dtype=Type.Q2_K)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    save_file(expected, FOLDER / "model.safetensors")


if __name__ == "__main__":
    main()
