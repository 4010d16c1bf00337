#!/usr/bin/env python3
"""Every device that the program accepts finds code: machine code of its own major version that is not newer, or PTX that
it can compile. CUDA C++ Programming Guide, "Binary compatibility" and "PTX compatibility"."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
#: Compute capabilities times ten, from the list of NVIDIA (without those of CUDA 13 dropped before 7.5).
CAPABILITIES = [75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121]


def architectures():
    found = re.search(r"set\(ATTNLAB_CUDA_ARCHITECTURES\s+([^\n]+)", (ROOT / "CMakeLists.txt").read_text())
    return found[1].split()


def least_accepted():
    text = (ROOT / "gpu" / "cuda" / "cuda_backend.cpp").read_text()
    return int(re.search(r"least_capability = (\d+);", text)[1])


def runs_on(architecture, capability):
    number, exact, kind = re.fullmatch(r"(\d+)(a?)(-real|-virtual)?", architecture).groups()
    number = int(number)
    machine_code = kind != "-virtual" and (number == capability if exact else
                                           number // 10 == capability // 10 and number <= capability)
    return machine_code or (kind != "-real" and not exact and number <= capability)


class Architectures(unittest.TestCase):
    def test_rules(self):
        for architecture, capability, expected in (("80-real", 86, True), ("80-real", 90, False), ("90a-real", 90, True),
                                                   ("90a-real", 91, False), ("120", 121, True), ("120", 130, True),
                                                   ("120", 103, False), ("80-virtual", 110, True),
                                                   ("86-real", 80, False)):
            self.assertEqual(runs_on(architecture, capability), expected, (architecture, capability))

    def test_every_accepted_device_has_code(self):
        for capability in CAPABILITIES:
            if capability >= least_accepted():
                self.assertTrue(any(runs_on(one, capability) for one in architectures()), capability)

    def test_devices_to_come_have_code(self):
        self.assertTrue(any(runs_on(one, 140) for one in architectures()))


if __name__ == "__main__":
    unittest.main()
