"""What the program computes from the arrays of Python."""

import json

import numpy as np
import pytest

import attnlab
from attnlab.program import run
from attnlab.single import record
from formula import weights_of

pytestmark = pytest.mark.usefixtures("attnlab_program")
rng = np.random.default_rng(1)
q, k, v = rng.normal(size=(2, 4, 5, 3)), rng.normal(size=(2, 2, 5, 3)), rng.normal(size=(2, 2, 5, 7))
KEPT = rng.random((5, 5)) < 0.7
KEPT[:, 0] = True


@pytest.mark.parametrize("options", [
    {}, dict(causal=True), dict(causal=True, window=2), dict(window=2), dict(mask=KEPT),
    dict(mask=rng.normal(size=(5, 5))),
    dict(mask=KEPT, causal=True, sinks=np.arange(4.0)), dict(scale=0.2, soft_cap=1.5), dict(sinks=np.arange(4.0))],
    ids=lambda options: "-".join(options) or "plain")
def test_a_recording_is_an_input(tmp_path, options):
    recording = record(q, k, v, tokens=list("abcde"), **options)
    recording.save(tmp_path / "a.safetensors")
    out = tmp_path / "weights.npy"
    run(["compute", str(tmp_path / "a.safetensors"), "--stage", "weights", "--out", str(out)])
    assert np.abs(np.load(out)[..., :5] - weights_of(recording.passes[0])).max() < 1e-6
    described = json.loads(run(["info", str(tmp_path / "a.safetensors"), "--json"]).stdout)
    assert described["variant"] == "scaled_dot_product" and "missing" not in described


def test_passes(tmp_path):
    recording = attnlab.Recording([record(q, k, v, name="decoder.0.self").passes[0],
                                   record(q * 2, k, v, name="decoder.1.self").passes[0]])
    path, out = str(tmp_path / "a.safetensors"), str(tmp_path / "map.npy")
    recording.save(path)
    with pytest.raises(attnlab.ProgramError, match="holds 2 passes, of which --pass chooses one"):
        run(["map", path, "--out", out])
    run(["map", path, "--pass", "decoder.1.self", "--batch", "1", "--head", "3", "--bins", "5x5", "--out", out])
    assert np.abs(np.load(out) - weights_of(recording.passes[1])[1, 3]).max() < 1e-6
    drawn = run(["render", path, "--pass", "decoder.0.self", "--stage", "weights", "--out", str(tmp_path / "a.svg")])
    assert "not used" not in drawn.stderr  # the other pass is no mistake
    assert "another pass" in run(["info", path, "--pass", "decoder.0.self"]).stdout
    assert (tmp_path / "a.svg").stat().st_size > 1000
    with pytest.raises(attnlab.ProgramError, match="pass: 'x' is not in"):
        run(["map", path, "--pass", "x", "--out", out])


def test_weights(tmp_path):
    weights = weights_of(record(q, k).passes[0])
    record(weights=weights).save(tmp_path / "a.safetensors")
    run(["compute", str(tmp_path / "a.safetensors"), "--stage", "weights", "--out", str(tmp_path / "w.npy")])
    assert np.array_equal(np.load(tmp_path / "w.npy"), weights)


def test_compute():
    result = attnlab.compute(q, k, v, scale="none", mask=KEPT)
    expected = weights_of(record(q, k, v, mask=KEPT, scale=1.0).passes[0])
    assert np.abs(result["weights"] - expected).max() < 1e-12
    assert np.abs(result.output - expected @ v.repeat(2, axis=1)).max() < 1e-12
    assert "scores" in result and set(result) == set(result.keys())
    with pytest.raises(KeyError, match="none of the stages"):
        result["nothing"]
    with pytest.raises(AttributeError):
        result.nothing
    x = rng.normal(size=(1, 5, 8))
    layer = {name: rng.normal(size=(8, 8)) for name in ("w_q", "w_k", "w_v", "w_o")}
    heads = attnlab.compute(x=x, variant="multi_head", settings={"num_heads": 2}, stage="weights", **layer)
    assert heads["weights"].shape == (1, 2, 5, 5)
    causal = attnlab.compute(q, k, v, causal=True, masks=["window:2"], statistics=True)
    assert np.abs(causal["weights"] - weights_of(record(q, k, v, causal=True, window=2).passes[0])).max() < 1e-12
    with pytest.raises(attnlab.ProgramError, match="variant"):
        attnlab.compute(q, k, v, variant="nothing")
    with pytest.raises(attnlab.AttnLabError, match="expected q, k and v"):
        attnlab.compute()


def test_compute_takes_one_head_with_labels_and_a_soft_cap():
    x = rng.normal(size=(6, 4))
    words = ["a b", "", "=c", "我", "e", "f"]
    result = attnlab.compute(x, x, x, soft_cap=5.0, tokens=words, window=2)
    scores = 5 * np.tanh(x @ x.T / 2 / 5)
    scores[np.abs(np.subtract.outer(np.arange(6), np.arange(6))) >= 2] = -np.inf
    expected = np.exp(scores) / np.exp(scores).sum(1, keepdims=True)
    assert np.abs(result.weights[0, 0] - expected).max() < 1e-12
    figure = attnlab.render(result)
    assert all(word in figure.to_svg() and word in figure.to_html() for word in words)


@pytest.mark.parametrize("options, says", [
    (dict(tokens=["a"]), "tokens: has 1 labels, expected 5"),
    (dict(key_tokens=[["a"] * 5] * 2), "key_tokens: has labels of 2 sequences"),
    (dict(soft_cap=-1), "soft_cap: is -1, expected a number above 0"),
    (dict(soft_cap=3, scale="none"), "soft_cap: is 3, and scale is 'none'")])
def test_compute_refuses_labels_and_caps(options, says):
    with pytest.raises(attnlab.AttnLabError, match=says):
        attnlab.compute(q, k, v, **options)


def test_compute_takes_a_number_as_scale():
    expected = weights_of(record(q, k, v, scale=0.3).passes[0])
    assert np.abs(attnlab.compute(q, k, v, scale=0.3)["weights"] - expected).max() < 1e-12


@pytest.mark.parametrize("name, value, says", [
    ("is_causal", True, "is_causal: is not used, .*causal=True"), ("dropout_p", 0.5, "dropout_p: is not used"),
    ("context", np.ones((2, 5, 3)), "context: is not used"), ("foo", q, "foo: is not used"),
    ("attn_mask", KEPT, "attn_mask: is bool, whose True keeps for .* and blocks for"),
    ("foo", np.ma.masked_less(q, 0), "foo: is a masked array")])
def test_compute_refuses_what_it_does_not_use(name, value, says):
    with pytest.raises(attnlab.AttnLabError, match=says):
        attnlab.compute(q, k, v, **{name: value})


def test_compute_takes_inputs_by_their_names():
    added = rng.normal(size=(5, 5))
    expected = weights_of(record(q, k, v, mask=added).passes[0])
    assert np.abs(attnlab.compute(q, k, v, attn_mask=added)["weights"] - expected).max() < 1e-12


def test_compare():
    exact = weights_of(record(q, k, v, causal=True).passes[0])
    output = exact @ v.repeat(2, axis=1)
    right = attnlab.compare(mine=output, q=q, k=k, v=v, causal=True)
    assert right and right.report["beyond_tolerance"] == 0
    uncausal = weights_of(record(q, k, v).passes[0]) @ v.repeat(2, axis=1)
    wrong = attnlab.compare(mine=uncausal, q=q, k=k, v=v, causal=True)
    assert not wrong and wrong.largest["index"] and "tolerance" in str(wrong)
    unscaled = weights_of(record(q, k, v, scale=1.0).passes[0])
    found = attnlab.compare(weights=unscaled, q=q, k=k, v=v)
    assert not found and any("scale" in text for text in found.likely_mistakes)
    assert attnlab.compare(mine=output.astype("f4"), q=q, k=k, v=v, causal=True, tolerance=1e-5)
    assert attnlab.compare(weights=exact, q=q, k=k, causal=True)
    with pytest.raises(attnlab.AttnLabError, match="expected one of mine, weights and lse"):
        attnlab.compare(q=q, k=k, v=v)
    with pytest.raises(attnlab.AttnLabError, match="scale: is 'none', expected a number"):
        attnlab.compare(mine=output, q=q, k=k, v=v, scale="none")
    with pytest.raises(TypeError, match=r"compare\(\) .* 'key_padding_mask'"):
        attnlab.compare(mine=output, q=q, k=k, v=v, key_padding_mask=KEPT)
