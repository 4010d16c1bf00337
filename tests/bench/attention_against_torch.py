#!/usr/bin/env python3
"""Times forwards and maps of the engine in turn with torch's scaled_dot_product_attention on the same processor:

    tests/bench/attention_against_torch.py build/bench/tests/bench/bench_attention [--rounds N] [--no-maps]

Prints for each shape the median over rounds of torch's time by the engine's (above 1 the engine is faster), in float32
and in bfloat16, by wall clock and by processor time, and the largest error of each against float64. The engine computes in
float32. A map is compared with the forward of the same head, which gives no weights, and, where L x S of them fit, with
the maxima or means of softmax(q k^T) by torch. Needs torch.
"""
import argparse
import math
import os
import statistics
import subprocess
import time

import torch
from torch.nn.functional import adaptive_avg_pool2d, adaptive_max_pool2d, scaled_dot_product_attention

THREADS = len(os.sched_getaffinity(0))
PAUSE = 0.03  # seconds, in which the threads of the other stop waiting awake
SHAPES = [(heads, length, dim, cells) for heads, length, dim in [(8, 128, 64), (12, 128, 64), (8, 256, 64), (8, 512, 64),
                                                                 (8, 2048, 64), (4, 4096, 128), (1, 16384, 64)]
          for cells in ("full", "causal")]
MAPS = [(length, dim, 512, cells, pool) for length, dim, cells in [(4096, 64, "full"), (8192, 64, "full"), (8192, 64, "causal"),
                                                                   (8192, 128, "full"), (16384, 64, "full")]
        for pool in ("max", "mean")]
LARGEST_WEIGHTS = 8192  # above it torch would hold more than 256 MB of weights


class Engine:
    """bench_attention; run() gives seconds, processor seconds and the error."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.description = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("attention_against_torch: bench_attention ended")
        return line.strip()

    def run(self, line):
        print(line, file=self.process.stdin, flush=True)
        return [float(number) for number in self.answer().split()]


def timed(work):
    started, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - started, time.process_time() - processor


def inputs(heads, length, dim, dtype):
    return [torch.randn(1, heads, length, dim).to(dtype) for _ in range(3)]


def error_of(query, key, value, cells, rows=64):
    """The largest error of torch in rows spread over all heads, against float64 from the same numbers."""
    output = scaled_dot_product_attention(query, key, value, is_causal=cells == "causal")
    length = query.shape[-2]
    picked = torch.linspace(0, length - 1, min(rows, length)).long()
    scores = query[:, :, picked].double() @ key.double().transpose(-1, -2) / math.sqrt(query.shape[-1])
    if cells == "causal":
        scores.masked_fill_(torch.arange(length) > picked[:, None], -math.inf)
    exact = scores.softmax(-1) @ value.double()
    return (output[:, :, picked].double() - exact).abs().max().item()


def in_turn(engine, line, works, rounds):
    """Medians of each work's time by the engine's: [(wall, processor)], the engine's seconds and its error."""
    ratios, seconds = [[] for _ in works], []
    for i in range(rounds + 1):
        time.sleep(PAUSE)
        ours = engine.run(line)
        for work, found in zip(works, ratios):
            time.sleep(PAUSE)
            theirs = timed(work)
            if i > 0:  # the first warms all
                found.append((theirs[0] / ours[0], theirs[1] / ours[1]))
        seconds.append(ours[0])
    return [[statistics.median(column) for column in zip(*found)] for found in ratios], statistics.median(seconds), ours[2]


def geometric_mean(numbers):
    return math.exp(statistics.fmean(math.log(number) for number in numbers))


def compare_forwards(engine, rounds):
    print("forward: torch float32 (wall / processor), torch bfloat16; errors of engine, float32, bfloat16")
    all_ratios = []
    for heads, length, dim, cells in SHAPES:
        numbers = [inputs(heads, length, dim, dtype) for dtype in (torch.float32, torch.bfloat16)]
        works = [lambda n=n: scaled_dot_product_attention(*n, is_causal=cells == "causal") for n in numbers]
        found, seconds, error = in_turn(engine, f"forward {heads} {length} {dim} {cells}", works, rounds)
        errors = [error_of(*n, cells) for n in numbers]
        all_ratios.append(found)
        print(f"  {heads}, {length}, {dim} {cells:6}: {found[0][0]:.2f} / {found[0][1]:.2f}, {found[1][0]:.2f} / "
              f"{found[1][1]:.2f}; {seconds * 1e3:.1f} ms; {error:.1e}, {errors[0]:.1e}, {errors[1]:.1e}", flush=True)
    for kind, name in enumerate(("float32", "bfloat16")):
        wall, processor = (geometric_mean([found[kind][column] for found in all_ratios]) for column in (0, 1))
        print(f"  geometric mean, {name}: {wall:.2f} / {processor:.2f}")


def pooled_weights(query, key, bins, cells, pool):
    weights = query @ key.transpose(-1, -2) / math.sqrt(query.shape[-1])
    if cells == "causal":
        weights.masked_fill_(torch.ones(weights.shape[-2:], dtype=torch.bool).triu(1), -math.inf)
    weights = weights.softmax(-1)
    return (adaptive_max_pool2d if pool == "max" else adaptive_avg_pool2d)(weights, bins)


def compare_maps(engine, rounds):
    print("map: forward by torch float32 (wall / processor), bfloat16, pooled weights by torch float32")
    for length, dim, bins, cells, pool in MAPS:
        single, half = inputs(1, length, dim, torch.float32), inputs(1, length, dim, torch.bfloat16)
        works = [lambda n=n: scaled_dot_product_attention(*n, is_causal=cells == "causal") for n in (single, half)]
        if length <= LARGEST_WEIGHTS:
            works.append(lambda: pooled_weights(single[0], single[1], bins, cells, pool))
        found, seconds, error = in_turn(engine, f"map {length} {dim} {bins} {cells} {pool}", works, rounds)
        texts = ", ".join(f"{wall:.2f} / {processor:.2f}" for wall, processor in found)
        print(f"  {length}, {dim} {cells:6} {pool:4}: {texts}; {seconds * 1e3:.1f} ms; sums of rows off by {error:.1e}",
              flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--no-maps", action="store_true")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(THREADS)
    engine = Engine(arguments.program)
    print(f"torch {torch.__version__}, {THREADS} threads; engine: {engine.description}")
    with torch.inference_mode():
        compare_forwards(engine, arguments.rounds)
        if not arguments.no_maps:
            compare_maps(engine, max(3, arguments.rounds // 3))


if __name__ == "__main__":
    main()
