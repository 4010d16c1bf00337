#!/usr/bin/env python3
"""Writes hidden/NAME.npz: the logits of models/NAME in the last row, by Transformers, while each token of the text is hidden
from attention: attention_mask is 0 there, and position_ids stay. The test core.hidden_words compares every number.

    make_hidden_words.py [NAME ...]      by default those below; needs PyTorch and Transformers (5.24 was tried)
"""
import pathlib
import sys

import numpy as np
import torch
import transformers

HERE = pathlib.Path(__file__).parent
NAMES = ("gpt2", "llama", "gpt_oss", "bert", "modernbert_classes", "bert_classes", "gpt2_classes", "t5", "bart")
PLACED = ("gpt2", "llama", "gpt_oss", "bert", "bert_classes", "gpt2_classes")  # take position_ids


def make(name):
    config = transformers.AutoConfig.from_pretrained(HERE / "models" / name)
    kind = getattr(transformers, config.architectures[0])
    model = kind.from_pretrained(HERE / "models" / name, attn_implementation="eager", dtype=torch.float32).eval()
    expected = np.load(HERE / "models" / name / "expected.npz")
    inputs = {key: torch.tensor(expected[key].astype(np.int64))[None]
              for key in ("input_ids", "token_type_ids", "decoder_input_ids") if key in expected}
    length = inputs["input_ids"].shape[1]
    if name in PLACED:
        inputs["position_ids"] = torch.arange(length)[None]
    rows = []
    for hidden in range(length):
        mask = torch.ones(1, length, dtype=torch.long)
        mask[0, hidden] = 0
        with torch.no_grad():
            logits = model(**inputs, attention_mask=mask).logits[0]
        rows.append((logits[-1] if logits.ndim == 2 else logits).numpy())
    (HERE / "hidden").mkdir(exist_ok=True)
    np.savez_compressed(HERE / "hidden" / f"{name}.npz", logits=np.array(rows, dtype=np.float32))
    print(f"{name}: {np.array(rows).shape}, moved up to {np.abs(np.array(rows) - np.median(rows, axis=0)).max():.3f}")


if __name__ == "__main__":
    for one in sys.argv[1:] or NAMES:
        make(one)
