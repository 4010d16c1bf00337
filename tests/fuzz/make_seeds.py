#!/usr/bin/env python3
"""Writes what the fuzzers begin with, FOLDER/<fuzzer>/*, from the files that tests, samples and lessons are made of."""
import io
import json
import pathlib
import re
import struct
import sys
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those of readable_suffixes() in alphabetical order: the first byte of fuzz_file's input selects one.
SUFFIXES = sorted(suffix for file in (ROOT / "core/io/formats").glob("*.cpp")
                  for table in re.findall(r"TensorFormat \w+\[\] = \{(.*?)\};", file.read_text(), re.DOTALL)
                  for suffix in re.findall(r'\{(?:\.suffix = )?"(\w+)"', table))
TABLES = {
    "plain": "1,2\n3,4\n",
    "labels": "\ta\tb\nx\t0.5\t-1e-3\n\"y, z\"\tinf\tnan\n",
    "commas": "0,5;1,25\r\n-2;3\r\n",
    "truth": "true false\nfalse true\n",
    "quoted": '"1";"2"\n"""";"\n"\n',
}
SHARDS = {
    "two": {"metadata": {"total_size": 8}, "weight_map": {"a.weight": "model-1.safetensors", "b": "model-2.safetensors"}},
    "folder": {"weight_map": {"w": "shards/model-1.safetensors"}},
    "outside": {"weight_map": {"w": "../model.safetensors", "v": "/model.safetensors", "u": "a/../../m"}},
}
LABELS = "milk\nor \"cat\"?\n\n牛奶\n<b>x</b>\n1.5\ttab\n"


def expressions(value):
    """Every text of checks and options."""
    if isinstance(value, dict):
        for key, member in value.items():
            if key == "checks":
                yield from member
            elif key == "options":
                yield from member.values()
            else:
                yield from expressions(member)
    elif isinstance(value, list):
        for item in value:
            yield from expressions(item)


def pickle_and_storage(archive):
    """data.pkl and data/0 of an archive of torch.save, whose checksums may be zeros, which zipfile would not read."""
    parts = {}
    with zipfile.ZipFile(io.BytesIO(archive)) as members:
        for member in members.infolist():
            name = member.filename.split("/", 1)[-1]
            lengths = struct.unpack_from("<HH", archive, member.header_offset + 26)
            begin = member.header_offset + 30 + sum(lengths)
            parts[name] = archive[begin:begin + member.file_size]
    return parts["data.pkl"], parts.get("data/0", b"")


def figures(workspace):
    """A PNG, an SVG and a PDF with the settings of a workspace."""
    settings = json.dumps({"attnlab_figure": 1, "workspace": json.loads(workspace)})
    settings = settings.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026").encode()
    png = b"\x89PNG\r\n\x1a\n"
    for chunk in (b"IHDR" + struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0), b"tEXtattnlab\0" + settings, b"IEND"):
        png += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    yield "png", png
    yield "svg", b'<svg>\n<metadata id="attnlab">' + settings + b"</metadata></svg>"
    yield "pdf", b"%PDF-1.4\n<attnlab:settings>" + settings + b"</attnlab:settings>"


def tensors_of(file):
    """The names and shapes of a .safetensors file, a line for each."""
    content = file.read_bytes()
    header = json.loads(content[8:8 + struct.unpack_from("<Q", content)[0]])
    return "".join(f"{name} {' '.join(map(str, tensor['shape']))}\n" for name, tensor in header.items()
                   if name != "__metadata__")


def seeds():
    """(fuzzer, name, bytes)"""
    data = ROOT / "tests" / "data"
    files = [*data.glob("*.*"), *data.glob("refused/*"), *(ROOT / "resources" / "samples").glob("*.npz")]
    for file in files:
        suffix, content = file.suffix[1:], file.read_bytes()
        if suffix not in SUFFIXES or len(content) > 100_000:
            continue
        yield suffix, file.name, content
        yield "file", file.name, bytes([SUFFIXES.index(suffix)]) + content
        if suffix == "npz" and zipfile.is_zipfile(file):
            archive = zipfile.ZipFile(file)
            if "workspace.json" in archive.namelist():
                text = archive.read("workspace.json")
                yield "workspace", file.stem, text
                yield "json", file.stem, text
                for kind, figure in figures(text):
                    yield "figure", file.stem + "." + kind, figure
                yield "view", file.stem, json.dumps(json.loads(text).get("view", {})).encode()
    for file in data.glob("torch/**/*.pt"):
        content = file.read_bytes()
        yield "torch", file.name, content
        yield "file", file.name, bytes([SUFFIXES.index("pt")]) + content
        if zipfile.is_zipfile(file):
            pickle, storage = pickle_and_storage(content)
            yield "pickle", file.name, pickle
            yield "torch", file.name + ".parts", struct.pack("<H", len(pickle)) + pickle + storage
    for file in data.glob("tokenizers/*.json"):
        if not file.name.endswith(".expected.json"):
            yield "tokenizer", file.name, file.read_bytes()
            yield "tokenizer_growth", file.name, file.read_bytes()
    for name, parts in growing_tokenizers().items():
        yield "tokenizer_growth", name, json.dumps({**parts, "model": WORDS}).encode()
    for folder in sorted((ROOT / "resources" / "lessons").iterdir()):
        if not (folder / "scene.json").is_file():
            continue
        scene = (folder / "scene.json").read_bytes()
        yield "json", folder.name, scene
        yield "lesson", folder.name, b"\0".join([scene, (folder / "en.md").read_bytes(),
                                                 (folder / "zh_CN.md").read_bytes()])
        yield "lesson_text", folder.name, (folder / "en.md").read_bytes()
        for number, text in enumerate(expressions(json.loads(scene))):
            yield "expression", f"{folder.name}-{number}", text.encode()
    for name, text in TABLES.items():
        yield "csv", name, text.encode()
        yield "file", name + ".csv", bytes([SUFFIXES.index("csv")]) + text.encode()
    one = {"name": "p", "heads": 4, "key_value_heads": 2, "scale": 0.5, "causal": True, "window": 2, "mask": "mask.0"}
    two = {"name": "w", "heads": 1, "key_value_heads": 1, "query_tokens": "t", "key_tokens": "t"}
    for number, passes in enumerate(([one], [two], [one, two], [{**one, "soft_cap": 2.0, "offset": 2, "bias": "bias.0"}])):
        capture = {"schema": 1, "title": "t", "tokens": {"t": [["a", "b"]]}, "passes": passes}
        yield "capture", str(number), json.dumps(capture).encode()
    for file in data.glob("gguf/*.gguf"):
        yield "gguf", file.name, file.read_bytes()
    for file in data.glob("models/*/model.safetensors"):
        config = (file.parent / "config.json").read_bytes()
        yield "config", file.parent.name, config + b"\0" + tensors_of(file).encode()
    for name, index in SHARDS.items():
        yield "shard_index", name, json.dumps(index).encode()
    yield "labels", "labels", LABELS.encode()


WORDS = {"type": "WordLevel", "vocab": {"a": 0, "h": 1, "?": 2}, "unk_token": "?"}


def growing_tokenizers():
    """A tokenizer.json without its model for each way in which one can make a text, or its tokens, grow."""
    def replace(what, by, kind="String"):
        return {"type": "Replace", "pattern": {kind: what}, "content": by}
    def sequence(kind, parts, steps):
        return {kind: {"type": "Sequence", parts: steps}}
    prepend = {"type": "Prepend", "prepend": "h"}
    letters = {"type": "Split", "pattern": {"Regex": "(?=.*z)h|"}, "behavior": "Isolated", "invert": False}
    text, special = {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "s", "type_id": 0}}
    template = {"type": "TemplateProcessing", "single": [special, text] * 50, "pair": [text] * 50,
                "special_tokens": {"s": {"id": "s", "ids": [0, 1] * 50, "tokens": ["x" * 500] * 100}}}
    added = [{"id": 3, "content": "<s>", "single_word": False, "lstrip": True, "rstrip": True, "normalized": True,
              "special": True}]
    return {
        "doubling": sequence("normalizer", "normalizers", [prepend] + [replace("h", "hh")] * 12),
        "places": sequence("normalizer", "normalizers", [replace("(?=h)", "h" * 100, "Regex")] * 2),
        "forms": sequence("normalizer", "normalizers", [{"type": "NFKD"}, {"type": "ByteLevel"}] * 3),
        "between": {"normalizer": {"type": "Prepend", "prepend": "h" * 2000}, "added_tokens": added},
        "words": sequence("pre_tokenizer", "pretokenizers",
                          [letters, {"type": "FixedLength", "length": 1},
                           {"type": "Metaspace", "replacement": "_", "prepend_scheme": "always", "split": True}]),
        "template": {"post_processor": template},
        "templates": sequence("post_processor", "processors",
                              [{"type": "BertProcessing", "cls": ["a", 0], "sep": ["h", 1]}] * 9 + [template]),
        "decoders": sequence("decoder", "decoders", [replace("h", "hh"), replace("", "a", "Regex")] * 6),
    }


def main():
    folder = pathlib.Path(sys.argv[1])
    for fuzzer, name, content in seeds():
        (folder / fuzzer).mkdir(parents=True, exist_ok=True)
        (folder / fuzzer / name).write_bytes(content)


if __name__ == "__main__":
    main()
