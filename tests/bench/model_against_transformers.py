#!/usr/bin/env python3
"""Times bench_model in turn with Transformers on PyTorch (sdpa, float32 unless said), on random weights of real sizes:

    tests/bench/model_against_transformers.py build/bench/tests/bench/bench_model [gpt2] [minilm] [llama] [small]
        [--rounds N] [--dtype float32] [--precision bfloat16]

Prints for each number of tokens the median over rounds of the time of PyTorch by that of the program, by wall clock and
by processor time (above 1 the program is faster), and the program's memory. PyTorch computes no attention weights; the
program keeps every query, key, value and the row sums, from which it draws any weight. Needs torch and transformers.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import typing

import torch
import transformers

THREADS = len(os.sched_getaffinity(0))
PAUSE = 0.03  # seconds, in which the threads of the other stop waiting awake


def gpt2():
    return transformers.GPT2LMHeadModel(transformers.GPT2Config())


def minilm():
    sizes = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
    return transformers.BertModel(transformers.BertConfig(**sizes))


def llama():
    sizes = {"vocab_size": 32000, "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 22,
             "num_attention_heads": 32, "num_key_value_heads": 4, "max_position_embeddings": 2048}
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes))
    model = model.to_empty(device="cpu").bfloat16()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0, 0.02)
    return model


def small():
    sizes = {"vocab_size": 49152, "hidden_size": 576, "intermediate_size": 1536, "num_hidden_layers": 30,
             "num_attention_heads": 9, "num_key_value_heads": 3, "max_position_embeddings": 8192}
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**sizes))


# What makes each model, and the numbers of tokens.
MODELS = {"gpt2": (gpt2, (128, 1024)), "minilm": (minilm, (64, 512)), "llama": (llama, (128, 512)),
          "small": (small, (512, 8192))}


class Program:
    """bench_model; run() gives seconds, processor seconds and megabytes."""

    def __init__(self, path, folder, precision):
        self.process = subprocess.Popen([path, folder, precision], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.opened = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("model_against_transformers: bench_model ended")
        return [float(number) for number in line.split()]

    def run(self, tokens):
        print(tokens, file=self.process.stdin, flush=True)
        return self.answer()


@torch.no_grad()
def run_torch(model, tokens):
    ids = torch.arange(tokens)[None] * 7919 % 30000
    options = {} if isinstance(model, transformers.BertModel) else {"use_cache": False, "logits_to_keep": 1}
    started, processor = time.perf_counter(), time.process_time()
    model(ids, **options)
    return time.perf_counter() - started, time.process_time() - processor


def made(name, cache):
    """The folder of a model, written before its first use."""
    folder = cache / name
    if not folder.exists():
        MODELS[name][0]().save_pretrained(folder)
    return folder


class Measured(typing.NamedTuple):
    """Medians; wall and processor are PyTorch's time by the program's."""

    wall: float
    processor: float
    ours: float
    theirs: float
    memory: float  #: MB of the program


def measured(name, program_path, rounds, cache, dtype, precision, lengths=None):
    """Yields the number of tokens and what was measured."""
    folder = made(name, cache)
    kind = transformers.AutoModel if name == "minilm" else transformers.AutoModelForCausalLM
    model = kind.from_pretrained(folder, attn_implementation="sdpa", dtype=dtype).eval()
    program = Program(program_path, folder, precision)
    print(f"{name}, {precision} against {str(model.dtype).removeprefix('torch.')}: opened in {program.opened[0]:.3f} s "
          f"with {program.opened[2]:.0f} MB", file=sys.stderr)
    for tokens in lengths or MODELS[name][1]:
        ratios = []
        for i in range(rounds + 1):
            time.sleep(PAUSE)
            ours = program.run(tokens)
            time.sleep(PAUSE)
            theirs = run_torch(model, tokens)
            if i > 0:  # the first warms both
                ratios.append((theirs[0] / ours[0], theirs[1] / ours[1], ours[0], theirs[0], ours[2]))
        yield tokens, Measured(*(statistics.median(column) for column in zip(*ratios)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("models", nargs="*", help=', '.join(MODELS))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--dtype", default="auto", help="in which PyTorch computes; auto: that of the weights. The "
                        "program computes in --precision")
    parser.add_argument("--precision", default="float32", choices=["float32", "bfloat16"])
    parser.add_argument("--cache", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "attnlab-bench-models")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(THREADS)
    print(f"PyTorch {torch.__version__}, Transformers {transformers.__version__}, {THREADS} threads")
    for name in arguments.models or MODELS:
        for tokens, found in measured(name, arguments.program, arguments.rounds, arguments.cache, arguments.dtype,
                                      arguments.precision):
            print(f"  T = {tokens}: {found.wall:.2f} by wall clock, {found.processor:.2f} by processor time "
                  f"({found.ours:.3f} s against {found.theirs:.3f} s), {found.memory:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
