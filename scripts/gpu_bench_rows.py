"""What gpu_bench.py has found: rows in a file, and as lines to read. Needs no PyTorch."""
import json
import math
import pathlib

from gpu_bench_kernels import DTYPES


class Results:
    """The rows so far, in a file after each."""

    def __init__(self, path, resume):
        self.path, self.all = pathlib.Path(path), {"rows": []}
        if resume and self.path.exists():
            self.all = json.loads(self.path.read_text())
        self.keys = [self.key(row) for row in self.all["rows"]]

    @staticmethod
    def key(row):
        names = ("kind", "dtype", "B", "H", "Hkv", "T", "E", "causal", "pool")
        return tuple(row.get(name) for name in names)

    def has(self, job):
        return self.key(job) in self.keys

    def begin(self, job):
        """Until it is finished it has failed: what comes after a crash reads it so."""
        self.all["rows"].append({**job, "failed": "it did not end"})
        self.keys.append(self.key(job))
        self.write()

    def finish(self, row):
        self.all["rows"][-1] = row
        self.write()
        print(line_of(row), flush=True)

    def write(self):
        part = self.path.with_suffix(".part")
        # JSON has no infinity.
        part.write_text(json.dumps(finite(self.all), indent=1, allow_nan=False) + "\n")
        part.replace(self.path)


def finite(value):
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return 1e30 if isinstance(value, float) and not abs(value) < math.inf else value


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def name_of(row):
    mask = "causal" if row["causal"] else "full"
    if row["kind"] == "map":
        return f"{row['dtype']:9}{row['pool']} map {row['T']:>9} {row['E']:4} {mask:7}"
    heads = f"{row['H']}" if row["H"] == row["Hkv"] else f"{row['H']}/{row['Hkv']}"
    return f"{row['dtype']:9}{row['B']:3} {heads:>5}{row['T']:8}{row['E']:5} {mask:7}"


def line_of(row):
    if "failed" in row:
        return f"{name_of(row)} FAILED: {row['failed']}"
    if not row.get("kernel"):
        return f"{name_of(row)} has no kernel"
    line = f"{name_of(row)}{row['milliseconds']['ours']:10.3f} ms{row['tflops']:8.1f} TFLOP/s"
    if row["kind"] == "forward":
        best, errors = row["best"], row["errors"]
        line += f"  {row['ratio'] or math.nan:5.2f} x {best or '-':9} error {errors['ours']:.1e}"
        line += f", theirs {errors[best]:.1e}, lse {row['lse_error']:.1e}" if best else ""
    return line + f"  {row['kernel']}{'  WRONG' if row['wrong'] else ''}"


def summary_of(rows):
    """The short table: geometric means, losses, what failed."""
    done = [row for row in rows if row["kind"] == "forward" and "ratio" in row]
    yield f"{'':16}{'shapes':>7}{'x best':>8}{'x efficient':>12}{'losses':>7}"
    for dtype in DTYPES:
        for what, chosen in ([(dtype, lambda row: True)] + [
                (f"  d={width} {'causal' if causal else 'full'}",
                 lambda row, width=width, causal=causal: (row["E"], row["causal"]) == (width, causal))
                for width in (64, 128, 256) for causal in (False, True)]):
            some = [row for row in done if row["dtype"] == dtype and chosen(row)]
            if some:
                best = geometric_mean([row["ratio"] for row in some if row["ratio"]])
                efficient = geometric_mean([row["ratio_to_efficient"] for row in some if row["ratio_to_efficient"]])
                losses = sum(row["loss"] for row in some)
                yield f"{what:16}{len(some):7}{best:8.3f}{efficient:12.3f}{losses:7}"
    for row in rows:
        if row["kind"] == "map" or "failed" in row or row.get("wrong"):
            yield line_of(row)


def cell_of(row):
    ratio = f", {row['ratio']:.2f}" if row["ratio"] else ""
    return f"{row['tflops']:.0f}{ratio}"


def table_of(rows):
    """The forward as tables in Markdown: TFLOP/s, and the time of PyTorch's fastest backend over ours."""
    done = [row for row in rows if row["kind"] == "forward" and "tflops" in row]
    square = [row for row in done if row["B"] * row["T"] == 16384 and row["H"] * row["E"] == 2048 and row["H"] == row["Hkv"]]
    lengths = sorted({row["T"] for row in square})
    yield f"| precision, d, mask | {' | '.join(f'T = {length}' for length in lengths)} |"
    yield f"|---|{'---|' * len(lengths)}"
    lines = {}
    for row in square:
        lines.setdefault((row["dtype"], row["E"], row["causal"]), {})[row["T"]] = cell_of(row)
    for (dtype, width, causal), cells in sorted(lines.items()):
        values = " | ".join(cells.get(length, "-") for length in lengths)
        yield f"| {dtype}, {width}, {'causal' if causal else 'full'} | {values} |"
    yield ""
    yield "| other shapes: precision, B, H, L = S, d, mask | TFLOP/s, ratio |"
    yield "|---|---|"
    for row in done:
        if row not in square:
            heads = f"{row['H']}" if row["H"] == row["Hkv"] else f"{row['H']} ({row['Hkv']} of keys)"
            mask = "causal" if row["causal"] else "full"
            yield f"| {row['dtype']}, {row['B']}, {heads}, {row['T']}, {row['E']}, {mask} | {cell_of(row)} |"
    yield ""
    yield "| map: precision, T, d, mask, pool | ms | TFLOP/s |"
    yield "|---|---|---|"
    for row in rows:
        if row["kind"] == "map" and "tflops" in row:
            mask = "causal" if row["causal"] else "full"
            yield (f"| {row['dtype']}, {row['T']}, {row['E']}, {mask}, {row['pool']} | {row['milliseconds']['ours']:.1f} | "
                   f"{row['tflops']:.0f} |")
