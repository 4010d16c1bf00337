"""The notebook of the documentation, cell by cell."""

import importlib.util
import json
from pathlib import Path

import pytest

from attnlab import window
from test_window import Listener

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "python.ipynb"


@pytest.mark.usefixtures("attnlab_program")
def test_notebook(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    listener = Listener(window.runtime_folder() / "window")
    names = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        needs_torch = "torch" in cell["metadata"].get("tags", [])
        if cell["cell_type"] == "code" and (not needs_torch or importlib.util.find_spec("torch")):
            exec(compile("".join(cell["source"]), str(NOTEBOOK), "exec"), names)
    assert listener.asked


def test_wheel(tmp_path):
    pytest.importorskip("build", reason="the package build is not installed")
    import shutil
    import subprocess
    import sys
    import zipfile

    source = tmp_path / "python"
    shutil.copytree(Path(__file__).resolve().parents[1], source, ignore=shutil.ignore_patterns("tests", "__pycache__"))
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
    assert "attnlab/py.typed" in names and "attnlab/capture.py" in names
    assert not any(name.startswith("tests") for name in names)
