#!/usr/bin/env python3
"""Writes gguf/models beside it: of each architecture a tiny random model, as Transformers saves it (config.json,
model.safetensors) and as llama.cpp would have converted it (model.gguf), so that one can be tested against the other.

What convert() does to tensors is what convert_hf_to_gguf.py of llama.cpp does. Run it in this folder after a change; the
results are committed. `make_gguf_models.py FOLDER OUT.gguf` converts a model that is there. Needs gguf (0.19 wrote
these), PyTorch and Transformers.
"""
import json
import math
import pathlib
import re
import sys

import gguf
import numpy as np
from safetensors.numpy import load_file

FOLDER = pathlib.Path(__file__).parent / "gguf" / "models"
NAMES = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "gemma2": "gemma2",
         "gemma3_text": "gemma3", "phi3": "phi3", "gpt2": "gpt2", "gpt_neox": "gptneox", "olmo2": "olmo2",
         "bert": "bert", "arcee": "arcee", "cohere": "command-r", "cohere2": "cohere2", "gemma": "gemma", "glm4": "glm4",
         "gpt_oss": "gpt-oss", "granite": "granite", "mixtral": "llama", "nemotron": "nemotron", "olmoe": "olmoe",
         "phi": "phi2", "qwen2_moe": "qwen2moe", "qwen3_moe": "qwen3moe", "seed_oss": "seed_oss",
         "bloom": "bloom", "falcon": "falcon", "mpt": "mpt", "smollm3": "smollm3", "stablelm": "stablelm", "starcoder2": "starcoder2",
         "distilbert": "bert", "roberta": "bert", "t5": "t5", "umt5": "t5", "nomic_bert": "nomic-bert", "deepseek_v2": "deepseek2", "deepseek_v3": "deepseek2",
         "minicpm3": "minicpm3", "modernbert": "modern-bert", "eurobert": "eurobert", "jina_embeddings_v3": "jina-bert-v3",
         "ernie4_5": "ernie4_5", "exaone4": "exaone4", "olmo": "olmo", "gpt_bigcode": "starcoder", "granitemoe": "granitemoe",
         "apertus": "apertus", "glm4_moe": "glm4moe", "jamba": "jamba", "glm": "chatglm", "lfm2": "lfm2", "qwen2_vl_text": "qwen2vl", "qwen3_vl_text": "qwen3vl"}
# Kinds whose rows of queries and keys are stored in the order of interleaved rotary positions.
UNDONE = ("arcee", "granite", "granitemoe", "llama", "mistral", "mixtral", "olmo", "smollm3")
#: Kinds whose settings have names of their own, and encoders.
WITHOUT_KEYS = ("bert", "gpt_neox", "phi", "stablelm", "nomic_bert", "modernbert", "jina_embeddings_v3", "roberta")
ENCODERS = ("bert", "distilbert", "roberta", "nomic_bert", "modernbert", "eurobert", "jina_embeddings_v3")
SIZES = dict(vocab_size=24, hidden_size=8, intermediate_size=12, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, head_dim=4, max_position_embeddings=32, rms_norm_eps=1e-6, pad_token_id=0,
             bos_token_id=1, eos_token_id=2, initializer_range=0.5)


def rotary(**settings):
    return {"rope_theta": 10000.0, "rope_type": "default", **settings}


MODELS = {
    "llama": dict(model_type="llama", attention_bias=True, rope_parameters=rotary(
        rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
        original_max_position_embeddings=16)),
    "llama_linear": dict(model_type="llama", tie_word_embeddings=True,
                         rope_parameters=rotary(rope_type="linear", factor=2.0)),
    "llama_yarn": dict(model_type="llama", rope_parameters=rotary(
        rope_type="yarn", factor=4.0, original_max_position_embeddings=16)),
    "qwen2": dict(model_type="qwen2", tie_word_embeddings=True),
    "qwen3": dict(model_type="qwen3"),
    "gemma2": dict(model_type="gemma2", sliding_window=3, query_pre_attn_scalar=4, attn_logit_softcapping=5.0,
                   final_logit_softcapping=8.0),
    "gemma3": dict(model_type="gemma3_text", sliding_window=3, query_pre_attn_scalar=4, num_hidden_layers=7),
    "phi3": dict(model_type="phi3", partial_rotary_factor=0.5, original_max_position_embeddings=32),
    "phi3_long": dict(model_type="phi3", head_dim=None, hidden_size=16, original_max_position_embeddings=4,
                      rope_parameters=rotary(rope_type="longrope", short_factor=[1.0, 1.5], long_factor=[1.25, 4.0],
                                             partial_rotary_factor=1.0)),
    "gpt2": dict(model_type="gpt2"),
    "gpt_neox": dict(model_type="gpt_neox", rope_parameters=rotary(partial_rotary_factor=0.5), hidden_size=16),
    "gpt_neox_sequential": dict(model_type="gpt_neox", use_parallel_residual=False, hidden_size=16,
                                rope_parameters=rotary(partial_rotary_factor=1.0)),
    "olmo2": dict(model_type="olmo2"),
    "bert": dict(model_type="bert"),
    "arcee": dict(model_type="arcee"),
    "cohere": dict(model_type="cohere", logit_scale=0.25),
    "cohere2": dict(model_type="cohere2", logit_scale=0.25, sliding_window=3, num_hidden_layers=5),
    "gemma": dict(model_type="gemma"),
    "glm4": dict(model_type="glm4", attention_bias=True, rope_parameters=rotary(partial_rotary_factor=0.5)),
    "gpt_oss": dict(model_type="gpt_oss", num_local_experts=4, num_experts_per_tok=2, sliding_window=3,
                    rope_parameters=rotary(rope_type="yarn", factor=4.0, original_max_position_embeddings=16,
                                           truncate=False)),
    "granite": dict(model_type="granite", attention_multiplier=0.3, embedding_multiplier=1.5,
                    residual_multiplier=0.7, logits_scaling=2.0),
    "mixtral": dict(model_type="mixtral", num_local_experts=4, num_experts_per_tok=2),
    "nemotron": dict(model_type="nemotron", rope_parameters=rotary(partial_rotary_factor=0.5)),
    "olmoe": dict(model_type="olmoe", num_experts=4, num_experts_per_tok=2, head_dim=None, norm_topk_prob=False),
    "phi": dict(model_type="phi", head_dim=None, hidden_size=16, rope_parameters=rotary(partial_rotary_factor=0.5)),
    "qwen2_moe": dict(model_type="qwen2_moe", num_experts=4, num_experts_per_tok=2, moe_intermediate_size=6,
                      shared_expert_intermediate_size=10, head_dim=None),
    "qwen3_moe": dict(model_type="qwen3_moe", num_experts=4, num_experts_per_tok=2, moe_intermediate_size=6,
                      norm_topk_prob=True),
    "seed_oss": dict(model_type="seed_oss", attention_bias=True),
    "smollm3": dict(model_type="smollm3", num_hidden_layers=4, head_dim=None),
    "stablelm": dict(model_type="stablelm", head_dim=None, hidden_size=16, use_qkv_bias=True,
                     rope_parameters=rotary(partial_rotary_factor=0.5)),
    "starcoder2": dict(model_type="starcoder2", sliding_window=None, head_dim=None),
    "bloom": dict(model_type="bloom"),
    "mpt": dict(model_type="mpt"),
    "falcon": dict(model_type="falcon", multi_query=True),
    "falcon_new": dict(model_type="falcon", new_decoder_architecture=True, num_kv_heads=2, bias=True, ffn_hidden_size=20),
}
LATENT = dict(head_dim=None, num_key_value_heads=4, kv_lora_rank=6, qk_nope_head_dim=4, qk_rope_head_dim=4, v_head_dim=6)
ROUTED = dict(n_routed_experts=8, num_experts_per_tok=3, first_k_dense_replace=1, moe_intermediate_size=6, n_shared_experts=2,
              n_group=4, topk_group=2, routed_scaling_factor=1.5)
SIDES = dict(vocab_size=24, d_model=8, d_ff=12, d_kv=6, num_layers=2, num_heads=2, relative_attention_num_buckets=8,
             decoder_start_token_id=0, initializer_factor=3.0)
YARN = rotary(rope_type="yarn", factor=4.0, original_max_position_embeddings=16, mscale=0.707, mscale_all_dim=0.707)
MODELS |= {
    "t5": dict(model_type="t5", num_decoder_layers=3),
    "t5_gated": dict(model_type="t5", feed_forward_proj="gated-gelu", tie_word_embeddings=False, scale_decoder_outputs=False),
    "t5_encoder": dict(model_type="t5", architecture="T5EncoderModel"),
    "umt5": dict(model_type="umt5", feed_forward_proj="gated-gelu", tie_word_embeddings=False),
    "distilbert": dict(model_type="distilbert"),
    "roberta": dict(model_type="roberta", pad_token_id=1, type_vocab_size=1),
    "nomic_bert": dict(model_type="nomic_bert", hidden_size=16),
    "deepseek2_lite": dict(LATENT, **ROUTED, model_type="deepseek_v2", q_lora_rank=None, topk_method="greedy", in_parts=False),
    "deepseek2_yarn": dict(LATENT, **ROUTED, model_type="deepseek_v2", q_lora_rank=5, rope_parameters=YARN),
    "deepseek2_both": dict(LATENT, **ROUTED, model_type="deepseek_v2", q_lora_rank=5, in_parts="both"),
    "deepseek3": dict(LATENT, **ROUTED, model_type="deepseek_v3", q_lora_rank=5, norm_topk_prob=True),
    "minicpm3": dict(LATENT, model_type="minicpm3", q_lora_rank=5, v_head_dim=2, hidden_size=8, tie_word_embeddings=True),
    "modernbert": dict(model_type="modernbert", num_hidden_layers=4, local_attention=4, hidden_size=16),
    "eurobert": dict(model_type="eurobert"),
    "jina_v3": dict(model_type="jina_embeddings_v3", type_vocab_size=1, hidden_size=16),
    "apertus": dict(model_type="apertus", rope_parameters=rotary()),
    "ernie4_5": dict(model_type="ernie4_5"),
    "exaone4": dict(model_type="exaone4", num_hidden_layers=4, sliding_window=3, sliding_window_pattern=4),
    "exaone4_full": dict(model_type="exaone4", sliding_window=None, layer_types=["full_attention"] * 2),
    "olmo": dict(model_type="olmo", clip_qkv=1.5, head_dim=None, hidden_size=16),
    "starcoder": dict(model_type="gpt_bigcode"),
    "granitemoe": dict(model_type="granitemoe", num_local_experts=4, num_experts_per_tok=2, attention_multiplier=0.3,
                       embedding_multiplier=1.5, residual_multiplier=0.7, logits_scaling=2.0, head_dim=None, hidden_size=16),
    "glm4_moe": dict(ROUTED, model_type="glm4_moe", use_qk_norm=True, attention_bias=True, head_dim=8, norm_topk_prob=True,
                     rope_parameters=rotary(partial_rotary_factor=0.5), num_nextn_predict_layers=1),
    "glm": dict(model_type="glm", attention_bias=True, head_dim=None, hidden_size=32, rope_parameters=rotary(partial_rotary_factor=0.5)),
    "jamba": dict(model_type="jamba", num_hidden_layers=4, attn_layer_period=2, attn_layer_offset=1, expert_layer_period=3,
                  expert_layer_offset=1, num_experts=4, num_experts_per_tok=2, mamba_d_state=4, mamba_dt_rank=3, mamba_d_conv=3,
                  mamba_expand=2, head_dim=None, hidden_size=16, use_mamba_kernels=False),
    "lfm2": dict(model_type="lfm2", num_hidden_layers=3, layer_types=["conv", "full_attention", "conv"], head_dim=None,
                 hidden_size=16, conv_L_cache=3, block_auto_adjust_ff_dim=False),
    "qwen2vl": dict(model_type="qwen2_vl_text", tie_word_embeddings=True, head_dim=None, hidden_size=16,
                    rope_parameters=rotary(mrope_section=[1, 1, 0])),
    "qwen3vl": dict(model_type="qwen3_vl_text", tie_word_embeddings=True, head_dim=8, rope_parameters=rotary(mrope_section=[2, 1, 1], mrope_interleaved=True)),
}
#: Kinds with names of their own for sizes.
OWN_SIZES = {"distilbert": dict(vocab_size=24, dim=8, hidden_dim=12, n_layers=2, n_heads=2, max_position_embeddings=32, initializer_range=0.5),
             "t5": SIDES, "umt5": SIDES,
             "gpt_bigcode": dict(vocab_size=24, n_embd=8, n_inner=12, n_layer=2, n_head=2, n_positions=32, initializer_range=0.5),
             "gpt2": dict(vocab_size=24, n_embd=8, n_inner=12, n_layer=2, n_head=2, n_positions=32, initializer_range=0.5),
             "bloom": dict(vocab_size=24, hidden_size=12, n_layer=2, n_head=3, initializer_range=0.5),
             "mpt": dict(vocab_size=24, d_model=12, n_layers=2, n_heads=3, max_seq_len=32, initializer_range=0.5),
             "falcon": dict(vocab_size=24, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, initializer_range=0.5)}


def undo_halves(weight, heads):
    """Rows of each head in the order of interleaved rotary positions."""
    return weight.reshape(heads, 2, -1, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)


def llama3_factors(rope, width, base):
    frequencies = 1.0 / base ** (np.arange(0, width, 2, dtype=np.float32) / width)
    original = rope["original_max_position_embeddings"]
    factors = []
    for wave in 2 * np.pi / frequencies:
        if wave < original / rope["high_freq_factor"]:
            factors.append(1.0)
        elif wave > original / rope["low_freq_factor"]:
            factors.append(rope["factor"])
        else:
            smooth = ((original / wave - rope["low_freq_factor"])
                      / (rope["high_freq_factor"] - rope["low_freq_factor"]))
            factors.append(1 / ((1 - smooth) / rope["factor"] + smooth))
    return np.array(factors, np.float32)


def converted(name, tensor, config):
    """What is stored of a tensor."""
    kind, heads = config["model_type"], config.get("num_attention_heads")
    if kind in UNDONE and ".q_proj." in name:
        return undo_halves(tensor, heads)
    if kind in UNDONE and ".k_proj." in name:
        return undo_halves(tensor, config["num_key_value_heads"])
    if kind == "roberta" and "position_embeddings" in name:
        return tensor[config["pad_token_id"] + 1:]
    if name.endswith(".A_log"):
        return -np.exp(tensor)
    if (kind.startswith("gemma") or kind == "nemotron") and name.endswith("norm.weight"):
        return tensor + 1
    if kind == "gpt2" and name.endswith((".c_attn.weight", ".c_fc.weight", ".c_proj.weight")):
        return tensor.T
    if kind == "falcon" and "query_key_value" in name:
        groups = config["num_kv_heads"] if config["new_decoder_architecture"] else 1
        each = tensor.reshape(groups, heads // groups + 2, -1, *tensor.shape[1:])
        parts = each[:, :-2], each[:, -2:-1], each[:, -1:]
        return np.concatenate([part.reshape(-1, *tensor.shape[1:]) for part in parts])
    if kind in ("bloom", "gpt_neox") and "query_key_value" in name:
        return tensor.reshape(heads, 3, -1, *tensor.shape[1:]).swapaxes(0, 1).reshape(tensor.shape)
    return tensor


def with_stacked_experts(tensors, config):
    """Tensors of one expert each become one of all, and those of gpt-oss are parted: as (name, tensor, new name)."""
    stacks = {}
    for key, tensor in tensors.items():
        latent = re.search(r"\.kv_b_proj\.weight$", key) and config.get("in_parts", config["model_type"] != "minicpm3")
        own = re.search(r"block_sparse_moe\.(input|output)_linear\.weight$", key)
        if latent:
            heads, plain = config["num_attention_heads"], config["qk_nope_head_dim"]
            each = tensor.reshape(heads, plain + config["v_head_dim"], -1)
            stem = f"blk.{re.match(r'model.layers.([0-9]+)', key)[1]}.attn_"
            yield key, each[:, :plain].swapaxes(1, 2), stem + "k_b.weight"
            yield key, each[:, plain:], stem + "v_b.weight"
            if latent == "both":
                yield key, tensor, None
            continue
        if own:
            stem = f"blk.{re.match(r'model.layers.([0-9]+)', key)[1]}.ffn_"
            half = tensor.shape[1] // 2
            for part, rows in ([("gate", tensor[:, :half]), ("up", tensor[:, half:])] if own[1] == "input" else [("down", tensor)]):
                yield key, rows, f"{stem}{part}_exps.weight"
            continue
        block = re.match(r"model\.layers\.(\d+)\.", key)
        place = re.search(r"\.experts\.(\d+)\.(\w+)\.weight$", key)
        kind = re.search(r"\.mlp\.experts\.(gate_up|down)_proj(_bias)?$", key)
        if place:
            part = {"w1": "gate", "w2": "down", "w3": "up"}.get(place[2], place[2].removesuffix("_proj"))
            stacks.setdefault(f"blk.{block[1]}.ffn_{part}_exps.weight", {})[int(place[1])] = tensor
        elif kind and config["model_type"] == "gpt_oss":
            ending = "bias" if kind[2] else "weight"
            whole = tensor if kind[2] else tensor.swapaxes(1, 2)
            for part, rows in ([("gate", whole[:, ::2]), ("up", whole[:, 1::2])] if kind[1] == "gate_up"
                               else [("down", whole)]):
                yield key, rows, f"blk.{block[1]}.ffn_{part}_exps.{ending}"
        else:
            yield key, tensor, None
    for name, each in stacks.items():
        yield name, np.stack([each[i] for i in range(len(each))]), name


def add_experts(writer, config):
    kind = config["model_type"]
    count = config.get("num_local_experts", config.get("num_experts", config.get("n_routed_experts")))
    if not count:
        return
    if kind.startswith("deepseek") or kind == "glm4_moe":
        writer.add_leading_dense_block_count(config["first_k_dense_replace"])
        writer.add_expert_shared_count(config["n_shared_experts"])
        writer.add_expert_weights_scale(config["routed_scaling_factor"])
        sigmoid = kind != "deepseek_v2"
        writer.add_expert_weights_norm(sigmoid and config["norm_topk_prob"])
        writer.add_expert_gating_func(gguf.ExpertGatingFuncType.SIGMOID if sigmoid else gguf.ExpertGatingFuncType.SOFTMAX)
        if sigmoid or config["topk_method"] != "greedy":
            writer.add_expert_group_count(config["n_group"])
            writer.add_expert_group_used_count(config["topk_group"])
    writer.add_expert_count(count)
    writer.add_expert_used_count(config["num_experts_per_tok"])
    if kind == "gpt_oss":
        writer.add_expert_feed_forward_length(config["intermediate_size"])
    if "moe_intermediate_size" in config:
        writer.add_expert_feed_forward_length(config["moe_intermediate_size"])
    if "shared_expert_intermediate_size" in config:
        writer.add_expert_shared_feed_forward_length(config["shared_expert_intermediate_size"])


def add_latent(writer, config):
    """Files with projections in parts have the sizes of what llama.cpp caches."""
    turned, whole = config["qk_rope_head_dim"], config["qk_nope_head_dim"] + config["qk_rope_head_dim"]
    is_in_parts = config.get("in_parts", config["model_type"] != "minicpm3") is True
    rank = config["kv_lora_rank"]
    writer.add_kv_lora_rank(rank)
    if config["q_lora_rank"] is not None:
        writer.add_q_lora_rank(config["q_lora_rank"])
    writer.add_key_length(rank + turned if is_in_parts else whole)
    if config["model_type"] != "minicpm3":
        writer.add_value_length(rank if is_in_parts else config["v_head_dim"])
    writer.add_head_count_kv(1 if is_in_parts else config["num_attention_heads"])
    if is_in_parts:
        writer.add_key_length_mla(whole)
        writer.add_value_length_mla(config["v_head_dim"])


def add_metadata(writer, config, width):
    kind, layers = config["model_type"], config.get("num_hidden_layers", config.get("n_layer"))
    hidden = config.get("hidden_size", config.get("n_embd"))
    writer.add_context_length(config.get("max_position_embeddings", config.get("n_positions")))
    writer.add_embedding_length(hidden)
    more = config.get("num_nextn_predict_layers", 0) if kind == "glm4_moe" else 0
    writer.add_block_count(layers + more)
    if more:
        writer.add_nextn_predict_layers(more)
    writer.add_feed_forward_length(config.get("intermediate_size") or config.get("n_inner") or 4 * hidden)
    writer.add_head_count(config.get("num_attention_heads", config.get("n_head")))
    if "kv_lora_rank" in config:
        add_latent(writer, config)
    elif "num_key_value_heads" in config:
        heads = config["num_key_value_heads"]
        own = {"lfm2": lambda i: config["layer_types"][i] != "conv",
               "jamba": lambda i: i % config["attn_layer_period"] == config["attn_layer_offset"]}.get(kind)
        writer.add_head_count_kv([heads * own(i) for i in range(layers)] if own else heads)
        writer.add_key_length(width)
        writer.add_value_length(width)
    if kind == "lfm2":
        writer.add_layer_norm_rms_eps(config["norm_eps"])
        writer.add_shortconv_l_cache(config["conv_L_cache"])
    elif "rms_norm_eps" in config:
        writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    else:
        names = ("layer_norm_eps", "layer_norm_epsilon", "norm_epsilon", "norm_eps")
        writer.add_layer_norm_eps(next((config[name] for name in names if name in config), 1e-5))
    if "d_kv" in config:
        writer.add_layer_norm_rms_eps(config["layer_norm_epsilon"])
        writer.add_relative_attn_buckets_count(config["relative_attention_num_buckets"])
        if config["architectures"] != ["T5EncoderModel"]:
            writer.add_decoder_start_token_id(config["decoder_start_token_id"])
            writer.add_decoder_block_count(config["num_decoder_layers"])
    if kind == "jamba":
        writer.add_ssm_conv_kernel(config["mamba_d_conv"])
        writer.add_ssm_inner_size(config["mamba_expand"] * hidden)
        writer.add_ssm_state_size(config["mamba_d_state"])
        writer.add_ssm_time_step_rank(config["mamba_dt_rank"])
    if kind == "gpt_bigcode":
        writer.add_head_count_kv(1)
    if kind == "modernbert":
        writer.add_sliding_window(config["local_attention"])
        writer.add_sliding_window_pattern(config.get("global_attn_every_n_layers", 3))
        writer.add_rope_freq_base(config["rope_parameters"]["full_attention"]["rope_theta"])
        writer.add_rope_freq_base_swa(config["rope_parameters"]["sliding_attention"]["rope_theta"])
    if kind in ENCODERS:
        writer.add_causal_attention(False)
    if kind == "exaone4" and config["sliding_window"]:
        writer.add_sliding_window(config["sliding_window"])
        writer.add_sliding_window_pattern([t == "sliding_attention" for t in config["layer_types"]])
    if kind == "olmo":
        writer.add_clamp_kqv(config["clip_qkv"])
    if "mrope_section" in (config.get("rope_parameters") or {}):
        writer.add_rope_dimension_sections([*config["rope_parameters"]["mrope_section"], 0])
    add_experts(writer, config)
    if kind in ("cohere", "cohere2"):
        writer.add_logit_scale(config["logit_scale"])
    if kind in ("granite", "granitemoe"):
        writer.add_attention_scale(config["attention_multiplier"])
        writer.add_embedding_scale(config["embedding_multiplier"])
        writer.add_residual_scale(config["residual_multiplier"])
        writer.add_logit_scale(config["logits_scaling"])
    if kind == "stablelm":
        writer.add_parallel_residual(config["use_parallel_residual"])
    if kind in ("cohere2", "gpt_oss"):
        writer.add_sliding_window(config["sliding_window"])
    if kind in ("gemma2", "gemma3_text"):
        writer.add_sliding_window(config["sliding_window"])
    if kind == "gemma2":
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
    if kind == "gemma3_text" and config["layer_types"] != [
            "full_attention" if i % 6 == 5 else "sliding_attention" for i in range(layers)]:
        writer.add_sliding_window_pattern([t == "sliding_attention" for t in config["layer_types"]])
    if kind == "mpt":
        writer.add_max_alibi_bias(config["attn_config"]["alibi_bias_max"])
    if kind == "gpt_neox":
        writer.add_parallel_residual(config["use_parallel_residual"])


def add_rotary(writer, config, width):
    rope = config.get("rope_parameters")
    if not rope:
        return
    if config["model_type"] == "modernbert":
        return
    rope = rope.get("full_attention", rope)
    width = config.get("qk_rope_head_dim", width)
    if rope.get("mscale_all_dim"):
        writer.add_rope_scaling_yarn_log_mul(0.1 * rope["mscale_all_dim"])
    writer.add_rope_freq_base(rope["rope_theta"])
    partial = rope.get("partial_rotary_factor", config.get("partial_rotary_factor", 1.0))
    writer.add_rope_dimension_count(int(width * partial))
    if rope["rope_type"] == "llama3":
        writer.add_tensor("rope_freqs.weight", llama3_factors(rope, width, rope["rope_theta"]))
    elif rope["rope_type"] in ("linear", "yarn"):
        writer.add_rope_scaling_type(gguf.RopeScalingType(rope["rope_type"]))
        writer.add_rope_scaling_factor(rope["factor"])
        if "original_max_position_embeddings" in rope:
            writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    elif rope["rope_type"] == "longrope":
        original, longest = config["original_max_position_embeddings"], config["max_position_embeddings"]
        writer.add_rope_scaling_orig_ctx_len(original)
        writer.add_rope_scaling_attn_factors(math.sqrt(1 + math.log(longest / original) / math.log(original)))
        for side in ("short", "long"):
            writer.add_tensor(f"rope_factors_{side}.weight", np.array(rope[f"{side}_factor"], np.float32))


def usual_sizes(config):
    """The sizes of kinds that have other names for them."""
    kind = config["model_type"]
    if "d_kv" in config:
        return dict(hidden_size=config["d_model"], num_hidden_layers=config["num_layers"], num_attention_heads=config["num_heads"],
                    intermediate_size=config["d_ff"], max_position_embeddings=32, head_dim=config["d_kv"],
                    num_key_value_heads=config["num_heads"])
    if kind == "distilbert":
        return dict(hidden_size=config["dim"], num_hidden_layers=config["n_layers"], num_attention_heads=config["n_heads"],
                    intermediate_size=config["hidden_dim"], layer_norm_eps=1e-12)
    if kind == "bloom":
        return dict(num_hidden_layers=config["n_layer"], num_attention_heads=config["n_head"],
                    intermediate_size=4 * config["hidden_size"], max_position_embeddings=32)
    if kind == "mpt":
        return dict(hidden_size=config["d_model"], num_hidden_layers=config["n_layers"], num_attention_heads=config["n_heads"],
                    intermediate_size=4 * config["d_model"], max_position_embeddings=config["max_seq_len"])
    if kind == "falcon":
        keys = config["num_kv_heads"] if config["new_decoder_architecture"] else 1
        return dict(num_key_value_heads=keys, intermediate_size=config["ffn_hidden_size"], max_position_embeddings=32)
    return {}


def convert(folder, out, **more):
    config = json.loads((folder / "config.json").read_text()) | more
    config.update(usual_sizes(config))
    if config["model_type"] == "gpt_bigcode":
        config.pop("num_key_value_heads", None)
    name = "t5encoder" if config["architectures"] == ["T5EncoderModel"] else NAMES[config["model_type"]]
    hidden = config.get("hidden_size", config.get("n_embd"))
    width = config.get("head_dim") or hidden // config.get("num_attention_heads", config.get("n_head"))
    writer = gguf.GGUFWriter(out, name)
    add_metadata(writer, config, width)
    add_rotary(writer, config, width)
    architecture = {value: key for key, value in gguf.MODEL_ARCH_NAMES.items()}[name]
    names = gguf.get_tensor_name_map(architecture, 8)
    tensors = load_file(folder / "model.safetensors")
    for name in ("alpha_p", "alpha_n", "beta", "eps"):
        each = [tensors.pop(key).astype(np.float32).item() for key in sorted(tensors) if key.endswith(f".act_fn.{name}")]
        if each:
            getattr(writer, f"add_xielu_{name}")(each)
    for key, tensor, stacked in with_stacked_experts(tensors, config):
        if stacked:
            writer.add_tensor(stacked, np.ascontiguousarray(tensor.astype(np.float32)))
            continue
        plain = re.sub(r"^(bert|nomic_bert|roberta)\.", "", key)
        if config["model_type"] in ("bloom", "modernbert", "eurobert"):
            plain = re.sub(r"^(transformer|model)\.", "", plain)
        if config["model_type"].endswith("vl_text"):
            plain = "model." + plain
        plain = plain.replace(".e_score_correction_bias", ".e_score_correction.bias")
        if ".conv.conv." in key or ".mamba.conv1d.weight" in key:
            tensor = tensor.squeeze(1)
        if plain.startswith(("cls.", "pooler.")) or plain.endswith(("position_ids", ".attn.bias")):
            continue
        if config.get("tie_word_embeddings") and key == "lm_head.weight":
            continue
        new = names.get_name(plain, try_suffixes=(".weight", ".bias"))
        if new.endswith("attn_sinks"):
            new += ".weight"
        stored = converted(key, tensor.astype(np.float32), config)
        writer.add_tensor(new, np.ascontiguousarray(stored))
        if config["model_type"] == "glm4_moe" and new.startswith("blk.0."):  # the layer that guesses tokens behind the next one
            writer.add_tensor(new.replace("blk.0.", f"blk.{config['num_hidden_layers']}."), np.ascontiguousarray(stored))
    if config["model_type"] == "glm4_moe":
        writer.add_tensor(f"blk.{config['num_hidden_layers']}.nextn.eh_proj.weight", np.zeros((hidden, 2 * hidden), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make(name, settings):
    import torch
    import transformers
    from transformers import AutoConfig, AutoModel, AutoModelForCausalLM, AutoModelForSeq2SeqLM
    torch.manual_seed(len(name))
    kind = settings["model_type"]
    settings = {k: v for k, v in {**SIZES, **settings}.items() if k != "model_type" and v is not None}
    architecture, more = settings.pop("architecture", None), {k: settings.pop(k) for k in ("in_parts",) if k in settings}
    if kind in WITHOUT_KEYS:  # no config has keys that are not its own
        settings = {k: v for k, v in settings.items() if k not in ("num_key_value_heads", "head_dim", "rms_norm_eps")}
    if kind in ("cohere", "cohere2", "nemotron", "starcoder2", "olmo", "lfm2"):
        settings.pop("rms_norm_eps")
    if kind in ("phi", "stablelm"):
        settings["num_key_value_heads"] = 2
    if kind in OWN_SIZES:
        settings = OWN_SIZES[kind] | {k: v for k, v in MODELS[name].items() if k not in ("model_type", "architecture")}
    config = AutoConfig.for_model(kind, **settings)
    if architecture:
        model = getattr(transformers, architecture)(config)
    else:
        auto = AutoModelForSeq2SeqLM if "d_kv" in settings else AutoModel if kind in ENCODERS or kind.endswith("vl_text") else AutoModelForCausalLM
        model = auto.from_config(config)
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if parameter.ndim == 1:
                parameter += 0.3 * torch.randn_like(parameter)
    folder = FOLDER / name
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    if kind.endswith("vl_text"):  # with a head, as files of llama.cpp have it
        text = (folder / "config.json").read_text()
        (folder / "config.json").write_text(text.replace("TextModel", "ForCausalLM"))
    (folder / "model.safetensors").chmod(0o644)
    convert(folder, folder / "model.gguf", **more)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        convert(pathlib.Path(sys.argv[1]), sys.argv[2])
    else:
        for each in MODELS.items():
            if not (FOLDER / each[0] / "model.gguf").exists():  # remove a folder to make it anew
                make(*each)
