"""Random settings of every kind of model that opens: test_model_settings.py --draws N --seed S.

Each folder of tests/data/models gives a kind. Some of its settings get other values, several at a time, also those of its parts
for text and images. Transformers makes a model of them with random weights. What AttnLab computes from its folder is compared
with what Transformers computes, hidden states and weights of each layer too: equal, or refused."""
import json
import os
import random
import shutil
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import torch
import transformers

DATA = Path(__file__).resolve().parent.parent / "data"
sys.path.append(str(DATA))
import make_model  # noqa: E402

PROGRAM = os.environ["ATTNLAB"]
MODELS = DATA / "models"
LARGEST = 1e-4  #: difference, of the largest number
ACTIVATIONS = ["relu", "silu", "gelu", "gelu_new", "gelu_pytorch_tanh", "quick_gelu", "tanh", "relu2"]
#: Of the shape of inputs and of files, or without an effect on what is computed.
KEPT = {"transformers_version", "model_type", "architectures", "dtype", "vocab_size", "initializer_range", "init_std", "text_config",
        "vision_config", "num_channels", "is_encoder_decoder", "initializer_factor", "use_cache", "encoder", "decoder", "hidden_size",
        "d_model", "n_embd", "dim", "max_position_embeddings", "n_positions", "n_ctx", "max_source_positions", "id2label", "label2id",
        "chunk_size_feed_forward", "conv_dim", "conv_kernel", "conv_stride", "image_size", "patch_size", "num_position_embeddings",
        "image_grid_pinpoints", "temporal_patch_size", "out_hidden_size", "tokenizer", "image_seq_length", "num_mel_bins",
        "max_target_positions", "image_seq_len", "return_dict", "output_attentions", "output_hidden_states", "torchscript",
        "apply_spec_augment"}
#: Values of settings that are null.
OF_NULL = dict(sliding_window=[3, 5], head_dim=[4, 8, 16], num_key_value_heads=[1, 2, 4], attn_logit_softcapping=[2.0],
               final_logit_softcapping=[2.0])
#: In which a head of attention is looked for in some layers alone, or its weights have another shape in Transformers.
SOME_LAYERS = ("jamba", "lfm2", "qwen3_next")
OTHER_WEIGHTS = ("longformer", "led", "longt5", "squeezebert")


def rotary_settings(draw, base):
    kind = draw.choice(["default", "default", "linear", "dynamic", "yarn", "llama3"])
    made = {"rope_type": kind, "rope_theta": draw.choice([base, 500.0, 1e5])}
    if kind in ("linear", "dynamic"):
        made["factor"] = draw.choice([2.0, 4.0])
    if kind == "llama3":
        made.update(factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=12)
    if kind == "yarn":
        made.update(factor=4.0, original_max_position_embeddings=draw.choice([8, 16]))
        made.update(draw.choice([{}, {"beta_fast": 4.0, "beta_slow": 2.0}, {"truncate": False}, {"attention_factor": 1.3},
                                 {"mscale": 0.7, "mscale_all_dim": 1.0}]))
    return made


def drawn(draw, key, value):
    """Another value of a setting, or None."""
    if key.startswith("_") or key in KEPT or key.endswith(("token_id", "token_index")):
        return None
    if key == "rope_parameters" and isinstance(value, dict):
        if value and all(isinstance(one, dict) for one in value.values()):
            kind = draw.choice(sorted(value))
            return {**value, kind: {**value[kind], **rotary_settings(draw, 1e4)}}
        kept = {name: one for name, one in value.items() if name in ("partial_rotary_factor", "mrope_section", "mrope_interleaved")}
        if value.get("rope_type") == "axial":
            return {"rope_type": "axial", "rope_theta": draw.choice([100.0, 500.0])}
        return {**kept, **rotary_settings(draw, value.get("rope_theta", 1e4)),
                **draw.choice([{}, {}, {}, {"partial_rotary_factor": 0.5}])}
    if key == "layer_types":
        kinds = set(value)
        if kinds <= {"full_attention", "sliding_attention"}:
            kinds = {"full_attention", "sliding_attention"}
        return [draw.choice(sorted(kinds)) for _ in value]
    if key == "vision_feature_layer":
        return draw.choice([-1, -2, 1, [-1, 1]])
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return draw.choice(ACTIVATIONS) if key.endswith(("_act", "activation", "activation_function")) or key == "afn" else None
    if isinstance(value, int):
        return draw.choice([1, 2, 3] if "layers" in key or key in ("n_layer", "depth") else [max(1, value // 2), value * 2, value + 1])
    if isinstance(value, float):
        if "drop" in key or "jitter" in key:
            return None
        return draw.choice([1e-2, 0.1, 1e-6] if "eps" in key else [value * 2 + 0.25, value * 0.5 + 0.1, 1.0])
    return draw.choice(OF_NULL[key]) if value is None and key in OF_NULL else None


def changes(draw, config):
    keys = [key for key, value in config.items() if drawn(random.Random(0), key, value) is not None]
    found = {key: drawn(draw, key, config[key]) for key in draw.sample(keys, min(len(keys), draw.choice([1, 2, 2, 3, 4])))}
    return {key: value for key, value in found.items() if value is not None and value != config[key]}


def changed(draw, raw, full):
    """Settings with some others, and those alone by their names."""
    names = [part for part in ("text_config", "vision_config", "encoder", "decoder") if isinstance(raw.get(part), dict)]
    if not names:
        own = changes(draw, full)
        return {**raw, **own}, own
    if raw["model_type"] in ("clip", "blip", "siglip"):
        names = ["vision_config"]
    made, label = dict(raw), {}
    for part in draw.sample(names, draw.choice([1, len(names)])):
        own = changes(draw, full[part])
        made[part] = {**raw[part], **own}
        label.update({f"{part}.{key}": value for key, value in own.items()})
    if draw.random() < 0.5:
        own = changes(draw, {key: value for key, value in full.items() if not isinstance(value, dict)})
        made.update(own)
        label.update(own)
    return made, label


def random_model(folder, draw, where):
    """A model with other settings, saved and read again, and these settings."""
    raw = json.loads((folder / "config.json").read_text())
    config_class = type(transformers.AutoConfig.from_pretrained(folder))
    made, label = changed(draw, raw, config_class.from_pretrained(folder).to_dict())
    config = config_class(**{key: value for key, value in made.items() if key not in ("model_type", "transformers_version", "dtype")})
    kind = getattr(transformers, raw["architectures"][0])
    torch.manual_seed(draw.randrange(1 << 30))
    model = kind._from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        corrections = (one for one in model.named_buffers() if one[0].endswith("e_score_correction_bias"))
        for _, parameter in [*model.named_parameters(), *corrections]:
            spread = 0.3 if parameter.ndim == 1 else 0.35
            parameter.copy_(parameter * (parameter.ndim == 1) + spread * torch.randn_like(parameter))
    model.save_pretrained(where)
    (where / "generation_config.json").unlink(missing_ok=True)
    return kind.from_pretrained(where, attn_implementation="eager", dtype=torch.float32).eval(), label


def write_picture(where, height, width):
    from PIL import Image
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(where / "image.png")
    return Image.open(where / "image.png")


def plain_pixels(where, height, width, size):
    """A picture that keeps its size, from -1 to 1."""
    picture = np.asarray(write_picture(where, height, width), np.float32) / 255
    (where / "preprocessor_config.json").write_text(json.dumps(
        {"do_normalize": True, "do_rescale": True, "do_resize": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "resample": 3,
         "rescale_factor": 1 / 255, "size": size}))
    return ((picture - 0.5) / 0.5).transpose(2, 0, 1)


def side_of(config):
    side = getattr(config, "vision_config", config).image_size
    return side if isinstance(side, int) else side[0]


def inputs_with_image(model, expected, draw, where):
    """The image of a text, and as many tokens as the model makes of it."""
    config, ids = model.config, make_model.IDS
    kind = config.model_type
    if kind in make_model.TILED:
        picture = write_picture(where, draw.randrange(8, 60), draw.randrange(8, 60))
        inputs = make_model.tiles_of(where, config, picture)
        return make_model.with_tokens(model, inputs)
    _, height, width = expected["pixel_values"].shape
    if kind.startswith("qwen"):
        size = {"shortest_edge": 1, "longest_edge": 1 << 20}
    elif config.vision_config.model_type == "pixtral":
        size = {"longest_edge": max(height, width)}
    else:
        size = {"height": height, "width": width}
    pixels = plain_pixels(where, height, width, size)
    return {"input_ids": expected["input_ids"].tolist(), "pixel_values": pixels.tolist()} if ids else {}


def inputs_of(model, folder, draw, where):
    """What Transformers and the command line read, or None."""
    expected = np.load(folder / "expected.npz")
    config = model.config
    if "pixel_values" in expected.files and "input_ids" in expected.files:
        inputs = inputs_with_image(model, expected, draw, where)
        return inputs, ["--image", str(where / "image.png"), "--ids", ",".join(map(str, inputs["input_ids"]))]
    if "pixel_values" in expected.files:
        side = side_of(make_model.shown(model).config)
        pixels = plain_pixels(where, side, side, {"height": side, "width": side})
        return {"pixel_values": pixels.tolist()}, ["--image", str(where / "image.png")]
    sound = (folder / "sound.wav").exists()
    if sound:
        if config.is_encoder_decoder and config.decoder_start_token_id is None:
            return None, None
        with_sound = make_model.sound_inputs(where, config, 0.5)
        if config.is_encoder_decoder:
            with_sound["decoder_input_ids"] = [config.decoder_start_token_id]
        return with_sound, ["--sound", str(where / "sound.wav")]
    ids = [one % config.get_text_config().vocab_size for one in make_model.IDS]
    inputs = {"input_ids": ids}
    if config.is_encoder_decoder and "decoder_input_ids" in expected.files:
        if config.decoder_start_token_id is None:
            return None, None
        inputs["decoder_input_ids"] = [config.decoder_start_token_id]
        if "Classification" in type(model).__name__:  # the decoder reads the text, moved right
            inputs = {"input_ids": [*ids, config.eos_token_id], "decoder_input_ids": [config.decoder_start_token_id, *ids]}
    return inputs, ["--ids", ",".join(map(str, inputs["input_ids"]))]


def run_program(where, command):
    out = where / "out.npz"
    done = subprocess.run([PROGRAM, "model", str(where), *command, "--out", str(out), "--keep", "weights,logits,hidden"],
                          capture_output=True, text=True, env=dict(os.environ, QT_QPA_PLATFORM="offscreen"))
    if done.returncode == 0:
        with np.load(out) as file:
            return {name: file[name] for name in file.files}
    said = done.stderr.strip().replace(str(where), "")
    return f"CRASHED {done.returncode}: {said[-200:]}" if done.returncode not in (1, 2) else said


def worst(mine, theirs, model_type):
    """The largest difference, and where it is."""
    largest, place = 0.0, ""
    for name, expected in theirs.items():
        if not (name == "logits" or name.endswith(".weights") or ".hidden." in name):
            continue
        if name.endswith(".weights") and model_type in OTHER_WEIGHTS:
            continue
        if name not in mine:
            return float("inf"), name + " is missing"
        got, expected = np.array(mine[name]).squeeze(), expected.squeeze()
        if got.shape != expected.shape:
            return float("inf"), f"{name} {got.shape} {expected.shape}"
        off = np.abs(got - expected).max() / max(1.0, np.abs(expected).max())
        if not off <= largest:
            largest, place = float(off), name
    return largest, place


class DoublePrecision(types.ModuleType):
    """The module torch with float64 in the place of float32."""

    def __getattr__(self, name):
        return torch.float64 if name in ("float32", "float") else getattr(torch, name)


def computed_in_double(model, inputs):
    """What Transformers computes in float64, also where its code asks for float32."""
    codes = [code for code in {sys.modules[type(module).__module__] for module in model.modules()} if hasattr(code, "torch")]
    to_float = torch.Tensor.float
    model.config._experts_implementation = "eager"
    try:
        for code in codes:
            code.torch = DoublePrecision("torch")
        torch.Tensor.float = torch.Tensor.double
        torch.set_default_dtype(torch.float64)
        return make_model.computed(make_model.shown(model.double()), inputs)
    finally:
        torch.set_default_dtype(torch.float32)
        torch.Tensor.float = to_float
        for code in codes:
            code.torch = torch


def is_rounding(model, inputs, mine, theirs):
    """Whether both are about as far from float64: then a small sum of large numbers is normalized somewhere."""
    exact = computed_in_double(model, inputs)
    kind = model.config.model_type
    ours, others = worst(mine, exact, kind)[0], worst(theirs, exact, kind)[0]
    return ours < max(LARGEST, 2 * others), f"off from float64: {ours:.3g}, Transformers {others:.3g}"


def judge(folder, draw, where, tally):
    try:
        model, label = random_model(folder, draw, where)
    except Exception as error:  # whatever it raises, there is no such model
        tally.add("no model in Transformers", folder.name, str(error)[:80])
        return
    words = json.dumps(label)
    try:
        inputs, command = inputs_of(model, folder, draw, where)
        if inputs is None:
            tally.add("left out", folder.name)
            return
        theirs = make_model.computed(make_model.shown(model), inputs)
    except (Exception, SystemExit) as error:
        tally.add("does not run in Transformers", f"{folder.name} {words}", f"{type(error).__name__} {str(error)[:80]}")
        return
    if not all(np.isfinite(one).all() for one in theirs.values()):
        tally.add("not finite", folder.name)
        return
    mine = run_program(where, command)
    if isinstance(mine, str):
        tally.add("CRASH" if mine.startswith("CRASHED") else "refused", f"{folder.name} {words}", mine[-200:])
        return
    off, place = worst(mine, theirs, model.config.model_type)
    verdict, said = "right" if off < LARGEST else "WRONG", f"off by {off:.3g} at {place}"
    if LARGEST <= off < 0.1:
        rounded, more = is_rounding(model, inputs, mine, theirs)
        verdict, said = "rounding" if rounded else verdict, f"{said}, {more}"
    tally.add(verdict, f"{folder.name} {words}", said)


def sweep(draws, seed, names, tally, temporary):
    """Each draw has a seed of its own, which does not depend on the others."""
    folders = sorted(path.parent for path in MODELS.glob("*/expected.npz"))
    for folder in folders:
        if names and folder.name not in names and json.loads((folder / "config.json").read_text())["model_type"] not in names:
            continue
        for number in range(draws):
            where = Path(temporary) / f"random.{folder.name}"
            where.mkdir()
            judge(folder, random.Random(f"{seed}.{number}.{folder.name}"), where, tally)
            shutil.rmtree(where)
