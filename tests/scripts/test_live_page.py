#!/usr/bin/env python3
"""Pages that compute: their numbers in node against `attnlab compute`, and their controls in Chromium and Firefox.

Usage: test_live_page.py PROGRAM [TEST...]. Needs the module that scripts/web builds, node and a browser; what is missing is
skipped with its reason. Without the module only its refusal is tested.
"""
import functools
import html
import json
import pathlib
import re
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
LESSONS = [str(number + 1) for number in range(len(list((ROOT / "resources/lessons").glob("*/scene.json"))))]
LECTURES = [file.stem for file in sorted((ROOT / "resources/lectures").glob("*.json"))]
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


# What a mask needs beside queries, keys and values.
MASK_ARRAYS = {
    "valid_lens": {"valid_lens": np.array([9])},
    "key_padding": {"key_padding_mask": np.arange(16)[None] > 11},
    "painted": {"painted_mask": np.arange(256).reshape(16, 16) % 7 == 3},
    "attn_mask": {"attn_mask": np.arange(256).reshape(16, 16) % 5 != 3},
    "attn_bias": {"attn_bias": np.arange(256).reshape(16, 16) / 100},
    "documents": {"segment_ids": np.arange(16) // 6},
    "tree": {"parents": np.array([-1, *(index // 2 for index in range(15))])},
}


def compute_and_write(folder, name, inputs, options):
    """The file that `attnlab compute` writes, and the request for what a page of the same computes."""
    file, page = folder / f"{name}.npz", folder / f"{name}.html"
    run("compute", inputs, *options, "--backend", "reference", "--out", file)
    run("page", inputs, *options, "--out", page)
    return file, {"page": str(page)}


def compare_all(cases, with_sums=True):
    """Numbers compared, and those of outputs whose sums were. `cases`: by name, what compute_and_write() returns. Sums of
    rounded or infinite numbers are not the number itself."""
    numbers = sums = 0
    for (name, (file, _)), stages in zip(cases.items(), computed([request for _, request in cases.values()])):
        check("failed" not in stages and "error" not in stages, f"{name}: {stages.get('failed') or stages.get('error')}")
        mixes = stages.pop("mixes", {"count": 0, "wrong": ["no sums"]})
        check(not with_sums or not mixes["wrong"], f"{name}: {mixes['wrong'][:3]} are no sums of their parts")
        numbers += compare(name, stages, file)
        sums += mixes["count"]
    return numbers, sums


def test_scales_and_masks(folder):
    """Every scale and every mask."""
    inputs, listed = draw(folder), json.loads(run("list", "--json").stdout)
    cases = [("--scale", mode["id"]) for mode in listed["scales"]] + [("--mask", mask["id"]) for mask in listed["masks"]]
    cases += [("--scale", "temperature:0.7", "--mask", "causal"), ("--scale", "softcap:2", "--mask", "causal", "--mask", "window:4"),
              ("--mask", "prefix:3", "--position", "alibi"), ("--position", "rope")]
    made = {}
    for index, options in enumerate(cases):
        arrays = folder / f"case{index}_inputs.npz"
        np.savez(arrays, **np.load(inputs), **MASK_ARRAYS.get(options[1], {}))
        made[" ".join(options)] = compute_and_write(folder, f"case{index}", arrays, [*options, *(["--key-grid", "4x4"] if options[1] == "neighborhood" else [])])
    numbers, sums = compare_all(made)
    check(sums > 0, "no sums were compared")
    print(f"{len(made)} settings, {numbers} numbers, {sums} sums")


def random_setting(generator, special):
    """Arrays and options of a setting; `special`: with numbers and masks that a row does not survive."""
    one_of = lambda *options: options[generator.integers(len(options))]
    batch, kv_heads, L, S, E = (int(generator.integers(1, most)) for most in (3, 4, 8, 8, 9))
    rope = E % 2 == 0 and bool(generator.random() < 0.2)
    shapes = {"query": (batch, kv_heads * one_of(1, 1, 2, 3), L, E), "key": (batch, kv_heads, S, E), "value": (batch, kv_heads, S, int(generator.integers(1, 5)))}
    arrays = {name: generator.normal(size=shape) * one_of(1, 1, 1, 30, 1e-3) for name, shape in shapes.items()}
    options = ["--scale", one_of("none", "sqrt_dk", "dk", "cbrt_dk", "temperature:0.3", "custom:-2", "score_norm", "pre_norm:2", "long_sequence", "log_n:4", "softcap:3", "qk_norm:5")]
    masks = ["causal", "causal:bottom_right", "window:0", "window:2", "window:2,0", "prefix:3", "dilated:2,2", "chunked:3", "block_causal:2", "valid_lens", "key_padding", "painted",
             "attn_mask", "attn_bias", "expression:(q + k) % 3 != 0"]
    for mask in generator.choice(masks, size=int(generator.integers(0, 3)), replace=False):
        options += ["--mask", mask]
    arrays["valid_lens"] = generator.integers(0, S + 1, size=batch)
    arrays["key_padding_mask"] = generator.random((batch, S)) < 0.4
    arrays["painted_mask"] = generator.random((1, 1, L, S)) < 0.3
    arrays["attn_mask"] = generator.random((L, S)) < 0.4
    arrays["attn_bias"] = np.where(generator.random((L, S)) < 0.2, -np.inf if special else -5.0, generator.normal(size=(L, S)))
    options += one_of([], [], ["--position", "alibi"], ["--position", "t5"]) if not rope else ["--position", "rope"]
    options += one_of([], [], [], ["--normaliser", one_of("softmax1", "sigmoid", "relu", "sparsemax", "entmax:1.5", "stick_breaking", "none")])
    options += one_of([], [], ["--mask-fill", one_of("-1e9", "0", "-10"), "--mask-fill-mode", one_of("replace", "add")])
    options += one_of([], [], [], ["--round", one_of("float16", "bfloat16", "float16:weights")]) + one_of([], [], [], ["--query-offset", "2"])
    if special and generator.random() < 0.4:
        name = one_of("query", "key", "value")
        arrays[name].flat[generator.integers(arrays[name].size)] = one_of(np.inf, -np.inf, 1e300)
    return {name: array for name, array in arrays.items() if name in shapes or any(option.split(":")[0] in (name, name.removesuffix("_mask")) for option in options)}, options


def test_random_settings(folder, count=16, seed=20):
    """Combinations of scales, masks, positions, normalisers, fills and precisions, with heads that share keys, rows without keys, and infinite numbers."""
    generator, made, refused = np.random.default_rng(seed), {}, 0
    while len(made) < count:
        arrays, options = random_setting(generator, len(made) % 3 == 2)
        name = f"random{len(made)}"
        np.savez(folder / f"{name}_inputs.npz", **arrays)
        if run("compute", folder / f"{name}_inputs.npz", *options, "--backend", "reference", "--out", folder / f"{name}.npz", fails=True).returncode:
            refused += 1
            continue
        made[f"{name} {' '.join(options)}"] = compute_and_write(folder, name, folder / f"{name}_inputs.npz", options)
    check(refused < 3 * count, f"{refused} settings were refused")
    numbers, _ = compare_all(made, with_sums=False)
    print(f"{count} settings, {numbers} numbers")


def test_mechanisms(folder):
    """Every mechanism with its own inputs: its first golden case."""
    inputs, made = draw(folder), {}
    for case in json.loads((GOLDEN / "cases.json").read_text()):
        name, arguments = case["name"], case["args"]
        mechanism = arguments[arguments.index("--variant") + 1] if "--variant" in arguments else "scaled_dot_product"
        if mechanism not in made:
            made[mechanism] = compute_and_write(folder, name, GOLDEN / f"{name}.in.npz", arguments)
    # These have no golden case, since they compute little.
    scores = np.load(inputs)["query"] @ np.load(inputs)["key"].T
    for name, arrays in {"given_scores": {"scores": scores, "value": np.load(inputs)["value"]}, "given_weights": {"weights": np.full((16, 16), 1 / 16)}}.items():
        np.savez(folder / f"{name}_inputs.npz", **arrays)
        made[name] = compute_and_write(folder, name, folder / f"{name}_inputs.npz", ["--variant", name])
    missing = {variant["id"] for variant in json.loads(run("list", "--json").stdout)["variants"]} - made.keys()
    check(not missing, f"not compared: {missing}")
    numbers, sums = compare_all(made)
    print(f"{len(made)} mechanisms, {numbers} numbers, {sums} sums")


def test_boards(folder):
    """Every step of every lesson and lecture: the numbers and the texts of the page's engine and of the program."""
    requests, names = [], LESSONS + LECTURES
    for name in names:
        page = folder / f"lesson{name}.html"
        if not page.exists():
            run("page", name, "--out", page)
        check(page.stat().st_size < 3_000_000, f"{name} has {page.stat().st_size} bytes")
        requests.append({"page": str(page), "all": True})
    count = 0
    for name, found in zip(names, computed(requests)):
        check(not found.get("failed") and not found.get("texts") and found.get("largest", 1) <= TOLERANCE, f"{name}: {found}")
        count += found.get("numbers", 0)
    check(count > 100_000, f"only {count} numbers")
    print(f"{len(requests)} pages, {count} numbers")


# Moves every control of a page through its values; returns how many moves there were, and what the page said to them.
MOVE_EVERYTHING = """
const said = new Set();
let moves = 0;
const controls = () => [...document.querySelectorAll('#controls :is(select, input, button), .own :is(select, input, button), .exhibit :is(select, input, button, .tip)')];
const fire = (control, type) => control.dispatchEvent(new Event(type, {bubbles: true}));
const page = (window.wrappedJSObject ?? window).attnlab_page;
// One matrix of a fresh result, or null: a card's batch and head, or the mean of the heads.
const matrix = (array, {batch, head}) => {
  const {shape, axes} = array, size = shape.at(-1) * shape.at(-2), heads = axes[1] === 'head' ? shape[1] : 1;
  if (shape.length !== 4 || axes[0] !== 'batch') return null;
  const mean = cell => Array.from({length: heads}, (_, one) => array.values[(batch * heads + one) * size + cell] / heads).reduce((a, b) => a + b);
  return cell => (head === null ? mean(cell) : array.values[(batch * heads + Math.min(head, heads - 1)) * size + cell]);
};
const near = (a, b) => a === b || Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(b)) || (Number.isNaN(a) && Number.isNaN(b));
// What every card shows is what the engine computes now.
const look = () => {
  ++moves;
  const problem = document.getElementById('problem');
  if (!problem.hidden) said.add(problem.textContent);
  for (const refused of document.querySelectorAll('[aria-invalid="true"]')) said.add(`${refused.dataset.control}: ${document.getElementById(refused.getAttribute('aria-describedby')).textContent}`);
  for (const canvas of document.querySelectorAll('.matrix canvas'))
    if (canvas.offsetParent && (!canvas.width || !canvas.height)) said.add('Error: an empty matrix');
  const {settings} = page.source.compute();
  for (const [key, {card, box, view}] of page.panel.cards) {
    const setting = settings[card.setting], drawn = card.matrix?.values;
    const heading = box.querySelector('.name').textContent;
    if (!heading.includes(card.title ?? card.name)) said.add(`Error: ${key} is called ${heading}`);
    if (card.kind === 'stage' && Boolean(setting.error) !== (view.box.offsetParent === null)) said.add(`Error: ${key} is not shown as it is: ${setting.error}`);
    if (!drawn) continue;
    if (drawn.length !== card.matrix.rows * card.matrix.columns || drawn.length === 0) said.add(`Error: ${key} has ${drawn.length} numbers`);
    const stage = card.kind === 'stage' && setting.stages.find(one => one.name === card.stage);
    const wanted = stage && matrix(stage, card.place ?? page.state.place);
    for (const cell of [0, drawn.length >> 1, drawn.length - 1])
      if (wanted && page.panel.cards.size && !near(drawn[cell], wanted(cell))) said.add(`Error: ${key} has ${drawn[cell]} in ${cell}, expected ${wanted(cell)}`);
  }
  const [key, first] = [...page.panel.cards].find(([, {card}]) => card.matrix && card.kind === 'stage') ?? [];
  if (!key) return;
  page.panel.pointed(key, 0, 0, false);
  const hovered = document.querySelector('.sum .name').textContent;
  if (!hovered.startsWith(first.card.name) || !hovered.endsWith(first.view.textOf(0, 0, 6))) said.add(`Error: ${key} says ${hovered}`);
};
const sliders = new Set(controls().filter(control => control.type === 'range' && !control.disabled));
for (const slider of sliders) {
  const before = slider.value;
  for (const end of [slider.max, slider.min, before]) {
    slider.value = end;
    fire(slider, 'input');
    look();
  }
}
for (let i = 0; i < controls().length && i < 60; ++i) {
  const now = () => controls()[i], first = now(), before = first.value;
  if (first.disabled || sliders.has(first)) continue;
  const kind = first.tagName === 'SELECT' ? 'select' : first.tagName === 'BUTTON' ? 'button' : first.tagName === 'circle' ? 'tip' : first.type;
  const move = value => {
    const control = now();
    if (!control || control.disabled) return;
    if (kind === 'tip') control.dispatchEvent(new KeyboardEvent('keydown', {key: value, bubbles: true}));
    else if (kind === 'button') control.click();
    else if (kind === 'checkbox') control.click();
    else { control.value = value; fire(control, 'input'); fire(control, 'change'); }
    look();
  };
  const steps = kind === 'select' ? [...[...first.options].map(option => option.value), before]
    : kind === 'range' ? [first.min, first.max, before] : kind === 'number' ? [String(Math.min(Number(before) + 1, Number(first.max || Infinity))), before] : kind === 'text' ? [before]
    : kind === 'tip' ? ['ArrowUp', 'ArrowDown'] : ['', ''];
  for (const value of steps) move(value);
}
await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
const wants_curve = page.board().show.includes('curve') && page.board().draw && !page.panel.shown.asking;
while (wants_curve && !document.querySelector('.curves polyline')) await new Promise(resolve => setTimeout(resolve, 20));
look();
return {moves, said: [...said]};
"""
READY = "return document.documentElement.getAttribute('data-ready')"
PAGE = "const page = (window.wrappedJSObject ?? window).attnlab_page;"


def opened(browser, path, state="", bypass=False):
    if bypass:
        browser.bypass_policy()
    browser.open(path, state)
    ready = browsers.wait(lambda: (lambda found: found != "false" and found)(browser.run(READY)))
    check(ready == "live", f"{path.name}#{state}: the page is {ready}")
    asked = browser.run("return performance.getEntriesByType('resource').map(entry => entry.name)")
    check(not asked, f"{path.name}#{state}: the page requests {asked}")


def moved(browser, name, least):
    found = browser.run(MOVE_EVERYTHING)
    check(found["moves"] >= least, f"{name}: only {found['moves']} moves")
    check(not found["said"], f"{name}: {found['said']}")
    return found["moves"]


def in_browsers(test, most=2):
    """Runs `test` in `most` browsers; what a browser reports is a failure."""
    def run_in_all(folder):
        for kind in browsers.browsers()[:most]:
            with tempfile.TemporaryDirectory(prefix="attnlab-browser-", ignore_cleanup_errors=True) as home:
                browser = kind(pathlib.Path(home))
                try:
                    print(" ", kind.__name__, test(folder, browser), flush=True)
                finally:
                    browser.close()
                check(not browser.messages, f"{kind.__name__}: {browser.messages[:5]}")
    return run_in_all


def picture_of(page):
    """What a page shows without JavaScript."""
    return page.read_text().split("<noscript>")[1].split("</noscript>")[0]


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
    """Every step of every lesson: an answer, then every control."""
    count = 0
    for number in LESSONS:
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
    check(count > 1000, f"only {count} moves")
    return f"{len(LESSONS)} lessons, {count} moves"


@functools.partial(in_browsers, most=1)
def test_labs(folder, browser):
    """Every control of both labs, and many keys, for which the engine's memory grows."""
    count = 0
    for lab in ("scale_lab", "mask_lab"):
        page = folder / f"{lab}.html"
        if not page.exists():
            run("page", lab, "--out", page)
        opened(browser, page)
        count += moved(browser, lab, 20)
    return f"{count} moves"


# A board follows its settings.
FOLLOWED = {
    "a heading names the scale that is chosen": ("scale_lab", "", """
        const select = document.querySelector('.own select'), heading = () => document.querySelector('.card .name').textContent, before = heading();
        select.value = 'dk';
        fire(select, 'change');
        return before === 'none' && heading() === '1/d';"""),
    "a card in error has its reason and no matrix, also when it is built so": ("mask_lab", "", """
        const spec = structuredClone(page.board().settings[0].spec);
        const card = () => [...page.panel.cards.values()].find(({card: own}) => !own.is_shared), shown = () => [card().view.box.offsetParent !== null, card().problem.textContent.length > 5].join();
        spec.masks = [{id: 'valid_lens', parameters: {}}];
        const states = [shown()];
        page.send({setting: 0, spec});
        page.send({setting: 0, tensor: 'valid_lens', cell: 0, value: 99});
        states.push(shown());
        document.getElementById('other').click();
        states.push(shown());
        page.send({setting: 0, tensor: 'valid_lens', cell: 0, value: 2});
        states.push(shown());
        document.getElementById('other').click();
        return states.join(' ') === 'true,false false,true false,true true,false';"""),
    "the mean of heads is their mean": ("6", "step=3", """
        page.open('answered');
        const {stages} = page.result().settings[0], {shape, values} = stages.find(stage => stage.name === 'weights'), size = shape[2] * shape[3];
        const {card} = page.panel.cards.get('0.stage.weights.mean');
        return card.title.endsWith('mean of heads') && shape[1] > 1 && Array.from(card.matrix.values).every((mean, cell) =>
          Math.abs(mean * shape[1] - Array.from({length: shape[1]}, (_, head) => values[head * size + cell]).reduce((a, b) => a + b)) < 1e-12);"""),
    "blocked scores are infinite and small inputs are not 0": ("halves", "", """
        const text = (key, value) => page.panel.cards.get(key).view.cellText(value);
        return [text('0.stage.masked.', -Infinity), text('0.input.value.', 0.001), text('0.stage.weights.', 0.001)].join(' ') === '−∞ 0.001 0';"""),
    "fields of a choice come with it, and it keeps the focus": ("halves", "", """
        const spec = structuredClone(page.board().settings[0].spec), select = () => [...document.querySelectorAll('#controls select')].find(one => [...one.options].some(option => option.value === 'separate'));
        spec.masks = [{id: 'window', parameters: {}}];
        page.send({setting: 0, spec});
        const fields = () => document.querySelectorAll('#controls input[type="number"]').length, before = fields();
        select().focus();
        select().value = 'separate';
        fire(select(), 'change');
        return fields() === before + 1 && document.activeElement === select();"""),
    "a slider that is dragged through an error stays": ("halves", "", """
        const spec = structuredClone(page.board().settings[0].spec);
        spec.position = {id: 'rope', parameters: {}};
        page.send({setting: 0, spec});
        const wide = document.querySelector('#controls input[type="range"]'), errors = [];
        for (const index of ['2', '1', '2']) { // 3 is no even width
          wide.value = index;
          fire(wide, 'input');
          errors.push(Boolean(page.result().settings[0].error));
        }
        return errors.join() === 'false,true,false' && wide.isConnected && page.result().settings[0].stages.length > 0;"""),
    "an edited cell keeps its row and column": ("scale_lab", "", """
        const field = document.querySelector('.editor input'), words = document.querySelector('.editor span');
        page.send({draw: {E: 64}});
        page.panel.pointed('0.input.query.', 2, 5, true);
        page.send({draw: {E: 128}});
        field.value = '9';
        fire(field, 'input');
        const query = page.result().settings[0].inputs.find(input => input.name === 'query'), right = words.textContent.includes('[2, 5]') && query.values[2 * 128 + 5] === 9;
        page.send({draw: {E: 4}});
        return right && field.disabled && field.value === '' && !words.textContent.includes('[');"""),
    "an error is said in the language of the page": ("mask_lab", "lang=zh", """
        const problem = document.getElementById('problem'), spec = structuredClone(page.board().settings[0].spec);
        spec.masks = [{id: 'window', parameters: {width: -1}}];
        page.send({setting: 0, spec});
        const chinese = problem.textContent;
        document.getElementById('other').click();
        const english = problem.textContent;
        page.send({draw: {S: 8}});
        return /[\\u4e00-\\u9fff]/.test(chinese) && !/[\\u4e00-\\u9fff]/.test(english) && english.includes('it has') && problem.hidden;"""),
    "a refused entry stays with its reason until it has another one": ("halves", "lang=zh", """
        const spec = structuredClone(page.board().settings[0].spec), field = () => document.querySelector('#controls input[max="1000000000"]');
        spec.masks = [{id: 'window', parameters: {w: 2}}];
        page.send({setting: 0, spec});
        const typed = text => { field().value = text; fire(field(), 'change'); };
        const marked = () => field().getAttribute('aria-invalid') === 'true' && /[\\u4e00-\\u9fff]/.test(document.getElementById(field().getAttribute('aria-describedby'))?.textContent);
        const width = () => page.board().settings[0].spec.masks[0].parameters.w;
        typed('-1');
        const refused = marked() && field().value === '-1' && width() === 2;
        const scale = document.querySelector('#controls select[aria-label="缩放"]');
        scale.value = 'none';
        fire(scale, 'change');
        const kept = marked() && field().value === '-1' && width() === 2 && page.board().settings[0].spec.scale.id === 'none';
        typed('3');
        return refused && kept && !marked() && !field().hasAttribute('aria-describedby') && !document.querySelector('.reason') && width() === 3;"""),
    "changes are undone, a drag in one step": ("halves", "", """
        const first = JSON.stringify(page.board()), slider = () => document.querySelector('#controls input[type="range"]'), undo = document.getElementById('undo');
        const numbers = () => page.result().settings[0].stages.find(stage => stage.name === 'weights').values.join();
        const before = numbers(), disabled = undo.disabled;
        slider().dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}));
        for (const index of ['2', '3', '4']) { slider().value = index; fire(slider(), 'input'); }
        fire(slider(), 'change');
        page.panel.pointed('0.input.query.', 0, 1, true);
        document.querySelector('.editor input').value = '7';
        fire(document.querySelector('.editor input'), 'input');
        const drawn = () => page.result().settings[0].inputs.find(input => input.name === 'query').values[1];
        const typed = drawn() === 7;
        document.dispatchEvent(new KeyboardEvent('keydown', {key: 'z', ctrlKey: true, bubbles: true}));
        const between = drawn() !== 7 && page.board().draw.E === 8;
        undo.click();
        return disabled && typed && between && undo.disabled && numbers() === before && JSON.stringify(page.board()) === first;"""),
    "each card has a picker of its head where cards show several": ("heads", "", """
        page.state.step = page.contents.steps.findIndex(step => step.id === 'fox');
        page.open('answered');
        const pickers = () => [...document.querySelectorAll('.own select[aria-label="Head"]')], heads = () => page.board().cards.map(card => card.head).join();
        const before = heads(), common = document.querySelectorAll('#controls select[aria-label="Head"]').length;
        pickers()[1].focus();
        pickers()[1].value = '3';
        fire(pickers()[1], 'change');
        const titles = [...document.querySelectorAll('.card .name')].map(one => one.textContent.trim().slice(-1)).join();
        const {stages} = page.result().settings[0], {shape, values} = stages.find(stage => stage.name === 'weights'), size = shape[2] * shape[3];
        const shown = page.panel.cards.get('0.stage.weights.head1').card.matrix.values.every((value, cell) => value === values[3 * size + cell]);
        return before === '0,1,2,3' && heads() === '0,3,2,3' && titles === '0,3,2,3' && common === 0 && pickers().length === 4 && shown && document.activeElement === pickers()[1];"""),
    "what a change leaves as it is stays the same object": ("halves", "", """
        const stage = name => page.result().settings[0].stages.find(one => one.name === name), input = () => page.result().settings[0].inputs[0];
        const spec = structuredClone(page.board().settings[0].spec), {live, cards} = page.board(), [scores, scaled, query] = [stage('scores'), stage('scaled'), input()];
        spec.scale = {id: 'none', parameters: {}};
        page.send({setting: 0, spec});
        const kept = stage('scores') === scores && input() === query && page.board().live === live && page.board().cards === cards;
        page.send({draw: {E: 6}});
        return kept && stage('scaled') !== scaled && stage('scaled').values[0] === stage('scores').values[0] && input() !== query && page.board().settings[0].spec.scale.id === 'none';"""),
    "a marked cell is framed, also after a change": ("halves", "", """
        const {view} = page.panel.cards.get('0.stage.weights.'), frame = () => view.frame.getBoundingClientRect(), box = () => view.canvas.getBoundingClientRect();
        view.choose(2, 1);
        const {left, top, size} = view.layout, near = (a, b) => Math.abs(a - b) < 1.5;
        const first = near(frame().left - box().left, left + size - 1) && near(frame().top - box().top, top + 2 * size - 1) && near(frame().width, size + 2);
        page.send({draw: {S: 3, L: 3}});
        const wider = view.layout.size, second = near(frame().top - box().top, view.layout.top + 2 * wider - 1) && near(frame().width, wider + 2);
        const row = page.panel.cards.get('0.stage.output.').view;
        return first && second && !row.frame.hidden && near(row.frame.getBoundingClientRect().width, row.layout.size * row.cells.columns + 2);"""),
    "the ends of the colours are read aloud": ("halves", "", """
        page.send({setting: 0, tensor: 'query', cell: 0, value: -7});
        await new Promise(resolve => setTimeout(resolve, 300));
        return page.panel.cards.get('0.input.query.').bar.box.getAttribute('aria-label') === '−7 … 7';"""),
    "a remote control turns the pages at their ends": ("heads", "step=1", """
        const press = async key => {
          await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
          return page.state.step;
        };
        scrollTo(0, 0);
        const steps = [await press('PageUp'), await press('PageUp')];
        scrollTo(0, document.documentElement.scrollHeight);
        steps.push(await press('PageDown'));
        document.getElementById('body').style.height = '3000px';
        steps.push(await press('PageDown'));
        return steps.join() === '0,0,1,1' && location.hash.startsWith('#step=1');"""),
    "a cell that is no number says so": ("halves", "", """
        page.panel.pointed('0.input.query.', 0, 1, true);
        const field = document.querySelector('.editor input'), reason = () => document.getElementById(field.getAttribute('aria-describedby')).textContent;
        field.value = '';
        fire(field, 'change');
        const empty = reason().includes('0 for zero') && field.getAttribute('aria-invalid') === 'true';
        field.value = '0.25';
        fire(field, 'input');
        return empty && reason() === '' && !field.hasAttribute('aria-invalid') && page.panel.cards.get('0.input.query.').card.matrix.values[1] === 0.25;"""),
    "a whole number has all its digits, and no control has no words": ("scale_lab", "", """
        page.send({draw: {E: 1024}});
        await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        const theory = [...document.querySelectorAll('.numbers dt')].find(name => name.textContent === 'theory').nextSibling.textContent;
        return theory === '1024' && page.controls.folded([]).length === 0;"""),
    "an address with nonsense opens the page": ("mask_lab", "step=1.5&lang=toString&theme=valueOf", "return page.state.step === 0 && document.documentElement.lang === 'en';"),
}


@in_browsers
def test_follows(folder, browser):
    halves = folder / "halves.npz"
    np.savez(halves, query=np.full((6, 4), 0.5), key=np.full((6, 4), 0.5), value=np.full((6, 4), 0.001))
    shutil.copytree(ROOT / "resources/lessons/06-heads", folder / "heads", dirs_exist_ok=True)
    scene = folder / "heads/scene.json"
    steps = json.loads(scene.read_text())
    next(step for step in steps["steps"] if step["id"] == "fox")["live"] = ["stage", "head"]
    scene.write_text(json.dumps(steps))
    subjects = {"halves": [halves, "--mask", "causal"], "heads": [folder / "heads"]}
    for name, (what, state, script) in FOLLOWED.items():
        page = folder / f"{what}.html"
        if not page.exists():
            run("page", *subjects.get(what, [what]), "--out", page)
        opened(browser, page, state)
        try:
            follows = browser.run(PAGE + "const fire = (control, type) => control.dispatchEvent(new Event(type, {bubbles: true}));" + script)
            check(follows, f"not so: {name}")
        except RuntimeError as error:
            check(False, f"not so: {name}: {error}")
    return f"{len(FOLLOWED)} boards"


def test_words(folder):
    """Every word that the page says, in both languages."""
    scripts = {file.stem: file.read_text() for file in (ROOT / "web").glob("*.js")}
    script = scripts["texts"] + "\nreturn texts;"
    done = subprocess.run(["node", "-e", f"const texts = new Function({json.dumps(script)})();"
                           "console.log(JSON.stringify(Object.entries(texts).map(([language, words]) => [language, Object.keys(words)])))"], capture_output=True, text=True)
    languages = dict(json.loads(done.stdout))
    said = "\n".join(scripts.values())
    for language, words in languages.items():
        check(sorted(words) == sorted(languages["en"]), f"{language} lacks {set(languages['en']) - set(words)}, has {set(words) - set(languages['en'])}")
    for word in re.findall(r"\bt\(\)\.(\w+)", said):
        check(word in languages["en"], f"the page says '{word}', which is no word of it")
def test_accessibility(folder):
    """axe finds nothing in a lab, a workspace and a lesson, light and dark, on a phone and on a desk."""
    try:
        import axe_core_python
    except ImportError:
        print("  skipped: axe_core_python (PyPI) is not here")
        return
    axe = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()
    pages = [folder / name for name in ("scale_lab.html", "lesson8.html", "page.html")]
    for page, subject in zip(pages, ("scale_lab", "8", draw(folder))):
        run("page", subject, "--out", page)
    with tempfile.TemporaryDirectory(prefix="attnlab-browser-", ignore_cleanup_errors=True) as home:
        browser = browsers.Chromium(pathlib.Path(home))
        try:
            for page in pages:
                for width, dark in ((360, True), (1280, False)):
                    browser.resize(width, 800, dark)
                    opened(browser, page, "step=1", bypass=True)
                    found = browser.run(axe + "; return (await axe.run(document)).violations.map(one => one.id + ': ' + one.nodes.map(node => node.html).join());")
                    check(not found, f"{page.name}, {width} px: {found}")
        finally:
            browser.close()


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
    check(picture_of(page).count("h1v1h-1z") == 256, "the picture is not one of 16 x 16")
    check("default-src 'none'" in text and "unsafe-inline" not in text and "http:" not in text.split("<style>")[0], "the policy is not strict")


def test_titles(folder):
    """A title, or a name of a file, is any text. A picture has the matrices of the cards."""
    page, file = folder / "titles.html", folder / "{{B}} #.npz"
    shutil.copy(draw(folder), file)
    for options, title in (([], "{{B}} #"), (["--title", "## x"], "## x"), (["--title", "```"], "```"), (["--title", "</script>{{title}}&"], "</script>{{title}}&")):
        run("page", file, *options, "--out", page)
        text = page.read_text()
        data = json.loads(text.split('id="data">')[1].split("</script>")[0])
        check(set(data["titles"].values()) == {title} and f"<title>{html.escape(title)}</title>" in text, f"{options}: {data['titles']}")
    run("page", "mask_lab", "--out", page)
    picture, titles = picture_of(page), ("none · weights", "causal · weights", "causal + key padding · weights")
    check(picture.count("h1v1h-1z") == 3 * 8 * 8 and all(f"<figcaption>{title}<" in picture for title in titles), f"the picture does not have the cards of the lab: {picture[:200]}")
    shut = re.findall(r'class="shut" d="([^"]*)"', picture)
    check(len(shut) == 2 and shut[0].count("M") == 28, "the picture does not show what a causal mask blocks")
    run("page", "mask_lab", "--language", "zh_CN", "--out", page)
    check("<figcaption>因果 · 权重<" in picture_of(page), "the picture is not in the language of the page")
    run("page", "6", "--out", page)
    check(all(f"<figcaption>{title}<" in picture_of(page) for title in ("dog man · weights", "dog man · output", "man dog · output")) and picture_of(page).count(">?<") == 3, "the picture does not have the cards of the lesson")


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
            if not shutil.which("node") and name_of_test in ("test_scales_and_masks", "test_random_settings", "test_mechanisms", "test_boards", "test_words"):
                print(f"{name_of_test}: skipped, node is not here")
                continue
            print(name_of_test, flush=True)
            test(folder)
    print(json.dumps({"failures": len(failures)}))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
