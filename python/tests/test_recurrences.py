"""Layers that carry a state: what is recorded gives what they compute, and what cannot be recorded is named."""

import dataclasses

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import attnlab  # noqa: E402
from attnlab import recurrences  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


def matrix_of(one):
    """A with output = A V, from the definition: column by column, a value alone is fed."""
    def tensor(array):
        return None if array is None else torch.from_numpy(array.numpy().astype(np.float64))

    batch, heads, length, _ = one.shape
    columns = []
    for token in range(length):
        value = torch.zeros(batch, heads, length, 1, dtype=torch.float64)
        value[:, :, token] = 1
        call = recurrences.Call(one.mechanism, tensor(one.query), tensor(one.key), value, one.scale,
                                tensor(one.log_gate), tensor(one.beta), tensor(one.gamma))
        columns.append(call.output()[..., 0])
    return torch.stack(columns, -1).numpy()


# Functions as flash-linear-attention has them, which a model calls by these names.


def chunk_retention(q, k, v, scale=None, initial_state=None):
    gamma = 1 - 2.0 ** (-5 - torch.arange(q.shape[2]))
    apart = torch.arange(q.shape[1])[:, None] - torch.arange(q.shape[1])
    decay = torch.where(apart >= 0, gamma[:, None, None] ** apart.clamp(min=0), torch.zeros(()))
    scores = torch.einsum("blhe,bshe->bhls", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale) * decay
    return torch.einsum("bhls,bshe->blhe", scores, v), None


def fused_recurrent_gla(q, k, v, gk, scale=None):
    state, rows = torch.zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3]), []
    for token in range(q.shape[1]):
        state = state * gk[:, token].exp()[..., None] + k[:, token, :, :, None] * v[:, token, :, None]
        rows.append((state * q[:, token, ..., None]).sum(-2) * (q.shape[-1] ** -0.5))
    return torch.stack(rows, 1)


def chunk_delta_rule(q, k, v, beta, use_qk_l2norm_in_kernel=False):
    q, k = (torch.nn.functional.normalize(one, dim=-1) for one in (q, k)) if use_qk_l2norm_in_kernel else (q, k)
    state, rows = torch.zeros(q.shape[0], q.shape[2], q.shape[3], v.shape[3]), []
    for token in range(q.shape[1]):
        told = v[:, token] - (state * k[:, token, ..., None]).sum(-2)
        state = state + beta[:, token, :, None, None] * k[:, token, :, :, None] * told[:, :, None]
        rows.append((state * q[:, token, ..., None]).sum(-2) * (q.shape[-1] ** -0.5))
    return torch.stack(rows, 1), state


def parallel_retention(q, k, v):
    return 2 * chunk_retention(q, k, v)[0]  # not what its name says


class MultiScaleRetention(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.parts = torch.nn.Linear(8, 24)
        self.function = function

    def forward(self, x):
        q, k, v = (one.unflatten(-1, (2, 4)) for one in self.parts(x).chunk(3, -1))
        beta = torch.sigmoid(q.sum(-1))
        if self.function == "chunk_retention":
            return chunk_retention(q, k, v)[0]
        if self.function == "continued":
            return chunk_retention(q, k, v, initial_state=torch.zeros(1))[0]
        if self.function == "parallel_retention":
            return parallel_retention(q, k, v)
        if self.function == "fused_recurrent_gla":
            return fused_recurrent_gla(q, k, v, torch.nn.functional.logsigmoid(k))
        if self.function == "chunk_delta_rule":
            return chunk_delta_rule(q, k, v, beta, use_qk_l2norm_in_kernel=True)[0]
        return v


class Net(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        torch.manual_seed(3)
        self.layers = torch.nn.ModuleList([torch.nn.ModuleDict({"retention": MultiScaleRetention(function)})])

    def forward(self, x):
        return self.layers[0]["retention"](x)


@pytest.mark.parametrize("function, mechanism", [("chunk_retention", "retention"), ("fused_recurrent_gla", "gated_linear"),
                                                 ("chunk_delta_rule", "delta_rule")])
def test_the_record_gives_the_output(function, mechanism):
    model, x = Net(function), torch.randn(2, 7, 8)
    before = model(x)
    with attnlab.capture(model) as recorded, torch.no_grad():
        after = model(x)
    assert torch.equal(before, after) and not recorded.skipped and not recorded.remarks
    one = recorded["decoder.0.self"]
    assert one.mechanism == mechanism and one.shape == (2, 2, 7, 7)
    output = np.einsum("bhls,bhse->blhe", matrix_of(one), one.value.numpy())
    np.testing.assert_allclose(output, after.numpy(), atol=1e-5)


def test_functions_are_as_before_when_the_last_capture_ends():
    model, original = Net("chunk_retention"), chunk_retention
    with attnlab.capture(model):
        first = attnlab.capture(model)
        first.__enter__()
        assert chunk_retention is not original
    with torch.no_grad():
        model(torch.randn(1, 3, 8))
    first.__exit__(None, None, None)
    assert chunk_retention is original


def test_a_part_of_a_long_text():
    model = Net("chunk_delta_rule")
    with attnlab.capture(model, max_tokens=5) as recorded, torch.no_grad():
        model(torch.randn(1, 9, 8))
    with attnlab.capture(model) as whole, torch.no_grad():
        model(torch.randn(1, 9, 8))
    assert recorded["decoder.0.self"].shape == (1, 2, 5, 5) and whole["decoder.0.self"].shape == (1, 2, 9, 9)


def test_what_cannot_be_shown_is_named():
    for function, words in (("continued", "continues a state of an earlier call"),
                            ("none", "no attention of a kind that can be recorded")):
        model = Net(function)
        with attnlab.capture(model) as recorded, torch.no_grad():
            model(torch.randn(1, 3, 8))
        assert not recorded.passes and len(recorded.skipped) == 1
        assert "layers.0.retention" in recorded.skipped[0] and words in recorded.skipped[0]


def test_a_function_that_computes_something_else_is_remarked():
    model = Net("parallel_retention")
    with attnlab.capture(model) as recorded, torch.no_grad():
        model(torch.randn(1, 4, 8))
    assert recorded.passes[0].differs == pytest.approx(1.0) and "differs" in recorded.remarks[0]


def made(name):
    transformers = pytest.importorskip("transformers", reason="Transformers is not installed")
    sizes = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=4, num_attention_heads=4,
                 num_key_value_heads=2, head_dim=8)
    if name == "qwen3_next":
        sizes |= dict(linear_num_key_heads=2, linear_num_value_heads=4, linear_key_head_dim=8, linear_value_head_dim=6,
                      num_experts=2, num_experts_per_tok=1, moe_intermediate_size=16, shared_expert_intermediate_size=16)
    elif name == "kimi_linear":
        sizes |= dict(linear_num_heads=4, linear_head_dim=8, kv_lora_rank=8, qk_nope_head_dim=8, qk_rope_head_dim=4,
                      v_head_dim=8, num_local_experts=2, num_experts_per_tok=1, moe_intermediate_size=16,
                      num_key_value_heads=4, num_hidden_layers=5, pad_token_id=0, bos_token_id=1, eos_token_id=2)
    if name not in transformers.CONFIG_MAPPING:
        pytest.skip(f"this version of Transformers has no {name}")
    kind = transformers.CONFIG_MAPPING[name]
    known = set(kind().to_dict())
    torch.manual_seed(1)
    try:
        return transformers.AutoModelForCausalLM.from_config(kind(**{key: value for key, value in sizes.items()
                                                                     if key in known})).eval()
    except Exception as error:
        pytest.skip(f"{name} cannot be made small: {error}")


@pytest.mark.parametrize("name", ["qwen3_next", "kimi_linear"])
def test_models_of_transformers(name, tmp_path):
    model, ids = made(name), torch.randint(0, 64, (2, 11))
    with torch.no_grad():
        before = model(ids).logits
    seen = {}
    kinds = {kind for kind in (type(one) for one in model.modules()) if recurrences_in(kind)}
    assert kinds, "no layer carries a state"
    with attnlab.capture(model) as recorded, torch.no_grad():
        after = model(ids).logits
    assert torch.equal(before, after) and not recorded.skipped and not recorded.remarks, recorded.skipped
    assert len(recorded) == model.config.num_hidden_layers
    carried = [one for one in recorded.passes if one.mechanism]
    assert len(carried) == sum(type(one) in kinds for one in model.modules())
    for one in carried:
        assert one.mechanism == "gated_delta" and len(one.log_gate.shape) == (4 if name == "kimi_linear" else 3)
        output = np.einsum("bhls,bhse->bhle", matrix_of(one), one.value.numpy())
        seen[one.name] = np.abs(output).max()
    assert all(size > 0 for size in seen.values())
    recorded.save(tmp_path / "a.safetensors")
    read = attnlab.load(tmp_path / "a.safetensors")
    assert [one.mechanism for one in read.passes] == [one.mechanism for one in recorded.passes]
    np.testing.assert_array_equal(read[carried[0].name].beta.bits, carried[0].beta.bits)


def recurrences_in(kind):
    import sys

    return any(recurrences.kind_of(name) for name in vars(sys.modules[kind.__module__])) and \
        kind.__name__.endswith(("DeltaNet", "DeltaAttention"))


def test_steps_of_a_generation_are_named():
    model = made("qwen3_next")
    with attnlab.capture(model) as recorded, torch.no_grad():
        model.generate(torch.randint(0, 64, (1, 5)), max_new_tokens=3, do_sample=False)
    assert recorded["decoder.0.self"].mechanism == "gated_delta"
    assert any("continues a state of an earlier call" in line for line in recorded.skipped)


@pytest.mark.parametrize("change, words", [
    (dict(log_gate=None), "log_gate"), (dict(mechanism="none"), "mechanism is 'none'"), (dict(window=3), "has no mask"),
    (dict(mechanism=None), "is of no use"), (dict(beta="short"), "beta")])
def test_wrong_files_are_refused(change, words, tmp_path):
    def array(*shape):
        return attnlab.arrays.as_array(np.ones(shape, np.float32), "one")

    one = attnlab.recording.Pass("decoder.0.self", array(1, 2, 3, 4), array(1, 2, 3, 4), array(1, 2, 3, 4), causal=True,
                                 mechanism="gated_delta", beta=array(1, 2, 3), log_gate=array(1, 2, 3))
    if change.get("beta") == "short":
        change = dict(beta=array(1, 2, 2))
    attnlab.recording.Recording([dataclasses.replace(one, **change)]).save(tmp_path / "a.safetensors")
    with pytest.raises(attnlab.AttnLabError, match=words):
        attnlab.load(tmp_path / "a.safetensors")
