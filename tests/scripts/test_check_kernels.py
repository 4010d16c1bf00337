#!/usr/bin/env python3
"""scripts/check_kernels accepts what ptxas reports of good kernels, and names what is wrong with others."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "check_kernels"


def kernel(name, architecture="sm_90a", spilled=0, registers=168):
    """As nvcc 13 says it with -Xptxas=-v."""
    return (f"ptxas info    : Compiling entry function '{name}' for '{architecture}'\n"
            f"ptxas info    : Function properties for {name}\n"
            f"    0 bytes stack frame, {spilled} bytes spill stores, {spilled} bytes spill loads\n"
            f"ptxas info    : Used {registers} registers, used 3 barriers, 768 bytes cmem[0]\n"
            "ptxas info    : Compile time = 29.648 ms\n")


START = "ptxas info    : 0 bytes gmem\n"


def checked(files, prepare=lambda folder: None):
    """The exit code and what is said of a folder with these files."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        prepare(pathlib.Path(root))
        run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr


class CheckKernels(unittest.TestCase):
    def accepts(self, files, summary):
        code, said = checked(files)
        self.assertEqual((code, said), (0, summary + "\n"))

    def refuses(self, files, *lines, prepare=lambda folder: None):
        code, said = checked(files, prepare)
        self.assertEqual(code, 1, said)
        *found, summary = said.splitlines()
        self.assertEqual(found, list(lines))
        self.assertIn(f"{len(lines)} problems", summary)

    def test_clean_reports(self):
        self.accepts({"portable/convert.cu.o.report": START + kernel("convert", "sm_80", registers=16) +
                      START + kernel("convert", "sm_120", registers=18),
                      "hopper/map.cu.o.report": START + kernel("map_64") + kernel("map_128", registers=240),
                      "hopper/map.cu.o": "", "hopper/tensor_map.cpp.o": ""},
                     "3 kernels, 4 with every architecture, at most 240 registers; 0 problems")

    def test_a_spill(self):
        self.refuses({"a.cu.o.report": START + kernel("one") + kernel("two", spilled=14) + kernel("three")},
                     "a.cu.o.report: two for sm_90a: 28 bytes of registers are spilled")
        stores = kernel("one").replace("0 bytes spill stores", "4 bytes spill stores")
        self.refuses({"a.cu.o.report": stores}, "a.cu.o.report: one for sm_90a: 4 bytes of registers are spilled")

    def test_a_spill_in_one_architecture(self):
        self.refuses({"a.cu.o.report": kernel("one", "sm_80") + kernel("one", "sm_120", spilled=4)},
                     "a.cu.o.report: one for sm_120: 8 bytes of registers are spilled")

    def test_a_spill_before_a_function_that_it_calls(self):
        called = ("ptxas info    : Function properties for log\n"
                  "    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n")
        used = "ptxas info    : Used"
        for spilled in (4, 0):
            text = kernel("one", spilled=spilled).replace(used, called + used)
            if spilled:
                self.refuses({"a.cu.o.report": text}, "a.cu.o.report: one for sm_90a: 8 bytes of registers are spilled")
            else:
                self.accepts({"a.cu.o.report": text}, "1 kernels, 1 with every architecture, at most 168 registers; "
                                                      "0 problems")

    def test_names_as_in_the_source(self):
        self.refuses({"a.cu.o.report": kernel("_Z3mapILi64EEvv", spilled=2)},
                     "a.cu.o.report: void map<64>() for sm_90a: 4 bytes of registers are spilled")

    def test_wgmma_one_after_the_other(self):
        for line in ("ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due "
                     "to non wgmma instructions defining accumulator registers of a wgmma between start and end of the "
                     "pipeline stage in the function 'one'",
                     "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored",
                     "ptxas info    : wgmma.mma_async instructions are serialized in the function 'one'"):
            self.refuses({"a.cu.o.report": kernel("one") + line + "\n"}, f"a.cu.o.report: {line}")

    def test_a_warning(self):
        for line in ("ptxas warning : Value of threads per SM for entry one is out of range",
                     "/src/a.cu(12): warning #177-D: variable \"k\" was declared but never referenced",
                     "nvcc warning : incompatible redefinition for option 'std'"):
            self.refuses({"a.cu.o.report": line + "\n" + kernel("one")}, f"a.cu.o.report: {line}")

    def test_a_missing_kernel(self):
        self.refuses({"a.cu.o.report": START, "b.cu.o.report": kernel("one")}, "a.cu.o.report: no kernel")
        self.refuses({"a.cu.o.report": kernel("one", "sm_80") + kernel("two", "sm_80") + kernel("one", "sm_120")},
                     "a.cu.o.report: two: is missing for sm_120")
        self.refuses({"a.cu.o.report": kernel("one"), "b.cu.o": ""}, "b.cu.o: has no report")

    def test_a_report_that_breaks_off(self):
        whole = kernel("one")
        for end in ("ptxas info    : Function", "ptxas info    : Used"):
            self.refuses({"a.cu.o.report": whole[:whole.index(end)]},
                         "a.cu.o.report: one for sm_90a: its report is not complete")
        self.refuses({"a.cu.o.report": whole[:whole.index("ptxas info    : Used")] + kernel("two")},
                     "a.cu.o.report: one for sm_90a: its report is not complete")

    def test_a_file_that_cannot_be_read(self):
        self.refuses({"a.cu.o.report": kernel("one")}, "b.cu.o.report: cannot be read: Is a directory",
                     prepare=lambda folder: (folder / "b.cu.o.report").mkdir())
        self.refuses({"a.cu.o.report": kernel("one")}, "b.cu.o.report: cannot be read: No such file or directory",
                     prepare=lambda folder: (folder / "b.cu.o.report").symlink_to("nowhere"))
        self.refuses({"a.cu.o.report": b"\xff\xfe\x00" * 40}, "a.cu.o.report: no kernel")

    def test_no_reports(self):
        with tempfile.TemporaryDirectory() as root:
            for folder in (root, root + "/nowhere"):
                run = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
                self.assertEqual(run.returncode, 1)
                self.assertEqual(run.stdout.splitlines()[0], f"{folder}: no report of a kernel")
        run = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("usage: check_kernels FOLDER", run.stderr)


if __name__ == "__main__":
    unittest.main()
