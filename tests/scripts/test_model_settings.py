#!/usr/bin/env python3
"""Sets every setting of every supported model type to other values, one at a time, and compares what AttnLab computes with
what Transformers does: each combination must be equal, or refused. Then sets every key of GGUF in every architecture:
each must change the numbers, be refused, or be named among what is not read. Models with the settings that Transformers
itself writes must open without a note.

    ATTNLAB=build/dev/app/attnlab tests/scripts/test_model_settings.py [--types llama,t5] [--only is_causal,...]
        [--skip-folders] [--skip-gguf] [--draws 1] [--seed 1] [--random-only [NAME,...]]

At last each kind of tests/data/models gets random settings, several at a time (random_settings.py): --draws times.

Needs PyTorch, Transformers, gguf (for the keys of GGUF) and Pillow (for vit and images in a text; before version 13 it
resizes tall images in another order); without the first two it is skipped."""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
import warnings
import wave
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
DATA = HERE.parent / "data"
sys.path = [folder for folder in sys.path if Path(folder).resolve() != HERE]  # its folder torch is not PyTorch
try:
    import numpy as np
    import torch
    import transformers
except ImportError as error:
    print(f"{error.name} is not installed")
    sys.exit(77)

PROGRAM = os.environ["ATTNLAB"]
IDS = [3, 17, 9, 40, 33, 5, 21, 8, 30, 12]
TARGET = [7, 44, 11, 9]  #: behind the token that a decoder begins with
TRANSLATES = ("t5", "bart", "marian", "whisper")
SOUNDS = ("hubert", "wav2vec2", "whisper")
GGUF_MODELS = ("apertus", "arcee", "bert", "bloom", "cohere", "cohere2", "deepseek2_lite", "deepseek3", "ernie4_5", "eurobert", "exaone4", "falcon",
               "falcon_new", "gemma", "gemma2", "gemma3", "glm", "glm4", "gpt2", "gpt_neox", "gpt_oss", "granite", "granitemoe", "jamba", "jina_v3",
               "lfm2", "llama", "minicpm3", "mixtral", "modernbert", "mpt", "nemotron", "nomic_bert", "olmo", "olmo2", "olmoe", "phi", "phi3",
               "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "seed_oss", "smollm3", "stablelm", "starcoder", "starcoder2")
SMALL = dict(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4,
             max_position_embeddings=48)
GROUPED = dict(SMALL, num_key_value_heads=2)
SIDES = dict(vocab_size=64, d_model=32, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
             decoder_attention_heads=2, encoder_ffn_dim=48, decoder_ffn_dim=40, max_position_embeddings=48,
             pad_token_id=1, bos_token_id=0, eos_token_id=2, decoder_start_token_id=2, forced_eos_token_id=2)
#: The class and the settings of a small model of each type.
MODELS = {
    "llama": ("LlamaForCausalLM", GROUPED),
    "mistral": ("MistralForCausalLM", dict(GROUPED, sliding_window=4)),
    "ministral": ("MinistralForCausalLM", dict(GROUPED, head_dim=8, sliding_window=4,
                                               layer_types=["full_attention", "sliding_attention"])),
    "qwen2": ("Qwen2ForCausalLM", GROUPED),
    "qwen3": ("Qwen3ForCausalLM", dict(GROUPED, head_dim=16)),
    "olmo2": ("Olmo2ForCausalLM", GROUPED),
    "olmo3": ("Olmo3ForCausalLM", dict(GROUPED, sliding_window=4, num_hidden_layers=4)),
    "phi3": ("Phi3ForCausalLM", dict(GROUPED, pad_token_id=0)),
    "gemma2": ("Gemma2ForCausalLM", dict(GROUPED, head_dim=8, sliding_window=4, query_pre_attn_scalar=16)),
    "gemma3_text": ("Gemma3ForCausalLM", dict(GROUPED, head_dim=8, sliding_window=4, query_pre_attn_scalar=16,
                                              layer_types=["sliding_attention", "full_attention"])),
    "gpt_oss": ("GptOssForCausalLM", dict(GROUPED, head_dim=8, num_local_experts=4, num_experts_per_tok=2,
                                          sliding_window=4)),
    "gpt2": ("GPT2LMHeadModel", dict(vocab_size=64, n_embd=32, n_layer=2, n_head=4, n_positions=48, bos_token_id=0,
                                     eos_token_id=0)),
    "gpt_neox": ("GPTNeoXForCausalLM", SMALL),
    "opt": ("OPTForCausalLM", dict(vocab_size=64, hidden_size=32, ffn_dim=48, num_hidden_layers=2,
                                   num_attention_heads=4, max_position_embeddings=48, word_embed_proj_dim=32)),
    "bert": ("BertForMaskedLM", SMALL),
    "roberta": ("RobertaForMaskedLM", dict(SMALL, pad_token_id=1)),
    "distilbert": ("DistilBertForMaskedLM", dict(vocab_size=64, dim=32, hidden_dim=48, n_layers=2, n_heads=4,
                                                 max_position_embeddings=48)),
    "t5": ("T5ForConditionalGeneration", dict(vocab_size=64, d_model=32, d_kv=8, d_ff=48, num_layers=2,
                                              num_decoder_layers=2, num_heads=4, decoder_start_token_id=0,
                                              relative_attention_num_buckets=8, relative_attention_max_distance=12)),
    "bart": ("BartForConditionalGeneration", SIDES),
    "marian": ("MarianMTModel", dict(SIDES, decoder_vocab_size=64)),
    "apertus": ("ApertusForCausalLM", dict(GROUPED, rope_parameters={"rope_type": "default", "rope_theta": 500.0})),
    "biogpt": ("BioGptForCausalLM", SMALL),
    "convbert": ("ConvBertForMaskedLM", dict(SMALL, embedding_size=16, conv_kernel_size=3)),
    "ctrl": ("CTRLLMHeadModel", dict(vocab_size=64, n_embd=32, n_layer=2, n_head=4, dff=48, n_positions=48)),
    "deberta": ("DebertaForMaskedLM", dict(SMALL, relative_attention=True, pos_att_type=["c2p", "p2c"], max_relative_positions=6,
                                           position_biased_input=False)),
    "deberta-v2": ("DebertaV2ForMaskedLM", dict(SMALL, relative_attention=True, pos_att_type=["c2p", "p2c"],
                                                max_relative_positions=6, position_biased_input=False)),
    "deepseek_v3": ("DeepseekV3ForCausalLM", dict(SMALL, num_key_value_heads=4, q_lora_rank=8, kv_lora_rank=8, qk_nope_head_dim=4,
                                                  qk_rope_head_dim=4, v_head_dim=6, n_routed_experts=4, num_experts_per_tok=2,
                                                  n_group=2, topk_group=1, first_k_dense_replace=1, moe_intermediate_size=8)),
    "esm": ("EsmForMaskedLM", dict(SMALL, position_embedding_type="rotary", pad_token_id=1, mask_token_id=33)),
    "eurobert": ("EuroBertForMaskedLM", dict(GROUPED, pad_token_id=0, bos_token_id=1, eos_token_id=2)),
    "glm4_moe": ("Glm4MoeForCausalLM", dict(GROUPED, head_dim=8, n_routed_experts=4, num_experts_per_tok=2, n_group=1, topk_group=1,
                                            moe_intermediate_size=8)),
    "gte": ("GteForMaskedLM", SMALL),
    "jina_embeddings_v3": ("JinaEmbeddingsV3ForMaskedLM", SMALL),
    "megatron-bert": ("MegatronBertForMaskedLM", SMALL),
    "minicpm3": ("MiniCPM3ForCausalLM", dict(SMALL, num_key_value_heads=4, q_lora_rank=8, kv_lora_rank=8, qk_nope_head_dim=4,
                                             qk_rope_head_dim=4, v_head_dim=6)),
    "modernbert": ("ModernBertForMaskedLM", dict(SMALL, local_attention=6, num_hidden_layers=3, pad_token_id=0)),
    "nomic_bert": ("NomicBertForMaskedLM", SMALL),
    "openai-gpt": ("OpenAIGPTLMHeadModel", dict(vocab_size=64, n_embd=32, n_layer=2, n_head=4, n_positions=48)),
    "phimoe": ("PhimoeForCausalLM", dict(GROUPED, num_local_experts=4, num_experts_per_tok=2)),
    "roformer": ("RoFormerForMaskedLM", SMALL),
    "squeezebert": ("SqueezeBertForMaskedLM", dict(SMALL, embedding_size=32)),
    "xglm": ("XGLMForCausalLM", dict(vocab_size=64, d_model=32, ffn_dim=48, num_layers=2, attention_heads=4,
                                     max_position_embeddings=48)),
    "vit": ("ViTForImageClassification", dict(hidden_size=32, intermediate_size=48, num_hidden_layers=2,
                                              num_attention_heads=4, image_size=32, patch_size=8)),
}
SAMPLES = dict(SMALL, vocab_size=12, conv_dim=[8, 8, 8, 8, 8, 8, 8], num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=4)
MODELS.update({
    "hubert": ("HubertForCTC", SAMPLES),
    "wav2vec2": ("Wav2Vec2ForCTC", SAMPLES),
    "whisper": ("WhisperForConditionalGeneration", dict(
        SIDES, decoder_attention_heads=4, num_mel_bins=8, max_source_positions=50, max_target_positions=48, suppress_tokens=None,
        begin_suppress_tokens=None)),
})
#: Beside its own settings: those of the base class, of older files and of other families.
OTHER = dict(
    is_causal=[False, True], is_decoder=[True], add_cross_attention=[True], tie_word_embeddings=[True, False],
    use_bidirectional_attention=[True], position_embedding_type=["relative_key", "absolute"],
    per_layer_config=[{"0": {"num_attention_heads": 2}}], attention_multiplier=[0.5], residual_multiplier=[0.5],
    embedding_multiplier=[12.0], logits_scaling=[4.0], no_rope_layers=[[0, 1]], clip_qkv=[1.0], qk_norm=[True],
    use_qk_norm=[True], qk_layernorm=[True], alibi=[True], max_alibi_bias=[8.0], attention_bias=[True, False],
    mlp_bias=[True], qkv_bias=[True, False], attention_sinks=[True], attention_chunk_size=[4],
    rope_interleaved=[True, False], rope_theta=[500.0], rotary_pct=[0.5], rotary_emb_base=[500.0],
    partial_rotary_factor=[0.5, 1.0], rope_local_base_freq=[500.0], sliding_window=[3, None, 12],
    use_sliding_window=[True, False], max_window_layers=[1], sliding_window_pattern=[2],
    layer_types=[["full_attention", "sliding_attention"], ["full_attention", "full_attention"]],
    attn_logit_softcapping=[2.0, None], final_logit_softcapping=[2.0], query_pre_attn_scalar=[4.0],
    head_dim=[8, None, 4], num_key_value_heads=[2, 4, None], num_attention_heads=[2, 4], num_hidden_layers=[1, 2],
    hidden_size=[32], n_head=[2, 4], d_kv=[4], scale_embedding=[True], scale_attn_weights=[False],
    scale_attn_by_inverse_layer_idx=[True], reorder_and_upcast_attn=[True], parallel_attn=[True],
    normalize_before=[True, False], layer_norm_eps=[0.1], rms_norm_eps=[0.1], layer_norm_epsilon=[0.1],
    attention_dropout=[0.5], attn_implementation=["eager"], auto_map={"AutoModel": "x.Y"}, _name_or_path=["a"],
    torch_dtype=["float32"], task_specific_params=[{"a": {"b": 1}}], quantization=[{}], unheard_of=[3],
    temperature=[0.5], num_beams=[4], gradient_checkpointing=[True], max_length=[20], pruned_heads=[{}],
)


def rope_settings():
    linear = {"rope_type": "linear", "factor": 2.0}
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 12}
    return [linear, dict(linear, rope_theta=500.0), {"type": "linear", "factor": 2.0}, {"factor": 4.0},
            {"rope_type": "dynamic", "factor": 2.0}, yarn, dict(yarn, attention_factor=1.0),
            dict(yarn, mscale=0.7, mscale_all_dim=1.0), dict(yarn, beta_fast=4.0, beta_slow=2.0),
            dict(yarn, truncate=False), dict(yarn, finetuned=True), dict(linear, beta_fast=4.0),
            {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
             "original_max_position_embeddings": 12}, {"rope_type": "default", "rope_theta": 500.0},
            {"rope_type": "default", "rope_theta": 500.0, "partial_rotary_factor": 0.5}, {"rope_type": "default"},
            {"mrope_section": [1, 1, 2]},
            {"full_attention": dict(linear, rope_theta=500.0), "sliding_attention": {"rope_type": "default"}}]


OTHER["rope_parameters"] = rope_settings()
OTHER["rope_scaling"] = [None, *rope_settings()]


def others_of(key, value):
    """Values that are not this one."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(1, value // 2), value * 2, 0]
    if isinstance(value, float):
        return [value * 2 + 0.25, 0.0, 1.0]
    if isinstance(value, str):
        return {"activation": ["relu", "silu", "gelu_new", "laplace"]}.get(
            "activation" if "act" in key else "", [value + "x", ""])
    if isinstance(value, list):
        return [value[::-1], value[:1], []]
    if isinstance(value, dict):
        return [{}]
    return [True, 1, 0.5, "x"]


def combinations(config):
    keys = {key: others_of(key, value) + [None] for key, value in config.items()
            if key not in ("model_type", "architectures", "dtype", "transformers_version")}
    for key, values in OTHER.items():
        keys[key] = keys.get(key, []) + (values if isinstance(values, list) else [values])
    for key, values in keys.items():
        seen = []
        for value in values:
            text = json.dumps(value)
            if text not in seen and not (key in config and json.dumps(config[key]) == text):
                seen.append(text)
                yield key, value


def save_model(folder, kind, settings, seed=1):
    torch.manual_seed(seed)
    model_class = getattr(transformers, kind)
    config = model_class.config_class(**settings)
    model = model_class(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            spread = 0.3 if parameter.ndim == 1 else 0.35
            parameter.copy_(parameter * (parameter.ndim == 1) + spread * torch.randn_like(parameter))
    model.save_pretrained(folder)
    return json.loads((folder / "config.json").read_text())


def save_tokenizer(folder):
    """Word w7 is token 7."""
    model = {"type": "WordPiece", "unk_token": "w63", "continuing_subword_prefix": "##",
             "max_input_chars_per_word": 100, "vocab": {f"w{i}": i for i in range(64)}}
    (folder / "tokenizer.json").write_text(json.dumps(
        {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": {
            "type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {
                "type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]},
         "post_processor": None, "decoder": None, "model": model}))
    # As it stands; of a class AutoTokenizer would make other parts.
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))


def save_image(folder):
    """Of the size that the model takes, and what is done to it."""
    from PIL import Image
    pixels = np.random.default_rng(1).integers(0, 256, (32, 32, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(folder / "image.png")
    (folder / "preprocessor_config.json").write_text(json.dumps(
        {"do_normalize": True, "do_rescale": True, "do_resize": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3,
         "resample": 2, "rescale_factor": 1 / 255, "size": {"height": 32, "width": 32}}))


def save_sound(folder):
    """Half a second, and what is done to it."""
    rate = 16000
    samples = np.random.default_rng(1).integers(-9999, 9999, rate // 2, dtype=np.int16)
    with wave.open(str(folder / "sound.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    if folder.name == "whisper":
        transformers.WhisperFeatureExtractor(feature_size=8, chunk_length=1).save_pretrained(folder)
        save_tokenizer(folder)
    else:
        transformers.Wav2Vec2FeatureExtractor(do_normalize=True).save_pretrained(folder)


def sound_inputs(folder):
    with wave.open(str(folder / "sound.wav")) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768
    extractor = transformers.AutoFeatureExtractor.from_pretrained(folder)
    return extractor(samples, sampling_rate=16000, return_tensors="pt").to(torch.float32)


def pixel_values(folder):
    from PIL import Image
    pixels = np.asarray(Image.open(folder / "image.png"), np.float32) / 255
    return torch.tensor((pixels - 0.5) / 0.5).permute(2, 0, 1)[None]


def of_transformers(folder, kind, config):
    """Weights and logits by names, or why there are none."""
    model_class = getattr(transformers, kind)
    try:
        loaded = transformers.AutoConfig.from_pretrained(folder)
        if loaded.model_type != config["model_type"]:
            model_class = getattr(transformers, type(loaded).__name__.removesuffix("Config") + "ForCausalLM")
        model, info = model_class.from_pretrained(folder, config=loaded, attn_implementation="eager",
                                                  dtype=torch.float32, output_loading_info=True)
        if info["missing_keys"] or info["mismatched_keys"]:
            return "tensors are missing"
        given = ({"pixel_values": pixel_values(folder)} if config["model_type"] == "vit"
                 else dict(sound_inputs(folder)) if config["model_type"] in SOUNDS else {"input_ids": torch.tensor([IDS])})
        translates = config["model_type"] in TRANSLATES
        if translates:
            start = loaded.decoder_start_token_id
            given["decoder_input_ids"] = torch.tensor([[start, *TARGET]])
        with torch.no_grad():
            cache = {} if config["model_type"] in SOUNDS and not translates else {"use_cache": False}
            result = model.eval()(**given, output_attentions=True, return_dict=True, **cache)
        arrays = {"logits": result.logits[0].numpy()}
        passes = ([("encoder", "self", result.encoder_attentions), ("decoder", "self", result.decoder_attentions),
                   ("decoder", "cross", result.cross_attentions)] if translates else [("", "self", result.attentions)])
        for stack, pass_name, attentions in passes:
            for layer, weights in enumerate(attentions):
                arrays[f"{stack}.{layer}.{pass_name}.weights"] = weights[0].numpy()
        if not all(np.isfinite(one).all() for one in arrays.values()):
            return "not finite"
        return arrays
    except Exception as error:  # whatever it raises, it does not run
        return f"{type(error).__name__}: {str(error)[:80]}"


def run_program(path, target=False, ids=None):
    """The arrays, or the message."""
    out = path / "out.npz" if path.is_dir() else path.with_suffix(".npz")
    ids = ids or (IDS if path.is_dir() else [i % 24 for i in IDS])  # the files of GGUF have 24 tokens
    image, sound = path / "image.png", path / "sound.wav"
    given = ["--image", str(image)] if image.exists() else ["--sound", str(sound)] if sound.exists() else ["--ids", ",".join(map(str, ids))]
    command = [PROGRAM, "model", str(path), *given, "--out", str(out), "--keep", "weights,logits"]
    if target:
        command += ["--target", " ".join(f"w{i}" for i in TARGET)]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    if done.returncode < 0 or done.returncode > 2:
        return f"CRASHED {done.returncode}: {done.stderr[-200:]}"
    if done.returncode != 0:
        return done.stderr.strip()
    with np.load(out) as file:
        return {name: file[name] for name in file.files if isinstance(file[name], np.ndarray)}


def worst(mine, theirs):
    """The largest difference, of logits by their size."""
    largest = 0.0
    for name, expected in theirs.items():
        found = [key for key in mine if key == name or (name.startswith(".") and key.endswith(name))]
        if not found or mine[found[0]].squeeze().shape != expected.squeeze().shape:
            return float("inf")
        off = np.abs(mine[found[0]].squeeze() - expected.squeeze()).max()
        largest = max(largest, off / max(1.0, np.abs(expected).max()))
    return largest


class Tally:
    def __init__(self, title):
        self.title = title
        self.counts = collections.Counter()
        self.wrong = []

    def add(self, verdict, label, words=""):
        self.counts[verdict] += 1
        if verdict.isupper():
            self.wrong.append(f"{verdict}: {label}: {words}")
            print(self.wrong[-1], flush=True)
        elif os.environ.get("SHOW") and verdict in os.environ["SHOW"].split(","):
            print(f"{verdict}: {label}: {words}", flush=True)

    def report(self):
        print(self.title, dict(sorted(self.counts.items())), flush=True)
        return bool(self.wrong)


def sweep_type(name, only, tally, folder):
    kind, settings = MODELS[name]
    base = save_model(folder, kind, settings)
    (save_image if name == "vit" else save_sound if name in SOUNDS else save_tokenizer)(folder)
    mine = run_program(folder, name in TRANSLATES)
    if isinstance(mine, str):
        tally.add("FALSE ALARM", name, mine)
        return
    for note in info_of(folder)["notes"]:
        tally.add("FALSE ALARM", name, note)

    def judged(numbered):
        number, (key, value) = numbered
        place = folder.parent / f"{name}.{number}"
        place.mkdir()
        for file in folder.iterdir():
            if file.name != "config.json" and file.suffix in (".safetensors", ".json", ".png", ".wav"):
                (place / file.name).symlink_to(file)
        (place / "config.json").write_text(json.dumps({**base, key: value}))
        return f"{name} {key}={json.dumps(value)}", place, run_program(place, name in TRANSLATES)

    chosen = [one for one in combinations(base) if not only or one[0] in only]
    with ThreadPoolExecutor(2) as pool:
        for label, place, got in pool.map(judged, enumerate(chosen)):
            expected = of_transformers(place, kind, base)
            if isinstance(got, str) and got.startswith("CRASHED"):
                tally.add("CRASH", label, got)
            elif isinstance(expected, str):
                tally.add("does not run in Transformers", label, expected)
            elif isinstance(got, str):
                tally.add("refused", label, got.replace(str(place), ""))
            else:
                off = worst(got, expected)
                tally.add("right" if off < 1e-4 else "WRONG", label, f"off by {off:.3g}")
            for file in place.iterdir():
                file.unlink()
            place.rmdir()


#: Models whose tensors differ, too.
VARIANTS = [
    ("bart", dict(tie_word_embeddings=False)), ("marian", dict(tie_word_embeddings=False)),
    ("marian", dict(share_encoder_decoder_embeddings=False, tie_word_embeddings=False)),
    ("marian", dict(share_encoder_decoder_embeddings=False, decoder_vocab_size=70)),
    ("gemma3_text", dict(use_bidirectional_attention=True, is_causal=False)),
    ("bert", dict(is_decoder=True, is_causal=False)), ("llama", dict(attention_bias=True, mlp_bias=True)),
    ("llama", dict(tie_word_embeddings=True)), ("gemma2", dict(attention_bias=True)),
    ("gpt_oss", dict(attention_bias=False)), ("gpt_neox", dict(attention_bias=False)),
    ("opt", dict(enable_bias=False, do_layer_norm_before=False, word_embed_proj_dim=16)),
    ("t5", dict(feed_forward_proj="gated-gelu", tie_word_embeddings=False)),
    ("olmo3", dict(rope_parameters={"full_attention": dict(rope_settings()[5], rope_theta=500.0),
                                    "sliding_attention": {"rope_type": "default", "rope_theta": 500.0}})),
]


def sweep_variants(tally, temporary):
    for number, (name, settings) in enumerate(VARIANTS):
        kind, usual = MODELS[name]
        folder = temporary / f"variant.{number}"
        base = {**save_model(folder, kind, {**usual, **settings}), **settings}
        (folder / "config.json").write_text(json.dumps(base))
        save_tokenizer(folder)
        mine, expected = run_program(folder, name in TRANSLATES), of_transformers(folder, kind, base)
        label = f"{name} {settings}"
        if isinstance(mine, str) or isinstance(expected, str):
            tally.add("FALSE ALARM", label, str(mine)[:200] if isinstance(mine, str) else expected)
        else:
            off = worst(mine, expected)
            tally.add("right" if off < 1e-4 else "WRONG", label, f"off by {off:.3g}")


def gguf_keys(gguf):
    """Every key that the library knows for an architecture, in `{arch}.` spelling."""
    found = []
    for group in vars(gguf.Keys).values():
        if isinstance(group, type):
            found += [text for text in vars(group).values() if isinstance(text, str) and text.startswith("{arch}.")]
    return sorted({*found, "{arch}.rope.scale_linear"})


#: Values that mean something; else one number, one flag, one text and a list are tried.
GGUF_VALUES = {"{arch}.rope.scaling.type": ["linear", "yarn", "longrope", "spiral"],
               "{arch}.rope.scaling.factor": [4.0], "{arch}.rope.scale_linear": [4.0],
               "{arch}.attention.causal": [True, False],
               "{arch}.attention.sliding_window_pattern": [2, [True, False, True, False]]}


def set_in_gguf(gguf, source, out, key, value):
    """A copy of a file with one more key, or another value of it."""
    reader = gguf.GGUFReader(source)
    architecture = bytes(reader.fields["general.architecture"].parts[-1]).decode()
    writer = gguf.GGUFWriter(out, architecture)
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name in ("general.architecture", key):
            continue
        kind = field.types[0]
        if kind == gguf.GGUFValueType.ARRAY:
            writer.add_array(field.name, field.contents())
        else:
            writer.add_key_value(field.name, field.contents(), kind)
    types = {bool: gguf.GGUFValueType.BOOL, int: gguf.GGUFValueType.UINT32, float: gguf.GGUFValueType.FLOAT32,
             str: gguf.GGUFValueType.STRING}
    if isinstance(value, list):
        writer.add_array(key, value)
    else:
        writer.add_key_value(key, value, types[type(value)])
    for tensor in reader.tensors:
        writer.add_tensor(tensor.name, np.array(tensor.data))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def info_of(path):
    done = subprocess.run([PROGRAM, "info", str(path), "--json"], capture_output=True, text=True,
                          env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    return json.loads(done.stdout)


def unread_names(path):
    return {entry["name"] for entry in info_of(path)["unread_settings"]}


def equal_arrays(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


def sweep_gguf(gguf, name, tally, folder):
    source = DATA / "gguf" / "models" / name / "model.gguf"
    base_copy = folder / f"{name}.gguf"
    base_copy.write_bytes(source.read_bytes())
    base = run_program(base_copy)
    assert isinstance(base, dict), base
    reader = gguf.GGUFReader(source)
    architecture = bytes(reader.fields["general.architecture"].parts[-1]).decode()
    for key in gguf_keys(gguf):
        full = key.replace("{arch}", architecture)
        for value in GGUF_VALUES.get(key, [3, 0.75, True, "x", [1, 1], [1, 2]]):
            out = folder / f"{name}.changed.gguf"
            set_in_gguf(gguf, source, out, full, value)
            label = f"{name} {full}={value}"
            got = run_program(out)
            if isinstance(got, str):
                verdict = "CRASH" if got.startswith("CRASHED") else "refused"
                tally.add(verdict, label, got.replace(str(out), ""))
            elif not equal_arrays(base, got):
                tally.add("changed", label)
            elif full in unread_names(out):
                tally.add("named", label)
            elif full in reader.fields and value in (reader.fields[full].contents(), [reader.fields[full].contents()] * 2):
                tally.add("the same value", label)
            else:
                tally.add("no effect" if is_default(name, key, value) else "SILENT", label)


def is_default(name, key, value):
    """A value that says what is so without the key, or that has an effect beside another key alone."""
    key = key.removeprefix("{arch}.")
    if key in ("context_length", "rope.scaling.original_context_length"):  # of long texts and of scalings
        return True
    if name == "gpt_oss" and key in ("feed_forward_length", "rope.scale_linear"):  # all layers have experts; has YaRN's factor
        return True
    if key == "rope.freq_base":  # two rotary numbers have the frequency 1
        return name in ("gpt_neox", "phi3")
    return (key, value) in [
        ("attention.causal", name != "bert"), ("use_parallel_residual", True), ("rope.scaling.type", "linear"),
        ("rope.scaling.type", "yarn")] or (name in ("gemma2", "gpt_oss") and key == "attention.sliding_window_pattern")


#: Keys of GGUF, and what they are in config.json beside the file.
EQUAL = [
    ({"attention.causal": False}, {"is_causal": False}),
    ({"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}, {"rope_type": "linear", "factor": 4.0}),
    ({"rope.scaling.factor": 4.0}, {"rope_type": "linear", "factor": 4.0}),
    ({"rope.scale_linear": 4.0}, {"rope_type": "linear", "factor": 4.0}),
    ({"rope.scaling.type": "none", "rope.scaling.factor": 4.0}, {"rope_type": "default"}),
    ({"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 8},
     {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8}),
    ({"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 8,
      "rope.scaling.yarn_log_multiplier": 0.5},
     {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 8, "mscale": 1.0,
      "mscale_all_dim": 0.5}),
]


YARN = {"rope.scaling.type": "yarn", "rope.scaling.factor": 4.0, "rope.scaling.original_context_length": 8}
#: Keys of GGUF that llama.cpp does not read, or reads in a way that config.json has no setting for.
REFUSED = [
    {**YARN, "rope.scaling.yarn_attn_factor": 0.7},
    {**YARN, "rope.scaling.yarn_ext_factor": 0.5},
    {**YARN, "rope.scaling.yarn_beta_fast": 4.0},
    {**YARN, "rope.scaling.yarn_beta_slow": 2.0},
    {**YARN, "rope.scaling.factor": 0.5},
    {**YARN, "rope.freq_base": 0.5},
    {"rope.scaling.type": "linear", "rope.scaling.factor": 4.0, "rope.scaling.yarn_ext_factor": 0.5},
    {"rope.scaling.yarn_attn_factor": 0.7},
    {"attention.temperature_scale": 0.7},
    {"attention.output_scale": 0.7},
]


def set_all_in_gguf(gguf, source, folder, keys):
    architecture = bytes(gguf.GGUFReader(source).fields["general.architecture"].parts[-1]).decode()
    for step, (key, value) in enumerate(keys.items()):
        out = folder / f"{step}.gguf"
        set_in_gguf(gguf, source, out, f"{architecture}.{key}", value)
        source = out
    return source


def sweep_refused(gguf, name, tally, folder):
    """Each is refused, and the error names one of the keys."""
    source = DATA / "gguf" / "models" / name / "model.gguf"
    for number, keys in enumerate(REFUSED):
        if name.startswith("deepseek") and keys.get("rope.scaling.type") == "yarn":  # is refused without it
            keys = {"rope.scaling.yarn_log_multiplier": 0.5, **keys}
        place = folder / f"{name}.{number}.refused"
        place.mkdir()
        got = run_program(set_all_in_gguf(gguf, source, place, keys))
        is_named = isinstance(got, str) and any(f".{key}'" in got for key in keys)
        verdict = "refused by name" if is_named else "NOT NAMED" if isinstance(got, str) else "SILENT"
        tally.add(verdict, f"{name} {keys}", got if isinstance(got, str) else "")


def sweep_equal(gguf, name, tally, folder):
    """Keys of GGUF beside the same in config.json, which is compared with Transformers elsewhere."""
    source = DATA / "gguf" / "models" / name
    if name == "llama":  # that one has a scaling already
        source = folder / "plain_llama"
        save_model(source, "LlamaForCausalLM", dict(GROUPED, vocab_size=24))
        sys.path.append(str(DATA))
        import make_gguf_models
        make_gguf_models.convert(source, source / "model.gguf")
    config = json.loads((source / "config.json").read_text())
    for number, (keys, settings) in enumerate(EQUAL):
        is_rotary = "rope_parameters" in config
        if not is_rotary and "is_causal" not in settings or name == "bert":
            continue
        if name == "gpt_oss" and settings.get("rope_type") == "linear" and "rope.scaling.type" not in keys:  # has YaRN
            continue
        if name.startswith("deepseek") and "mscale_all_dim" in settings:  # stored as a tenth of both
            settings = {**settings, "mscale": 5.0, "mscale_all_dim": 5.0}
        place = folder / f"{name}.{number}.equal"
        place.mkdir()
        (place / "model.safetensors").symlink_to(source / "model.safetensors")
        changed = dict(config)
        if "rope_type" in settings:
            rope = config["rope_parameters"]
            changed["rope_parameters"] = ({**rope, "full_attention": {**rope["full_attention"], **settings}}
                                          if "full_attention" in rope else {**rope, **settings})
        else:
            changed |= settings
        (place / "config.json").write_text(json.dumps(changed))
        out = set_all_in_gguf(gguf, source / "model.gguf", place, keys)
        mine, expected = run_program(out), run_program(place, ids=[i % 24 for i in IDS])
        label = f"{name} {keys}"
        if isinstance(expected, str) or isinstance(mine, str):
            tally.add("refused", label, f"{mine if isinstance(mine, str) else ''} {expected if isinstance(expected, str) else ''}")
        else:
            off = worst(mine, expected)
            tally.add("equal" if off < 1e-5 else "WRONG", label, f"off by {off:.3g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    try:
        import PIL
        if int(PIL.__version__.split(".")[0]) < 13:
            print(f"Pillow {PIL.__version__} resizes tall images in another order than Pillow 13: they will differ")
    except ImportError:
        print("Pillow is not installed: vit is left out")
        del MODELS["vit"]
    parser.add_argument("--types", default=",".join(MODELS))
    parser.add_argument("--only", default="")
    parser.add_argument("--skip-folders", action="store_true")
    parser.add_argument("--skip-gguf", action="store_true")
    parser.add_argument("--draws", type=int, default=1, help="random settings of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random-only", nargs="?", const="", metavar="NAMES", help="random settings alone, of all kinds or these")
    chosen = parser.parse_args()
    if chosen.random_only is not None:
        chosen.skip_folders = chosen.skip_gguf = True
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    torch.set_num_threads(1)
    failed = False
    with tempfile.TemporaryDirectory() as temporary:
        if not chosen.skip_folders:
            whole = Tally("all types")
            for name in chosen.types.split(","):
                folder = Path(temporary) / name
                folder.mkdir()
                tally = Tally(name)
                sweep_type(name, set(filter(None, chosen.only.split(","))), tally, folder)
                failed |= tally.report()
                whole.counts += tally.counts
            variants = Tally("variants")
            sweep_variants(variants, Path(temporary))
            failed |= variants.report()
            whole.counts += variants.counts
            whole.report()
        try:
            import gguf
        except ImportError:
            print("gguf is not installed: its keys are left out")
            chosen.skip_gguf = True
        if not chosen.skip_gguf:
            whole = Tally("all of GGUF")
            for name in GGUF_MODELS:
                tally = Tally(f"{name}.gguf")
                sweep_equal(gguf, name, tally, Path(temporary))
                sweep_refused(gguf, name, tally, Path(temporary))
                sweep_gguf(gguf, name, tally, Path(temporary))
                failed |= tally.report()
                whole.counts += tally.counts
            whole.report()
        if chosen.draws > 0:
            sys.path.append(str(HERE))
            import random_settings
            tally = Tally(f"random settings, seed {chosen.seed}")
            random_settings.sweep(chosen.draws, chosen.seed, [*filter(None, (chosen.random_only or "").split(","))], tally, temporary)
            failed |= tally.report()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
