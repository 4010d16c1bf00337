#!/usr/bin/env python3
"""Writes the golden cases of dropout, dropout_*.npz, and their lines in cases.json.

The weights are those of another golden case; which of them are dropped follows from MT19937-64 as Nishimura published
it, here in plain Python: a weight stays where the upper 53 bits of its number, over 2^53, are not below the rate.
"""
import json
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent
RATE = 0.3
# case: seed
BASES = {
    "scale_sqrt_dk": 1, "mask_causal": 2, "mask_key_padding": 3, "mask_additive": 4, "additive": 5, "bilinear": 6,
    "concat_tanh": 7, "vector_sum": 8, "gaussian_kernel": 9, "causal_self": 10, "cross": 11, "multi_head_padded": 12,
    "multi_query": 13, "grouped_query": 14, "flash": 15, "paged_local": 16, "paged_kv": 17, "linformer": 18,
    "longformer_sum": 19, "reformer_causal": 20, "global_context_gate": 21, "dynamic_context_gate": 22,
}
OWN_SEED = ("linformer", "reformer_causal")
WORD = (1 << 64) - 1


def uniform(seed, count):
    state = [seed & WORD]
    for i in range(1, 312):
        state.append((6364136223846793005 * (state[-1] ^ (state[-1] >> 62)) + i) & WORD)
    numbers = []
    index = 312
    while len(numbers) < count:
        if index == 312:
            for i in range(312):
                x = (state[i] & 0xFFFFFFFF80000000) | (state[(i + 1) % 312] & 0x7FFFFFFF)
                state[i] = state[(i + 156) % 312] ^ (x >> 1) ^ (0xB5026F5AA96619E9 if x & 1 else 0)
            index = 0
        x = state[index]
        index += 1
        x ^= (x >> 29) & 0x5555555555555555
        x ^= (x << 17) & 0x71D67FFFEDA60000 & WORD
        x ^= (x << 37) & 0xFFF7EEE000000000 & WORD
        x ^= x >> 43
        numbers.append((x >> 11) / 2.0**53)
    return np.array(numbers)


def with_heads(array):
    return array if array.ndim == 4 else array[:, None]


def values(inputs, outputs, name):
    if name == "linformer":
        return outputs["projected_value"]
    if name == "paged_kv":
        pages = inputs["value_pages"][inputs["block_table"].astype(int)]
        return np.moveaxis(pages.reshape(-1, *pages.shape[2:])[:10], 1, 0)[None]
    if "value" in outputs:
        return outputs["value"]
    if "value" in inputs:
        return inputs["value"]
    return with_heads(inputs["context" if "context" in inputs else "x"] @ inputs["w_v"])


def main():
    cases = [case for case in json.loads((FOLDER / "cases.json").read_text())
             if not case["name"].startswith("dropout_")]
    by_name = {case["name"]: case for case in cases}
    for name, seed in BASES.items():
        inputs = dict(np.load(FOLDER / f"{name}.in.npz"))
        outputs = dict(np.load(FOLDER / f"{name}.out.npz"))
        weights = outputs["weights"]
        kept = uniform(seed, weights.size).reshape(weights.shape) >= RATE
        made = {"weights": weights, "weights_dropped": np.where(kept, weights / (1.0 - RATE), 0.0)}
        value = values(inputs, outputs, name)
        value = np.repeat(value, weights.shape[1] // value.shape[1], axis=1)
        mixed = np.einsum("bhij,bhjc->bhic", made["weights_dropped"], value)
        if "head_output" in outputs:
            made["head_output"] = mixed
            joined = np.moveaxis(mixed, 1, 2).reshape(mixed.shape[0], mixed.shape[2], -1)
            made["output"] = joined @ inputs["w_o"] + inputs.get("b_o", 0.0)
        else:
            made["output"] = mixed
        np.savez_compressed(FOLDER / f"dropout_{name}.in.npz", **inputs)
        np.savez_compressed(FOLDER / f"dropout_{name}.out.npz", **made)
        own = "dropout_seed" if name in OWN_SEED else "seed"
        cases.append({"name": f"dropout_{name}",
                      "args": by_name[name]["args"] + ["--set", f"dropout={RATE}", "--set", f"{own}={seed}"],
                      "stages": list(made), "tolerance": 1e-9})
    (FOLDER / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()
