"""Runs the tests of python/ with a Python that has NumPy and pytest: this one, or else the system's."""

import os
import subprocess
import sys
from pathlib import Path

folder = Path(__file__).resolve().parents[2] / "python"
needed = "import numpy, pytest"
for python in (sys.executable, "/usr/bin/python3"):
    if Path(python).exists() and subprocess.run([python, "-c", needed], capture_output=True).returncode == 0:
        environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        sys.exit(subprocess.run([python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "tests"], cwd=folder,
                                env=environment).returncode)
print("NumPy and pytest are in no Python here: scripts/setup installs them")
sys.exit(77)
