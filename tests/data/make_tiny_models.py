#!/usr/bin/env python3
"""Writes the models of tests/data/models that have no tokenizer: make_tiny_models.py [NAME ...], by default all of them.
See make_model.py."""
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
from make_model import MODELS, TINY, check, make  # noqa: E402

ROPE = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [1, 1, 2]}
TEXT = {name: value for name, value in TINY.items() if name != "initializer_range"} | {"head_dim": 8}
SIGHT = dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2, image_size=8, patch_size=4)
SEEN = dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=2, image_size=12, patch_size=4,
            initializer_range=0.3)
QWEN_SIGHT = dict(depth=1, hidden_size=8, num_heads=2, patch_size=4, intermediate_size=8, out_hidden_size=16,
                  fullatt_block_indexes=[0], deepstack_visual_indexes=[0], num_position_embeddings=4)
QWEN2_SIGHT = {name: QWEN_SIGHT[name] for name in ("depth", "hidden_size", "num_heads", "patch_size")} | {"embed_dim": 8}
QWEN25_SIGHT = {name: value for name, value in QWEN_SIGHT.items()
                if name not in ("num_position_embeddings", "deepstack_visual_indexes")}
QWEN_IDS = dict(image_token_id=90, video_token_id=91, vision_start_token_id=92, vision_end_token_id=93)


def nested(text, sight, **settings):
    return "text", dict(settings, text_config={**TEXT, "initializer_range": 0.3, **text}, vision_config=sight)


IMAGE = dict(image_size=12, patch_size=4)
LATENT = dict(kv_lora_rank=8, qk_nope_head_dim=4, qk_rope_head_dim=4, v_head_dim=6, n_routed_experts=8, num_experts_per_tok=3,
              first_k_dense_replace=1, moe_intermediate_size=8, n_shared_experts=2, num_key_value_heads=4)


SIDE = dict(vocab_size=96, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
            max_position_embeddings=64, initializer_range=0.3)

WHISPER = dict(d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4,
               encoder_ffn_dim=24, decoder_ffn_dim=24, num_mel_bins=80, max_source_positions=50, max_target_positions=32,
               decoder_start_token_id=3, suppress_tokens=None, begin_suppress_tokens=None, init_std=0.3, seconds=0.8)
SAMPLES = dict(conv_dim=[8, 8, 8, 8, 8, 8, 8], num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4, seconds=0.4)

#: By the name of a folder: the model_type, the kind of make_model.py, and settings.
RECIPES = {
    "bloom_six": ("bloom", "decoder", dict(hidden_size=24, n_head=6, n_layer=2)),
    "mpt_six": ("mpt", "decoder", dict(d_model=24, n_heads=6, n_layers=2)),
    "gemma3_nested": ("gemma3", *nested(dict(query_pre_attn_scalar=8, sliding_window=4,
                                             layer_types=["sliding_attention", "full_attention"]), SIGHT,
                                        mm_tokens_per_image=4, image_token_index=90, boi_token_index=91, eoi_token_index=92)),
    "llava": ("llava", *nested(dict(model_type="llama"), dict(SIGHT, model_type="clip_vision_model"), image_token_index=90)),
    "mistral3": ("mistral3", *nested(dict(model_type="mistral", sliding_window=4),
                                     dict(SIGHT, model_type="pixtral", head_dim=4), image_token_index=90)),
    "paligemma": ("paligemma", *nested(dict(model_type="gemma"), dict(SIGHT, model_type="siglip_vision_model"),
                                       projection_dim=16, image_token_index=90)),
    "qwen2_vl": ("qwen2_vl", *nested(dict(rope_parameters=ROPE, num_attention_heads=2, num_key_value_heads=1),
                                     QWEN_SIGHT | {"embed_dim": 8}, **QWEN_IDS)),
    "qwen2_5_vl": ("qwen2_5_vl", *nested(dict(rope_parameters=ROPE, num_attention_heads=2, num_key_value_heads=1), QWEN25_SIGHT, **QWEN_IDS)),
    "qwen3_vl": ("qwen3_vl", *nested(dict(rope_parameters=dict(ROPE, mrope_interleaved=True)), QWEN_SIGHT, **QWEN_IDS)),
    "aya_vision": ("aya_vision", *nested(dict(model_type="cohere2", logit_scale=0.25, sliding_window=4), dict(
        SIGHT, model_type="siglip_vision_model"), image_token_index=90)),
    "llava_image": ("llava", *nested(dict(model_type="llama"), dict(SEEN, model_type="clip_vision_model"), image_token_index=90,
                                     picture=[12, 12], tokens=[90] * 9)),
    "llava_full": ("llava", *nested(dict(model_type="qwen2"), dict(SEEN, model_type="clip_vision_model"), image_token_index=95,
                                    vision_feature_select_strategy="full", vision_feature_layer=[-1, 0],
                                    multimodal_projector_bias=False, projector_hidden_act="relu", picture=[12, 12], tokens=[95] * 10)),
    "llava_siglip": ("llava", *nested(dict(model_type="llama", num_key_value_heads=4), dict(SEEN, model_type="siglip_vision_model"),
                                      image_token_index=90, vision_feature_select_strategy="full", vision_feature_layer=1,
                                      picture=[12, 12], tokens=[90] * 9)),
    "llava_pixtral": ("llava", *nested(dict(model_type="mistral", sliding_window=None), dict(SEEN, model_type="pixtral"),
                                       image_token_index=10, vision_feature_select_strategy="full", vision_feature_layer=-1,
                                       picture=[8, 12], tokens=[10, 10, 10, 12, 10, 10, 10, 13])),
    "vipllava_image": ("vipllava", *nested(dict(model_type="llama"), dict(SEEN, model_type="clip_vision_model", num_hidden_layers=4),
                                           image_token_index=90, vision_feature_layer=[-2, -1, 1], picture=[12, 12], tokens=[90] * 9)),
    "paligemma_image": ("paligemma", *nested(dict(model_type="gemma"), dict(SEEN, model_type="siglip_vision_model"),
                                             projection_dim=16, image_token_index=90, picture=[12, 12], tokens=[90] * 9)),
    "paligemma2_image": ("paligemma", *nested(dict(model_type="gemma2", sliding_window=4, query_pre_attn_scalar=8),
                                              dict(SEEN, model_type="siglip_vision_model", vision_use_head=False),
                                              projection_dim=16, image_token_index=96, picture=[12, 12], tokens=[96] * 9)),
    "gemma3_image": ("gemma3", *nested(dict(query_pre_attn_scalar=8, sliding_window=4,
                                            layer_types=["sliding_attention", "full_attention"]), dict(SEEN, image_size=16),
                                       mm_tokens_per_image=4, image_token_index=90, boi_token_index=91, eoi_token_index=92,
                                       picture=[16, 16], tokens=[91, 90, 90, 90, 90, 92])),
    "gemma3_image_both_ways": ("gemma3", *nested(dict(query_pre_attn_scalar=8, sliding_window=6, use_bidirectional_attention=True,
                                                      layer_types=["sliding_attention", "full_attention"]),
                                                 dict(SEEN, image_size=16), mm_tokens_per_image=4, image_token_index=90,
                                                 picture=[16, 16], tokens=[90] * 4)),
    "gemma3_image_wide": ("gemma3", *nested(dict(query_pre_attn_scalar=8, sliding_window=5, final_logit_softcapping=3.0,
                                                 layer_types=["full_attention", "sliding_attention"]),
                                            dict(SEEN, image_size=16, vision_use_head=False), mm_tokens_per_image=16,
                                            image_token_index=90, picture=[16, 16], tokens=[90] * 16)),
    "mistral3_image": ("mistral3", *nested(dict(model_type="mistral", sliding_window=None), dict(SEEN, model_type="pixtral"),
                                           image_token_index=10, picture=[16, 24], tokens=[10, 10, 10, 12, 10, 10, 10, 13])),
    "mistral3_image_apart": ("mistral3", *nested(dict(model_type="mistral", sliding_window=6), dict(
        SEEN, model_type="pixtral", hidden_act="silu", rope_parameters=dict(rope_type="axial", rope_theta=100.0)),
        image_token_index=10, spatial_merge_size=1, multimodal_projector_bias=True, vision_feature_layer=-2, picture=[8, 8],
        tokens=[10, 10, 12, 10, 10, 13])),
    "llava_processor": ("llava", *nested(dict(model_type="llama", vocab_size=396), dict(SEEN, model_type="clip_vision_model"),
                                         image_token_index=393, with_processor=True)),
    "paligemma_processor": ("paligemma", *nested(dict(model_type="gemma", vocab_size=396), dict(SEEN, model_type="siglip_vision_model"),
                                                 projection_dim=16, image_token_index=393, bos_token_id=2, with_processor=True)),
    "gemma3_processor": ("gemma3", *nested(dict(vocab_size=396, query_pre_attn_scalar=8, sliding_window=4,
                                                layer_types=["sliding_attention", "full_attention"]), dict(SEEN, image_size=16),
                                           mm_tokens_per_image=4, image_token_index=394, boi_token_index=393, eoi_token_index=395,
                                           with_processor=True)),
    "mistral3_processor": ("mistral3", *nested(dict(model_type="mistral", sliding_window=None, vocab_size=396),
                                               dict(SEEN, model_type="pixtral"), image_token_index=393, with_processor=True)),
    "qwen2_vl_image": ("qwen2_vl", *nested(dict(rope_parameters=ROPE, num_attention_heads=2, num_key_value_heads=1), dict(
        QWEN2_SIGHT, depth=2, embed_dim=16, hidden_size=16, mlp_ratio=2, initializer_range=0.3), **QWEN_IDS, picture=[16, 24],
        tokens=[92, *[90] * 6, 93])),
    "qwen2_5_vl_image": ("qwen2_5_vl", *nested(dict(rope_parameters=ROPE, num_attention_heads=2, num_key_value_heads=1), dict(
        QWEN25_SIGHT, depth=3, hidden_size=16, intermediate_size=24, window_size=16, fullatt_block_indexes=[1], initializer_range=0.3),
        **QWEN_IDS, picture=[24, 24], tokens=[92, *[90] * 9, 93])),
    "qwen2_5_vl_image_wide": ("qwen2_5_vl", *nested(dict(rope_parameters=dict(ROPE, mrope_section=[2, 1, 1], rope_theta=500.0), num_attention_heads=2), dict(
        QWEN25_SIGHT, depth=2, hidden_size=16, num_heads=4, intermediate_size=24, window_size=8, fullatt_block_indexes=[], hidden_act="gelu",
        initializer_range=0.3), **QWEN_IDS, picture=[8, 32], tokens=[90] * 4)),
    "qwen3_vl_image": ("qwen3_vl", *nested(dict(rope_parameters=dict(ROPE, mrope_interleaved=True), num_hidden_layers=3), dict(
        QWEN_SIGHT, depth=3, hidden_size=16, intermediate_size=24, num_position_embeddings=9, deepstack_visual_indexes=[0, 1],
        initializer_range=0.3), **QWEN_IDS, picture=[16, 24], tokens=[92, *[90] * 6, 93])),
    "qwen3_vl_image_wide": ("qwen3_vl", *nested(dict(rope_parameters=dict(ROPE, mrope_section=[2, 1, 1], rope_theta=500.0)), dict(
        QWEN_SIGHT, depth=2, hidden_size=16, num_heads=4, intermediate_size=24, num_position_embeddings=30, deepstack_visual_indexes=[1],
        hidden_act="silu", initializer_range=0.3), **QWEN_IDS, picture=[8, 32], tokens=[90] * 4)),
    "llava_next_image": ("llava_next", *nested(dict(model_type="llama"), dict(SEEN, model_type="clip_vision_model"), image_token_index=90,
                                               image_grid_pinpoints=[[12, 24], [24, 12], [24, 24]], tiles=[1, 2, 10, 28])),
    "llava_next_granite": ("llava_next", *nested(
        dict(model_type="granite", embedding_multiplier=3.0), dict(SEEN, model_type="siglip_vision_model"), image_token_index=90,
        vision_feature_layer=[-2, -1], vision_feature_select_strategy="full", multimodal_projector_bias=False,
        image_grid_pinpoints=[[36, 12], [24, 24]], tiles=[3, 1, 50, 11])),
    "llava_onevision_image": ("llava_onevision", *nested(dict(model_type="qwen2"), dict(SEEN, model_type="siglip_vision_model"),
                                                         image_token_index=90, image_grid_pinpoints=[[24, 36], [36, 24]],
                                                         tiles=[2, 3, 20, 36])),
    "llava_onevision_shrunk": ("llava_onevision", *nested(dict(model_type="qwen2"), dict(SEEN, model_type="siglip_vision_model"),
                                                          image_token_index=90, image_grid_pinpoints=[[24, 36], [36, 24]],
                                                          vision_aspect_ratio="anyres_max_2", projector_hidden_act="relu",
                                                          tiles=[3, 2, 40, 25])),
    "internvl_image": ("internvl", *nested(dict(model_type="qwen2"), dict(SEEN, image_size=16, model_type="internvl_vision"),
                                           image_token_id=90, tiles=[1, 2, 16, 32])),
    "internvl_rms": ("internvl", *nested(dict(model_type="qwen3"), dict(
        SEEN, image_size=16, norm_type="rms_norm", use_qk_norm=True, attention_bias=True, use_mean_pooling=False,
        model_type="internvl_vision"), image_token_id=90, downsample_ratio=1.0, tiles=[0, 0, 16, 16])),
    "aya_vision_image": ("aya_vision", *nested(dict(model_type="cohere2", logit_scale=0.25, sliding_window=4), dict(
        SEEN, image_size=16, model_type="siglip_vision_model"), image_token_index=90, tiles=[2, 1, 32, 16])),
    "aya_vision_clip": ("aya_vision", *nested(dict(model_type="cohere2", logit_scale=0.25, sliding_window=7), dict(
        SEEN, model_type="clip_vision_model"), image_token_index=90, vision_feature_select_strategy="default",
        vision_feature_layer=1, downsample_factor=3, alignment_intermediate_size=12, adapter_layer_norm_eps=0.01,
        tiles=[0, 0, 12, 12])),
    "idefics3_image": ("idefics3", *nested(dict(model_type="llama"), dict(SEEN, image_size=16, model_type="idefics3_vision"),
                                           image_token_id=90, tiles=[1, 2, 16, 32])),
    "smolvlm_image": ("smolvlm", *nested(dict(model_type="llama"), dict(SEEN, image_size=36, hidden_act="gelu", model_type="smolvlm_vision"),
                                         image_token_id=90, scale_factor=3, tiles=[0, 0, 36, 36])),
    "llava_next_processor": ("llava_next", *nested(dict(model_type="llama", vocab_size=396), dict(SEEN, model_type="clip_vision_model"),
                                                   image_token_index=393, image_grid_pinpoints=[[12, 24], [24, 12], [24, 24], [12, 36]],
                                                   with_processor=True)),
    "llava_onevision_processor": ("llava_onevision", *nested(
        dict(model_type="qwen2", vocab_size=396), dict(SEEN, model_type="siglip_vision_model"), image_token_index=393,
        image_grid_pinpoints=[[24, 36], [36, 24], [36, 48]], vision_aspect_ratio="anyres_max_4", with_processor=True)),
    "internvl_processor": ("internvl", *nested(dict(model_type="qwen2", vocab_size=396), dict(
        SEEN, image_size=16, model_type="internvl_vision"), image_token_id=393, with_processor=True)),
    "aya_vision_processor": ("aya_vision", *nested(dict(model_type="cohere2", vocab_size=396, sliding_window=4), dict(
        SEEN, image_size=16, model_type="siglip_vision_model"), image_token_index=393, with_processor=True)),
    "aya_vision_tall": ("aya_vision", *nested(dict(model_type="cohere2", vocab_size=396, sliding_window=4), dict(
        SEEN, image_size=16, model_type="siglip_vision_model"), image_token_index=393, with_processor="tall")),
    "idefics3_processor": ("idefics3", *nested(dict(model_type="llama", vocab_size=408), dict(
        SEEN, image_size=16, model_type="idefics3_vision"), image_token_id=393, with_processor=True)),
    "smolvlm_processor": ("smolvlm", *nested(dict(model_type="llama", vocab_size=408), dict(
        SEEN, image_size=24, model_type="smolvlm_vision"), image_token_id=393, scale_factor=3, with_processor=True)),
    "modernbert": ("modernbert", "encoder", dict(local_attention=4, num_hidden_layers=3)),
    "nomic_bert": ("nomic_bert", "encoder", {}),
    "esm": ("esm", "encoder", dict(position_embedding_type="rotary", mask_token_id=33, token_dropout=True,
                                   emb_layer_norm_before=False)),
    "esm_absolute": ("esm", "encoder", dict(position_embedding_type="absolute", mask_token_id=90, emb_layer_norm_before=True)),
    "eurobert": ("eurobert", "encoder", {}),
    "clip_text": ("clip_text_model", "base", {}),
    "clip_vision": ("clip_vision_model", "base", IMAGE),
    "siglip_vision": ("siglip_vision_model", "base", IMAGE),
    "deit": ("deit", "base", IMAGE),
    "beit": ("beit", "image", dict(IMAGE, use_relative_position_bias=True)),
    "beit_shared": ("beit", "base", dict(IMAGE, use_shared_relative_position_bias=True, use_absolute_position_embeddings=True,
                                         layer_scale_init_value=0.0)),
    "ijepa": ("ijepa", "image", IMAGE),
    "vit_msn": ("vit_msn", "image", IMAGE),
    "dinov2": ("dinov2", "image", dict(IMAGE, mlp_ratio=2)),
    "dinov2_larger": ("dinov2", "base", dict(IMAGE, mlp_ratio=2, input_size=20)),
    "dinov2_registers_smaller": ("dinov2_with_registers", "base", dict(mlp_ratio=2, num_register_tokens=2, image_size=20,
                                                                       patch_size=4, input_size=12)),
    "dinov3_larger": ("dinov3_vit", "base", dict(IMAGE, num_register_tokens=1, input_size=20)),
    "dinov2_swiglu": ("dinov2", "base", dict(IMAGE, mlp_ratio=2, use_swiglu_ffn=True)),
    "dinov2_registers": ("dinov2_with_registers", "image", dict(IMAGE, mlp_ratio=2, num_register_tokens=2)),
    "dinov3_vit": ("dinov3_vit", "base", dict(IMAGE, num_register_tokens=3)),
    **{f"{name}_classes": (name, "classes", dict(num_labels=3)) for name in
       ("bert", "roberta", "distilbert", "electra", "albert", "mpnet", "esm", "gpt2", "llama", "opt", "biogpt")},
    "gpt_neox_classes": ("gpt_neox", "classes", dict(num_labels=3, rope_parameters=dict(
        rope_type="default", rope_theta=10000.0, partial_rotary_factor=0.5))),
    "bloom_classes": ("bloom", "classes", dict(num_labels=3, n_layer=2, n_head=4)),
    "gptj_classes": ("gptj", "classes", dict(num_labels=3, n_layer=2, n_head=4, rotary_dim=4)),
    "falcon_classes": ("falcon", "classes", dict(num_labels=3)),
    "mpt_classes": ("mpt", "classes", dict(d_model=16, n_heads=4, n_layers=2, num_labels=3)),
    "gpt_bigcode_classes": ("gpt_bigcode", "classes", dict(n_embd=16, n_layer=2, n_head=4, n_positions=64, num_labels=3)),
    "gpt_neo_classes": ("gpt_neo", "classes", dict(num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]], window_size=4,
                                                   num_labels=3)),
    "bert_rank": ("bert", "classes", dict(num_labels=1)),
    "modernbert_classes": ("modernbert", "classes", dict(num_labels=3, local_attention=4, classifier_pooling="mean")),
    "bert_entities": ("bert", "tokens", dict(num_labels=3)),
    "qwen3_entities": ("qwen3", "tokens", dict(num_labels=3, head_dim=8)),
    "bert_span": ("bert", "span", {}),
    "distilbert_span": ("distilbert", "span", {}),
    "deit_classes": ("deit", "DeiTForImageClassificationWithTeacher", dict(IMAGE, num_labels=3)),
    "data2vec_vision": ("data2vec-vision", "image", dict(IMAGE, use_relative_position_bias=True)),
    "siglip_text": ("siglip_text_model", "SiglipTextModel", {}),
    "clip": ("clip", "CLIPModel", dict(projection_dim=8, text_config=dict(TEXT, max_position_embeddings=24),
                                  vision_config=dict(SIGHT, hidden_size=16, num_attention_heads=4, image_size=12))),
    "deberta_v2": ("deberta-v2", "encoder", dict(relative_attention=True, pos_att_type=["p2c", "c2p"], position_buckets=4,
                                                 norm_rel_ebd="layer_norm", share_att_key=True, position_biased_input=False)),
    "deberta_v2_head": ("deberta-v2", "encoder", dict(relative_attention=True, pos_att_type=["c2p"], max_relative_positions=6,
                                                      legacy=False)),
    "deberta_v2_plain": ("deberta-v2", "encoder", dict(relative_attention=True, pos_att_type="c2p", max_relative_positions=6,
                                                       type_vocab_size=2)),
    "deberta_v2_classes": ("deberta-v2", "classes", dict(relative_attention=True, pos_att_type=["p2c", "c2p"],
                                                         max_relative_positions=6, position_biased_input=False, num_labels=3)),
    "deepseek_v2": ("deepseek_v2", "decoder", dict(LATENT, q_lora_rank=None)),
    "deepseek_v2_groups": ("deepseek_v2", "decoder", dict(LATENT, q_lora_rank=6, topk_method="group_limited_greedy", n_group=4,
                                                          topk_group=2, routed_scaling_factor=1.5)),
    "deepseek_v3": ("deepseek_v3", "decoder", dict(LATENT, q_lora_rank=6, n_group=4, topk_group=2, rope_parameters=dict(
        rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=16, mscale=0.7,
        mscale_all_dim=1.0))),
    "glm4_moe": ("glm4_moe", "decoder", dict(n_routed_experts=8, num_experts_per_tok=3, moe_intermediate_size=8, n_group=2,
                                             topk_group=1, use_qk_norm=True, attention_bias=True, head_dim=8)),
    "megatron_bert": ("megatron-bert", "encoder", {}),
    "bert_generation": ("bert-generation", "base", {}),
    "biogpt": ("biogpt", "decoder", {}),
    "xglm": ("xglm", "decoder", dict(d_model=16, ffn_dim=24, num_layers=2, attention_heads=4)),
    "openai_gpt": ("openai-gpt", "decoder", dict(n_embd=16, n_layer=2, n_head=4, n_positions=64)),
    "ctrl": ("ctrl", "decoder", dict(n_embd=16, n_layer=2, n_head=4, dff=24)),
    "phimoe": ("phimoe", "decoder", dict(num_local_experts=4, attention_bias=True, lm_head_bias=True,
                                         router_jitter_noise=0.3)),
    "minicpm3": ("minicpm3", "decoder", dict(kv_lora_rank=8, q_lora_rank=6, qk_nope_head_dim=4, qk_rope_head_dim=4,
                                             num_key_value_heads=4, scale_emb=3, dim_model_base=8)),
    "apertus": ("apertus", "decoder", {}),
    "lfm2": ("lfm2", "decoder", dict(num_hidden_layers=3, layer_types=["conv", "full_attention", "conv"], conv_bias=True,
                                     block_multiple_of=4)),
    "roformer": ("roformer", "encoder", dict(embedding_size=8)),
    "gte": ("gte", "encoder", dict(type_vocab_size=0)),
    "gte_classes": ("gte", "classes", dict(num_labels=3)),
    "nomic_bert_classes": ("nomic_bert", "classes", dict(num_labels=3)),
    "gemma2_classes": ("gemma2", "classes", dict(num_labels=3, head_dim=8, query_pre_attn_scalar=8, sliding_window=4,
                                                 final_logit_softcapping=2.0)),
    "t5_encoder": ("t5", "T5EncoderModel", dict(d_model=16, d_kv=4, d_ff=24, num_layers=2, num_heads=4)),
    "jina_v3": ("jina_embeddings_v3", "encoder", {}),
    "deberta": ("deberta", "encoder", dict(relative_attention=True, pos_att_type=["c2p", "p2c"], max_relative_positions=6,
                                           position_biased_input=False)),
    "deberta_plain": ("deberta", "classes", dict(relative_attention=True, pos_att_type=["p2c"], type_vocab_size=2,
                                                 num_labels=3)),
    "switch": ("switch_transformers", "both", dict(d_model=16, d_kv=4, d_ff=24, num_layers=2, num_decoder_layers=2, num_heads=4,
                                                   num_sparse_encoder_layers=1, num_sparse_decoder_layers=1, num_experts=3,
                                                   expert_capacity=3, router_bias=True, decoder_start_token_id=0)),
    "longt5": ("longt5", "both", dict(d_model=16, d_kv=4, d_ff=24, num_layers=2, num_decoder_layers=1, num_heads=4, local_radius=2,
                                      decoder_start_token_id=0)),
    "led": ("led", "both", dict(d_model=16, encoder_layers=2, decoder_layers=1, encoder_attention_heads=4,
                                decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24, attention_window=[8, 4],
                                max_encoder_position_embeddings=64, max_decoder_position_embeddings=32,
                                pad_token_id=0, decoder_start_token_id=2)),
    "blip": ("blip", "BlipModel", dict(text_config=dict(TEXT, encoder_hidden_size=16, hidden_size=16),
                                       vision_config=dict(hidden_size=16, intermediate_size=24, num_hidden_layers=2,
                                                          num_attention_heads=4, image_size=12, patch_size=4))),
    "llama4_text": ("llama4_text", "Llama4ForCausalLM", dict(
        intermediate_size=12, intermediate_size_mlp=24, num_local_experts=4, num_experts_per_tok=2, head_dim=8,
        interleave_moe_layer_step=2, no_rope_layers=[1, 0], attention_chunk_size=32, floor_scale=24,
        rope_parameters=dict(rope_type="default", rope_theta=500000.0))),
    "jamba": ("jamba", "decoder", dict(num_hidden_layers=3, attn_layer_period=2, attn_layer_offset=1, expert_layer_period=2,
                                       expert_layer_offset=0, num_experts=4, num_experts_per_tok=2, mamba_d_state=3,
                                       mamba_d_conv=3, mamba_dt_rank=4, mamba_proj_bias=True)),
    "qwen3_next": ("qwen3_next", "decoder", dict(
        num_hidden_layers=3, layer_types=["linear_attention", "full_attention", "linear_attention"], head_dim=8,
        linear_conv_kernel_dim=3, linear_key_head_dim=4, linear_value_head_dim=6, linear_num_key_heads=2,
        linear_num_value_heads=4, moe_intermediate_size=8, shared_expert_intermediate_size=8, num_experts=4,
        num_experts_per_tok=2, mlp_only_layers=[2])),
    "squeezebert_epsilon": ("squeezebert", "encoder", dict(embedding_size=16, layer_norm_eps=0.1)),
    "squeezebert": ("squeezebert", "encoder", dict(embedding_size=16, q_groups=2, k_groups=1, v_groups=4, output_groups=2)),
    "convbert": ("convbert", "encoder", dict(embedding_size=8, conv_kernel_size=3, num_groups=2)),
    "mobilebert": ("mobilebert", "base", dict(embedding_size=8, intra_bottleneck_size=8, num_feedforward_networks=2)),
    "encoder_decoder": ("encoder-decoder", "EncoderDecoderModel", dict(
        encoder=dict(SIDE, model_type="bert"), decoder=dict(SIDE, model_type="bert", is_decoder=True, add_cross_attention=True),
        decoder_start_token_id=1, pad_token_id=0)),
    "bart_classes": ("bart", "classes", dict(d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                                             decoder_attention_heads=2, encoder_ffn_dim=24, decoder_ffn_dim=24, num_labels=3,
                                             decoder_start_token_id=2)),
    "longformer": ("longformer", "encoder", dict(attention_window=[8, 4])),
    "big_bird": ("big_bird", "encoder", dict(attention_type="original_full", rescale_embeddings=True)),
    "layoutlm": ("layoutlm", "encoder", dict(max_2d_position_embeddings=8)),
    "dpr": ("dpr", "DPRQuestionEncoder", {}),
    "vit_mae": ("vit_mae", "base", dict(IMAGE, mask_ratio=0.0)),
    "whisper": ("whisper", "speech", dict(WHISPER, vocab_size=528, tokenizer="bart")),
    "whisper_cut": ("whisper", "base", dict(WHISPER, num_mel_bins=128, seconds=1.3, stored="float16")),
    "wav2vec2": ("wav2vec2", "letters", dict(SAMPLES, vocab_size=12)),
    "wav2vec2_stable": ("wav2vec2", "letters", dict(SAMPLES, vocab_size=12, do_stable_layer_norm=True, feat_extract_norm="layer",
                                                    conv_bias=True, num_conv_pos_embeddings=5, stored="float16")),
    "wav2vec2_classes": ("wav2vec2", "sound", dict(SAMPLES, classifier_proj_size=6, num_labels=3)),
    "hubert": ("hubert", "letters", dict(SAMPLES, vocab_size=12, feat_proj_layer_norm=False)),
    "hubert_stable": ("hubert", "base", dict(SAMPLES, do_stable_layer_norm=True, feat_extract_norm="layer", conv_bias=True)),
    "wavlm": ("wavlm", "letters", dict(SAMPLES, vocab_size=12, num_buckets=12, max_bucket_distance=10)),
    "wavlm_stable": ("wavlm", "base", dict(SAMPLES, num_buckets=12, max_bucket_distance=10, do_stable_layer_norm=True,
                                           feat_extract_norm="layer", conv_bias=True)),
    "dinov3_gated": ("dinov3_vit", "base", dict(IMAGE, use_gated_mlp=True, hidden_act="silu", key_bias=True)),
}


def main():
    for name in sys.argv[1:] or RECIPES:
        model_type, kind, settings = RECIPES[name]
        make(MODELS / name, model_type, "none", kind, settings)
        check(MODELS / name)


if __name__ == "__main__":
    main()
