import json

import numpy as np
import pytest

from attnlab import AttnLabError, load, safetensors
from attnlab.single import record

rng = np.random.default_rng(1)
q, k, v = rng.normal(size=(2, 4, 5, 3)), rng.normal(size=(2, 2, 6, 3)), rng.normal(size=(2, 2, 6, 7))


def test_comes_back(tmp_path):
    mask = rng.random((4, 5, 6)) < 0.8
    recording = record(q, k, v, mask=mask, bias=rng.normal(size=(5, 6)), scale=0.3, soft_cap=5.0, sinks=np.ones(4),
                       lse=np.zeros((2, 4, 5)), tokens=list("abcde"), key_tokens=list("abcdef"), title="T")
    recording.save(tmp_path / "a.safetensors")
    again = load(tmp_path / "a.safetensors")
    assert again.title == "T" and again.tokens == {"queries": [list("abcde")], "keys": [list("abcdef")]}
    one, other = recording.passes[0], again["attention"]
    for name in one.__dataclass_fields__:
        mine, theirs = getattr(one, name), getattr(other, name)
        if hasattr(mine, "bits"):
            assert np.array_equal(mine.bits, theirs.bits), name
        else:
            assert mine == theirs, name


def test_what_the_file_says(tmp_path):
    record(q, k, causal=True, window=4, offset=0).save(tmp_path / "a.safetensors")
    arrays, metadata = safetensors.read(tmp_path / "a.safetensors")
    assert set(arrays) == {"attention.query", "attention.key"}
    assert json.loads(metadata["attnlab.capture"])["passes"] == [
        {"name": "attention", "heads": 4, "key_value_heads": 2, "scale": 1 / 3 ** 0.5, "causal": True, "window": 4}]


def test_masks_are_written_once(tmp_path):
    recording = record(q, k, mask=rng.random((5, 6)) < 0.5)
    recording.passes.append(type(recording.passes[0])(**{**recording.passes[0].__dict__, "name": "other"}))
    recording.save(tmp_path / "a.safetensors")
    assert sorted(safetensors.read(tmp_path / "a.safetensors")[0]) == [
        "attention.key", "attention.query", "mask.0", "other.key", "other.query"]


def test_weights():
    layers = [np.ones((1, 2, 3, 3)), np.ones((1, 2, 3, 3))]
    assert [one.name for one in record(weights=layers).passes] == ["attention.0", "attention.1"]
    assert record(weights=np.ones((3, 4))).passes[0].shape == (1, 1, 3, 4)
    with pytest.raises(AttnLabError, match="weights: stand alone"):
        record(q, weights=np.ones((3, 4)))


def test_steps_of_generate():
    """A list over steps of a list over layers: the rows of each layer are joined, and later keys have the weight 0."""
    def steps_of(dtype):
        made = np.random.default_rng(3)
        return [[made.random((2, 3, rows, keys)).astype(dtype) for _ in range(2)] for rows, keys in ((4, 4), (1, 5), (1, 6))]

    for dtype in (np.float32, np.float16):
        steps = steps_of(dtype)
        passes = record(weights=tuple(tuple(step) for step in steps), name="decoder").passes
        assert [(one.name, one.shape, one.causal) for one in passes] == [
            ("decoder.0", (2, 3, 6, 6), True), ("decoder.1", (2, 3, 6, 6), True)]
        for layer, one in enumerate(passes):
            joined = one.weights.numpy()
            assert np.array_equal(joined[:, :, :4, :4], steps[0][layer]) and not joined[:, :, :4, 4:].any()
            assert np.array_equal(joined[:, :, 4:5, :5], steps[1][layer]) and not joined[:, :, 4, 5].any()
            assert np.array_equal(joined[:, :, 5:], steps[2][layer])
    cross = record(weights=[[np.ones((1, 2, 1, 5))], [np.ones((1, 2, 1, 5))]]).passes[0]
    assert cross.shape == (1, 2, 2, 5) and not cross.causal
    with pytest.raises(AttnLabError, match="expected as many in each"):
        record(weights=[[np.ones((1, 2, 1, 5))] * 2, [np.ones((1, 2, 1, 5))]])
    with pytest.raises(AttnLabError, match=r"weights\[1\]\[0\]: has the shape"):
        record(weights=[[np.ones((1, 2, 1, 5))], [np.ones((1, 3, 1, 5))]])


@pytest.mark.parametrize("arguments, words", [
    (dict(q=q), "expected q and k, or weights"),
    (dict(q=q, k=v), r"k: has the shape \(2, 2, 6, 7\), expected \(2, Hkv, S, 3\)"),
    (dict(q=q, k=k[:, :0]), "where Hkv divides 4"),
    (dict(q=q, k=k, v=v[:, :, :5]), "v: has the shape"),
    (dict(q=q, k=k, mask=np.ones((5, 6), int)), "mask: has integers"),
    (dict(q=q, k=k, mask=np.ones((6, 5), bool)), "mask: has the shape"),
    (dict(q=q, k=k, bias=np.ones((5, 6)), mask=np.full((5, 6), 0.5)), "bias is given too"),
    (dict(q=q, k=k, scale=float("inf")), "scale: is inf"),
    (dict(q=q, k=k, soft_cap=-1.0), "soft_cap: is -1.0"),
    (dict(q=q, k=k, window=-1), "window: is -1"),
    (dict(q=q, k=k, sinks=np.ones(3)), r"sinks: has the shape \(3,\), expected \(4,\), \(H\)"),
    (dict(q=q, k=k, tokens=["a"]), "tokens: has 1 labels, expected 5"),
    (dict(weights=np.ones(3)), "weights: has the shape"),
])
def test_refused(arguments, words):
    with pytest.raises(AttnLabError, match=words):
        record(**arguments)


def test_a_mask_beside_causal():
    mask = np.tril(np.ones((6, 6), bool)) & ~np.eye(6, dtype=bool)
    mask[0, 0] = True
    one = record(q[:, :, [0] * 6], k, mask=mask, causal=True, window=3).passes[0]
    assert one.causal and one.window == 3 and np.array_equal(one.mask.bits[0, 0], mask)


def test_no_capture(tmp_path):
    safetensors.write(tmp_path / "a.safetensors", {})
    with pytest.raises(AttnLabError, match="is no capture"):
        load(tmp_path / "a.safetensors")
