#!/usr/bin/env python3
"""scripts/check_includes accepts what the order of libraries and folders allows, and names what it does not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "check_includes"


def checked(files):
    """The exit code and what is said of a tree with these files: {path: path of what it includes}."""
    with tempfile.TemporaryDirectory() as root:
        for name, includes in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f'#include "{included}"\n' for included in includes))
        run = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True)
        return run.returncode, run.stderr.strip()


class CheckIncludes(unittest.TestCase):
    def accepts(self, files):
        self.assertEqual(checked(files), (0, ""))

    def refuses(self, files, *words):
        code, said = checked(files)
        self.assertEqual(code, 1)
        for word in words:
            self.assertIn(word, said)

    def test_the_order_of_libraries(self):
        self.accepts({"core/a.h": [], "gpu/b.h": ["core/a.h"], "ui/widgets/c.h": ["core/a.h"],
                      "app/d.cpp": ["core/a.h", "gpu/b.h", "ui/widgets/c.h"]})
        self.refuses({"core/a.cpp": ["ui/widgets/b.h"]}, "core/a.cpp includes ui/widgets/b.h", "core knows nothing of ui")
        self.refuses({"core/a.cpp": ["gpu/b.h"]}, "core knows nothing of gpu")
        self.refuses({"gpu/a.cu": ["ui/widgets/b.h"]}, "gpu knows nothing of ui")
        self.refuses({"ui/widgets/a.cpp": ["gpu/b.h"]}, "ui knows nothing of gpu")

    def test_the_order_of_folders(self):
        self.accepts({"core/flash/a.h": ["core/stages/b.h"], "ui/window/c.cpp": ["ui/model/d.h"],
                      "gpu/host/e.cpp": ["gpu/portable/f.h", "gpu/g.h"]})
        for name, included in (("core/io/a.h", "core/tokens/b.h"), ("ui/widgets/a.cpp", "ui/document/b.h"),
                               ("gpu/numbers.h", "gpu/portable/b.h"), ("core/a.h", "core/stages/b.h")):
            self.refuses({name: [included]}, f"{name} includes {included}: its folder comes later")

    def test_the_sources_at_the_top_of_core(self):
        self.accepts({"core/mechanisms.cpp": ["core/mechanisms.h", "core/mechanisms/causal.h"], "core/mechanisms.h": [],
                      "core/mechanisms/causal.h": ["core/mechanisms.h"]})
        self.refuses({"core/tensor.cpp": ["core/mechanisms/causal.h"]}, "core/tensor.cpp includes core/mechanisms/causal.h")
        self.refuses({"core/mechanisms.h": ["core/mechanisms/causal.h"]}, "core/mechanisms.h includes core/mechanisms/causal.h")

    def test_circles_of_every_library(self):
        for a, b in (("core/model", "core/model/weights"), ("ui/learn", "ui/learn/lab"), ("gpu/host", "gpu/host/one")):
            self.accepts({f"{a}/a.h": [f"{b}/b.h"], f"{b}/b.h": []})
            self.refuses({f"{a}/a.h": [f"{b}/b.h"], f"{b}/c.h": [f"{a}/d.h"]}, f"in a circle: {a} -> {b} -> {a}")

    def test_a_circle_of_three_is_named_once(self):
        code, said = checked({"core/model/a.h": ["core/model/x/b.h"], "core/model/x/b.h": ["core/model/y/c.h"],
                              "core/model/y/c.h": ["core/model/d.h"]})
        self.assertEqual((code, said), (1, "in a circle: core/model -> core/model/x -> core/model/y -> core/model"))

    def test_a_folder_without_a_place(self):
        self.refuses({"core/elsewhere/a.h": []}, "core/elsewhere/a.h: its folder has no place in the order")


if __name__ == "__main__":
    unittest.main()
