#!/usr/bin/env python3
"""Times the forward beside PyTorch's scaled_dot_product_attention on the same arrays, in turn, by CUDA events.

usage: gpu_bench.py LIBRARY OUT.json [--quick]     LIBRARY: libattnlab_kernels.so; called by gpu-check
"""
import argparse
import ctypes
import datetime
import json
import math
import statistics
import sys

try:
    import torch
    import torch.nn.functional as F
    from torch.nn.attention import SDPBackend, sdpa_kernel
except ImportError:
    print("PyTorch cannot be imported: nothing to compare with")
    sys.exit(0)

PRECISIONS = {torch.float32: 0, torch.bfloat16: 1, torch.float16: 2}
BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION,
            "efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH}
#: Above so many cells the math backend would store too much.
MOST_MATH_CELLS = 1 << 32
REPEATS = 20
#: An error of ours may be so many times the smallest of PyTorch's at the same precision, and this much beside it.
ERROR_RATIO, ERROR_FLOOR = 2.0, 1e-6


class Forward(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("query", "key", "value", "output", "lse", "stream")] + [
        ("scale", ctypes.c_float)] + [(name, ctypes.c_int) for name in
                                      ("precision", "B", "H", "Hkv", "L", "S", "E", "causal")]


def shapes(quick):
    """(B, H, Hkv, T, E, causal): B T = 16k with H E = 2048, long ones, grouped heads, ragged lengths."""
    lengths = [4096] if quick else [512, 1024, 2048, 4096, 8192, 16384]
    for width in (64, 128, 256):
        for length in lengths:
            for causal in (False, True):
                yield 16384 // length, 2048 // width, 2048 // width, length, width, causal
    if quick:
        return
    for length in (32768, 65536, 131072):
        yield 1, 8, 8, length, 128, True
    yield 1, 8, 8, 32768, 128, False
    for causal in (False, True):
        yield 2, 32, 8, 8192, 128, causal
    for length in (1000, 4097):
        for width in (64, 128):
            yield 4, 16, 16, length, width, True


def reference_error(query, key, value, causal, output):
    """Largest difference from float64 on some rows of the first and the last head, and that of lse."""
    B, H, L, E = query.shape
    group = H // key.shape[1]
    rows = torch.unique(torch.linspace(0, L - 1, min(L, 24), device=query.device).long())
    worst = 0.0
    for b, h in {(0, 0), (B - 1, H - 1)}:
        k, v = key[b, h // group].double(), value[b, h // group].double()
        scores = query[b, h, rows].double() @ k.T / math.sqrt(E)
        if causal:
            scores.masked_fill_(torch.arange(L, device=query.device)[None, :] > rows[:, None], -math.inf)
        worst = max(worst, (output[b, h, rows].double() - scores.softmax(-1) @ v).abs().max().item())
    return worst


def milliseconds(run):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


class Ours:
    def __init__(self, library):
        self.library = ctypes.CDLL(library)
        self.library.attnlab_forward_kernel.restype = ctypes.c_char_p
        self.library.attnlab_kernel_name.restype = ctypes.c_char_p

    def arguments(self, query, key, value, output, lse, causal):
        B, H, L, E = query.shape
        return Forward(query.data_ptr(), key.data_ptr(), value.data_ptr(), output.data_ptr(), lse.data_ptr(),
                       torch.cuda.current_stream().cuda_stream, 1.0 / math.sqrt(E), PRECISIONS[query.dtype], B, H,
                       key.shape[1], L, key.shape[2], E, int(causal))

    def kernel(self, arguments):
        name = self.library.attnlab_forward_kernel(ctypes.byref(arguments))
        return name.decode() if name else None

    def run(self, arguments):
        code = self.library.attnlab_forward(ctypes.byref(arguments), None)
        if code != 0:
            raise RuntimeError(f"attnlab_forward gave {code}")


def theirs(query, key, value, causal):
    """The backends of PyTorch that take these arrays, as functions."""
    cells = query.shape[0] * query.shape[1] * query.shape[2] * key.shape[2]
    grouped = {"enable_gqa": True} if key.shape[1] != query.shape[1] else {}
    for name, backend in BACKENDS.items():
        if name == "math" and cells > MOST_MATH_CELLS:
            continue

        def run(backend=backend):
            with sdpa_kernel(backend):
                return F.scaled_dot_product_attention(query, key, value, is_causal=causal, **grouped)

        try:
            run()
            torch.cuda.synchronize()
        except RuntimeError:  # "No available kernel", or memory
            torch.cuda.empty_cache()
            continue
        yield name, run


def measure(ours, shape, dtype):
    B, H, Hkv, L, E, causal = shape
    draw = lambda heads: torch.randn(B, heads, L, E, device="cuda", dtype=dtype)
    query, key, value = draw(H), draw(Hkv), draw(Hkv)
    output = torch.full_like(query, math.nan)
    lse = torch.full((B, H, L), math.nan, device="cuda")
    arguments = ours.arguments(query, key, value, output, lse, causal)
    kernel = ours.kernel(arguments)
    if kernel is None:
        return None
    runs = {"ours": lambda: ours.run(arguments), **dict(theirs(query, key, value, causal))}
    errors = {}
    for name, run in runs.items():
        result = run()
        torch.cuda.synchronize()
        errors[name] = reference_error(query, key, value, causal, output if name == "ours" else result)
        del result
    times = {name: [] for name in runs}
    for _ in range(REPEATS):
        for name, run in runs.items():
            times[name].append(milliseconds(run))
    medians = {name: statistics.median(values) for name, values in times.items()}
    peers = [name for name in medians if name != "ours"]
    best = min(peers, key=medians.get, default=None)
    operations = 4.0 * B * H * L * L * E * (0.5 if causal else 1.0)
    return {"B": B, "H": H, "Hkv": Hkv, "T": L, "E": E, "causal": causal, "dtype": str(dtype).removeprefix("torch."),
            "kernel": kernel, "milliseconds": medians, "errors": errors, "best": best,
            "tflops": operations / medians["ours"] * 1e-9,
            "ratio": medians[best] / medians["ours"] if best else None,
            "ratio_to_efficient": medians["efficient"] / medians["ours"] if "efficient" in medians else None,
            "error_is_wrong": not errors["ours"] <= ERROR_FLOOR + ERROR_RATIO * min(
                (errors[name] for name in peers if not math.isnan(errors[name])), default=math.inf)}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else float("nan")


def show(rows):
    print(f"{'dtype':9}{'B':>4}{'H':>4}{'T':>8}{'E':>5} {'mask':7}{'ms':>9}{'TFLOP/s':>9}{'ratio':>7} {'best':10}"
          f"{'error':>9}{'theirs':>9}  kernel")
    for r in rows:
        print(f"{r['dtype']:9}{r['B']:4}{r['H']:4}{r['T']:8}{r['E']:5} {'causal' if r['causal'] else 'full':7}"
              f"{r['milliseconds']['ours']:9.3f}{r['tflops']:9.1f}{r['ratio'] or 0:7.2f} {r['best'] or '':10}"
              f"{r['errors']['ours']:9.1e}{r['errors'].get(r['best'], float('nan')):9.1e}  {r['kernel']}"
              f"{'  ERROR TOO LARGE' if r['error_is_wrong'] else ''}")
    for dtype in sorted({r["dtype"] for r in rows}):
        of_dtype = [r for r in rows if r["dtype"] == dtype]
        efficient = [r["ratio_to_efficient"] for r in of_dtype if r["ratio_to_efficient"]]
        print(f"{dtype}: {geometric_mean([r['ratio'] for r in of_dtype if r['ratio']]):.3f} x the best backend, "
              f"{geometric_mean(efficient):.3f} x efficient, in geometric mean over {len(of_dtype)} shapes")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("out")
    parser.add_argument("--quick", action="store_true")
    choices = parser.parse_args()
    if not torch.cuda.is_available():
        print("PyTorch sees no device")
        return 1
    torch.manual_seed(1)
    ours = Ours(choices.library)
    rows = []
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        for shape in shapes(choices.quick):
            # Two of three precisions say as much at long lengths as all of them.
            if shape[3] > 65536 and dtype != torch.bfloat16:
                continue
            row = measure(ours, shape, dtype)
            torch.cuda.empty_cache()
            if row:
                rows.append(row)
    with open(choices.out, "w") as file:
        json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda,
                   "cudnn": torch.backends.cudnn.version(), "date": datetime.date.today().isoformat(),
                   "repeats": REPEATS, "rows": rows}, file, indent=1)
    show(rows)
    return 1 if not rows or any(r["error_is_wrong"] for r in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
