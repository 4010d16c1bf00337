#!/usr/bin/env python3
"""Writes models/NAME beside it: a tiny decoder with random weights, as Transformers saves it, and in expected.npz what
Transformers computes from it. The test core.model_golden compares every array. Also adds the model to models/cases.json.

    make_model.py NAME MODEL_TYPE --tokenizer llama [hidden_size=32 num_hidden_layers=4 ...]

--tokenizer names the folder of models whose tokenizer, text and token ids are used. Settings are those of config.json,
as JSON. `make_model.py NAME --check` computes models/NAME again and compares. Needs PyTorch and Transformers (5.24 was
tried); takes decoders whose attention is their module's eager_attention_forward. Commit what it writes.
"""
import argparse
import json
import pathlib
import shutil
import sys

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForCausalLM

MODELS = pathlib.Path(__file__).parent / "models"
SMALL = dict(vocab_size=528, hidden_size=32, intermediate_size=48, num_hidden_layers=3, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=96, pad_token_id=None, bos_token_id=0, eos_token_id=1,
             initializer_range=0.3)


def computed(model, ids):
    """Queries and keys as the scores use them, values and weights of every layer, hidden states and logits."""
    arrays = {}
    code = sys.modules[type(model).__module__]
    attention = code.eager_attention_forward

    def recorded(module, query, key, value, *rest, **options):
        output, weights = attention(module, query, key, value, *rest, **options)
        for kind, tensor in (("query", query), ("key", key), ("value", value), ("weights", weights)):
            arrays[f"decoder.{module.layer_idx}.self.{kind}"] = tensor[0].numpy()
        return output, weights

    code.eager_attention_forward = recorded
    try:
        with torch.no_grad():
            result = model.eval()(torch.tensor(ids)[None], output_hidden_states=True, use_cache=False)
    finally:
        code.eager_attention_forward = attention
    for layer, hidden in enumerate(result.hidden_states):
        arrays[f"decoder.hidden.{layer}"] = hidden[0].numpy()
    return {"input_ids": np.array(ids), **arrays, "logits": result.logits[0].numpy()}


def check(folder):
    expected = np.load(folder / "expected.npz")
    model = AutoModelForCausalLM.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    arrays = computed(model, expected["input_ids"].tolist())
    if set(arrays) != set(expected.files):
        sys.exit(f"{folder.name}: arrays differ: {sorted(set(arrays) ^ set(expected.files))}")
    print(f"{folder.name}: largest difference", max(np.abs(arrays[name] - expected[name]).max() for name in arrays))


def make(folder, model_type, like, settings):
    folder.mkdir(exist_ok=True)
    torch.manual_seed(1)
    config = AutoConfig.for_model(model_type, **{**SMALL, **settings})
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager")
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(MODELS / like / name, folder / name)
    arrays = computed(model, np.load(MODELS / like / "expected.npz")["input_ids"].tolist())
    np.savez(folder / "expected.npz", **arrays)

    path = MODELS / "cases.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    case = dict(next(case for case in cases if case["name"] == like), name=folder.name,
                passes=[name.removesuffix(".query") for name in arrays if name.endswith(".query")])
    cases = [case for case in cases if case["name"] != folder.name] + [case]
    path.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("model_type", nargs="?")
    parser.add_argument("settings", nargs="*", metavar="SETTING=VALUE")
    parser.add_argument("--tokenizer", default="llama")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_intermixed_args()
    folder = MODELS / given.name
    if not given.check:
        if not given.model_type:
            parser.error("MODEL_TYPE is missing, expected one of Transformers, such as llama")
        make(folder, given.model_type, given.tokenizer,
             {key: json.loads(value) for key, value in (setting.split("=", 1) for setting in given.settings)})
    check(folder)


if __name__ == "__main__":
    main()
