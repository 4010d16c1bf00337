#!/usr/bin/env python3
"""Times what a user waits for: the first window, a hundred figures, the effects of all heads of a model, the page of
these heads in a browser, and a page that computes.

    PYTHON tests/bench/waits.py BUILD

PYTHON needs numpy, torch and transformers. The first window needs Xvfb and xdotool, pages Chromium, the page that
computes the module of scripts/web; without them their rows are left out. `rows` gives each as (what, seconds): the median
of several rounds.
"""
import importlib.util
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROUNDS, TOKENS = 7, 64


def run(*command):
    started = time.perf_counter()
    subprocess.run([str(part) for part in command], env=dict(os.environ, QT_QPA_PLATFORM="offscreen"), check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - started


def first_window(program, folder):
    """Seconds from the start to a window on the screen; None if there is none."""
    receive, send = os.pipe()
    # -noreset: else the screen begins anew when the first xdotool leaves, and turns the program away meanwhile.
    screen = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", str(send), "-screen", "0", "1280x800x24"], pass_fds=[send],
                              stderr=subprocess.DEVNULL)
    environment = dict(os.environ, DISPLAY=":" + os.read(receive, 16).decode().strip(), HOME=str(folder),
                       XDG_CONFIG_HOME=str(folder), QT_QPA_PLATFORM="xcb")
    try:
        started = time.perf_counter()
        window = subprocess.Popen([program, "--new-window"], env=environment, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        while not subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(window.pid)], env=environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout:
            if window.poll() is not None or time.perf_counter() - started > 60:
                return None
        seconds = time.perf_counter() - started
        window.terminate()
        window.wait()
        return seconds
    finally:
        screen.terminate()
        screen.wait()


def figures(program, folder, suffix):
    import numpy
    for index in range(100):
        numbers = numpy.random.default_rng(index).normal(size=(3, 16, 8)).astype("float32")
        numpy.savez(folder / f"{index:03}.npz", query=numbers[0], key=numbers[1], value=numbers[2])
    return run(program, "render", *sorted(folder.glob("*.npz")), "--stage", "weights", "--out", folder / f"{{stem}}.{suffix}")


def classifier(folder):
    """A model as large as MiniLM, 6 layers of 12 heads, with two classes."""
    import transformers
    sizes = {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 1536}
    transformers.BertForSequenceClassification(transformers.BertConfig(**sizes)).save_pretrained(folder)


def decoder(folder):
    """A small model of 12 layers of 12 heads."""
    import transformers
    sizes = {"n_layer": 12, "n_head": 12, "n_embd": 96, "vocab_size": 1000, "bos_token_id": 0, "eos_token_id": 0}
    transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes)).save_pretrained(folder)


def chromium(folder):
    spec = importlib.util.spec_from_file_location("browsers", ROOT / "tests/scripts/browsers.py")
    browsers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(browsers)
    return browsers.Chromium(folder)


# The time of a script from a move of the temperature's slider to canvases and texts that show the new numbers: MOVES
# times, each at once after the other, or each in a frame of its own. Layout and painting by the browser are not in it.
MOVED = """
const find = () => document.querySelector('input[data-control*="temperature"]'), times = [];
for (let move = 0; move < 40 + MOVES; ++move) {
  if (IN_FRAMES) await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
  const slider = find(), started = performance.now();
  slider.value = String(8 + move % 32);
  slider.dispatchEvent(new Event('input', {bubbles: true}));
  times.push(performance.now() - started);
}
return times.slice(40);
"""


def slider_moves(program, folder, size):
    """Rows of a page that computes attention over `size` tokens; none where the program has no module."""
    import numpy
    numbers = numpy.random.default_rng(4).normal(size=(3, size, 8))
    numpy.savez(folder / f"live{size}.npz", query=numbers[0], key=numbers[1], value=numbers[2])
    page, made = folder / f"live{size}.html", []
    written = subprocess.run([program, "page", folder / f"live{size}.npz", "--scale", "temperature:2", "--out", page],
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if written.returncode:
        print(f"waits: {written.stderr.strip()}", file=sys.stderr)
        return made
    browser = chromium(folder)
    try:
        browser.resize(1280, 900)
        browser.open(page)
        browser.run("while (!document.documentElement.getAttribute('data-ready')) "
                    "await new Promise(done => setTimeout(done, 20));")
        for in_frames, when in ((False, "one after the other"), (True, "one a frame")):
            times = browser.run(MOVED.replace("MOVES", "300").replace("IN_FRAMES", str(in_frames).lower()))
            made.append((f"a slider of a page that computes {size} x {size}: numbers and canvases, {when}",
                         statistics.median(times) / 1000))
    finally:
        browser.close()
    return made


def first_paint(page, folder):
    """Seconds from the opening of a page to its first painted content."""
    browser = chromium(folder)
    try:
        browser.resize(1280, 800)
        found = []
        for _ in range(ROUNDS + 1):  # the first one starts the browser's parts
            browser.open(page)
            found.append(browser.run("await new Promise(done => setTimeout(done, 300)); return performance"
                                     ".getEntriesByName('first-contentful-paint')[0].startTime"))
        return statistics.median(found[1:]) / 1000
    finally:
        browser.close()


def rows(build):
    program, made = pathlib.Path(build) / "app/attnlab", []
    ids = ",".join(str(1 + index * 13 % 990) for index in range(TOKENS))
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        if shutil.which("Xvfb") and shutil.which("xdotool"):
            (folder / "home").mkdir()
            found = [seconds for _ in range(ROUNDS) if (seconds := first_window(program, folder / "home"))]
            if len(found) == ROUNDS:
                made.append(("start, until the window is on the screen", statistics.median(found)))
            else:
                print("waits: no window appeared, so its row is left out", file=sys.stderr)
        for suffix in ("pdf", "svg", "png"):
            inputs = folder / suffix
            inputs.mkdir()
            made.append((f"100 figures of 16 x 16 as {suffix.upper()}", statistics.median(figures(program, inputs, suffix)
                                                                                         for _ in range(ROUNDS))))
        classifier(folder / "classifier")
        made.append((f"the effects of 72 heads (6 layers, width 384, {TOKENS} tokens)", statistics.median(
            run(program, "model", folder / "classifier", "--ids", ids, "--effects") for _ in range(ROUNDS))))
        decoder(folder / "decoder")
        for tokens in (12, TOKENS):
            page = folder / f"{tokens}.html"
            run(program, "model", folder / "decoder", "--ids", ",".join(ids.split(",")[:tokens]), "--out", page)
            if shutil.which("chromium"):
                made.append((f"the page of 12 x 12 heads of {tokens} tokens, until Chromium paints it", first_paint(page, folder)))
        if shutil.which("chromium"):
            made += slider_moves(program, folder, 16) + slider_moves(program, folder, 64)
    return made


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    for what, seconds in rows(sys.argv[1]):
        print(f"{seconds:8.4f} s  {what}")
