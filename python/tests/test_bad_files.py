"""Files and arguments that are wrong: each is an AttnLabError that says so, and never another exception."""

import copy
import json
import random
import struct

import numpy as np
import pytest

import attnlab
from attnlab import AttnLabError, load, safetensors
from attnlab.arrays import as_array
from attnlab.single import record

rng = np.random.default_rng(1)
q, k, v = rng.normal(size=(1, 2, 3, 4)), rng.normal(size=(1, 1, 5, 4)), rng.normal(size=(1, 1, 5, 2))


def write(path, header, body):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    return path


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The parts of a capture that has everything: header, description, bytes."""
    path = tmp_path_factory.mktemp("good") / "a.safetensors"
    recording = record(q, k, v, mask=rng.random((3, 5)) < 0.8, bias=rng.normal(size=(3, 5)), scale=0.3, soft_cap=5.0,
                       sinks=np.ones(2), lse=np.zeros((1, 2, 3)), tokens=list("abc"), key_tokens=list("abcde"), title="T")
    recording.passes[0].ignored, recording.passes[0].likely = ("sinks",), ("dropout", "mask")
    recording.passes[0].differs = 0.5
    recording.save(path)
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + length])
    return header, json.loads(header["__metadata__"]["attnlab.capture"]), data[8 + length:]


def refused(path, words=None):
    try:
        load(path)
    except AttnLabError as error:
        assert words is None or words in str(error), str(error)
        assert len(str(error)) < 1000
        return True
    return False


def with_description(tmp_path, good, description):
    header = copy.deepcopy(good[0])
    header["__metadata__"]["attnlab.capture"] = (
        description if isinstance(description, str) else json.dumps(description))
    return write(tmp_path / "a.safetensors", header, good[2])


def test_the_good_one_is_read(tmp_path, good):
    one = load(write(tmp_path / "a.safetensors", good[0], good[2])).passes[0]
    assert one.ignored == ("sinks",) and one.likely == ("dropout", "mask") and one.differs == 0.5
    assert one.remark.startswith("the function ignored the sinks; recorded as computed; differs from the output")


WRONG = [None, True, -1, 0.5, 1e400, 10 ** 30, "", "x", [], [[]], [1], ["x"], {}, {"x": 1}]


def places(value, path=()):
    """The path of every value within."""
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


def replaced(value, path, new):
    if not path:
        return new
    value = copy.copy(value)
    value[path[0]] = replaced(value[path[0]], path[1:], new)
    return value


def test_wrong_values_at_every_place_of_the_description(tmp_path, good):
    read = []
    for path in places(good[1]):
        for wrong in WRONG:
            changed = replaced(good[1], path, wrong)
            if not refused(with_description(tmp_path, good, changed)):
                read.append((path, wrong))
    # What remains is right as well.
    free = {"made_by", "title", "scale", "soft_cap", "causal", "offset", "window", "differs", "likely", "ignored", "tokens"}
    assert all(set(path) & free for path, _ in read), read


def test_wrong_values_at_every_place_of_the_header(tmp_path, good):
    for path in places(good[0]):
        if path[:1] == ("__metadata__",) and len(path) > 1:
            continue
        for wrong in WRONG:
            if replaced(good[0], path, wrong) != good[0]:
                assert refused(write(tmp_path / "a.safetensors", replaced(good[0], path, wrong), good[2])), (path, wrong)


def test_missing_keys(tmp_path, good):
    for path in places(good[1]):
        if path and isinstance(path[-1], str):
            changed = copy.deepcopy(good[1])
            inner = changed
            for key in path[:-1]:
                inner = inner[key]
            del inner[path[-1]]
            refused(with_description(tmp_path, good, changed))
    for name in list(good[0]):
        header = {key: value for key, value in good[0].items() if key != name}
        assert refused(write(tmp_path / "a.safetensors", header, good[2])), name


@pytest.mark.parametrize("description, words", [
    ("[]", "expected an object"), ("{", "is no JSON"), ("[" * 200_000, "nested too deeply"),
    ('{"schema": 1}', "passes is None"), ('{"schema": 2, "passes": []}', "has the schema 2, expected 1"),
    ('{"schema": 1, "passes": [[]]}', "passes[0]: is []"), ('{"schema": 1, "passes": [{}]}', "name is missing"),
    ('{"schema": 1, "schema": 1}', "there twice"), ('{"schema": NaN}', "NaN is not a number"),
    ('{"schema": ' + "1" * 5000 + "}", "is no JSON"),
    ('{"schema": 1, "passes": [{"name": "attention", "heads": 2, "key_value_heads": 1, "new": 1}]}', "'new' is unknown"),
    ('{"schema": 1, "passes": [{"name": "attention", "heads": 3, "key_value_heads": 1}]}', "expected (B, H = 3"),
    ('{"schema": 1, "passes": [{"name": "other", "heads": 2, "key_value_heads": 1}]}', "'other.query' is missing"),
    ('{"schema": 1, "passes": [{"name": "attention", "heads": 2, "key_value_heads": 1, "mask": "m"}]}', "not an array"),
])
def test_descriptions(tmp_path, good, description, words):
    assert refused(with_description(tmp_path, good, description), words)


@pytest.mark.parametrize("entries, body, words", [
    ({"a": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}}, 4, "data_offsets is [-4, 0]"),
    ({"a": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}, 8, "begins at byte 4, expected 0"),
    ({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "b": {"dtype": "F32", "shape": [1],
                                                                         "data_offsets": [0, 4]}}, 4, "expected 4"),
    ({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}, 4, "has 4 bytes, expected 8"),
    ({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, 4, "cut short"),
    ({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, 8, "4 bytes behind"),
    ({"a": {"dtype": "F8", "shape": [1], "data_offsets": [0, 4]}}, 4, "has the type 'F8'"),
    ({"a": {"dtype": "F32", "shape": [1] * 40, "data_offsets": [0, 4]}}, 4, "at most 32 sizes"),
    ({"a": {"dtype": "F32", "shape": [2 ** 62, 2 ** 62, 0], "data_offsets": [0, 0]}}, 0, "fit memory"),
    ({"a": {"dtype": "F32", "shape": [1]}}, 4, "expected dtype, shape and data_offsets"),
    ({"__metadata__": {"a": 1}}, 0, "expected names and texts"), ([], 0, "expected an object"),
    (b"[" * 200_000, 0, "nested too deeply"), (b"\xff\xfe{}", 0, "is no JSON"), (b'{"a": 1, "a": 2}', 0, "twice"),
])
def test_headers(tmp_path, entries, body, words):
    with pytest.raises(AttnLabError) as error:
        safetensors.read(write(tmp_path / "a.safetensors", entries, b"\0" * body))
    assert words is None or words in str(error.value)


def test_random_damage(tmp_path, good):
    whole = write(tmp_path / "a.safetensors", good[0], good[2]).read_bytes()
    chance = random.Random(1)
    for length in [*range(0, len(whole), 23), len(whole) - 1]:
        (tmp_path / "b.safetensors").write_bytes(whole[:length])
        assert refused(tmp_path / "b.safetensors")
    for _ in range(500):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(whole) - len(good[2]))] = chance.randrange(256)
        (tmp_path / "b.safetensors").write_bytes(damaged)
        refused(tmp_path / "b.safetensors")
    for _ in range(100):
        (tmp_path / "b.safetensors").write_bytes(chance.randbytes(chance.randrange(100)))
        assert refused(tmp_path / "b.safetensors")


@pytest.mark.parametrize("call, words", [
    (lambda path: record(q, k, tokens=["a", "b", "\ud800"]).save(path), "tokens: label 2: is"),
    (lambda path: record(q, k, key_tokens=[["a"] * 4 + ["\udfff"]]).save(path), "key_tokens: label 4: is"),
    (lambda path: record(q, k, tokens=3), "tokens: is a int"),
    (lambda path: record(q, k, title="\ud800").save(path), "title: is"),
    (lambda path: record(q, k, title=3).save(path), "title: is 3, expected text"),
    (lambda path: record(q, k, name="\ud800").save(path), "half of a surrogate pair"),
    (lambda path: record(q, k, window="a"), "window: is 'a'"),
    (lambda path: record([[1.0], [1.0, 2.0]], k), "q: this list cannot be read"),
    (lambda path: safetensors.write(path, {"__metadata__": as_array(q)}), "__metadata__: is what safetensors calls"),
    (lambda path: safetensors.write(path, {"\ud800": as_array(q)}), "the name of an array: is"),
])
def test_arguments(tmp_path, call, words):
    with pytest.raises(AttnLabError) as error:
        call(tmp_path / "a.safetensors")
    assert words in str(error.value) and not list(tmp_path.iterdir())


@pytest.mark.usefixtures("attnlab_program")
@pytest.mark.parametrize("options, words", [
    (dict(settings={"a": "\0"}), "NUL"), (dict(settings={"a": "\ud800"}), "surrogate"), (dict(masks="\0"), "NUL"),
    (dict(variant="\ud800"), "surrogate"), (dict(__metadata__=q), "__metadata__"), (dict(masks=3), "masks: is 3"),
    (dict(settings=3), "settings: is 3"),
])
def test_options_of_compute(options, words):
    with pytest.raises(AttnLabError, match=words):
        attnlab.compute(q, k, v, **options)


def test_tensors_without_numbers():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    nested = torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)])
    for tensor, words in [(torch.ones(2, device="meta"), "q: is a meta tensor"), (nested, "q: is a nested tensor"),
                          (torch.ones(2, 2).to_sparse(), "q: is a sparse tensor"),
                          (torch.ones(2, 2).to_sparse_csr(), "q: is a sparse tensor"),
                          (torch.quantize_per_tensor(torch.ones(2), 1.0, 0, torch.qint8), "q: is a quantized tensor"),
                          (torch.ones(2, dtype=torch.complex64), "q: has the type complex64"),
                          (torch.ones(2).to(torch.float8_e4m3fn), "q: has the type float8_e4m3fn")]:
        with pytest.raises(AttnLabError, match=words):
            as_array(tensor, "q")
    with pytest.raises(AttnLabError, match="query: is a meta tensor"):
        attnlab.compute(torch.ones(1, 1, 2, 2, device="meta"), k, v)
