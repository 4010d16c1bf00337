#!/usr/bin/env python3
"""Pages of HTML in a browser: their numbers are those of the engine, texts are inert, nothing is loaded.

usage: test_web_page.py PROGRAM
"""
import html.parser
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

try:
    import numpy as np
except ImportError:
    print("NumPy is not here: scripts/setup installs it")
    sys.exit(77)

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PROGRAM = sys.argv[1]
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        if len(failures) <= 20:
            print(f"FAILED: {what}", flush=True)


class Page(html.parser.HTMLParser):
    """Texts of elements by id, tags, and the rows of the table."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.tags, self.rows, self.heads = {}, [], [], []
        self.attributes = {}
        self._open, self._cell = [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        if tag not in ("meta", "img", "input", "br", "hr", "link"):
            self._open.append((tag, attrs.get("id")))
        if "id" in attrs:
            self.texts.setdefault(attrs["id"], "")
            self.attributes[attrs["id"]] = attrs
        if tag == "html":
            self.attributes["html"] = attrs
        if tag == "tr":
            self.rows.append([])
            self.heads.append([])
        if tag == "td":
            self.rows[-1].append("")
        if tag == "th":
            self.heads[-1].append("")

    def handle_endtag(self, tag):
        while self._open:
            if self._open.pop()[0] == tag:
                break

    def handle_data(self, data):
        for _, name in self._open:
            if name:
                self.texts[name] += data
        if self._open and self._open[-1][0] == "td":
            self.rows[-1][-1] += data
        if self._open and self._open[-1][0] == "th":
            self.heads[-1][-1] += data


def browse(folder, path, state="", options=()):
    """The page after its script has run. A message of the script, or of the policy, is a failure."""
    done = subprocess.run(
        [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr",
         "--virtual-time-budget=5000", *(options or ["--dump-dom"]), f"{path.as_uri()}#{state}"],
        capture_output=True, text=True, timeout=200)
    messages = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    check(not messages, f"{path.name}#{state}: the browser says: {messages[:3]}")
    page = Page(done.stdout)
    if not options:
        check(page.attributes.get("html", {}).get("data-ready") == "true", f"{path.name}#{state}: the script has not ended")
    return page


def run(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    return done


def number(text):
    return float({"∞": "inf", "−∞": "-inf", "no number": "nan"}.get(text, text.replace("−", "-")))


def exact_or_about(rows, expected, single=False):
    """Counts the numbers that are marked; all others must be equal."""
    marked = 0
    for row, wanted in zip(rows, expected):
        check(len(row) == len(wanted), f"{len(row)} numbers in a row, expected {len(wanted)}")
        for text, value in zip(row, wanted):
            if text == "blocked":
                check(value == 0 or np.isneginf(value), f"blocked, and it is {value}")
            elif text.startswith("about "):
                marked += 1
                check(abs(number(text[6:]) / value - 1) < 0.07, f"{text}, and it is {value}")
            elif text.startswith("below "):
                marked += 1
                check(abs(value) < number(text[6:]) * 1.01, f"{text}, and it is {value}")
            else:
                same = np.float32(number(text)) == np.float32(value) if single else number(text) == value
                check(same or np.isnan(value), f"{text}, and it is {value!r}")
    return marked


def numbers_of(path):
    return np.load(path)


def test_every_head(folder):
    draw = np.random.default_rng(1)
    inputs = folder / "two.npz"
    query, key, value = (draw.normal(size=(1, 3, tokens, 4)) for tokens in (7, 9, 9))
    np.savez(inputs, query=query, key=key, value=value)
    for stage, options in (("weights", ["--mask", "causal"]), ("scores", []), ("masked", ["--mask", "causal"])):
        page, file = folder / f"{stage}.html", folder / f"{stage}.npy"
        run("render", inputs, "--stage", stage, "--head", "1", "--out", page, *options)
        run("compute", inputs, "--stage", stage, "--out", file, *options)
        expected = numbers_of(file)[0]
        for head in range(3):
            shown = browse(folder, page, f"view=table&head={head}")
            check(exact_or_about(shown.rows[1:], expected[head]) == 0, f"{stage}: numbers are marked")
            check("exact (float64)" in shown.texts["exact"], f"{stage}: {shown.texts['exact']}")
    shown = browse(folder, page)
    check(shown.texts["heading"].startswith("Head 1"), "--head is not shown first")
    check(shown.texts["title"] == "Scaled dot-product", f"the page does not say its mechanism: {shown.texts['title']}")


def test_budget(folder):
    """144 heads of 32 tokens fit in 300 kB."""
    draw = np.random.default_rng(2)
    inputs, page, file = folder / "heads.npz", folder / "heads.html", folder / "heads.npy"
    query, key = draw.normal(size=(2, 1, 144, 32, 8))
    np.savez(inputs, query=2 * query, key=key, value=np.ones((1, 144, 32, 1)))
    run("render", inputs, "--stage", "weights", "--out", page)
    run("compute", inputs, "--stage", "weights", "--out", file)
    check(page.stat().st_size <= 300_000, f"the page has {page.stat().st_size} bytes")
    expected = numbers_of(file)[0]
    shown = browse(folder, page, "view=table&head=77")
    marked = exact_or_about(shown.rows[1:], expected[77], single=True)
    check(0 < marked < 1024, f"{marked} numbers are marked")
    check("hidden" not in shown.attributes["wall"] and shown.texts["all_text"], "the heads are not drawn")
    signed = folder / "scores.npy"
    run("render", inputs, "--stage", "scores", "--out", page)
    run("compute", inputs, "--stage", "scores", "--out", signed)
    marked = exact_or_about(browse(folder, page, "view=table&head=77").rows[1:], numbers_of(signed)[0, 77], single=True)
    check(0 < marked <= 1024, f"of scores, {marked} numbers are marked")
    largest = np.argwhere(expected[77] > 0.5 * expected.max())
    check(all(not shown.rows[1 + row][column].startswith("about") for row, column in largest), "large numbers are marked")
    run("render", inputs, "--stage", "weights", "--out", page, "--every-number")
    check(exact_or_about(browse(folder, page, "view=table&head=77").rows[1:], expected[77]) == 0, "--every-number has not all")


def test_injection(folder):
    """Labels and titles stay text, and nothing asks a server."""
    asked = []
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]

    def serve():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            asked.append(connection.recv(100))
            connection.close()

    threading.Thread(target=serve, daemon=True).start()
    tokens = ["</script><script>document.title='stolen'</script>", f"<img src=http://127.0.0.1:{port}/a onerror=alert(1)>",
              "{{script}}", "<!--<script>", "\u2028\u2029\u202e", "a\tb\n", "javascript:alert(1)", "&lt;b&gt;", "__proto__",
              "\"'`"]
    draw = np.random.default_rng(3)
    inputs, page = folder / "tokens.npz", folder / "tokens.html"
    np.savez(inputs, query=draw.normal(size=(10, 4)), key=draw.normal(size=(10, 4)), value=draw.normal(size=(10, 4)),
             query_tokens=np.array(tokens))
    title = f"</title><script src=http://127.0.0.1:{port}/b></script>{{{{data}}}}"
    run("render", inputs, "--stage", "weights", "--title", title, "--out", page)
    for view in ("map", "arcs", "table"):
        shown = browse(folder, page, f"view={view}")
        check("img" not in shown.tags and shown.tags.count("script") == 2, f"{view}: markup of a label: {shown.tags}")
        check(shown.texts["title"] == title, f"{view}: the title is {shown.texts['title']}")
        if view == "table":
            labels = [row[0] for row in shown.heads[1:]]
            check(labels[:4] == tokens[:4] and labels[7] == tokens[7], f"labels: {labels}")
            check(labels[4] == "·" and labels[5] == "a⇥b↵", f"labels: {labels[4:6]!r}")
    server.close()
    check(not asked, f"the page has asked a server: {asked}")
    text = page.read_text()
    check("default-src 'none'" in text and "unsafe" not in text.split("<style>")[0], "the policy is not strict")


def test_map(folder):
    draw = np.random.default_rng(4)
    inputs, page, file = folder / "long.npz", folder / "map.html", folder / "map.npy"
    np.savez(inputs, query=draw.normal(size=(1000, 8)).astype(np.float32), key=draw.normal(size=(1000, 8)).astype(np.float32))
    for pool in ("max", "mean"):
        run("map", inputs, "--bins", "50x50", "--pool", pool, "--mask", "causal", "--out", page)
        run("map", inputs, "--bins", "50x50", "--pool", pool, "--mask", "causal", "--out", file)
        shown = browse(folder, page, "view=table")
        check(exact_or_about(shown.rows[1:], np.nan_to_num(numbers_of(file)), single=True) == 0, f"{pool}: numbers are marked")
        ends = shown.heads[1][0], shown.heads[0][-1]
        check(ends == ("0–19", "980–999"), f"bins: {ends}")
    run("map", inputs, "--bins", "500x500", "--out", page)
    shown = browse(folder, page)
    check("1000 × 1000" in shown.texts["summary"] and "2 × 2" in shown.texts["summary"], shown.texts["summary"])


def test_comparison(folder):
    inputs, page, file = folder / "two.npz", folder / "compare.html", folder / "compare.npz"
    for command in (["compare", inputs, "--with", "--scale none", "--out", page],
                    ["render", inputs, "--stage", "weights", "--with", "--scale none", "--out", page]):
        run(*command)
        run("compare", inputs, "--with", "--scale none", "--out", file)
        numbers = np.load(file)
        for group, name in enumerate(("a.weights", "b.weights", "difference.weights")):
            shown = browse(folder, page, f"view=table&group={group}&head=2")
            check(exact_or_about(shown.rows[1:], numbers[name][0, 2]) == 0, f"{name}: numbers are marked")
            check(shown.texts["summary"].startswith("3 heads ·"), f"of two settings: {shown.texts['summary']}")


def test_model(folder):
    page, file = folder / "model.html", folder / "model.npz"
    model = ["model", "sample", "--text", "The cat sat on the mat."]
    run(*model, "--out", page)
    run(*model, "--keep", "weights", "--out", file)
    numbers = np.load(file)
    passes = [name for name in numbers.files if name.endswith(".weights")]
    for group, name in enumerate(passes[:2]):
        shown = browse(folder, page, f"view=table&group={group}&head=1&row=2&column=1&lang=zh")
        rows = [[text.replace("被掩蔽", "blocked").replace("约 ", "about ") for text in row] for row in shown.rows[1:]]
        check(exact_or_about(rows, numbers[name][1], single=True) == 0, f"{name}: numbers are marked")
        check("所有的头" in shown.texts["all_text"], "the heads are not drawn")
        check(shown.attributes["html"]["lang"] == "zh-CN" and "头 1" in shown.texts["heading"], shown.texts["heading"])
    described = browse(folder, page, "view=map&group=1&head=1&row=2&column=1")
    text = described.texts["cell"]
    check(" reads " in text and described.attributes["map"]["role"] == "grid", text)
    check(described.attributes["map"]["aria-activedescendant"] == "cell", "no cell is active for a screen reader")


def test_paper(folder):
    """It prints, and a picture of a phone has no script error."""
    pdf, picture = folder / "page.pdf", folder / "phone.png"
    browse(folder, folder / "weights.html", "theme=dark", [f"--print-to-pdf={pdf}", "--no-pdf-header-footer"])
    check(pdf.exists() and pdf.read_bytes().startswith(b"%PDF"), "the page does not print")
    browse(folder, folder / "weights.html", "view=arcs", ["--window-size=390,844", f"--screenshot={picture}"])
    check(picture.exists(), "no picture of a phone")


def test_refusals(folder):
    inputs = folder / "two.npz"
    for arguments, words in ((["--size", "300x200", "--out", "x.html"], "--size: does not go with .html"),
                             (["--every-number", "--out", "x.png"], "--every-number: is for an .html"),
                             (["--steps", "--out", "x.html"], "expected a file name that ends in")):
        done = subprocess.run([PROGRAM, "render", str(inputs), "--stage", "weights", *arguments], capture_output=True,
                              text=True, cwd=folder)
        check(done.returncode == 2 and words in done.stderr, f"{arguments}: {done.returncode} {done.stderr}")
        check(not (folder / arguments[-1]).exists(), f"{arguments}: wrote a file")


def main():
    if not BROWSER:
        print("Chromium is not here: scripts/setup installs it")
        return 77
    with tempfile.TemporaryDirectory(prefix="attnlab-page-") as name:
        for name_of_test, test in [(key, value) for key, value in globals().items() if key.startswith("test_")]:
            print(name_of_test, flush=True)
            test(pathlib.Path(name))
    print(json.dumps({"failures": len(failures)}))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
