#!/usr/bin/env python3
"""scripts/gpu_bench.py from end to end without a device: over the emulated kernels and the torch of this folder.

usage: test_gpu_bench.py LIBRARY    exit code 77 where there is no NumPy
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE.parent.parent / "scripts" / "gpu_bench.py"
LIBRARY = ""
#: Grouped heads, causal; a width that no map kernel has; several batches.
SHAPES = "1,2,1,40,32,1;2,2,2,33,16,0;1,1,1,24,32,0"


class GpuBench(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.out = pathlib.Path(self.folder.name) / "bench.json"

    def tearDown(self):
        self.folder.cleanup()

    def bench(self, *words, shapes=SHAPES, **variables):
        environment = {**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1", **variables}
        done = subprocess.run([sys.executable, str(SCRIPT), LIBRARY, str(self.out), "--shapes", shapes, *words],
                              capture_output=True, text=True, env=environment)
        self.assertEqual(done.stderr, "")
        return done

    def rows(self):
        return json.loads(self.out.read_text())["rows"]

    def test_everything_is_measured_and_right(self):
        done = self.bench()
        self.assertEqual(done.returncode, 0, done.stdout)
        rows = self.rows()
        self.assertEqual([row["kind"] for row in rows].count("forward"), 9)
        for row in rows:
            self.assertNotIn("failed", row)
            if row["kind"] == "forward":
                self.assertFalse(row["wrong"])
                self.assertTrue(row["loss"])  # an emulated device is slow
                self.assertLess(row["ratio"], 1.0)
                self.assertAlmostEqual(row["ratio"], row["milliseconds"][row["best"]] / row["milliseconds"]["ours"])
                self.assertNotIn("cudnn", row["errors"])  # it refuses everything
                self.assertEqual("flash" in row["errors"], row["dtype"] != "float32")
                self.assertEqual("efficient" in row["errors"], row["H"] == row["Hkv"])
        causal, full = rows[0], rows[1]
        half = 4.0 * 2 * 40**2 * 32 / 2
        self.assertAlmostEqual(causal["tflops"], half / causal["milliseconds"]["ours"] * 1e-9)
        self.assertAlmostEqual(full["tflops"], 4.0 * 4 * 33**2 * 16 / full["milliseconds"]["ours"] * 1e-9)
        maps = {(row["T"], row["pool"]): row for row in rows if row["kind"] == "map"}
        self.assertEqual(maps[40, "max"]["kernel"], "map bfloat16 32")
        self.assertFalse(maps[40, "mean"]["wrong"])
        self.assertIsNone(maps[33, "max"]["kernel"])

    def test_the_summary_is_printed_without_a_device(self):
        self.bench()
        summary = self.bench("--summary").stdout
        self.assertIn("x best", summary)
        self.assertIn("mean map", summary)
        for dtype in ("float32", "bfloat16", "float16"):
            self.assertRegex(summary, rf"{dtype} +3 +0\.\d+")

    def test_tables_of_the_documentation_have_every_row(self):
        self.bench()
        table = self.bench("--markdown").stdout
        measured = [row for row in self.rows() if row.get("kernel")]
        lines = [line for line in table.splitlines() if line.startswith("| ") and "precision, " not in line]
        self.assertEqual(len(lines), len(measured), table)
        for row in measured:
            of_row = [line for line in lines if line.startswith(f"| {row['dtype']}, ") and f" {row['T']}, {row['E']}, " in line]
            self.assertTrue(any(f"| {row['tflops']:.0f}" in line for line in of_row), table)

    def test_a_kernel_can_be_left_out(self):
        self.bench("--without", "bfloat16 32")
        by_shape = {(row["dtype"], row["T"]): row.get("kernel") for row in self.rows() if row["kind"] == "forward"}
        self.assertEqual(by_shape["bfloat16", 40], None)
        self.assertEqual(by_shape["float32", 40], "float32 32")

    def test_a_broken_device_is_left_and_the_rest_measured_at_the_next_start(self):
        done = self.bench(FAKE_TORCH_BREAKS="33")
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("illegal memory access", self.rows()[-1]["failed"])
        self.assertEqual(len(self.rows()), 2)
        done = self.bench("--resume")
        self.assertEqual(done.returncode, 1)  # since a shape has failed
        self.assertEqual(len(self.rows()), 9 + 6)
        self.assertEqual([row["T"] for row in self.rows() if "failed" in row], [33])
        self.assertIn("FAILED", done.stdout)

    def test_a_shape_that_never_ended_has_failed(self):
        self.bench()
        all_rows = json.loads(self.out.read_text())
        first = all_rows["rows"][0]
        begun = {name: first[name] for name in ("kind", "dtype", "B", "H", "Hkv", "T", "E", "causal")}
        all_rows["rows"] = [{**begun, "failed": "it did not end"}]
        self.out.write_text(json.dumps(all_rows))
        self.assertEqual(self.bench("--resume").returncode, 1)
        self.assertEqual(len(self.rows()), 9 + 6)
        self.assertIn("failed", self.rows()[0])


if __name__ == "__main__":
    try:
        import numpy  # noqa: F401, the torch of this folder is made of it
    except ImportError:
        print("NumPy cannot be imported")
        sys.exit(77)
    LIBRARY = sys.argv.pop(1)
    unittest.main()
