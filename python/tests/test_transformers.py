"""Models of Transformers: what is recorded, and that nothing else changes."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
transformers = pytest.importorskip("transformers", reason="Transformers is not installed")

import attnlab  # noqa: E402
from conftest import MODELS  # noqa: E402
from formula import weights_of  # noqa: E402

NAMES = [case["name"] for case in json.loads((MODELS / "cases.json").read_text("utf-8"))] if MODELS.is_dir() else []
transformers.logging.set_verbosity_error()


def opened(models, name, attention="sdpa", dtype=torch.float32):
    config = transformers.AutoConfig.from_pretrained(models / name)
    kind = getattr(transformers, config.architectures[0])
    try:
        model = kind.from_pretrained(models / name, attn_implementation=attention, dtype=dtype)
    except ValueError as error:
        pytest.skip(f"{name} refuses {attention}: {str(error)[:60]}")
    return model.eval(), np.load(models / name / "expected.npz")


def inputs(models, name, expected):
    given = {key: torch.tensor(expected[key]).long().reshape(1, -1)
             for key in ("input_ids", "decoder_input_ids") if key in expected}
    if name == "bert_pair":
        given["token_type_ids"] = (torch.arange(given["input_ids"].shape[1])[None] >= 17).long()
    if not given:
        image = pytest.importorskip("PIL.Image", reason="Pillow is not installed").open(models / name / "image.png")
        processor = transformers.AutoImageProcessor.from_pretrained(models / name)
        given["pixel_values"] = processor(image, return_tensors="pt")["pixel_values"]
    return given


def logits_of(model, given):
    with torch.no_grad():
        result = model(**given)
    return result.logits if hasattr(result, "logits") else result.last_hidden_state


@pytest.mark.parametrize("attention", ["eager", "sdpa", "flash_attention_2"])
@pytest.mark.parametrize("name", NAMES)
def test_changes_no_number_and_agrees_with_the_model(models, name, attention):
    if attention.startswith("flash"):
        pytest.importorskip("flash_attn", reason="flash attention is not installed")
    model, expected = opened(models, name, attention)
    given = inputs(models, name, expected)
    registry = dict(transformers.AttentionInterface._global_mapping)
    before = logits_of(model, given)
    with attnlab.capture(model) as recorded:
        during = logits_of(model, given)
    assert torch.equal(before, during) and torch.equal(before, logits_of(model, given))
    assert transformers.AttentionInterface._global_mapping == registry and not recorded.skipped
    assert model.config._attn_implementation == attention
    names = {key.rsplit(".", 1)[0] for key in expected if key.endswith(".query")}
    assert {one.name for one in recorded.passes} == names
    for one in recorded.passes:
        for what in ("query", "key", "value"):
            numbers, golden = getattr(one, what).numpy()[0], expected[f"{one.name}.{what}"]
            golden = golden.reshape(golden.shape[-3:])
            assert numbers.shape == golden.shape
            assert np.abs(numbers - golden).max() <= 1e-5 * np.abs(golden).max()
        golden = expected[f"{one.name}.weights"]
        assert np.abs(weights_of(one)[0] - golden.reshape(golden.shape[-3:])).max() < 2e-5
        assert one.mask is None


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("name", ["gpt2", "mistral", "bert"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_padding(models, name, attention, side):
    model, expected = opened(models, name, attention)
    ids = torch.tensor(expected["input_ids"]).long().reshape(1, -1)
    kept = torch.ones(2, ids.shape[1], dtype=torch.long)
    kept[1, :3 if side == "left" else None] = 0 if side == "left" else 1
    if side == "right":
        kept[1, -3:] = 0
    with attnlab.capture(model) as recorded, torch.no_grad():
        model(ids.repeat(2, 1), attention_mask=kept)
    eager, _ = opened(models, name, "eager")
    with torch.no_grad():
        golden = eager(ids.repeat(2, 1), attention_mask=kept, output_attentions=True).attentions
    for one, weights in zip(recorded.passes, golden):
        assert one.bias is not None or one.mask.shape[2] == 1 or one.mask.shape[3] == 1
        rows = kept.bool().numpy()
        for batch in range(2):  # what a query of padding reads is no one's business
            mine = weights_of(one)[batch][:, rows[batch]]
            assert np.abs(mine - weights[batch].numpy()[:, rows[batch]]).max() < 1e-5


def test_generation(models):
    model, expected = opened(models, "gpt2")
    ids = torch.tensor(expected["input_ids"]).long().reshape(1, -1)
    with attnlab.capture(model) as recorded:
        model.generate(ids, max_new_tokens=3, do_sample=False, pad_token_id=0)
    names = [one.name for one in recorded.passes]
    assert names[:4] == ["decoder.0.self", "decoder.1.self", "decoder.2.self", "decoder.0.self@1"]
    assert recorded["decoder.0.self@2"].shape == (1, 4, 1, ids.shape[1] + 2)


def test_options(models):
    model, expected = opened(models, "llama")
    ids = torch.tensor(expected["input_ids"]).long().reshape(1, -1)

    class Words:
        @staticmethod
        def convert_ids_to_tokens(row):
            return [f"t{number}" for number in row]

    with attnlab.capture(model, layers=[1], max_tokens=5, keep=("query", "key"), tokenizer=Words) as recorded:
        logits_of(model, {"input_ids": ids})
    one = recorded["decoder.1.self"]
    assert len(recorded) == 1 and one.value is None and one.shape[2:] == (5, 5)
    whole = weights_of(one)[0]
    assert np.abs(whole - expected["decoder.1.self.weights"].reshape(-1, *expected["decoder.1.self.weights"].shape[-2:])
                  [:, :5, :5]).max() < 2e-5
    assert recorded.tokens[one.query_tokens] == [[f"t{number}" for number in ids[0].tolist()[:5]]]
    for wrong in (dict(keep=["query"]), dict(keep=["query", "key", "x"]), dict(max_tokens=0)):
        with pytest.raises(attnlab.AttnLabError), attnlab.capture(model, **wrong):
            pass


def test_bfloat16(models, tmp_path):
    model, expected = opened(models, "qwen3", dtype=torch.bfloat16)
    ids = torch.tensor(expected["input_ids"]).long().reshape(1, -1)
    with attnlab.capture(model) as recorded:
        logits_of(model, {"input_ids": ids})
    assert recorded.passes[0].query.type == "BF16"
    recorded.save(tmp_path / "run.safetensors")
    from safetensors.torch import load_file

    assert load_file(tmp_path / "run.safetensors")["decoder.0.self.query"].dtype == torch.bfloat16


def test_another_model_and_errors_leave_no_trace(models):
    model, expected = opened(models, "gpt2")
    other, _ = opened(models, "gpt2")
    given = {"input_ids": torch.tensor(expected["input_ids"]).long().reshape(1, -1)}
    registry = dict(transformers.AttentionInterface._global_mapping)
    with pytest.warns(UserWarning, match="no attention was recorded"), attnlab.capture(model) as recorded:
        logits_of(other, given)
    assert not recorded.passes
    with pytest.warns(UserWarning), pytest.raises(IndexError), attnlab.capture(model):
        model(torch.tensor([[10 ** 9]]))
    assert transformers.AttentionInterface._global_mapping == registry
    with attnlab.capture(model) as recorded:
        with attnlab.capture(other) as second:
            logits_of(model, given)
            logits_of(other, given)
        logits_of(model, given)
    assert len(recorded) == 6 and len(second) == 3


@pytest.mark.parametrize("tokens", [1024, 2048, 8192])
def test_memory_is_linear(tokens):
    config = transformers.LlamaConfig(hidden_size=64, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
                                      num_key_value_heads=2, vocab_size=50, max_position_embeddings=8192)
    model = transformers.LlamaForCausalLM._from_config(config, attn_implementation="sdpa").eval()
    with attnlab.capture(model) as recorded:
        logits_of(model, {"input_ids": torch.zeros(1, tokens, dtype=torch.long)})
    assert recorded.nbytes == 2 * tokens * (4 + 2 + 2) * 16 * 4
