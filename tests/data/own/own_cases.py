"""What a case of make_own.py is: its files, what is expected of them, and its entry in cases.json."""
import json
import math
import pathlib

import numpy as np
import safetensors.torch
import torch

FOLDER = pathlib.Path(__file__).parent
B, H, L, S, E = 2, 4, 5, 7, 8
D, HEADS, TOKENS = 16, 4, 6  # of the layers
cases = []


def numpy_of(value):
    return value.numpy() if isinstance(value, torch.Tensor) else value


def save(path, value):
    if path.suffix == ".npy":
        np.save(path, numpy_of(value))
    elif path.name.endswith("compressed.npz"):
        np.savez_compressed(path, **{name: numpy_of(array) for name, array in value.items()})
    elif path.suffix == ".npz":
        np.savez(path, **{name: numpy_of(array) for name, array in value.items()})
    elif path.suffix == ".safetensors":
        safetensors.torch.save_file({name: tensor.contiguous() for name, tensor in value.items()}, path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(value, ensure_ascii=False))
    elif path.suffix == ".txt":
        path.write_text("\n".join(value) + "\n")
    else:
        torch.save(value, path)


def names_in(value, path):
    """The arrays in `value` by the names that files give them."""
    if isinstance(value, dict):
        return [name for key, item in value.items() for name in names_in(item, [*path, str(key)])]
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [".".join(path)]
    if isinstance(value, (tuple, list)):
        return [name for key, item in enumerate(value) for name in names_in(item, [*path, str(key)])]
    return [".".join(path)]


def arrays_of(file, value):
    """Every array and list of labels of a file; alone in it they are named after it."""
    return names_in(value, []) if isinstance(value, (dict, tuple)) else [file.split(".")[0]]


def case(name, files, expected, options=(), unused=(), computed_in="float64", mechanism="scaled_dot_product", asks=None):
    """`expected` is (weights, output), either may be None. `asks`: the files leave open what the options say."""
    folder = FOLDER / name
    folder.mkdir()
    for file, value in files.items():
        save(folder / file, value)
    weights, output = expected
    if isinstance(weights, tuple):  # one a layer
        kept = {f"layer.{number}.weights": each for number, each in enumerate(weights)}
    else:
        kept = {"weights": weights, "output": output}
    np.savez_compressed(folder / "expected.npz",
                        **{key: value.detach().double().numpy() for key, value in kept.items() if value is not None})
    cases.append({"name": name, "files": list(files), "options": list(options), "arrays": [array for file, value in files.items() for array in arrays_of(file, value)],
                  "unused": list(unused),
                  "computed_in": computed_in, "mechanism": mechanism,
                  "asks": any(word in " ".join(options) for word in ("--prefix", "--role", "num_heads")) if asks is None
                          else asks})


def attention(q, k, v, bias=None, scale=None):
    """(B,H,L,E) in float64; `bias` is added to the scaled scores."""
    q, k, v = q.double(), k.double(), v.double()
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    weights = (scores if bias is None else scores + bias).softmax(-1)
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=scale)
    torch.testing.assert_close(weights @ v, output)
    return weights, output


def blocked(mask):
    """An additive mask from one whose True blocks."""
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill(mask, -math.inf)


def qkv(dtype=torch.float32, batch=B, heads=H, queries=L, keys=S, kv_heads=None):
    kv_heads = kv_heads or heads
    return (torch.randn(batch, heads, queries, E).to(dtype), torch.randn(batch, kv_heads, keys, E).to(dtype),
            torch.randn(batch, kv_heads, keys, E).to(dtype))


def named(names, arrays):
    return dict(zip(names.split(), arrays))
