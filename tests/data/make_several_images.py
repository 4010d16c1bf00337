#!/usr/bin/env python3
"""Writes two_images.npz beside the tiny models of NAMES: a text with two images, and what Transformers computes from it. The
first image is that of expected.npz, the second one its mirror; of models that read any size it is also smaller. Run it in
this folder after make_model.py has written a model anew; the results are committed. Needs PyTorch and Transformers.
"""
import pathlib

import numpy as np
import torch
import transformers

MODELS = pathlib.Path(__file__).parent / "models"
NAMES = ("llava_image", "vipllava_image", "mistral3_image", "qwen2_vl_image", "qwen2_5_vl_image", "qwen3_vl_image",
         "llava_next_image", "aya_vision_image", "idefics3_image", "smolvlm_image", "internvl_rms")


def squares_of(config, image):
    """Patches in the order of the tower, with their rows and columns."""
    seen = config.vision_config
    size, side, frames = seen.patch_size, seen.spatial_merge_size, seen.temporal_patch_size
    colors, rows, columns = image.shape
    squares = image.reshape(colors, rows // size // side, side, size, columns // size // side, side, size)
    squares = squares.permute(1, 4, 2, 5, 0, 3, 6)[..., None, :, :].expand(-1, -1, -1, -1, -1, frames, -1, -1)
    return squares.reshape(-1, colors * frames * size * size), [1, rows // size, columns // size]


def given_to(config, ids, images, size_of_picture):
    kind = config.model_type
    if kind.startswith("qwen"):
        squares, grids = zip(*(squares_of(config, image) for image in images))
        return {"pixel_values": torch.cat(squares), "image_grid_thw": torch.tensor(grids),
                "mm_token_type_ids": torch.tensor([[int(one == config.image_token_id) for one in ids]])}
    if kind in ("internvl", "aya_vision"):
        return {"pixel_values": torch.cat(images) if images[0].ndim == 4 else torch.stack(images)}
    if kind in ("idefics3", "smolvlm"):
        return {"pixel_values": torch.cat(images)[None]}
    sizes = {}
    if kind == "llava_next":
        sizes = {"image_sizes": torch.tensor([size_of_picture] * len(images))}
    elif config.vision_config.model_type == "pixtral":
        sizes = {"image_sizes": torch.tensor([list(image.shape[1:]) for image in images])}
    return {"pixel_values": torch.stack(images), **sizes}


def make(folder):
    model = transformers.AutoModelForImageTextToText.from_pretrained(folder, attn_implementation="eager").eval()
    config = model.config
    with np.load(folder / "expected.npz") as arrays:
        ids, pixels = arrays["input_ids"].astype(int).tolist(), arrays["pixel_values"].astype(np.float32)
        size = arrays["image_sizes"].astype(int).tolist() if "image_sizes" in arrays else None
    first = ids.index(config.image_token_id)
    last = len(ids) - ids[::-1].index(config.image_token_id)
    last += config.vision_config.model_type == "pixtral"  # one token more ends the last row
    other, tokens = np.ascontiguousarray(pixels[..., ::-1]), ids[first:last]
    if config.model_type.startswith("qwen"):
        step = config.vision_config.patch_size * config.vision_config.spatial_merge_size
        other = np.ascontiguousarray(other[:, :step])
        tokens = tokens[:other.shape[2] // step]
    ids = [*ids[:last], 7, *tokens, *ids[last:]]
    given = given_to(config, ids, [torch.tensor(pixels), torch.tensor(other)], size)
    with torch.no_grad():
        result = model(input_ids=torch.tensor([ids]), **given, output_attentions=True)
    np.savez_compressed(folder / "two_images.npz", input_ids=np.array(ids), second=other, logits=result.logits[0].numpy(),
                        weights=result.attentions[-1][0].numpy())


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    for each in NAMES:
        make(MODELS / each)
