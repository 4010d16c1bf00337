"""Figures: as files, in a notebook, and without a display."""

import base64
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import attnlab

PYTHON = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.usefixtures("attnlab_program")


def qkv(heads=3, tokens=6, seed=0):
    draw = np.random.default_rng(seed)
    return [draw.normal(size=(1, heads, tokens, 4)).astype(np.float32) for _ in range(3)]


@pytest.mark.parametrize("suffix, begins", [("html", b"<!DOCTYPE html>"), ("svg", b"<?xml"), ("png", b"\x89PNG"),
                                            ("pdf", b"%PDF")])
def test_files(tmp_path, suffix, begins):
    figure = attnlab.render(*qkv(), causal=True, tokens=list("abcdef"), head=1, title="A title")
    path = tmp_path / f"out.{suffix}"
    figure.save(path)
    assert path.read_bytes().startswith(begins)


def test_other_types_are_refused(tmp_path):
    with pytest.raises(attnlab.AttnLabError, match=r"out\.docx.*expected .*\.png"):
        attnlab.render(*qkv()).save(tmp_path / "out.docx")
    assert not list(tmp_path.iterdir())


def test_bundle():
    bundle = attnlab.render(*qkv())._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "image/svg+xml", "image/png"}
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")
    assert 'sandbox="allow-scripts"' in bundle["text/html"] and "<script" not in bundle["text/html"]
    assert "<svg" in bundle["image/svg+xml"]
    assert set(attnlab.render(*qkv())._repr_mimebundle_(include=["image/png"])) == {"text/plain", "image/png"}


def test_pictures_in_a_notebook_carry_no_inputs(tmp_path):
    figure = attnlab.render(*qkv())
    figure.save(tmp_path / "with.svg")
    assert len(figure.to_svg()) < (tmp_path / "with.svg").stat().st_size


def test_sources():
    q, k, v = qkv()
    result = attnlab.compute(q, k, v, causal=True)
    q[:] = 0.0  # the picture is of what was computed
    page = result._repr_mimebundle_()["text/html"]
    assert "iframe" in page
    assert attnlab.render(result, stage="scores").to_html() != attnlab.render(result).to_html()
    weights = np.full((2, 4, 4), 0.25)
    assert "<!DOCTYPE" in attnlab.render(weights=[weights, weights]).to_html()
    for wrong in ({"k": k}, {"causal": True}):
        with pytest.raises(attnlab.AttnLabError, match="does not go with a Result"):
            attnlab.render(result, **wrong)
    with pytest.raises(attnlab.AttnLabError, match="pass_"):
        attnlab.render(weights=[weights, weights], pass_="other")


def test_a_comparison_shows_itself():
    q, k, v = qkv()
    exact = attnlab.compute(q, k, v)
    found = attnlab.compare(exact.output, q, k, v)
    assert found and "iframe" in found._repr_mimebundle_()["text/html"]
    assert len(repr(found)) < 200


def test_short_texts():
    weights = np.full((12, 64, 64), 1 / 64)
    q, k, v = qkv(heads=12, tokens=64)
    recording = attnlab.render(weights=[weights] * 30)
    one = attnlab.Pass("a", weights=attnlab.Array("F64", weights[None]))
    for shown in (recording, one, attnlab.compute(q, k, v), attnlab.Recording([one])):
        assert len(repr(shown)) <= 500
    assert repr(attnlab.Array("F64", weights)) == "Array(F64, (12, 64, 64))"


def test_what_cannot_be_drawn_is_text(monkeypatch):
    result = attnlab.compute(*qkv())
    monkeypatch.setenv("ATTNLAB", "/nowhere")
    bundle = result._repr_mimebundle_()
    assert set(bundle) == {"text/plain"} and "not drawn: ATTNLAB" in bundle["text/plain"]


def test_without_a_display(tmp_path, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(attnlab.ProgramError, match="there is no display to open a window on"):
        attnlab.show(*qkv())


CELLS = ["import numpy as np, attnlab",
         "x = np.random.default_rng(0).normal(size=(1, 2, 5, 4))",
         "attnlab.render(x, x, x, tokens=list('abcde'))",
         "attnlab.compute(x, x, x)",
         "attnlab.show(x, x, x)"]


def test_in_a_notebook(tmp_path):
    python = os.environ.get("ATTNLAB_NOTEBOOK_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import nbclient, ipykernel, numpy"], capture_output=True).returncode:
        pytest.skip("nbclient and ipykernel are not installed")
    notebook = tmp_path / "cells.ipynb"
    cells = [{"cell_type": "code", "id": f"c{at}", "metadata": {}, "source": text, "outputs": [], "execution_count": None}
             for at, text in enumerate(CELLS)]
    notebook.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    run = ("import sys, nbformat, nbclient\n"
           "notebook = nbformat.read(sys.argv[1], 4)\n"
           "nbclient.NotebookClient(notebook, timeout=120).execute()\n"
           "nbformat.write(notebook, sys.argv[1])\n")
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    environment.update(PYTHONPATH=str(PYTHON), XDG_RUNTIME_DIR=str(tmp_path), IPYTHONDIR=str(tmp_path / "ipython"))
    done = subprocess.run([python, "-c", run, str(notebook)], capture_output=True, text=True, env=environment, timeout=200)
    assert done.returncode == 0, done.stderr[-2000:]
    outputs = [cell["outputs"] for cell in json.loads(notebook.read_text())["cells"]]
    for of_cell in outputs[2:]:
        assert {"text/html", "image/svg+xml", "image/png", "text/plain"} <= set(of_cell[0]["data"])


@pytest.mark.parametrize("options, text", [({"view": "arcs", "head": 1, "query": 2}, "e"), ({"view": "wall"}, "0.2"),
                                           ({"view": "plot", "x": "entropy", "y": "previous"}, "entropy"),
                                           ({"colormap": "purple_orange"}, "query"),
                                           ({"profiles": True, "head": 0}, "mean weight of each key")])
def test_views(options, text):
    svg = attnlab.render(*qkv(), tokens=list("abcdef"), **options).to_svg()
    assert f">{text}" in svg


def test_views_of_a_mechanism():
    result = attnlab.compute(*qkv(), variant="flash", settings={"block_q": 2, "block_k": 2})
    assert "<svg" in attnlab.render(result, view="tiles").to_svg()
    with pytest.raises(attnlab.AttnLabError, match="has no 'buckets'"):
        attnlab.render(result, view="buckets").to_svg()
