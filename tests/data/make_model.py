#!/usr/bin/env python3
"""Writes models/NAME beside it: a tiny model with random weights, as Transformers saves it, and in expected.npz what
Transformers computes from it. The test core.model_golden compares every array. Also adds the model to models/cases.json.

    make_model.py NAME MODEL_TYPE --tokenizer llama [hidden_size=32 num_hidden_layers=4 ...]

--tokenizer names the folder of models whose tokenizer, text and token ids are used. Settings are those of config.json,
as JSON. `make_model.py NAME --check` computes models/NAME again and compares. Needs PyTorch and Transformers (5.24 was
tried); where a module has no eager_attention_forward, queries, keys and values are left out. --kind encoder takes a masked language
model, both one with an encoder and a decoder. Commit what it writes.
"""
import argparse
import json
import pathlib
import shutil
import sys

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForMaskedLM, AutoModelForSeq2SeqLM

MODELS = pathlib.Path(__file__).parent / "models"
SMALL = dict(vocab_size=528, hidden_size=32, intermediate_size=48, num_hidden_layers=3, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=96, pad_token_id=None, bos_token_id=0, eos_token_id=1,
             initializer_range=0.3)


def recorded_names(model):
    """Of the passes, in the order in which Transformers calls its attention."""
    if model.config.is_encoder_decoder:
        encoder, decoder = (len(getattr(part, "layers", None) or part.block) for part in (model.get_encoder(), model.get_decoder()))
        return [*(f"encoder.{i}.self" for i in range(encoder)),
                *(f"decoder.{i}.{kind}" for i in range(decoder) for kind in ("self", "cross"))]
    side = "decoder" if "CausalLM" in type(model).__name__ else "encoder"
    return [f"{side}.{i}.self" for i in range(model.config.num_hidden_layers)]


def computed(model, inputs):
    """Queries and keys as the scores use them, values and weights of every layer, hidden states and logits."""
    code = sys.modules[type(model).__module__]
    if not hasattr(code, "eager_attention_forward"):
        return computed_without_queries(model, inputs)
    arrays = {}
    attention = code.eager_attention_forward
    names = iter(recorded_names(model))

    def recorded(module, query, key, value, *rest, **options):
        output, weights = attention(module, query, key, value, *rest, **options)
        name = next(names)
        for kind, tensor in (("query", query), ("key", key), ("value", value), ("weights", weights)):
            arrays[f"{name}.{kind}"] = tensor[0].numpy()
        return output, weights

    code.eager_attention_forward = recorded
    try:
        with torch.no_grad():
            given = {name: torch.tensor(ids)[None] for name, ids in inputs.items()}
            result = model.eval()(**given, output_hidden_states=True, use_cache=False)
    finally:
        code.eager_attention_forward = attention
    if left := [*names]:
        sys.exit(f"{model.config.model_type}: no attention was recorded for {', '.join(left)}")
    return arrays_of(inputs, result, arrays)


def computed_without_queries(model, inputs):
    """The same for modules that compute attention in another way, without queries, keys and values."""
    with torch.no_grad():
        result = model.eval()(**{name: torch.tensor(ids)[None] for name, ids in inputs.items()}, output_attentions=True,
                              output_hidden_states=True)
    return arrays_of(inputs, result, {f"{name}.weights": weights[0].numpy()
                                      for name, weights in zip(recorded_names(model), result.attentions, strict=True)})


def arrays_of(inputs, result, arrays):
    for side in ("encoder", "decoder"):
        states = getattr(result, f"{side}_hidden_states", None)
        if states is None and any(name.startswith(side) for name in arrays):
            states = result.hidden_states
        for layer, hidden in enumerate(states or ()):
            arrays[f"{side}.hidden.{layer}"] = hidden[0].numpy()
    return {**{name: np.array(ids) for name, ids in inputs.items()}, **arrays, "logits": result.logits[0].numpy()}


def inputs_of(expected):
    return {name: expected[name].tolist() for name in ("input_ids", "decoder_input_ids") if name in expected.files}


def class_of(name):
    return {"decoder": AutoModelForCausalLM, "encoder": AutoModelForMaskedLM, "both": AutoModelForSeq2SeqLM}[name]


def check(folder):
    expected = np.load(folder / "expected.npz")
    has = {name.split(".")[0] for name in expected.files}
    kind = "both" if has >= {"encoder", "decoder"} else "encoder" if "encoder" in has else "decoder"
    model = class_of(kind).from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    arrays = computed(model, inputs_of(expected))
    if set(arrays) != set(expected.files):
        sys.exit(f"{folder.name}: arrays differ: {sorted(set(arrays) ^ set(expected.files))}")
    print(f"{folder.name}: largest difference", max(np.abs(arrays[name] - expected[name]).max() for name in arrays))


def make(folder, model_type, like, kind, settings):
    folder.mkdir(exist_ok=True)
    torch.manual_seed(1)
    known = {name: value for name, value in SMALL.items() if hasattr(AutoConfig.for_model(model_type), name)}
    config = AutoConfig.for_model(model_type, **{**known, **settings})
    model = class_of(kind).from_config(config, attn_implementation="eager")
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(MODELS / like / name, folder / name)
    arrays = computed(model, inputs_of(np.load(MODELS / like / "expected.npz")))
    np.savez(folder / "expected.npz", **arrays)

    path = MODELS / "cases.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    case = dict(next(case for case in cases if case["name"] == like), name=folder.name,
                passes=[name.removesuffix(".weights") for name in arrays if name.endswith(".weights")])
    cases = [case for case in cases if case["name"] != folder.name] + [case]
    path.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("model_type", nargs="?")
    parser.add_argument("settings", nargs="*", metavar="SETTING=VALUE")
    parser.add_argument("--tokenizer", default="llama")
    parser.add_argument("--kind", choices=("decoder", "encoder", "both"), default="decoder")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_intermixed_args()
    folder = MODELS / given.name
    if not given.check:
        if not given.model_type:
            parser.error("MODEL_TYPE is missing, expected one of Transformers, such as llama")
        make(folder, given.model_type, given.tokenizer, given.kind,
             {key: json.loads(value) for key, value in (setting.split("=", 1) for setting in given.settings)})
    check(folder)


if __name__ == "__main__":
    main()
