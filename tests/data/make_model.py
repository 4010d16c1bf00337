#!/usr/bin/env python3
"""Writes models/NAME beside it: a tiny model with random weights, as Transformers saves it, and in expected.npz what
Transformers computes from it. The test core.model_golden compares every array. Also adds the model to models/cases.json.

    make_model.py NAME MODEL_TYPE --tokenizer llama [hidden_size=32 num_hidden_layers=4 ...]

--tokenizer names the folder of models whose tokenizer, text and token ids are used; "none" is for the ids of IDS, without a
line in cases.json. Settings are those of config.json, as JSON. make_tiny_models.py calls make() for many. `make_model.py NAME --check` computes models/NAME again and compares. Needs PyTorch and Transformers (5.24 was
tried); where a module has no eager_attention_forward, queries, keys and values are left out. --kind encoder takes a masked language
model, both one with an encoder and a decoder, text the language model of one that also reads images, image one for images. Commit what it writes.
"""
import argparse
import json
import pathlib
import shutil
import sys
import wave
from types import SimpleNamespace

import numpy as np
import torch
import transformers
from transformers import AutoConfig

MODELS = pathlib.Path(__file__).parent / "models"
SMALL = dict(vocab_size=528, hidden_size=32, intermediate_size=48, num_hidden_layers=3, num_attention_heads=4,
             num_key_value_heads=2, max_position_embeddings=96, pad_token_id=None, bos_token_id=0, eos_token_id=1,
             initializer_range=0.3)
TINY = dict(SMALL, vocab_size=96, hidden_size=16, intermediate_size=24, num_hidden_layers=2, num_attention_heads=4,
            max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2)
IDS = [3, 17, 9, 40, 33, 5, 21, 8, 30, 12, 17, 9]
OF_TILES = ("tile_grid", "image_sizes")  #: of an image in tiles: rows and columns of tiles, height and width of the picture
ATTENTION = ("full_attention", "sliding_attention", "chunked_attention", "attention")  #: what layer_types calls layers with attention
CLASSES = {"decoder": "AutoModelForCausalLM", "encoder": "AutoModelForMaskedLM", "both": "AutoModelForSeq2SeqLM",
           "text": "AutoModelForImageTextToText", "base": "AutoModel", "image": "AutoModelForImageClassification",
           "classes": "AutoModelForSequenceClassification", "tokens": "AutoModelForTokenClassification",
           "span": "AutoModelForQuestionAnswering", "speech": "AutoModelForSpeechSeq2Seq", "letters": "AutoModelForCTC",
           "sound": "AutoModelForAudioClassification"}


def recorded_names(model):
    """Of the passes, in the order in which Transformers calls its attention."""
    if model.config.is_encoder_decoder:
        if model.config.model_type == "encoder-decoder":
            encoder, decoder = model.config.encoder.num_hidden_layers, model.config.decoder.num_hidden_layers
        else:
            sides = model.get_encoder(), model.get_decoder()
            encoder, decoder = (len(getattr(side, "layers", None) or side.block) for side in sides)
        return [*(f"encoder.{i}.self" for i in range(encoder)),
                *(f"decoder.{i}.{kind}" for i in range(decoder) for kind in ("self", "cross"))]
    # The heads for a task of decoders are called "score".
    is_decoder = any(end in type(model).__name__ for end in ("CausalLM", "LMHeadModel", "ConditionalGeneration")) or hasattr(model, "score")
    side = "decoder" if is_decoder else "encoder"
    config = model.config.get_text_config()
    kinds = getattr(config, "layers_block_type", None) or getattr(config, "layer_types", None) or ["full_attention"] * config.num_hidden_layers
    return [f"{side}.{i}.self" for i, kind in enumerate(kinds) if kind in ATTENTION]


def computed(model, inputs):
    """Queries and keys as the scores use them, values and weights of every layer, hidden states and logits."""
    if model.config.model_type == "wavlm":
        return computed_with_heads_apart(model, inputs)
    codes = {sys.modules[type(module).__module__] for module in model.modules()}
    originals = {code: code.eager_attention_forward for code in codes if hasattr(code, "eager_attention_forward")}
    if not originals or model.config.model_type == "longt5":
        return computed_without_queries(model, inputs)
    arrays = {}
    names = iter(recorded_names(model))
    reads_images_too = "pixel_values" in inputs and "input_ids" in inputs
    language = getattr(model.model, "language_model", None) or model.model.text_model if reads_images_too else model
    shown_modules = set(language.modules())
    entered = []
    if hasattr(getattr(model.config, "vision_config", None), "deepstack_visual_indexes"):
        # Transformers lists the outputs of layers, to which the image's rows are added afterwards.
        for layer in language.layers:
            layer.register_forward_pre_hook(lambda _, given: entered.append(given[0]))

    def recorded(module, query, key, value, *rest, **options):
        output, weights = originals[sys.modules[type(module).__module__]](module, query, key, value, *rest, **options)
        if module not in shown_modules:
            return output, weights
        name = next(names)
        for kind, tensor in (("query", query), ("key", key), ("value", value), ("weights", weights)):
            arrays[f"{name}.{kind}"] = tensor[0].numpy()
        return output, weights

    for code in originals:
        code.eager_attention_forward = recorded
    try:
        with torch.no_grad():
            given = {name: torch.tensor(values)[None] for name, values in inputs.items() if name not in OF_TILES}
            if model.config.model_type == "paligemma":  # its processor says so of a prompt
                given["token_type_ids"] = torch.zeros_like(given["input_ids"])
            if reads_images_too:
                given.update(beside_image(model.config, inputs))
            if model.config.model_type == "vit_mae":  # patches in their order, none of them hidden
                given["noise"] = torch.arange((model.config.image_size // model.config.patch_size) ** 2)[None]
            caches = {} if "pixel_values" in inputs or "input_values" in inputs else {"use_cache": False}
            result = model.eval()(**given, output_hidden_states=True, **caches)
    finally:
        for code, attention in originals.items():
            code.eager_attention_forward = attention
    if entered:
        result.hidden_states = (*entered, result.hidden_states[-1])
    if left := [*names]:
        sys.exit(f"{model.config.model_type}: no attention was recorded for {', '.join(left)}")
    return arrays_of(inputs, result, arrays)


def beside_image(config, inputs):
    """What the processor of the model gives with an image."""
    image = torch.tensor(inputs["pixel_values"])
    if config.model_type == "gemma3":
        return {"token_type_ids": torch.tensor([[int(id == config.image_token_index) for id in inputs["input_ids"]]])}
    if config.model_type.startswith("qwen"):
        seen = config.vision_config
        size, side, frames = seen.patch_size, seen.spatial_merge_size, seen.temporal_patch_size
        colors, rows, columns = image.shape
        squares = image.reshape(colors, rows // size // side, side, size, columns // size // side, side, size)
        squares = squares.permute(1, 4, 2, 5, 0, 3, 6)[..., None, :, :].expand(-1, -1, -1, -1, -1, frames, -1, -1)
        return {"pixel_values": squares.reshape(-1, colors * frames * size * size),
                "image_grid_thw": torch.tensor([[1, rows // size, columns // size]]),
                "mm_token_type_ids": torch.tensor([[int(id == config.image_token_id) for id in inputs["input_ids"]]])}
    if config.model_type in ("internvl", "aya_vision"):
        return {"pixel_values": image}
    if config.model_type in ("llava_next", "llava_onevision"):
        return {"image_sizes": torch.tensor([inputs["image_sizes"]])}
    if config.vision_config.model_type == "pixtral":
        return {"image_sizes": torch.tensor([list(image.shape[1:])])}
    return {}


def computed_with_heads_apart(model, inputs):
    """The same for modules that return the mean of the weights of all heads."""
    original, found = torch.nn.functional.multi_head_attention_forward, []

    def apart(*given, **options):
        output, weights = original(*given, **options, average_attn_weights=False)
        found.append(weights[0].numpy())
        return output, weights.mean(1)

    torch.nn.functional.multi_head_attention_forward = apart
    try:
        with torch.no_grad():
            result = model.eval()(**{name: torch.tensor(values)[None] for name, values in inputs.items()}, output_hidden_states=True)
    finally:
        torch.nn.functional.multi_head_attention_forward = original
    return arrays_of(inputs, result, {f"{name}.weights": each for name, each in zip(recorded_names(model), found, strict=True)})


def computed_without_queries(model, inputs):
    """The same for modules that compute attention in another way, without queries, keys and values."""
    with torch.no_grad():
        result = model.eval()(**{name: torch.tensor(ids)[None] for name, ids in inputs.items()}, output_attentions=True,
                              output_hidden_states=True)
    if model.config.is_encoder_decoder:
        own = zip(result.decoder_attentions, result.cross_attentions, strict=True)
        weights = [*result.encoder_attentions, *(each for pair in own for each in pair)]
    else:
        weights = result.attentions
    count = len(inputs.get("input_ids", ()))
    full = {"longformer": unrolled, "led": unrolled, "longt5": unrolled_blocks}.get(model.config.model_type)
    names = recorded_names(model)
    if model.config.model_type == "squeezebert":  # which returns scores
        weights = [scores.softmax(-1) for scores in weights]
    weights = [full(each[0].numpy(), count) if full and not name.startswith("decoder") else each[0].numpy()
               for name, each in zip(names, weights, strict=True)]
    return arrays_of(inputs, result, {f"{name}.weights": each for name, each in zip(names, weights, strict=True)})


def unrolled_blocks(blocks, count):
    """Weights of (blocks, heads, rows, 3 * rows), over the blocks before, at and behind the own one, as matrices."""
    number, heads, rows, _ = blocks.shape
    full = np.zeros((heads, count, count), np.float32)
    for block in range(number):
        for row in range(rows):
            for place in range(3 * rows):
                query, key = block * rows + row, (block - 1) * rows + place
                if query < count and 0 <= key < count:
                    full[:, query, key] = blocks[block, :, row, place]
    return full


def unrolled(bands, count):
    """Weights by distance, (count, heads, window + 1) or with heads first, as matrices."""
    bands = bands if bands.shape[0] != count else bands.transpose(1, 0, 2)
    heads, _, width = bands.shape
    full = np.zeros((heads, count, count), np.float32)
    for row in range(count):
        for place in range(width):
            if 0 <= (key := row + place - width // 2) < count:
                full[:, row, key] = bands[:, row, place]
    return full


def arrays_of(inputs, result, arrays):
    for side in ("encoder", "decoder"):
        states = getattr(result, f"{side}_hidden_states", None)
        if states is None and any(name.startswith(side) for name in arrays):
            states = result.hidden_states
        for layer, hidden in enumerate(states or ()):
            arrays[f"{side}.hidden.{layer}"] = hidden[0].numpy()
    arrays = {**{name: np.array(values) for name, values in inputs.items()}, **arrays}
    if getattr(result, "logits", None) is not None:
        arrays["logits"] = result.logits[0].numpy()
    elif getattr(result, "start_logits", None) is not None:
        arrays["logits"] = torch.cat([result.start_logits, result.end_logits]).numpy()
    return arrays


def shown(model):
    """The part that AttnLab shows: of a model of two towers that for images."""
    return model.vision_model if model.config.model_type in ("blip", "clip", "siglip") else model


def inputs_of(expected):
    return {name: expected[name].tolist()
            for name in ("input_ids", "pixel_values", "input_features", "input_values", "decoder_input_ids", *OF_TILES)
            if name in expected.files}


def sound(seconds, rate=16000):
    """A rising tone with a weaker one and noise, in 16 bits: (samples)."""
    time = np.arange(int(seconds * rate)) / rate
    noise = np.random.default_rng(2).standard_normal(len(time))
    tone = 0.5 * np.sin(2 * np.pi * (200 * time + 900 * time**2)) * np.exp(-time) + 0.1 * np.sin(2 * np.pi * 3100 * time) + 0.01 * noise
    return np.round(tone * 32767).astype(np.int16)


def write_sound(path, samples, rate=16000):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())


def sound_inputs(folder, config, seconds):
    """sound.wav and preprocessor_config.json in `folder`, and what Transformers makes of them."""
    samples = sound(seconds)
    write_sound(folder / "sound.wav", samples)
    samples = samples / 32768
    if config.model_type == "whisper":
        length = config.max_source_positions * 2 * 160 / 16000
        extractor = transformers.WhisperFeatureExtractor(feature_size=config.num_mel_bins, chunk_length=int(length))
        extractor.save_pretrained(folder)
        padded = np.zeros(int(length) * 16000)
        padded[:len(samples)] = samples[:len(padded)]
        # By NumPy: PyTorch rounds quiet bands more.
        return {"input_features": extractor._np_extract_fbank_features(padded[None], "cpu")[0].tolist()}
    extractor = transformers.Wav2Vec2FeatureExtractor(do_normalize=True)
    extractor.save_pretrained(folder)
    return {"input_values": extractor(samples, sampling_rate=16000)["input_values"][0].tolist()}


#: By model_type: the tokenizer that the folder gets, special tokens that are added to it, the text of the test, and what the
#: processor of Transformers does with its images.
WITH_PROCESSOR = {
    "llava": ("llama2", ["<image>"], "the <image>\nquick fox", "CLIPImageProcessorPil",
              dict(size={"shortest_edge": 12}, crop_size={"height": 12, "width": 12})),
    "paligemma": ("gemma3", ["<image>"], "caption the fox", "SiglipImageProcessorPil", dict(size={"height": 12, "width": 12})),
    "gemma3": ("gemma3", ["<start_of_image>", "<image_soft_token>", "<end_of_image>"], "fox\n<start_of_image>\nthe lazy dog",
               "Gemma3ImageProcessorPil", dict(size={"height": 16, "width": 16})),
    "mistral3": ("llama2", ["[IMG]", "[IMG_BREAK]", "[IMG_END]"], "the [IMG] quick fox", "PixtralImageProcessorPil",
                 dict(size={"longest_edge": 28}, patch_size={"height": 8, "width": 8}))}


def picture_of(path, is_tall=False):
    """Slopes and noise; the numbers also in a file .npy. A tall one is resized down first, which Pillow does from version 13 on."""
    from PIL import Image
    size = (60, 20) if is_tall else (24, 40)
    rows, columns = np.mgrid[0:size[0], 0:size[1]]
    noise = np.random.default_rng(3).integers(0, 40, size)
    pixels = np.stack([rows * 9, columns * 5, 200 - rows * 3 - columns + noise], axis=-1).clip(0, 255)
    Image.fromarray(pixels.astype(np.uint8)).save(path)
    np.save(path.with_suffix(".npy"), pixels.astype(np.int64))
    return Image.open(path)


def tokenizer_with(folder, like, tokens):
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(MODELS / like / "tokenizer.json"))
    settings = json.loads((MODELS / like / "tokenizer_config.json").read_text())
    tokenizer.add_special_tokens({name: settings[name] for name in ("bos_token", "eos_token") if name in settings})
    tokenizer.add_special_tokens({"additional_special_tokens": tokens})
    tokenizer.save_pretrained(folder)
    return tokenizer


def text_with_image(model_type, text, bos, count, columns):
    """As the processors of Transformers write it; those themselves need torchvision."""
    if model_type == "llava":
        return text.replace("<image>", "<image>" * count)
    if model_type == "paligemma":
        return "<image>" * count + bos + text + "\n"
    if model_type == "gemma3":
        return text.replace("<start_of_image>", "\n\n<start_of_image>" + "<image_soft_token>" * count + "<end_of_image>\n\n")
    line = "[IMG]" * columns + "[IMG_BREAK]"
    return text.replace("[IMG]", (line * (count // columns)).removesuffix("[IMG_BREAK]") + "[IMG_END]")


#: The same of models that read tiles, without their processors, which are in TILED.
ROWS = [f"<row_{row}_col_{column}>" for row in (1, 2, 3) for column in (1, 2, 3)]
TEXTS_OF_TILES = {
    "llava_next": (["<image>"], "the <image>\nquick fox"), "llava_onevision": (["<image>"], "fox<image>"),
    "internvl": (["<IMG_CONTEXT>", "<img>", "</img>"], "the <IMG_CONTEXT>\nfox"),
    "aya_vision": (["<|IMG_PATCH|>", "<|START_OF_IMG|>", "<|END_OF_IMG|>"], "the <image> quick fox"),
    "idefics3": (["<image>", "<fake_token_around_image>", "<global-img>", *ROWS], "fox<image>the lazy dog"),
    "smolvlm": (["<image>", "<fake_token_around_image>", "<global-img>", *ROWS], "<image>the fox")}


def text_of_tiles(model, inputs, count):
    """What the processor of the model writes for an image of `count` tokens."""
    from transformers.models import aya_vision, idefics3
    tiles = len(inputs["pixel_values"])
    if model == "aya_vision":
        own = SimpleNamespace(img_size=1, patch_size=1, start_of_img_token="<|START_OF_IMG|>", end_of_img_token="<|END_OF_IMG|>",
                              img_patch_token="<|IMG_PATCH|>" * (count // tiles), tile_token="TILE", tile_global_token="TILE_GLOBAL")
        return aya_vision.processing_aya_vision.AyaVisionProcessor.replace_image_token(own, {"num_patches": [tiles]}, 0)
    if model in ("idefics3", "smolvlm"):
        own = SimpleNamespace(fake_image_token="<fake_token_around_image>", global_image_tag="<global-img>", image_token="<image>",
                              image_seq_len=count // tiles)
        rows, columns = inputs["tile_grid"]
        return idefics3.processing_idefics3.Idefics3Processor.replace_image_token(own, {"rows": [[rows]], "cols": [[columns]]}, 0)
    return f"<img>{'<IMG_CONTEXT>' * count}</img>" if model == "internvl" else "<image>" * count


def tiled_inputs_with_processor(folder, model, is_tall):
    config = model.config
    tokens, text = TEXTS_OF_TILES[config.model_type]
    tokenizer = tokenizer_with(folder, "llama2", tokens)
    inputs = with_tokens(model, tiles_of(folder, config, picture_of(folder / "image.png", is_tall)))
    count = inputs["input_ids"].count(config.image_token_id)
    placeholder = "<IMG_CONTEXT>" if config.model_type == "internvl" else "<image>"
    (folder / "text.txt").write_text(text)
    whole = text.replace(placeholder, text_of_tiles(config.model_type, inputs, count))
    return {**inputs, "input_ids": tokenizer(whole)["input_ids"]}


def inputs_with_processor(folder, model, is_tall):
    """image.png, preprocessor_config.json and the tokenizer in `folder`, and the ids and pixels of its text."""
    config = model.config
    if config.model_type in TILED:
        return tiled_inputs_with_processor(folder, model, is_tall)
    like, tokens, text, processor, settings = WITH_PROCESSOR[config.model_type]
    tokenizer = tokenizer_with(folder, like, tokens)
    images = getattr(transformers, processor)(**settings)
    images.save_pretrained(folder)
    pixels = images(picture_of(folder / "image.png", is_tall), return_tensors="np")["pixel_values"][0]
    step = config.vision_config.patch_size * {"gemma3": 2, "mistral3": 2}.get(config.model_type, 1)
    rows, columns = pixels.shape[1] // step, pixels.shape[2] // step
    whole = text_with_image(config.model_type, text, tokenizer.bos_token, rows * columns, columns)
    ids = tokenizer(whole, add_special_tokens=config.model_type != "paligemma")["input_ids"]
    (folder / "text.txt").write_text(text)
    return {"input_ids": ids, "pixel_values": pixels.tolist()}


def side_of_tile(config):
    side = config.vision_config.image_size
    return side if isinstance(side, int) else side[0]


def tiled_inputs(model, rows, columns, height, width):
    """Random tiles, and as many tokens as the model makes of them."""
    side = side_of_tile(model.config)
    pixels = np.random.default_rng(1).standard_normal((1 + rows * columns, 3, side, side), np.float32).round(3)
    return with_tokens(model, {"pixel_values": pixels.tolist(), "tile_grid": [rows, columns], "image_sizes": [height, width]})


def with_tokens(model, inputs):
    given = {"pixel_values": torch.tensor(inputs["pixel_values"])[None], **beside_image(model.config, inputs)}
    with torch.no_grad():
        seen = model.eval().model.get_image_features(**given).pooler_output
    count = sum(one.reshape(-1, model.config.get_text_config().hidden_size).shape[0] for one in seen)
    return {"input_ids": [*IDS[:3], *[model.config.image_token_id] * count, *IDS[3:]], **inputs}


#: By model_type: the processor of images in tiles, and the settings that depend on the side of a tile.
TILED = {
    "llava_next": ("LlavaNextImageProcessorPil", lambda side: dict(size={"shortest_edge": side}, crop_size={"height": side, "width": side})),
    "llava_onevision": ("LlavaOnevisionImageProcessorPil", lambda side: dict(size={"height": side, "width": side})),
    "internvl": ("GotOcr2ImageProcessorPil", lambda side: dict(size={"height": side, "width": side}, max_patches=6)),
    "aya_vision": ("GotOcr2ImageProcessorPil", lambda side: dict(size={"height": side, "width": side}, max_patches=4)),
    "idefics3": ("Idefics3ImageProcessorPil", lambda side: dict(size={"longest_edge": 3 * side}, max_image_size={"longest_edge": side})),
    "smolvlm": ("SmolVLMImageProcessorPil", lambda side: dict(size={"longest_edge": 2 * side}, max_image_size={"longest_edge": side}))}


def tiles_of(folder, config, picture):
    """preprocessor_config.json in `folder`, and the tiles that the processor of Transformers cuts."""
    processor, settings = TILED[config.model_type]
    pinpoints = getattr(config, "image_grid_pinpoints", None)
    own = settings(side_of_tile(config)) | ({"image_grid_pinpoints": pinpoints} if pinpoints else {})
    images = getattr(transformers, processor)(**own)
    images.save_pretrained(folder)
    asked = {"internvl": dict(crop_to_patches=True), "aya_vision": dict(crop_to_patches=True),
             "idefics3": dict(return_row_col_info=True), "smolvlm": dict(return_row_col_info=True)}
    made = images(picture, return_tensors="np", **asked.get(config.model_type, {}))
    pixels = made["pixel_values"] if "num_patches" in made else made["pixel_values"][0]
    return {"pixel_values": pixels.tolist(), "tile_grid": grid_of_tiles(config, made, len(pixels) - 1, picture),
            "image_sizes": [picture.height, picture.width]}


def grid_of_tiles(config, made, count, picture):
    """Rows and columns."""
    if "rows" in made:
        return [int(made["rows"][0][0]), int(made["cols"][0][0])]
    if pinpoints := getattr(config, "image_grid_pinpoints", None):
        from transformers.image_processing_utils import select_best_resolution
        best = select_best_resolution((picture.height, picture.width), pinpoints)
        return [best[0] // side_of_tile(config), best[1] // side_of_tile(config)]
    if count < 1:
        return [0, 0]
    from transformers.models.got_ocr2.image_processing_pil_got_ocr2 import get_optimal_tiled_canvas
    side = side_of_tile(config)
    columns, rows = get_optimal_tiled_canvas((picture.height, picture.width), (side, side), 1, 6 if config.model_type == "internvl" else 4)
    return [rows, columns]


def check(folder):
    expected = np.load(folder / "expected.npz")
    name = json.loads((folder / "config.json").read_text())["architectures"][0]
    model = getattr(transformers, name).from_pretrained(folder, attn_implementation="eager", dtype=torch.float32)
    arrays = computed(shown(model), inputs_of(expected))
    if set(arrays) != set(expected.files):
        sys.exit(f"{folder.name}: arrays differ: {sorted(set(arrays) ^ set(expected.files))}")
    print(f"{folder.name}: largest difference", max(np.abs(arrays[name] - expected[name]).max() for name in arrays))


def randomize(model):
    """Zeros and ones, of which Transformers makes norms and factors, would hide mistakes."""
    with torch.no_grad():
        corrections = (buffer for name, buffer in model.named_buffers() if name.endswith("e_score_correction_bias"))
        for parameter in (*model.parameters(), *corrections):
            if parameter.numel() > 1 and (parameter == parameter.flatten()[0]).all():
                parameter.add_(0.2 * torch.randn_like(parameter))


def make(folder, model_type, like, kind, settings):
    """settings may have `input_size`, the side of the image, where it is another than the model's own; `picture`, height and
    width of an image among tokens, and `tokens`, the ids that stand for it; `tiles`, the rows and columns of tiles and the height and
    width of the picture; `with_processor`, for image.png, a text and what the
    processor makes of both, "tall" for a tall image; `seconds` of a sound; `stored`, the type of the numbers in the file; and `tokenizer`, that of another model, for texts of its tests."""
    folder.mkdir(exist_ok=True)
    own = ("input_size", "seconds", "stored", "tokenizer", "picture", "tokens", "with_processor", "tiles")
    input_size, seconds, stored, tokenizer, picture, tokens, with_processor, tiles = (settings.get(name) for name in own)
    settings = {name: value for name, value in settings.items() if name not in own}
    torch.manual_seed(1)
    small = TINY if like == "none" else SMALL
    known = {name: value for name, value in small.items() if hasattr(AutoConfig.for_model(model_type), name)}
    config = AutoConfig.for_model(model_type, **{**known, **settings})
    made = getattr(transformers, CLASSES.get(kind, kind))
    model = (made.from_config if hasattr(made, "from_config") else made._from_config)(config, attn_implementation="eager")
    randomize(model)
    if stored:
        model = model.to(getattr(torch, stored))
    model.save_pretrained(folder)
    model = model.float()
    (folder / "generation_config.json").unlink(missing_ok=True)
    if like == "none":
        inputs = {"input_ids": IDS}
        if config.is_encoder_decoder and kind == "classes":  # the decoder reads the text, moved right
            inputs = {"input_ids": [*IDS, config.eos_token_id], "decoder_input_ids": [config.decoder_start_token_id, *IDS]}
        elif config.is_encoder_decoder:
            inputs["decoder_input_ids"] = [config.decoder_start_token_id or 0, *IDS[:5]]
        if seconds:
            inputs = {**sound_inputs(folder, config, seconds), **{name: ids for name, ids in inputs.items() if name != "input_ids"}}
        if picture:
            pixels = np.random.default_rng(1).standard_normal((3, *picture), np.float32).round(3)
            inputs = {"input_ids": [*IDS[:3], *tokens, *IDS[3:]], "pixel_values": pixels.tolist()}
        if tiles:
            inputs = tiled_inputs(model, *tiles)
        if with_processor:
            inputs = inputs_with_processor(folder, model, with_processor == "tall")
        sight = shown(model).config
        if hasattr(sight, "image_size") and "pixel_values" not in inputs:
            side = input_size or sight.image_size
            size = (getattr(sight, "num_channels", 3), side, side)
            if input_size:
                sides = {"height": side, "width": side}
                (folder / "preprocessor_config.json").write_text(json.dumps({"size": sides}) + "\n")
            inputs = {"pixel_values": np.random.default_rng(1).standard_normal(size, np.float32).round(3).tolist()}
        np.savez(folder / "expected.npz", **computed(shown(model), inputs))
        for name in ("tokenizer.json", "tokenizer_config.json") if tokenizer else ():
            shutil.copy(MODELS / tokenizer / name, folder / name, follow_symlinks=False)
        return
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(MODELS / like / name, folder / name)
    arrays = computed(model, inputs_of(np.load(MODELS / like / "expected.npz")))
    np.savez(folder / "expected.npz", **arrays)

    path = MODELS / "cases.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    case = dict(next(case for case in cases if case["name"] == like), name=folder.name,
                passes=[name.removesuffix(".weights") for name in arrays if name.endswith(".weights")])
    cases = [case for case in cases if case["name"] != folder.name] + [case]
    path.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("model_type", nargs="?")
    parser.add_argument("settings", nargs="*", metavar="SETTING=VALUE")
    parser.add_argument("--tokenizer", default="llama")
    parser.add_argument("--kind", choices=sorted(CLASSES), default="decoder")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_intermixed_args()
    folder = MODELS / given.name
    if not given.check:
        if not given.model_type:
            parser.error("MODEL_TYPE is missing, expected one of Transformers, such as llama")
        make(folder, given.model_type, given.tokenizer, given.kind,
             {key: json.loads(value) for key, value in (setting.split("=", 1) for setting in given.settings)})
    check(folder)


if __name__ == "__main__":
    main()
