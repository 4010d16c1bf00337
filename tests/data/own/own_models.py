"""Layers of models as Transformers saves them, and what it gives: attentions, and masks of four axes."""
import shutil

import safetensors.torch
import torch
import transformers

from own_cases import B, D, FOLDER, HEADS, TOKENS, attention, blocked, case, named, qkv
from own_layers import in_float32, randomised, seen


def attentions_of(model, **inputs):
    with torch.no_grad():
        return model(**inputs, output_attentions=True).attentions


def huggingface():
    common = {"hidden_size": D, "num_attention_heads": HEADS, "num_hidden_layers": 2, "intermediate_size": 8,
              "vocab_size": 11, "attn_implementation": "eager", "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    ids = torch.tensor([[3, 4, 5, 6, 7, 8], [8, 4, 3, 9, 2, 3]])

    def layer(name, model, prefix, module, run, options=(), suffix="safetensors", mechanism="multi_head", saved=None, used=(),
              computed_in="float32"):
        """The attention `module` of a model, from the hidden states that it gets. Many models take their softmax and
        the angles of RoPE in float32, whatever their own type."""
        attention = model.get_submodule(module)
        got = seen(attention, run)
        hidden = got["arguments"][0] if got["arguments"] else got["keywords"]["hidden_states"]
        hidden = hidden.float()
        arguments = (hidden.double(), *got["arguments"][1:])
        keywords = {key: value for key, value in got["keywords"].items()
                    if key not in ("hidden_states", "past_key_values", "layer_past")}
        with torch.no_grad():
            result = attention(*arguments, **keywords)
        output, weights = result[0], result[-1]
        state = saved or in_float32(model.state_dict())
        outside = [key for key in state if not key.startswith(prefix) and not any(name in key for name in used)]
        files = {f"model.{suffix}": state, "hidden_states.npy": hidden}
        case(name, files, (weights, output),
             ["--prefix", prefix, "--set", f"num_heads={HEADS}", *options], outside,
             mechanism=mechanism, computed_in=computed_in)

    bert = randomised(transformers.BertModel(transformers.BertConfig(**common, max_position_embeddings=8)))
    # The dense map after the heads is a module beside; what it gives before the sum with the hidden states.
    got = seen(bert.encoder.layer[1].attention.self, lambda: bert(ids))
    hidden = (got["arguments"][0] if got["arguments"] else got["keywords"]["hidden_states"]).float()
    with torch.no_grad():
        context, weights = bert.encoder.layer[1].attention.self(hidden.double())[:2]
        output = bert.encoder.layer[1].attention.output.dense(context)
    state = in_float32(bert.state_dict())
    prefix = "encoder.layer.1.attention."
    outside = [key for key in state if not key.startswith(prefix) or "LayerNorm" in key]
    for name, suffix in (("bert", "safetensors"), ("bert_bin", "bin")):
        case(name, {f"model.{suffix}": state, "hidden_states.npy": hidden}, (weights, output),
             ["--prefix", prefix, "--set", f"num_heads={HEADS}"], outside, mechanism="multi_head")
    alone = in_float32(bert.encoder.layer[1].attention.self.state_dict())
    case("bert_self_alone", {"state.pt": alone, "hidden_states.npy": hidden},
         (weights, context), ["--set", f"num_heads={HEADS}"], mechanism="multi_head")

    settings = {"n_embd": D, "n_head": HEADS, "n_layer": 2, "n_inner": 8, "vocab_size": 11, "n_positions": 8,
                "attn_implementation": "eager", "bos_token_id": 1, "eos_token_id": 2}
    gpt2 = randomised(transformers.GPT2Model(transformers.GPT2Config(**settings)))
    layer("gpt2", gpt2, "h.1.attn.", "h.1.attn", lambda: gpt2(ids), ["--mask", "causal"],
          computed_in="float64")

    rope = ["--mask", "causal", "--position", "rope"]
    llama = randomised(transformers.LlamaModel(transformers.LlamaConfig(**common, num_key_value_heads=2)))
    layer("llama", llama, "layers.1.self_attn.", "layers.1.self_attn", lambda: llama(ids), rope,
          mechanism="grouped_query")
    neox = transformers.GPTNeoXConfig(**common, rope_parameters={
        "rope_theta": 10000.0, "partial_rotary_factor": 1.0, "rope_type": "default"})
    neox = randomised(transformers.GPTNeoXModel(neox))
    layer("gpt_neox", neox, "layers.1.attention.", "layers.1.attention", lambda: neox(ids), rope)
    phi3 = randomised(transformers.Phi3Model(transformers.Phi3Config(**common, num_key_value_heads=2)))
    layer("phi3", phi3, "layers.1.self_attn.", "layers.1.self_attn", lambda: phi3(ids),
          rope, mechanism="grouped_query")
    layer("phi3_sizes_given", phi3, "layers.1.self_attn.", "layers.1.self_attn", lambda: phi3(ids),
          [*rope, "--set", "num_kv_heads=2"], mechanism="grouped_query")
    qwen3 = randomised(transformers.Qwen3Model(transformers.Qwen3Config(**common, num_key_value_heads=2, head_dim=6)))
    layer("qwen3", qwen3, "layers.1.self_attn.", "layers.1.self_attn", lambda: qwen3(ids), [*rope, "--scale", "qk_norm"],
          mechanism="grouped_query")

    t5 = transformers.T5EncoderModel(transformers.T5Config(
        d_model=D, d_kv=6, num_heads=HEADS, num_layers=2, d_ff=8, vocab_size=11, relative_attention_num_buckets=8,
        attn_implementation="eager"))
    t5 = randomised(t5)
    layer("t5", t5, "encoder.block.0.layer.0.SelfAttention.", "encoder.block.0.layer.0.SelfAttention",
          lambda: t5(ids), ["--scale", "none", "--position", "t5"])
    layer("t5_later_block", t5, "encoder.block.1.layer.0.SelfAttention.", "encoder.block.1.layer.0.SelfAttention",
          lambda: t5(ids), ["--scale", "none", "--position", "t5"], used=["relative_attention_bias"])
    picture = torch.randn(1, 3, 8, 8).double()
    vit = randomised(transformers.ViTModel(transformers.ViTConfig(
        **{key: value for key, value in common.items() if "token" not in key and key != "vocab_size"}, image_size=8,
        patch_size=4), add_pooling_layer=False))
    layer("vit_state_dict", vit, "layers.1.attention.", "layers.1.attention", lambda: vit(picture), suffix="bin")
    vit.save_pretrained(scratch := FOLDER / "scratch")  # under the names of older versions
    saved = in_float32(safetensors.torch.load_file(scratch / "model.safetensors"))
    shutil.rmtree(scratch)
    layer("vit_saved", vit, "encoder.layer.1.attention.", "layers.1.attention", lambda: vit(picture), saved=saved)
    distilbert = randomised(transformers.DistilBertModel(transformers.DistilBertConfig(
        dim=D, n_heads=HEADS, n_layers=2, hidden_dim=8, vocab_size=11, max_position_embeddings=8,
        attn_implementation="eager")))
    layer("distilbert", distilbert, "transformer.layer.1.attention.", "transformer.layer.1.attention",
          lambda: distilbert(ids), computed_in="float64")

    # What output_attentions gives, in float32 as models run.
    attentions = attentions_of(bert.float(), input_ids=ids)
    for name, value in (("attentions_tuple", attentions), ("attentions_named", {"attentions": attentions})):
        case(name, {"attentions.pt": value}, (attentions, None), mechanism="given_weights")
    shallow = attentions[:1]
    case("attentions_of_one_layer", {"attentions.pt": {"attentions": shallow, "attention_mask": torch.ones(B, TOKENS).long()}},
         (shallow[0], None), unused=["attention_mask"], mechanism="given_weights")
    case("attentions_stacked", {"attentions.npy": torch.stack(attentions)}, (attentions, None),
         mechanism="given_weights")
    case("attentions_one", {"attn_l1.npy": attentions[1]}, (attentions[1], None), mechanism="given_weights")

    # Transformers' own mask of four axes: (B,1,L,S), of finfo.min where the eager way takes it, of bool for sdpa.
    kept = torch.tensor([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]])
    for name, how in (("additive", "eager"), ("bool", "sdpa")):
        llama.float().set_attn_implementation(how)
        got = seen(llama.layers[0].self_attn, lambda: llama(ids, attention_mask=kept))
        mask = got["keywords"]["attention_mask"]
        assert mask.shape == (B, 1, TOKENS, TOKENS), mask.shape
        assert mask.dtype == (torch.bool if how == "sdpa" else torch.float32)
        q, k, v = qkv(queries=TOKENS, keys=TOKENS)
        bias = blocked(~mask) if how == "sdpa" else mask.double()
        case(f"transformers_mask_{name}", {"masked.pt": named("query key value", (q, k, v)) | {"attention_mask": mask}},
             attention(q, k, v, bias))

    fused = {key: value for key, value in common.items() if key != "intermediate_size"}
    for name, more in (("falcon", {}), ("falcon_groups", {"new_decoder_architecture": True, "num_kv_heads": 2})):
        falcon = randomised(transformers.FalconModel(transformers.FalconConfig(**fused, **more)))
        layer(name, falcon, "h.1.self_attention.", "h.1.self_attention", lambda: falcon(ids), rope,
              mechanism="grouped_query")
    bigcode = randomised(transformers.GPTBigCodeModel(transformers.GPTBigCodeConfig(**settings)))
    layer("gpt_bigcode", bigcode, "h.1.attn.", "h.1.attn", lambda: bigcode(ids), ["--mask", "causal"],
          mechanism="grouped_query")
    gemma3 = randomised(transformers.Gemma3TextModel(transformers.Gemma3TextConfig(
        **common, num_key_value_heads=2, head_dim=6, query_pre_attn_scalar=6, sliding_window=16)))
    with torch.no_grad():  # its norms are taken in float32: sums of about 1
        gemma3.layers[1].self_attn.o_proj.weight *= 0.25
    layer("gemma3", gemma3, "layers.1.self_attn.", "layers.1.self_attn", lambda: gemma3(ids),
          [*rope, "--scale", "qk_norm"], mechanism="grouped_query")
