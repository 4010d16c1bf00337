#!/usr/bin/env python3
"""Pages that compute: their numbers in node against `attnlab compute`, and their controls in Chromium and Firefox.

Usage: test_live_page.py PROGRAM [TEST...]. Needs the module that scripts/web builds, node and a browser; what is missing is
skipped with its reason. Without the module only its refusal is tested.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import browsers

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv[1]
GOLDEN = ROOT / "tests/golden"
TOLERANCE = 1e-12
failures = []


def check(holds, words):
    if not holds:
        failures.append(words)
        print("FAIL", words, flush=True)


def run(*arguments, fails=False):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    check(fails or done.returncode == 0, f"{arguments}: {done.stderr}")
    return done


def draw(folder):
    generator = np.random.default_rng(7)
    inputs = folder / "inputs.npz"
    np.savez(inputs, query=generator.normal(size=(16, 8)), key=generator.normal(size=(16, 8)), value=generator.normal(size=(16, 8)))
    return inputs


def computed(requests):
    """What node computes for each request."""
    lines = "\n".join(json.dumps(request) for request in requests)
    done = subprocess.run(["node", str(ROOT / "tests/scripts/live_page_numbers.js"), str(ROOT / "web/engine.js")], input=lines,
                          capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(name, stages, file):
    """Counts the numbers that were compared; the difference is relative to max(1, |x|)."""
    count = 0
    with np.load(file) as expected:
        for stage in expected.files:
            if stage not in stages:
                check(stage.startswith("about") or stage.endswith("_tokens") or stage == "about.json", f"{name}: the page has no {stage}")
                continue
            wanted = np.asarray(expected[stage], dtype=float)
            got = np.array([float(value) for value in stages[stage]["values"]]).reshape(stages[stage]["shape"])
            check(got.shape == wanted.shape, f"{name}: {stage} has shape {got.shape}, expected {wanted.shape}")
            if got.shape != wanted.shape:
                continue
            same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
            with np.errstate(invalid="ignore"):
                difference = np.where(same, 0, np.abs(got - wanted) / np.maximum(1, np.abs(wanted)))
            check(bool(np.all(difference <= TOLERANCE)), f"{name}: {stage} differs by {np.nanmax(difference)}")
            count += wanted.size
    return count


def test_scales_and_masks(folder):
    """Every scale, and every mask that needs no array."""
    inputs, page, listed = draw(folder), folder / "page.html", json.loads(run("list", "--json").stdout)
    run("page", inputs, "--out", page)
    cases = [("--scale", mode["id"]) for mode in listed["scales"] if not mode.get("inputs")]
    cases += [("--mask", mask["id"]) for mask in listed["masks"] if not mask.get("inputs")]
    cases += [("--scale", "temperature:0.7", "--mask", "causal"), ("--scale", "softcap:2", "--mask", "causal", "--mask", "window:4"),
              ("--mask", "prefix:3", "--position", "alibi"), ("--position", "rope")]
    requests, files = [], []
    for index, options in enumerate(cases):
        file, case_page = folder / f"case{index}.npz", folder / f"case{index}.html"
        if run("compute", inputs, *options, "--backend", "reference", "--out", file, fails=True).returncode:
            continue
        run("page", inputs, *options, "--out", case_page)
        requests.append({"page": str(case_page)})
        files.append((options, file))
    check(len(files) >= 15, f"only {len(files)} settings were computed")
    numbers = sum(compare(str(options), stages, file) for (options, file), stages in zip(files, computed(requests)))
    print(f"{len(files)} settings, {numbers} numbers")


def test_mechanisms(folder):
    """The golden cases: every mechanism with its own inputs."""
    requests, files, mechanisms = [], [], set()
    for case in json.loads((GOLDEN / "cases.json").read_text()):
        name, arguments = case["name"], case["args"]
        mechanism = arguments[arguments.index("--variant") + 1] if "--variant" in arguments else name
        kind = (mechanism, )
        if kind in mechanisms:
            continue
        inputs, file, page = GOLDEN / f"{name}.in.npz", folder / f"{name}.npz", folder / f"{name}.html"
        if not inputs.exists() or run("compute", inputs, *arguments, "--backend", "reference", "--out", file, fails=True).returncode:
            continue
        if run("page", inputs, *arguments, "--out", page, fails=True).returncode:
            continue
        mechanisms.add(kind)
        requests.append({"page": str(page)})
        files.append((name, file))
    check(len(files) >= 20, f"only {len(files)} mechanisms were computed")
    numbers = sum(compare(name, stages, file) for (name, file), stages in zip(files, computed(requests)))
    print(f"{len(files)} mechanisms, {numbers} numbers")


# Moves every control of a page through its values; returns how many moves there were, and what the page said to them.
MOVE_EVERYTHING = """
const said = new Set();
let moves = 0;
const controls = () => [...document.querySelectorAll('#controls select, #controls input, #controls button, .own select, .own input, .own button')];
const fire = (control, type) => control.dispatchEvent(new Event(type, {bubbles: true}));
const look = () => {
  ++moves;
  const problem = document.getElementById('problem');
  if (!problem.hidden) said.add(problem.textContent);
  for (const canvas of document.querySelectorAll('.matrix canvas')) if (!canvas.width || !canvas.height) said.add('TypeError: an empty matrix');
};
for (let i = 0; i < controls().length && i < 60; ++i) {
  const now = () => controls()[i], first = now(), before = first.value;
  if (first.disabled) continue;
  const kind = first.tagName === 'SELECT' ? 'select' : first.tagName === 'BUTTON' ? 'button' : first.type;
  const move = value => {
    const control = now();
    if (!control || control.disabled) return;
    if (kind === 'button') control.click();
    else if (kind === 'checkbox') control.click();
    else { control.value = value; fire(control, 'input'); fire(control, 'change'); }
    look();
  };
  const steps = kind === 'select' ? [...[...first.options].map(option => option.value), before]
    : kind === 'range' ? [first.min, first.max, before] : kind === 'number' ? [String(Number(before) + 1), before] : kind === 'text' ? [before] : ['', ''];
  for (const value of steps) move(value);
}
await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
return {moves, said: [...said]};
"""
READY = "return document.documentElement.getAttribute('data-ready')"
PAGE = "const page = (window.wrappedJSObject ?? window).attnlab_page;"


def opened(browser, path, state=""):
    browser.open(path, state)
    ready = browsers.wait(lambda: (lambda found: found != "false" and found)(browser.run(READY)))
    check(ready == "live", f"{path.name}#{state}: the page is {ready}")


def moved(browser, name, least):
    found = browser.run(MOVE_EVERYTHING)
    check(found["moves"] >= least, f"{name}: only {found['moves']} moves")
    wrong = [words for words in found["said"] if "Error" in words or "undefined" in words]
    check(not wrong, f"{name}: {wrong}")
    return found["moves"]


def in_browsers(test):
    """Runs `test` in every browser; what a browser reports is a failure."""
    def run_in_all(folder):
        for kind in browsers.browsers():
            with tempfile.TemporaryDirectory(prefix="attnlab-browser-", ignore_cleanup_errors=True) as home:
                browser = kind(pathlib.Path(home))
                try:
                    print(" ", kind.__name__, test(folder, browser), flush=True)
                finally:
                    browser.close()
                check(not browser.messages, f"{kind.__name__}: {browser.messages[:5]}")
    return run_in_all


@in_browsers
def test_every_control(folder, browser):
    """All pickers, sliders and fields of a board, and a typed number."""
    page = folder / "controls.html"
    run("page", draw(folder), "--scale", "temperature:2", "--mask", "causal", "--out", page)
    opened(browser, page)
    count = moved(browser, "controls", 80)
    opened(browser, page, "lang=zh&theme=dark")
    changed = browser.run(PAGE + """
        const grid = document.querySelector('.cards.input .matrix');
        grid.focus();
        grid.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}));
        const field = document.querySelector('.editor input');
        field.value = '2.5';
        field.dispatchEvent(new Event('input', {bubbles: true}));
        await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const [setting] = page.result().settings, weights = setting.stages.find(stage => stage.name === 'weights');
        return {query: setting.inputs.find(input => input.name === 'query').values[1], weights: Array.from(weights.values.slice(16, 18)),
                language: document.documentElement.lang, theme: document.documentElement.dataset.theme, cell: document.activeElement.getAttribute('role')};""")
    check(changed["query"] == 2.5 and changed["language"] == "zh-CN" and changed["theme"] == "dark" and changed["cell"] == "grid", changed)
    arrays, file = dict(np.load(folder / "inputs.npz")), folder / "typed.npz"
    arrays["query"][0, 1] = 2.5
    np.savez(folder / "typed_inputs.npz", **arrays)
    run("compute", folder / "typed_inputs.npz", "--scale", "temperature:2", "--mask", "causal", "--stage", "weights", "--out", folder / "typed.npy")
    wanted = np.load(folder / "typed.npy").reshape(-1)[16:18]
    check(np.allclose(changed["weights"], wanted, rtol=0, atol=TOLERANCE), f"{changed['weights']}, expected {wanted}")
    return f"{count} moves"


@in_browsers
def test_lessons(folder, browser):
    """Every step of two lessons: an answer, then every control."""
    count = 0
    for number in ("3", "4"):
        page = folder / f"lesson{number}.html"
        if not page.exists():
            run("page", number, "--out", page)
        check(page.stat().st_size < 3_000_000, f"lesson {number} has {page.stat().st_size} bytes")
        opened(browser, page)
        for step in range(browser.run(PAGE + "return page.contents.steps.length")):
            opened(browser, page, f"step={step}")
            answered = browser.run(PAGE + """
                const {question} = page.contents.steps[page.state.step];
                if (!question) return 'none';
                const covered = page.panel.shown.asking ? [...document.querySelectorAll('#controls :enabled, .own :enabled')].length : 0;
                document.querySelector(`#question input[value="${page.state.right}"]`).click();
                await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
                return page.state.phase === 'answered' && covered === 0 && document.querySelector('#question [role="status"]').textContent.length > 20 ? 'right' : 'wrong';""")
            check(answered != "wrong", f"lesson {number}, step {step}: the answer is not accepted")
            count += moved(browser, f"lesson {number}, step {step}", 0)
    check(count > 100, f"only {count} moves")
    return f"{count} moves"


def test_without_webassembly(folder):
    """The exported numbers, without controls; without JavaScript a picture."""
    page, plain = folder / "controls.html", folder / "plain.html"
    run("page", draw(folder), "--scale", "temperature:2", "--mask", "causal", "--out", page)
    text = page.read_text()
    plain.write_text(text.replace(" 'wasm-unsafe-eval'", ""))
    if not browsers.Chromium.PROGRAM:
        return
    with tempfile.TemporaryDirectory(prefix="attnlab-browser-", ignore_cleanup_errors=True) as home:
        browser = browsers.Chromium(pathlib.Path(home))
        try:
            browser.open(plain)
            browsers.wait(lambda: browser.run(READY) == "exported")
            found = browser.run(PAGE + """
                const [setting] = page.result().settings, weights = setting.stages.find(stage => stage.name === 'weights');
                return {weights: Array.from(weights.values), off: document.querySelectorAll('#controls input:enabled, #controls select:enabled, #controls button:enabled').length,
                        words: document.getElementById('static').textContent};""")
            run("compute", folder / "inputs.npz", "--scale", "temperature:2", "--mask", "causal", "--stage", "weights", "--out", folder / "plain.npy")
            check(np.array_equal(found["weights"], np.load(folder / "plain.npy").reshape(-1)), "the exported weights differ")
            check(found["off"] == 0 and "engine" in found["words"], found["off"])
        finally:
            browser.close()
    check("<noscript>" in text and text.split("<noscript>")[1].split("</noscript>")[0].count("<rect") == 256, "the picture is not one of 16 x 16")
    check("default-src 'none'" in text and "unsafe-inline" not in text and "http:" not in text.split("<style>")[0], "the policy is not strict")


def test_refusals(folder):
    inputs = draw(folder)
    for arguments, code, words in ((["99", "--out", "x.html"], 2, "there is no lesson 99"),
                                   ([inputs, "--out", "x.png"], 2, "html"),
                                   ([inputs, "--language", "xx", "--out", "x.html"], 2, "--language: has 'xx'"),
                                   (["3", "--scale", "none", "--out", "x.html"], 2, "--scale: does not go with a lesson")):
        done = subprocess.run([PROGRAM, "page", *map(str, arguments)], capture_output=True, text=True, cwd=folder)
        check(done.returncode == code and words in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")
    large, page = folder / "large.npz", folder / "large.html"
    np.savez(large, query=np.zeros((300, 4)), key=np.zeros((300, 4)), value=np.zeros((300, 4)))
    done = run("page", large, "--out", page, fails=True)
    check(done.returncode == 1 and "90000" in done.stderr and not page.exists(), f"a large problem: {done.returncode} {done.stderr}")


def main():
    with tempfile.TemporaryDirectory(prefix="attnlab-live-") as name:
        folder = pathlib.Path(name)
        done = run("page", draw(folder), "--out", folder / "page.html", fails=True)
        if done.returncode:
            check("scripts/web" in done.stderr, f"without the module: {done.stderr}")
            print("skipped: the module is not here, scripts/web builds it")
            return 1 if failures else 77
        wanted = sys.argv[2:]
        for name_of_test, test in [(key, value) for key, value in globals().items() if key.startswith("test_")]:
            if wanted and name_of_test.removeprefix("test_") not in wanted:
                continue
            if not shutil.which("node") and name_of_test in ("test_scales_and_masks", "test_mechanisms"):
                print(f"{name_of_test}: skipped, node is not here")
                continue
            print(name_of_test, flush=True)
            test(folder)
    print(json.dumps({"failures": len(failures)}))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
