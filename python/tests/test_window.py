"""Handing arrays over to the window: here a thread that listens in its place, and the program itself."""

import json
import os
import signal
import socket
import subprocess
import threading
import time

import numpy as np
import pytest

import attnlab
from attnlab import window

rng = np.random.default_rng(1)
q = rng.normal(size=(1, 2, 4, 3))


class Listener(threading.Thread):
    """Answers each connection once, or not at all."""

    def __init__(self, path, answer=b'{"ok":true}\n'):
        super().__init__(daemon=True)
        self.answer, self.asked = answer, []
        self.server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.server.bind(str(path))
        self.server.listen()
        self.start()

    def run(self):
        while True:
            connection, _ = self.server.accept()
            with connection:
                line = connection.makefile().readline()
                self.asked.append(json.loads(line))
                if self.answer is None:
                    time.sleep(1)
                else:
                    connection.sendall(self.answer)


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return window.runtime_folder()


def test_show(runtime):
    listener = Listener(runtime / "window")
    for factor in (1, 2, 3):
        attnlab.show(q * factor, q, q, tokens=list("abcd"))
        recording = attnlab.load(listener.asked[-1]["paths"][0])
        assert np.array_equal(recording.passes[0].query.bits, q * factor)
    assert {key: listener.asked[0][key] for key in ("attnlab", "do")} == {"attnlab": 1, "do": "show"}
    assert len(list(runtime.glob("*.safetensors"))) == 2  # no more than that, however often
    attnlab.open_window()
    assert listener.asked[-1] == {"attnlab": 1, "do": "raise", "paths": []}


def test_show_of_arrays_of_other_libraries(runtime):
    class Lent:
        def __init__(self, held):
            self.held = held

        def __dlpack__(self, **options):
            return self.held.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.held.__dlpack_device__()

    class Dense(Lent):
        def __array__(self, dtype=None, copy=None):
            return self.held

    listener = Listener(runtime / "window")
    kinds = [Lent, Dense]
    try:
        import jax
        kinds.append(jax.numpy.asarray)
    except ImportError:
        pass
    for kind in kinds:
        # NumPy 1.24 takes no bool by DLPack.
        attnlab.show(*(kind(q.astype("f4") * factor) for factor in (1, 2, 3)), mask=np.tri(4, dtype=bool))
        one = attnlab.load(listener.asked[-1]["paths"][0]).passes[0]
        assert np.array_equal(one.query.bits, q.astype("f4")) and np.array_equal(one.value.bits, q.astype("f4") * 3)
        assert one.causal and one.mask is None


def test_a_window_that_closes_meanwhile(runtime, tmp_path, monkeypatch):
    started = tmp_path / "started"
    program = tmp_path / "attnlab"
    program.write_text(f'#!/bin/sh\necho "$@" > {started}.part && mv {started}.part {started}\n')
    program.chmod(0o755)
    monkeypatch.setenv("ATTNLAB", str(program))
    Listener(runtime / "window", b"")  # hangs up without a word
    attnlab.show(q, q)
    for _ in range(500):
        if started.exists():
            break
        time.sleep(0.01)
    assert started.read_text().endswith(".safetensors\n")


def test_a_refusal(runtime):
    Listener(runtime / "window", b'{"ok":false,"why":"no"}\n')
    with pytest.raises(attnlab.ProgramError, match="the window: no"):
        attnlab.show(q, q)


def test_a_window_that_is_busy_does_not_block(runtime):
    Listener(runtime / "window", None)
    start = time.perf_counter()
    attnlab.show(q, q)
    assert time.perf_counter() - start < 0.5


def test_a_window_is_started(runtime, tmp_path, monkeypatch):
    started = tmp_path / "started"
    program = tmp_path / "attnlab"
    program.write_text(f'#!/bin/sh\necho "$@" > {started}.part && mv {started}.part {started}\n')
    program.chmod(0o755)
    monkeypatch.setenv("ATTNLAB", str(program))
    attnlab.show(q, q, new_window=True)
    for _ in range(500):
        if started.exists():
            break
        time.sleep(0.01)
    words = started.read_text().split()
    assert words[0] == "--new-window" and words[1].endswith(".safetensors")


def test_a_folder_that_others_may_read(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    window.runtime_folder().chmod(0o755)
    with pytest.raises(attnlab.AttnLabError, match="mode 700"):
        attnlab.show(q, q)


def test_old_files_go(runtime):
    gone, young, own = (runtime / f"{pid}-0.safetensors" for pid in (2 ** 22 + 1, 2 ** 22 + 2, os.getpid()))
    for path in (gone, young, own):
        path.write_bytes(b"")
    for path in (gone, own):
        os.utime(path, (0, 0))
    window._tidy(runtime)
    assert not gone.exists() and young.exists() and own.exists()


def test_the_program_listens(runtime, attnlab_program):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": str(runtime), "XDG_CONFIG_HOME": str(runtime)}
    program = subprocess.Popen([attnlab_program], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        for _ in range(1000):
            if (runtime / "window").exists():
                break
            time.sleep(0.02)
        for _ in range(5):
            attnlab.show(q, q, q)
        path = runtime / f"{os.getpid()}-0.safetensors"
        asked = subprocess.run([attnlab_program, str(path)], env=environment, timeout=60, capture_output=True)
        assert asked.returncode == 0 and not asked.stderr
        refused = subprocess.run([attnlab_program, str(runtime / "none.npz")], env=environment, timeout=60,
                                 capture_output=True, text=True)
        assert refused.returncode == 1 and "there is no such file" in refused.stderr
        assert program.poll() is None
    finally:
        program.send_signal(signal.SIGTERM)
        _, said = program.communicate(timeout=60)
    assert b"warning" not in said
