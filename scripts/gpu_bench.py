#!/usr/bin/env python3
"""Times the forward beside PyTorch's scaled_dot_product_attention on the same arrays, in turn, by CUDA events; and the
map kernels, which have no like there. Called by gpu-check.

usage: gpu_bench.py LIBRARY OUT.json [--quick] [--resume] [--without KERNEL]... [--shapes TEXT]
                    [--summary | --markdown]

LIBRARY             libattnlab_kernels.so
--resume            goes on behind the rows that OUT.json has; one that was not finished counts as failed
--without KERNEL    never takes this kernel
--shapes TEXT       B,H,Hkv,T,E,causal;... instead of the usual ones, by every kernel; maps of the same T and E
--summary           prints what OUT.json has and times nothing
--markdown          prints it as the tables of docs/benchmarks.md

Exit code: 0 all is well, 1 something is wrong, 4 the device gave up: start again with --resume.
"""
import argparse
import contextlib
import ctypes
import datetime
import math
import statistics
import subprocess
import sys
import warnings

try:
    import torch
    import torch.nn.functional as F
    from torch.nn.attention import SDPBackend, sdpa_kernel
except ImportError:
    torch = None

from gpu_bench_kernels import DTYPES, Forward, Library, Map
from gpu_bench_rows import Results, summary_of, table_of

AGAIN = 4
#: With more cells the math backend would need too much memory.
MOST_MATH_CELLS = 1 << 31
WARM_UPS, LEAST_REPEATS, MOST_REPEATS = 2, 5, 20
#: Approximate time of all repeats of a shape.
SECONDS_OF_A_SHAPE = 1.0
#: Written before each run: it clears the cache, and the following calls are queued before it completes.
FLUSHED_BYTES = 512 << 20
#: Allowed error relative to the smallest of PyTorch's fused backends at the same precision, and an absolute
#: allowance.
ERROR_RATIO, ERROR_FLOOR = 2.0, 1e-6
LSE_LIMITS = {"float32": 1e-5, "bfloat16": 1e-4, "float16": 1e-4}


def forward_shapes(quick):
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


def map_shapes(quick):
    """(dtype, T, E, pool, causal)"""
    for width in (64, 128):
        yield "bfloat16", 131072, width, "max", False
    if quick:
        return
    yield "bfloat16", 131072, 128, "mean", False
    yield "bfloat16", 131072, 128, "max", True
    yield "float32", 131072, 128, "max", False
    yield "bfloat16", 1 << 20, 128, "max", False


def jobs(choices):
    """What is timed, as the first entries of its row."""
    if choices.shapes:
        shapes = [tuple(int(number) for number in text.split(",")) for text in choices.shapes.split(";")]
        maps = [("bfloat16", T, E, pool, bool(causal)) for _, _, _, T, E, causal in shapes for pool in ("max", "mean")]
    else:
        shapes, maps = list(forward_shapes(choices.quick)), list(map_shapes(choices.quick))
    for dtype in ("bfloat16", "float32", "float16"):
        for B, H, Hkv, T, E, causal in shapes:
            # At long lengths two of three precisions are enough.
            if T <= 65536 or dtype == "bfloat16":
                yield {"kind": "forward", "dtype": dtype, "B": B, "H": H, "Hkv": Hkv, "T": T, "E": E,
                       "causal": bool(causal)}
        if dtype == "bfloat16":
            for map_dtype, T, E, pool, causal in maps:
                yield {"kind": "map", "dtype": map_dtype, "T": T, "E": E, "pool": pool, "causal": causal}


def milliseconds(run, flushed):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    flushed.zero_()
    start.record()
    run()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


def medians_of(runs, flushed):
    """In turn, each round from another one on."""
    for run, settings in runs.values():
        with settings():
            for _ in range(WARM_UPS):
                run()
    torch.cuda.synchronize()
    times, names = {name: [] for name in runs}, list(runs)
    for turn in range(MOST_REPEATS):
        for k in range(len(names)):
            name = names[(turn + k) % len(names)]
            run, settings = runs[name]
            with settings():
                times[name].append(milliseconds(run, flushed))
        if turn + 1 >= LEAST_REPEATS and sum(map(sum, times.values())) > SECONDS_OF_A_SHAPE * 1000:
            break
    return {name: statistics.median(values) for name, values in times.items()}


def largest_error(got, expected):
    """Infinite for NaN."""
    off = (got.double() - expected).abs().max().item()
    return off if off < math.inf else math.inf


def exact_rows(query, key, value, causal, rows, b, h):
    """Output and lse of some rows of a head in float64."""
    L, E = query.shape[2], query.shape[3]
    kv = h // (query.shape[1] // key.shape[1])
    scores = query[b, h, rows].double() @ key[b, kv].double().T / math.sqrt(E)
    if causal:
        scores.masked_fill_(torch.arange(L, device=query.device)[None, :] > rows[:, None], -math.inf)
    return scores.softmax(-1) @ value[b, kv].double(), scores.logsumexp(-1)


def errors_of(output, lse, query, key, value, causal):
    """Largest differences from float64 on some rows of the first and the last head; infinite where anything is NaN."""
    B, H, L, _ = query.shape
    rows = torch.unique(torch.linspace(0, L - 1, min(L, 24), device=query.device).long())
    worst, worst_lse = 0.0, 0.0
    for b, h in {(0, 0), (B - 1, H - 1)}:
        exact, exact_lse = exact_rows(query, key, value, causal, rows, b, h)
        worst = max(worst, largest_error(output[b, h, rows], exact))
        if lse is not None:
            worst_lse = max(worst_lse, largest_error(lse[b, h, rows], exact_lse))
    if output.isnan().any().item():
        worst = math.inf
    return worst, worst_lse


def theirs(query, key, value, causal):
    """The backends of PyTorch that take these arrays: what runs, and under which settings."""
    backends = {"flash": SDPBackend.FLASH_ATTENTION, "cudnn": SDPBackend.CUDNN_ATTENTION,
                "efficient": SDPBackend.EFFICIENT_ATTENTION, "math": SDPBackend.MATH}
    cells = query.shape[0] * query.shape[1] * query.shape[2] * key.shape[2]
    grouped = {"enable_gqa": True} if key.shape[1] != query.shape[1] else {}

    def run():
        return F.scaled_dot_product_attention(query, key, value, is_causal=causal, **grouped)

    able = {}
    for name, backend in backends.items():
        if name == "math" and cells > MOST_MATH_CELLS:
            continue
        settings = lambda backend=backend: sdpa_kernel(backend)
        try:
            with settings(), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # its long explanations of refusals
                run()
            torch.cuda.synchronize()
            able[name] = run, settings
        except RuntimeError:  # unsupported, or too little memory
            if broken():
                raise
            torch.cuda.empty_cache()
    return able


def measure_forward(library, row, flushed, every_kernel):
    B, H, Hkv, L, E, causal = (row[name] for name in ("B", "H", "Hkv", "T", "E", "causal"))
    dtype = getattr(torch, row["dtype"])
    draw = lambda heads: torch.randn(B, heads, L, E, device="cuda", dtype=dtype)
    query, key, value = draw(H), draw(Hkv), draw(Hkv)
    output = torch.full_like(query, math.nan)
    lse = torch.full((B, H, L), math.nan, device="cuda", dtype=torch.float32)
    arguments = Forward(query.data_ptr(), key.data_ptr(), value.data_ptr(), output.data_ptr(), lse.data_ptr(), None,
                        torch.cuda.current_stream().cuda_stream, 1.0 / math.sqrt(E), DTYPES[row["dtype"]], B, H, Hkv,
                        L, L, E, int(causal))
    kernels = library.kernels(arguments)
    if not kernels:
        return {"kernel": None}
    scratch = torch.empty(max(16, *(library.scratch(arguments, name) for name in kernels)), device="cuda",
                          dtype=torch.uint8)
    arguments.scratch = scratch.data_ptr()
    # Compares our kernels at a few lengths.
    if not every_kernel and L not in (4096, 16384):
        kernels = kernels[:1]
    ours = {name: (lambda name=name: library.run(arguments, name), contextlib.nullcontext) for name in kernels}
    runs = {"ours" if name == kernels[0] else name.decode(): run for name, run in ours.items()}
    peers = theirs(query, key, value, causal)
    errors = {}
    for name, (run, settings) in peers.items():
        with settings():
            errors[name], _ = errors_of(run(), None, query, key, value, causal)
    runs["ours"][0]()
    torch.cuda.synchronize()
    errors["ours"], lse_error = errors_of(output, lse, query, key, value, causal)
    medians = medians_of({**runs, **peers}, flushed)
    return judged_forward(row, {"kernel": kernels[0].decode(), "milliseconds": medians, "errors": errors,
                                "lse_error": lse_error})


def judged_forward(row, found):
    medians, errors = found["milliseconds"], found["errors"]
    peers = [name for name in errors if name != "ours" and errors[name] < math.inf]
    best = min(peers, key=medians.get, default=None)
    fused = [name for name in peers if name != "math"] or peers
    operations = 4.0 * row["B"] * row["H"] * row["T"] ** 2 * row["E"] * (0.5 if row["causal"] else 1.0)
    allowed = ERROR_FLOOR + ERROR_RATIO * min((errors[name] for name in fused), default=math.inf)
    ratio = medians[best] / medians["ours"] if best else None
    return {**found, "best": best, "tflops": operations / medians["ours"] * 1e-9, "ratio": ratio,
            "ratio_to_efficient": medians["efficient"] / medians["ours"] if "efficient" in peers else None,
            "loss": ratio is not None and ratio < 1.0,
            "wrong": not (errors["ours"] <= min(allowed, 1.0) and found["lse_error"] <= LSE_LIMITS[row["dtype"]])}


def measure_map(library, row, flushed):
    T, E, causal = row["T"], row["E"], row["causal"]
    dtype = getattr(torch, row["dtype"])
    draw = lambda *shape, dtype=torch.float32: torch.randn(*shape, device="cuda", dtype=dtype)
    query, key = draw(T, E, dtype=dtype), draw(T, E, dtype=dtype)
    base, log2_sum = draw(T), draw(T)
    factor = torch.exp2(-log2_sum)
    size = max(1, T // 4096)
    arguments = Map(query.data_ptr(), key.data_ptr(), base.data_ptr(), log2_sum.data_ptr(), factor.data_ptr(), None,
                    None, None, None, torch.cuda.current_stream().cuda_stream, 1.0 / math.sqrt(E), DTYPES[row["dtype"]], T, T,
                    E, size, size, int(causal))
    name = library.calls.attnlab_map_kernel(ctypes.byref(arguments))
    if not name:
        return {"kernel": None}
    count, wide = library.calls.attnlab_map_bins(ctypes.byref(arguments)), (T + size - 1) // size
    largest, kept = torch.full((count,), math.nan, device="cuda", dtype=torch.float32), draw(count)
    arguments.largest, arguments.kept = largest.data_ptr(), kept.data_ptr()
    total = torch.full_like(largest, math.nan) if row["pool"] == "mean" else None
    arguments.sum = total.data_ptr() if total is not None else None
    scratch = torch.empty(max(16, library.calls.attnlab_map_scratch(ctypes.byref(arguments))), device="cuda",
                          dtype=torch.uint8)
    arguments.scratch = scratch.data_ptr()
    run = lambda: library.run_map(arguments)
    run()
    torch.cuda.synchronize()
    # The first bins of the first block of rows, whose first row of bins has min(size, rows of a block) rows.
    rows = torch.arange(min(size, library.calls.attnlab_map_rows_of_block(ctypes.byref(arguments)), T), device="cuda")
    scores = query[rows].double() @ key[:size].double().T / math.sqrt(E) * math.log2(math.e) - (
        base[rows] + log2_sum[rows]).double()[:, None]
    if causal:
        scores.masked_fill_(torch.arange(size, device="cuda")[None, :] > rows[:, None], -math.inf)
    error = largest_error(largest[:1], scores.max())
    sum_error = 0.0
    if total is not None:
        exact = torch.exp2(scores).sum().item()
        sum_error = abs(total[0].item() - exact) / exact
    written = not largest[:wide].isnan().any().item()
    medians = medians_of({"ours": (run, contextlib.nullcontext)}, flushed)
    operations = 2.0 * T * T * E * (0.5 if causal else 1.0)
    return {"kernel": name.decode(), "milliseconds": medians, "errors": {"ours": max(error, sum_error)},
            "tflops": operations / medians["ours"] * 1e-9, "wrong": not (error < 1e-3 and sum_error < 1e-3 and written)}


def clocks():
    try:
        return subprocess.run(["nvidia-smi", "--query-gpu=clocks.sm,clocks.mem,power.draw,temperature.gpu",
                               "--format=csv,noheader"], capture_output=True, text=True, timeout=20).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def broken():
    """Whether the device answers no more."""
    try:
        torch.cuda.synchronize()
        return False
    except RuntimeError:
        return True


def measure_all(choices, results):
    library = Library(choices.library, set(choices.without))
    flushed = torch.empty(FLUSHED_BYTES, device="cuda", dtype=torch.uint8)
    results.all |= {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "cuda": torch.version.cuda,
                    "cudnn": torch.backends.cudnn.version(), "date": datetime.date.today().isoformat(),
                    "without": choices.without}
    clocks_seen = results.all.setdefault("clocks", [])
    for number, job in enumerate(jobs(choices)):
        if results.has(job):
            continue
        results.begin(job)
        try:
            found = (measure_map(library, job, flushed) if job["kind"] == "map" else
                     measure_forward(library, job, flushed, bool(choices.shapes)))
        except torch.cuda.OutOfMemoryError:
            found = {"failed": "the device has too little memory"}
        except RuntimeError as error:
            found = {"failed": " ".join(str(error).split())[:200]}
        if number % 16 == 0:
            clocks_seen.append(clocks())
        results.finish({**job, **found})
        if broken():
            return AGAIN
        torch.cuda.empty_cache()
    rows = results.all["rows"]
    measured = [row for row in rows if row.get("kernel")]
    return 1 if not measured or any(row.get("wrong") or "failed" in row for row in rows) else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("library")
    parser.add_argument("out")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--shapes", default="")
    for flag in ("--quick", "--resume", "--summary", "--markdown"):
        parser.add_argument(flag, action="store_true")
    choices = parser.parse_args()
    if choices.summary:
        print(*summary_of(Results(choices.out, True).all["rows"]), sep="\n")
        return 0
    if choices.markdown:
        print(*table_of(Results(choices.out, True).all["rows"]), sep="\n")
        return 0
    if torch is None:
        print("PyTorch cannot be imported: nothing to compare with")
        return 0
    if not torch.cuda.is_available():
        print("PyTorch sees no device")
        return 1
    torch.manual_seed(1)
    results = Results(choices.out, choices.resume)
    with torch.no_grad():
        code = measure_all(choices, results)
    print(*summary_of(results.all["rows"]), sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
