#!/usr/bin/env python3
"""scripts/gpu-check with programs in the place of its own that hang, crash and give up: whatever they do, a result is
written, and says so."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "gpu-check"

CHECK = '''#!{python}
import json, os, sys, time
if "--list" in sys.argv:
    print({listed!r})
    sys.exit({list_code})
name = sys.argv[sys.argv.index("--kernel") + 1]
if name == "hangs":
    time.sleep(60)
if name == "hopper that hangs":
    print("HANGS: " + name + ", 113x203 did not end within 15 s")
    sys.exit(5)
if name == "crashes":
    os.abort()
wrong = int(name == "errs" or (name == "products" and "products-err" in {listed!r}))
line = {{"name": name, "cases": 3, "unsupported": 0, "wrong": wrong, "first_wrong": "off by 1" if wrong else ""}}
with open(sys.argv[sys.argv.index("--json") + 1], "w") as file:
    json.dump({{"device": "Fake", "checks": [line]}}, file)
sys.exit(wrong)
'''
BOUNDED = '''#!{python}
import sys
assert sys.argv[1:] == ["--kernel", "hopper that hangs", "--quick"]
print("waits for ever: block 3, warp 5 (products), barrier at 98304, parity 1")
sys.exit(1)
'''
BENCH = '''
import json, pathlib, sys, time
out = pathlib.Path(sys.argv[2])
if "--summary" in sys.argv:
    print("summary of", out.read_text())
    sys.exit(0)
starts = int(out.read_text()) + 1 if out.exists() else 1
out.write_text(str(starts))
assert sys.argv.count("--without") == {without}, sys.argv
if starts == 1:
    sys.exit(4)
if starts == 2:
    time.sleep(60)
sys.exit(0)
'''


def load():
    loader = importlib.machinery.SourceFileLoader("gpu_check_script", str(SCRIPT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class GpuCheck(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.script = load()
        self.script.BUILD = self.root / "build"
        self.script.CHECK, self.script.BENCH = self.root / "gpu_check", self.root / "bench.py"
        self.script.CHECK_SECONDS, self.script.SHAPE_SECONDS = 4, 3

    def tearDown(self):
        self.folder.cleanup()

    def run_with(self, names, *words, list_code=0, without=0):
        self.script.CHECK.write_text(CHECK.format(python=sys.executable, listed="\n".join(names), list_code=list_code))
        self.script.CHECK.chmod(0o755)
        self.script.BENCH.write_text(BENCH.format(without=without))
        sys.argv = ["gpu-check", "--skip-build", "--out", str(self.root / "out"), *words]
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = self.script.main()
        return code, said.getvalue(), json.loads((self.root / "out" / "result.json").read_text())

    def test_all_is_well(self):
        code, said, result = self.run_with(["one", "two"], "--only", "check")
        self.assertEqual(code, 0)
        self.assertTrue(result["well"])
        self.assertEqual(result["parts"]["check"]["checked"], 2)
        self.assertEqual(result["parts"]["check"]["device"], "Fake")
        self.assertIn("all is well", said)

    def test_what_hangs_or_crashes_leaves_the_rest_alone(self):
        code, said, result = self.run_with(["hangs", "one", "crashes", "errs"], "--only", "check")
        self.assertEqual(code, 1)
        self.assertEqual(result["parts"]["check"]["wrong"], ["hangs", "crashes", "errs"])
        checks = {line["name"]: line for line in json.loads((self.root / "out" / "check.json").read_text())["checks"]}
        self.assertEqual(checks["one"]["wrong"], 0)
        self.assertIn("did not end within 4 s", checks["hangs"]["first_wrong"])
        self.assertIn("exit code -6", checks["crashes"]["first_wrong"])
        self.assertEqual(checks["errs"]["first_wrong"], "off by 1")

    def test_a_launch_that_hangs_is_explained(self):
        self.script.BOUNDED_CHECK = self.root / "bounded"
        self.script.BOUNDED_CHECK.write_text(BOUNDED.format(python=sys.executable))
        self.script.BOUNDED_CHECK.chmod(0o755)
        code, said, result = self.run_with(["hopper that hangs", "one"], "--only", "check")
        self.assertEqual(code, 1)
        line = json.loads((self.root / "out" / "check.json").read_text())["checks"][0]
        self.assertIn("HANGS: hopper that hangs, 113x203", line["first_wrong"])
        self.assertIn("waits for ever: block 3, warp 5", line["first_wrong"])

    def test_nothing_of_hopper_runs_without_right_products(self):
        code, said, result = self.run_with(["one", "hopper bfloat16 64", "products-err", "products"], "--only", "check")
        self.assertEqual(result["parts"]["check"]["wrong"], ["products", "hopper bfloat16 64"])
        checks = {line["name"]: line for line in json.loads((self.root / "out" / "check.json").read_text())["checks"]}
        self.assertEqual(checks["hopper bfloat16 64"]["first_wrong"], "not run, since the products are wrong")
        self.assertEqual(checks["one"]["wrong"], 0)

    def test_the_order(self):
        self.assertEqual(self.script.in_order(["tiled bfloat16 64", "hopper in turn bfloat16 64", "hopper bfloat16 256",
                                               "hopper bfloat16 64", "products"]),
                         ["products", "hopper bfloat16 64", "hopper in turn bfloat16 64", "hopper bfloat16 256",
                          "tiled bfloat16 64"])

    def test_the_bench_in_a_call_of_its_own(self):
        self.run_with(["one", "errs"], "--only", "check")
        code, said, result = self.run_with(["one", "errs"], "--only", "bench", without=1)
        self.assertEqual(code, 0)
        self.assertNotIn("check", result["parts"])
        self.assertTrue(result["parts"]["bench"]["well"])

    def test_the_bench_starts_again_until_it_is_done(self):
        code, said, result = self.run_with(["one", "errs"], without=1)
        self.assertEqual(code, 1)  # since a check is wrong
        self.assertEqual(result["parts"]["bench"]["starts"], 3)  # gave up, hung, was done
        self.assertTrue(result["parts"]["bench"]["well"])
        self.assertIn("summary of 3", said)

    def test_the_time_is_up(self):
        code, said, result = self.run_with(["one", "hangs"], "--minutes", "0.02")
        self.assertEqual(code, 1)
        self.assertEqual(result["parts"]["check"]["wrong"], ["hangs"])
        self.assertFalse(result["parts"]["bench"]["complete"])

    def test_without_a_device(self):
        code, said, result = self.run_with(["no device: There is no CUDA device"], list_code=3)
        self.assertEqual(code, 3)
        self.assertIn("there is no device", said)

    def test_only_some(self):
        code, said, result = self.run_with(["one", "two"], "--kernel", "tw", "--only", "check")
        self.assertEqual(result["parts"]["check"]["checked"], 1)


if __name__ == "__main__":
    unittest.main()
