#!/usr/bin/env python3
"""Writes the folders beside it: arrays as NumPy, safetensors, PyTorch and Transformers save them, with what PyTorch and
Transformers compute from them.

Each folder is a case of own_arrays.py, own_layers.py or own_models.py: its files, and expected.npz with the weights and
the output. cases.json lists the cases: the files, the options of the command line that a user needs, the type that the
numbers were computed in (None: the numbers of the files in float64), and the arrays that are not used. Run it in this
folder after a change; the results are committed.
Needs PyTorch (2.15 wrote these), Transformers (5.23), safetensors and NumPy.
"""
import json
import logging
import shutil

import torch

from own_arrays import containers, dtypes, heads, layouts, masks
from own_cases import FOLDER, cases
from own_layers import own_layers, torch_modules
from own_models import huggingface


def main():
    logging.disable()
    torch.set_num_threads(1)
    for old in FOLDER.iterdir():
        if old.is_dir():
            shutil.rmtree(old)
    for number, write in enumerate((containers, layouts, dtypes, masks, torch_modules, huggingface, heads, own_layers)):
        torch.manual_seed(number)
        write()
    (FOLDER / "cases.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in cases) + "\n]\n")


if __name__ == "__main__":
    main()
