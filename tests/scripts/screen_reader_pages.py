"""Every page, panel and dialog of the window: the way to it, and what must be there."""
import os
import struct
import subprocess
import zipfile

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")


class Page:
    """How to come to it, and what must be there: roles with the beginnings of names."""

    def __init__(self, name, *steps, there=(), table=None, walk=True, is_popup=False):
        self.name, self.steps, self.there, self.table = name, steps, there, table
        self.walk, self.is_popup = walk, is_popup


def menu(*path):
    return lambda window: window.choose(*path)


def sample(name):
    return lambda window: window.open_sample(name)


def tab(name):
    return lambda window: window.press(name, "page tab")


def button(name):
    return lambda window: window.press(name)


def key(name):
    return lambda window: window.key(name)


def from_menu(name, *keys):
    """An entry of a button's menu, by keys. The button answers when the menu is closed."""
    def press(window):
        window.ask(lambda: window.press(name, "push button|push button menu"))
        for pressed in keys:
            window.key(pressed)
    return press


def asked(command):
    """One that answers when its dialog is closed."""
    return lambda window: window.ask(lambda: command(window))


def heard(step, role, name):
    """What is said after a step."""
    def take(window):
        window.screen.focus()
        window.events.clear()
        step(window)
        said = window.hears("focused", name, "after a step")
        assert said[2] == role, said
    return take


def given(path, asking):
    """Names a file to the dialog that `asking` opens."""
    return lambda window: window.give_file(path, asking=lambda: asking(window))


def sent(path):
    """To the window, from outside."""
    return lambda window: subprocess.run([window.program, path], check=True, timeout=60)


def pages(folder):
    """With files of write_arrays() in the folder."""
    def path(file):
        return os.path.join(folder, file)

    return [
        Page("matrix", sample("Four heads"), table=("weights · head 0: Heatmap", "fox → brown: 0.68722"),
             there=[("radio button", "Head 1: "), ("radio button", "Stage weights"),
                    ("table", "Mask: rows are queries")]),
        Page("compare", menu("Attention", "Compare"), table=("B − A: weights", "fox → brown: 0.266566"),
             there=[("label", "Largest |B − A|: 0.310"), ("chart", "KL of A from B")]),
        Page("with a file", sample("Four heads"),
             given(path("theirs.npz"), menu("Attention", "Compare with a file")),
             table=("given − exact", "fox → brown: −0.544363"),
             there=[("label", "324 of 324 cells beyond"), ("text", "Tolerance"),
                    ("chart", "Largest error of each row")]),
        Page("steps", tab("Steps"), table=("Steps of “fox” · head 0", "“brown”, "),
             there=[("combo box", "Query: 3  fox"), ("combo box", "Key: 2  brown"), ("slider", "Step")]),
        Page("tiles", sample("Flash"), tab("Tiles"), table=("Tiles", "Once → Once: "),
             there=[("combo box", "Numbers on the map: masked")]),
        Page("page table", sample("Paged"), tab("Page table"), table=("Pages", "Token 0, ")),
        Page("pages read", heard(button("Length "), "combo box", "Mode: "), key("Up"), tab("Pages read"), key("Escape"), table=("Pages", "it → The: ")),
        Page("buckets", menu("Edit", "Undo"), sample("Reformer"), tab("Buckets"),
             table=("Buckets", ", round 1: bucket "),
             there=[("combo box", "Round of hashing: ")]),
        Page("curve", sample("Performer"), tab("Curve"), table=("", ": ")),
        Page("layers", sample("Transformer"), there=[("radio button", "")]),
        Page("picture of the keys", sample("Patches"), table=("On the picture: what", "row 0, column 0")),
        Page("gallery of samples", menu("File", "Samples"),
             there=[("heading", "Start here"), ("heading", "Whole models"), ("push button", "Four heads: "),
                    ("push button", "A trained model: "), ("push button", "Open a file…")]),
        Page("palette", key("Escape"), heard(menu("Go", "Find anything"), "text", "Find actions, samples, "),
             heard(key("Down"), "list item", "New window"), is_popup=True, walk=False),
        Page("sentence", key("Escape"), sample("Four heads"), button("Edit sentence…"), there=[("text", "")]),
        Page("colours", key("Escape"), button("Colours: "), is_popup=True),
        Page("mechanisms", key("Escape"), button("Mechanism: "),
             heard(key("Down"), "list item", "Multi-query"), is_popup=True, walk=False),
        Page("parameters", key("Escape"), button("Heads 4: "), is_popup=True),
        Page("fill and meaning of a mask", key("Escape"), button("Value of blocked cells")),
        Page("mask from a file", given(path("mask.npz"), from_menu("More for the mask", "Up", "Return")),
             table=("The first matrix as it would block", "1 → 0: 1")),
        Page("fill", key("Escape"), button("Fill…")),
        Page("size", key("Escape"), button("Resize…")),
        Page("keys as a picture", key("Escape"), menu("Attention", "Arrange the keys as an image"),
             there=[("spin button", "Rows")]),
        Page("arrays of a file", key("Escape"), given(path("unnamed.npz"), menu("File", "Open…")),
             table=("Arrays of the files", "a")),
        Page("export", key("Escape"), menu("File", "Export…"),
             there=[("combo box", "What: "), ("combo box", "Format: ")]),
        Page("preferences", key("Escape"), menu("Edit", "Preferences"), there=[("spin button", "")]),
        Page("shortcuts", key("Escape"), menu("Help", "Keyboard shortcuts"), there=[("text", "")]),
        Page("reference", key("Escape"), menu("Help", "Mechanisms"), there=[("list", "Pages")]),
        Page("report", key("Escape"), menu("Help", "Report"), there=[("text", "What is reported")]),
        Page("tour", key("Escape"), menu("Help", "Tour"), there=[("push button", "Next")]),
        Page("about", key("Escape"), asked(menu("Help", "About")), there=[("image|icon", "AttnLab")], walk=False),
        Page("model", key("Escape"), menu("File", "Sample model"), table=("Weights · Layer 0 · head 0: Heatmap, 15 rows", " → "),
             there=[("push button", "Edit text"), ("chart", "Next token: Mary: > 99%"),
                    ("combo box", "Order of the heads: "), ("separator", "Width of the heads")]),
        Page("lines of a head", tab("Lines")),
        Page("rollout", tab("Rollout")),
        Page("plot of heads", tab("Weights"), tab("Plot")),
        Page("head that is off", tab("Reads"), button("Turn this head off"), tab("Compare"),
             there=[("chart", "B − A · Layer 0 · head 0: This head reads what it read before"),
                    ("page tab list", "Which of the matrices is shown")]),
        Page("head that reads otherwise", button("Layer 2 · head 0"), table=("B − A · Layer 2 · head 0", "to → ")),
        Page("two texts", button("Compare texts")),
        Page("image", sent(os.path.join(DATA, "models", "vit")),
             given(os.path.join(DATA, "models", "vit", "image.png"), button("Choose an image…")), tab("Image"),
             table=("", "Patch 0,0: ")),
        Page("capture", sent(os.path.join(DATA, "versions", "capture.safetensors"))),
        Page("lessons", menu("Learn", "List of lessons"), there=[("push button", "Lesson 1: What attention computes")]),
        Page("lesson", button("Lesson 1: What attention computes")),
        Page("arrows", menu("Learn", "List of lessons"), button("Lesson 19: "), button("Open without an answer")),
        Page("costs", menu("Learn", "List of lessons"), button("Lesson 21: "), button("Open without an answer")),
        Page("step in a lesson", menu("Learn", "List of lessons"), button("Lesson 11: ")),
        Page("tiles in a lesson", menu("Learn", "List of lessons"), button("Lesson 8: ")),
        Page("scale lab", menu("Learn", "Scale lab"), table=("1/√d, weights: Heatmap", " → "),
             there=[("push button", "Scale of this card: None"), ("spin button", "Width d"),
                    ("slider", "Number of keys S"), ("combo box", "Stage that the cards show: weights"),
                    ("image|icon", "Colours of weights")]),
        Page("mask lab", menu("Learn", "Mask lab"), there=[("combo box", "Fill of blocked cells: −∞")]),
        Page("inputs of a lab", button("Inputs…")),
        Page("presentation", menu("Learn", "Presentation"), walk=False),
    ]


def write_file(path, arrays):
    with zipfile.ZipFile(path, "w") as file:
        for name, (shape, numbers) in arrays.items():
            header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
            header += b" " * (-(len(header) + 11) % 64) + b"\n"
            file.writestr(name + ".npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header +
                          struct.pack(f"<{len(numbers)}f", *numbers))


def write_arrays(folder):
    """What the dialogs of pages() are given."""
    shape = (4, 9, 9)  # of the weights of the sample with four heads
    write_file(os.path.join(folder, "theirs.npz"), {"weights": (shape, [i % 7 / 7 for i in range(4 * 9 * 9)])})
    write_file(os.path.join(folder, "mask.npz"), {"mask": (shape[1:], [float(i % 10 == 9) for i in range(9 * 9)])})
    write_file(os.path.join(folder, "unnamed.npz"),
               {name: ((5, 4), [(i * 7 + shift) % 5 - 2.0 for i in range(5 * 4)]) for shift, name in enumerate("abc")})


def write_long_head(path, length=2100, width=2):
    """Numbers of a head that the window shows as a map."""
    write_file(path, {name: ((1, 1, length, width), [((i * 7919 + shift * 131) % 1000) / 500 - 1
                                                     for i in range(length * width)])
                      for shift, name in enumerate(("query", "key", "value"))})
