"""Attention functions that do not do all that they are asked: the record is what they computed."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
transformers = pytest.importorskip("transformers", reason="Transformers is not installed")
masking = pytest.importorskip("transformers.masking_utils", reason="this version of Transformers registers no masks")

import attnlab  # noqa: E402
from formula import weights_of  # noqa: E402
from torch.nn import functional  # noqa: E402
from transformers import AttentionInterface, AttentionMaskInterface  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
IDS = torch.tensor([[3, 17, 9, 40, 33, 5, 21, 8]])
SIZES = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, head_dim=8)
KINDS = {
    "llama": lambda: transformers.LlamaConfig(**SIZES),
    "mistral": lambda: transformers.MistralConfig(**SIZES, sliding_window=3),
    "gemma2": lambda: transformers.Gemma2Config(**SIZES, attn_logit_softcapping=1.0, query_pre_attn_scalar=1),
    "gpt_oss": lambda: transformers.GptOssConfig(**SIZES, num_local_experts=2, num_experts_per_tok=1),
    "t5": lambda: transformers.T5Config(vocab_size=64, d_model=32, d_ff=48, d_kv=8, num_layers=2, num_heads=4,
                                        decoder_start_token_id=0),
}


def plain(q, k, v, mask, scaling):
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = q @ k.transpose(2, 3) * scaling
    scores = scores if mask is None else scores + mask[..., :k.shape[2]]
    return (scores.softmax(-1) @ v).transpose(1, 2).contiguous()


def written(module, query, key, value, attention_mask, scaling=None, **kwargs):
    return plain(query, key, value, attention_mask, scaling), None


def kernel(module, query, key, value, attention_mask, scaling=None, **kwargs):
    """Nothing is seen inside."""
    with torch._C.DisableTorchFunction():
        return plain(query, key, value, attention_mask, scaling), None


def unmasked(module, query, key, value, attention_mask, scaling=None, **kwargs):
    return kernel(module, query, key, value, None, scaling)


def calling_sdpa(module, *args, **kwargs):
    return transformers.integrations.sdpa_attention.sdpa_attention_forward(module, *args, **kwargs)


def documents(query, key, value, position_ids, scaling):
    ends = [at for at, place in enumerate(position_ids[0].tolist()) if place == 0] + [query.shape[2]]
    key, value = (x.repeat_interleave(query.shape[1] // x.shape[1], 1) for x in (key, value))
    parts = [functional.scaled_dot_product_attention(*(x[:, :, a:b] for x in (query, key, value)), is_causal=True,
                                                     scale=scaling) for a, b in zip(ends, ends[1:])]
    return torch.cat(parts, 2).transpose(1, 2).contiguous(), None


def packed(module, query, key, value, attention_mask, scaling=None, position_ids=None, **kwargs):
    return documents(query, key, value, position_ids, scaling)


def not_packed(module, query, key, value, attention_mask, scaling=None, position_ids=None, **kwargs):
    return documents(query, key, value, torch.arange(query.shape[2])[None], scaling)


@pytest.fixture(autouse=True)
def registry():
    before = dict(AttentionInterface._global_mapping), dict(AttentionMaskInterface._global_mapping)
    yield
    for one, held in zip((AttentionInterface, AttentionMaskInterface), before):
        one._global_mapping.clear()
        one._global_mapping.update(held)


def run(kind, function, mask, name="own", training=False, **given):
    """The capture, and the outputs of each call."""
    outputs = []

    def watching(module, query, key, value, *args, **kwargs):
        result = function(module, query, key, value, *args, **kwargs)
        outputs.append(result[0].detach().clone())
        return result

    torch.manual_seed(1)
    config = KINDS[kind]()
    model = transformers.AutoModel.from_config(config, attn_implementation="eager").train(training)
    for one in model.parameters():
        torch.nn.init.normal_(one, std=0.3)
    AttentionInterface.register(name, watching)
    if mask is not None:
        AttentionMaskInterface.register(name, mask)
    for module in model.modules():
        if hasattr(module, "config"):
            module.config._attn_implementation = name
    with attnlab.capture(model) as recorded, torch.no_grad():
        model(IDS, **given)
    return recorded, outputs


def agrees(recorded, outputs):
    assert len(recorded) == len(outputs) > 0 and not recorded.skipped
    for one, output in zip(recorded.passes, outputs):
        weights = weights_of(one)
        value = np.repeat(one.value.numpy(), weights.shape[1] // one.value.shape[1], axis=1)
        made = (weights @ value).transpose(0, 2, 1, 3)
        if np.abs(made - output.numpy()).max() > 1e-4 * np.abs(output.numpy()).max():
            return False
    return True


@pytest.mark.parametrize("kind", ["llama", "mistral"])
@pytest.mark.parametrize("function, mask", [
    (calling_sdpa, masking.sdpa_mask), (written, masking.eager_mask), (kernel, masking.eager_mask)])
def test_own_functions(kind, function, mask):
    recorded, outputs = run(kind, function, mask)
    assert agrees(recorded, outputs) and not recorded.remarks
    assert all(one.causal and one.mask is None and one.bias is None and one.key.shape[1] == 2 for one in recorded.passes)


def unscaled(module, query, key, value, attention_mask, scaling=None, **kwargs):
    return written(module, query, key, value, attention_mask, scaling=1.0, **kwargs)


@pytest.mark.parametrize("mask", [masking.eager_mask, None])
def test_a_scale_that_is_not_applied(mask):
    recorded, outputs = run("llama", unscaled, mask)
    assert agrees(recorded, outputs) and all(one.ignored == ("scale",) and one.scale == 1 for one in recorded.passes)
    assert recorded.passes[0].remark == "the function ignored the scale; recorded as computed"


@pytest.mark.parametrize("kind, ignored", [("gemma2", "soft_cap"), ("gpt_oss", "sinks")])
@pytest.mark.parametrize("function", [written, kernel])
def test_what_a_function_drops(kind, ignored, function):
    recorded, outputs = run(kind, function, masking.eager_mask)
    assert agrees(recorded, outputs)
    for one in recorded.passes:
        assert one.ignored == (ignored,) and one.differs is None and one.soft_cap is None and one.sinks is None
        assert one.remark.startswith("the function ignored the s") and one.remark.endswith("recorded as computed")


@pytest.mark.parametrize("kind", ["llama", "mistral"])
def test_a_function_that_drops_the_mask(kind):
    recorded, outputs = run(kind, unmasked, masking.eager_mask)
    assert agrees(recorded, outputs)
    assert all("mask" in one.ignored or "causal" in one.ignored for one in recorded.passes)


PACKED = torch.tensor([[0, 1, 2, 0, 1, 2, 3, 4]])
LENGTHS = dict(cu_seq_lens_q=torch.tensor([0, 3, 8]), cu_seq_lens_k=torch.tensor([0, 3, 8]), max_length_q=5, max_length_k=5)


@pytest.mark.parametrize("more", [{}, LENGTHS])
def test_documents_in_one_sequence(more):
    recorded, outputs = run("llama", packed, None, "flash_attention_2", position_ids=PACKED, **more)
    assert agrees(recorded, outputs) and not recorded.remarks
    assert weights_of(recorded.passes[0])[0, 0, 4].nonzero()[0].tolist() == [3, 4]
    assert recorded.passes[0].mask is recorded.passes[1].mask  # written once


def test_documents_that_a_function_does_not_keep_apart():
    recorded, outputs = run("llama", not_packed, None, "flash_attention_2", position_ids=PACKED)
    assert agrees(recorded, outputs) and all(one.ignored == ("documents",) for one in recorded.passes)


def test_what_nothing_explains_is_marked(tmp_path):
    def scaled(*args, **kwargs):
        return 1.3 * kernel(*args, **kwargs)[0], None

    with pytest.warns(UserWarning, match="differs from its record"):
        recorded, outputs = run("llama", scaled, masking.eager_mask)
    assert not agrees(recorded, outputs)
    recorded.save(tmp_path / "a.safetensors")
    for one in attnlab.load(tmp_path / "a.safetensors").passes:
        assert abs(one.differs - 0.3 / 1.3) < 1e-3 and one.likely == ()


def test_numbers_that_are_not_finite():
    recorded, _ = run("llama", lambda *args, **kwargs: (torch.nan * kernel(*args, **kwargs)[0], None), masking.eager_mask)
    assert recorded.passes[0].likely == ("not_finite",)


@pytest.mark.parametrize("name", ["sdpa", "eager"])
def test_dropout_is_named(name):
    model = transformers.LlamaModel._from_config(KINDS["llama"](), attn_implementation=name).train()
    for module in model.modules():
        if hasattr(module, "attention_dropout"):
            module.attention_dropout = 0.5
    with attnlab.capture(model) as recorded:
        model(IDS)
    assert all(one.likely == ("dropout",) and one.causal for one in recorded.passes)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("name", ["sdpa", "eager"])
@pytest.mark.parametrize("kind", ["llama", "mistral", "gpt_oss"])
def test_half_precision_is_no_difference(dtype, name, kind):
    if kind == "gpt_oss" and name == "sdpa":
        pytest.skip("sinks are not for sdpa")
    torch.manual_seed(1)
    model = transformers.AutoModel.from_config(KINDS[kind](), attn_implementation=name).eval()
    for one in model.parameters():
        torch.nn.init.normal_(one, std=0.3)
    with attnlab.capture(model.to(dtype)) as recorded, torch.no_grad():
        model(IDS)
    assert len(recorded) == 2 and not recorded.remarks


@pytest.mark.usefixtures("attnlab_program")
def test_the_program_names_a_mark(tmp_path):
    from attnlab.program import run as program

    recorded, _ = run("gemma2", written, masking.eager_mask)
    recorded.save(tmp_path / "a.safetensors")
    said = program(["info", str(tmp_path / "a.safetensors"), "--pass", "decoder.0.self"])
    assert "ignored: the soft cap" in said.stdout + said.stderr


def test_attention_that_is_imported_by_name():
    from torch.nn.functional import scaled_dot_product_attention

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.mha = torch.nn.MultiheadAttention(8, 2, batch_first=True)

        def forward(self, x):
            return scaled_dot_product_attention(x[None], x[None], self.mha(x, x, x)[0][None])

    model = Model()
    with attnlab.capture(model) as recorded:
        model(torch.randn(1, 3, 8))
    assert len(recorded) == 2 and not recorded.skipped and not recorded.remarks
