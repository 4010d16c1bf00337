"""Every kind of model of Transformers that can be made small: what is seen of its attention, beside what it returns."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
transformers = pytest.importorskip("transformers", reason="Transformers is not installed")

import attnlab  # noqa: E402
from formula import weights_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
transformers.logging.set_verbosity_error()

SIZES = {
    32: "hidden_size d_model n_embd emb_dim dim embed_dim embedding_size",
    2: "num_hidden_layers n_layer n_layers num_layers encoder_layers decoder_layers num_key_value_heads num_experts "
       "num_local_experts num_feat_extract_layers num_conv_pos_embedding_groups",
    4: "num_attention_heads n_head n_heads num_heads encoder_attention_heads decoder_attention_heads patch_size "
       "attention_window",
    48: "intermediate_size d_ff ffn_dim encoder_ffn_dim decoder_ffn_dim hidden_dim n_inner",
    64: "vocab_size max_position_embeddings n_positions max_seq_len n_ctx",
    16: "image_size num_mel_bins q_lora_rank position_buckets",
    8: "head_dim d_kv kv_lora_rank qk_rope_head_dim qk_nope_head_dim v_head_dim rotary_dim num_conv_pos_embeddings",
    1: "num_experts_per_tok decoder_start_token_id", 0: "pad_token_id",
}
SMALL = {name: size for size, names in SIZES.items() for name in names.split()}
SMALL.update(attention_types=[[["global", "local"], 1]], conv_dim=[16, 16], conv_stride=[2, 2], conv_kernel=[3, 3],
             attention_type="original_full")
# What the model returns under the name of attentions, where it is not what its output is made with.
NOT_WEIGHTS = {"squeezebert": "scores", "wavlm": "means over the heads", "granite_swa": "before the sinks",
               "granitemoe_swa": "before the sinks", "cpmant": "without the prompt", "pegasus_x": "parts of blocks",
               "prophetnet": "of one of its streams",
               "longformer": "by distance, tested below", "led": "by distance, tested below"}
# Attention that is none of a query and keys, or whose weights the model never has as a whole.
NAMED = {"yoso", "minimax", "mra", "rwkv"}
# Seen by no earlier version, as they do not ask Transformers' interface.
WRITTEN_OUT = ["bloom", "mpt", "falcon", "gpt_neo", "openai-gpt", "xglm", "deberta", "deberta-v2", "mpnet", "megatron-bert",
               "roformer", "squeezebert", "convbert", "big_bird", "wavlm", "xlm", "rembert", "xlnet", "longt5"]


def made(name, **more):
    """A model of random numbers, and its inputs."""
    try:
        kind = transformers.CONFIG_MAPPING[name]
        known = set(kind().to_dict()) | set(getattr(kind, "attribute_map", {}))
        config = kind(**{key: value for key, value in {**SMALL, **more}.items() if key in known})
        if max(getattr(config, key, 0) or 0 for key in ("hidden_size", "num_hidden_layers")) > 64:
            pytest.skip(f"{name} stays large")
        with torch.device("meta"):
            count = sum(one.numel() for one in transformers.AutoModel.from_config(config).parameters())
        if count > 3_000_000:
            pytest.skip(f"{name} stays large")
        model = transformers.AutoModel.from_config(config, attn_implementation="eager").eval()
    except Exception as error:  # other packages, sizes that do not fit each other
        pytest.skip(f"{name} cannot be made small: {type(error).__name__}")
    torch.manual_seed(1)
    for one in model.parameters():
        torch.nn.init.normal_(one, std=0.2)
    ids = torch.randint(3, 60, (2, 8))
    if model.main_input_name == "input_ids":
        given = {"input_ids": ids, "attention_mask": torch.ones(2, 8, dtype=torch.long)}
        given["attention_mask"][1, 6:] = 0
        if config.is_encoder_decoder:
            given["decoder_input_ids"] = ids[:, :5]
    elif model.main_input_name == "pixel_values":
        given = {"pixel_values": torch.randn(1, 3, 16, 16)}
    else:
        given = {model.main_input_name: torch.randn(2, 400)}
    try:
        with torch.no_grad():
            plain, golden = model(**given), model(**given, output_attentions=True)
    except Exception as error:
        pytest.skip(f"{name} does not run with these inputs: {type(error).__name__}")
    if not all(torch.equal(a.nan_to_num(7), b.nan_to_num(7)) for a, b in zip(tensors(plain), tensors(model(**given)))):
        pytest.skip(f"{name} draws random numbers in each run")
    return model, given, plain, golden


def tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif hasattr(value, "values") or isinstance(value, (list, tuple)):
        for one in value.values() if hasattr(value, "values") else value:
            yield from tensors(one)


def attentions(golden):
    for key, value in golden.items():
        if key.endswith("attentions") and value is not None:
            yield from (one for one in tensors(value) if one.is_floating_point() and one.dim() >= 4)


@pytest.mark.parametrize("name", sorted(transformers.CONFIG_MAPPING))
def test_family(name):
    model, given, plain, golden = made(name)
    with attnlab.capture(model) as recorded, torch.no_grad():
        during = model(**given)
    for before, after in zip(tensors(plain), tensors(during)):
        assert torch.equal(before.nan_to_num(7), after.nan_to_num(7))
    assert not recorded.remarks
    lists = list(attentions(golden))
    if not lists and not recorded.passes and not recorded.skipped:
        pytest.skip(f"{name} has no attention")
    assert bool(recorded.skipped) == (name in NAMED), recorded.skipped
    if name in NOT_WEIGHTS or recorded.skipped:
        return
    made_ones = [weights_of(one) if one.query is not None else one.weights.numpy() for one in recorded.passes]
    for right in lists:
        right = right.reshape(-1, *right.shape[-3:]).nan_to_num(0).numpy()
        near = [np.abs(mine - right).max() for mine in made_ones if mine.shape == right.shape]
        assert near and min(near) < 2e-5, (right.shape, [mine.shape for mine in made_ones], near)


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_written_out_attention_has_queries_and_keys(name):
    model, given, _, golden = made(name)
    with attnlab.capture(model) as recorded, torch.no_grad():
        model(**given)
    assert len(recorded) >= 2 and all(one.query is not None and one.value is not None for one in recorded.passes)
    assert not recorded.skipped and not recorded.remarks


@pytest.mark.parametrize("name", ["deberta", "deberta-v2"])
def test_disentangled_attention(name):
    model, given, _, golden = made(name, relative_attention=True, pos_att_type=["c2p", "p2c"], max_relative_positions=16)
    with attnlab.capture(model) as recorded, torch.no_grad():
        model(**given)
    for one, right in zip(recorded.passes, attentions(golden)):
        assert one.bias is not None and np.abs(weights_of(one) - right.numpy()).max() < 1e-5


def test_what_is_not_seen_is_named_with_its_path():
    model, given, _, _ = made("yoso")
    with pytest.warns(UserWarning, match="YosoSelfAttention"), attnlab.capture(model) as recorded:
        model(**given)
    assert [line.split(":")[0] for line in recorded.skipped] == [
        "encoder.layer.0.attention.self", "encoder.layer.1.attention.self"]


def by_key(local, global_rows, places, window, length):
    """Weights for each key, cell by cell, of those that Longformer and LED return: (B,H,L,G+2w+1) and (B,H,L,G)."""
    batch, heads, rows, columns = local.shape
    first, reach = columns - (window + 1), window // 2
    whole = np.zeros((batch, heads, rows, rows))
    for b in range(batch):
        for i in range(rows):
            for c in range(columns):
                j = i + c - first - reach if c >= first else places[b][c] if c < len(places[b]) else -1
                if 0 <= j < rows:
                    whole[b, :, i, j] += local[b, :, i, c]
        for n, i in enumerate(places[b]):
            whole[b, :, i, :] = global_rows[b, :, :rows, n]
    return whole[:, :, :length, :length]


@pytest.mark.parametrize("name", ["longformer", "led"])
@pytest.mark.parametrize("places", [((), ()), ((0,), (0, 5)), ((3,), ())])
@pytest.mark.parametrize("length", [8, 10])
@pytest.mark.parametrize("trains", [False, True])
def test_attention_by_distance_is_recorded_by_key(name, places, length, trains):
    model, given, _, _ = made(name)
    if trains:
        model.train()
        for one in model.modules():
            if isinstance(one, torch.nn.Dropout):
                one.p = 0.0
            if isinstance(getattr(one, "dropout", None), float):
                one.dropout = 0.0
    given["input_ids"] = torch.randint(3, 60, (2, length))
    given["attention_mask"] = torch.ones(2, length, dtype=torch.long)
    given["attention_mask"][1, 7:] = 0
    given["global_attention_mask"] = torch.zeros(2, length, dtype=torch.long)
    for sequence, row in enumerate(places):
        given["global_attention_mask"][sequence, list(row)] = 1
    with torch.no_grad():
        golden = model(**given, output_attentions=True)
    with attnlab.capture(model, max_tokens=11) as recorded, torch.no_grad():
        during = model(**given)
    assert torch.equal(during[0], golden[0]) and not recorded.skipped and not recorded.remarks
    encoder = [one for one in recorded.passes if one.name.startswith("encoder")]
    local = golden.attentions if name == "longformer" else golden.encoder_attentions
    seen = golden.global_attentions if name == "longformer" else golden.encoder_global_attentions
    assert [one.name for one in encoder] == ["encoder.0.self", "encoder.1.self"]
    for layer, one in enumerate(encoder):
        columns = local[layer].numpy()
        rows = seen[layer].numpy() if any(places) else None
        right = by_key(columns, rows, places, 4, length)
        assert one.weights.shape == (2, 4, length, length)
        assert np.array_equal(one.weights.numpy(), right.astype(np.float32))
        sums = one.weights.numpy().sum(-1)
        assert np.allclose(sums[0], 1, atol=1e-5) and np.allclose(sums[1, :, :7], 1, atol=1e-5)
