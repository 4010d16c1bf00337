#!/usr/bin/env python3
"""Compares what `attnlab model` writes for a text with what Transformers computes from the same files in float32:

    tests/bench/compare_with_transformers.py build/release/app/attnlab MODEL [--text TEXT]

MODEL is a folder of Hugging Face or a .gguf file, of a model with one stack. Prints the largest difference of the weights,
and that of hidden states and logits as a part of their largest number; fails where ids differ or a difference is beyond
the tolerances, 2e-5 and 1e-4. Needs torch, transformers and numpy, for GGUF also gguf and accelerate.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch
import transformers

TEXT = ("The quick brown fox jumped over the lazy dog. When Mary and John went to the store, John gave a drink to "
        "Gr\u00f6\u00dfe \u5317\u4eac \U0001f600 don't 1234567\n\tx = y")


def reference(path, text):
    """ids, and arrays under the program's names."""
    where = (path.parent, {"gguf_file": path.name}) if path.suffix == ".gguf" else (path, {})
    tokenizer = transformers.AutoTokenizer.from_pretrained(where[0], **where[1])
    config = transformers.AutoConfig.from_pretrained(where[0], **where[1])
    names = config.architectures or []
    causal = path.suffix == ".gguf" or any(name.endswith(("ForCausalLM", "LMHeadModel")) for name in names)
    kind = transformers.AutoModelForCausalLM if causal else transformers.AutoModel
    model = kind.from_pretrained(where[0], dtype=torch.float32, attn_implementation="eager", **where[1]).eval()
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    with torch.no_grad():
        out = model(ids, output_attentions=True, output_hidden_states=True)
    stack = "decoder" if causal else "encoder"
    arrays = {f"{stack}.{i}.self.weights": layer[0] for i, layer in enumerate(out.attentions)}
    arrays |= {f"{stack}.hidden.{i}": layer[0] for i, layer in enumerate(out.hidden_states)}
    if causal:
        arrays["logits"] = out.logits[0]
    return ids[0].tolist(), {name: array.numpy().astype(np.float64) for name, array in arrays.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("attnlab", type=pathlib.Path)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--text", default=TEXT)
    arguments = parser.parse_args()
    ids, expected = reference(arguments.model, arguments.text)
    said = subprocess.run([arguments.attnlab, "tokenize", arguments.model, "--text", arguments.text, "--json"],
                          check=True, capture_output=True)
    if [token["id"] for token in json.loads(said.stdout)] != ids:
        sys.exit(f"compare_with_transformers: other ids than {ids}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "out.npz"
        subprocess.run([arguments.attnlab, "model", arguments.model, "--text", arguments.text, "--out", file,
                        "--keep", "weights,hidden,logits"], check=True)
        arrays = dict(np.load(file))
    worst = {"weights": 0.0, "hidden": 0.0, "logits": 0.0}
    for name, array in expected.items():
        off = np.abs(arrays[name].reshape(array.shape) - array).max()
        kind = next(kind for kind in worst if kind in name)
        worst[kind] = max(worst[kind], off if kind == "weights" else off / np.abs(array).max())
    print(f"{arguments.model.name}: {len(ids)} ids are equal; " + ", ".join(f"{k} {v:.1e}" for k, v in worst.items()))
    if worst["weights"] > 2e-5 or max(worst["hidden"], worst["logits"]) > 1e-4:
        sys.exit("compare_with_transformers: beyond the tolerances")


if __name__ == "__main__":
    main()
