#!/usr/bin/env python3
"""Writes effects/NAME.npz: what Transformers answers after the last token of models/NAME while the output of one head is
replaced, before its projection: by zero, by its mean over positions, or by what it is for other ids. Also what each head
adds to the logits directly, and the logits by the hidden state of each layer. The tests core.effects and core.generation
compare every number. Of models that translate, only what generate() writes.

    make_effects.py [NAME ...]      by default gpt2, llama, t5 and bart; needs PyTorch and Transformers (5.24 was tried)
"""
import pathlib
import sys

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

HERE = pathlib.Path(__file__).parent
PAIR = (17, 101)  # ids whose logits are compared


def projections(model):
    """The modules that project the heads of each layer, and their weights as (outputs, inputs)."""
    if model.config.model_type == "gpt2":
        return [(block.attn.c_proj, block.attn.c_proj.weight.T) for block in model.transformer.h]
    return [(layer.self_attn.o_proj, layer.self_attn.o_proj.weight) for layer in model.model.layers]


def last_norm(model):
    return model.transformer.ln_f if model.config.model_type == "gpt2" else model.model.norm


def logits_after(model, ids, changed=None, record=None):
    """Of the last position. changed: (layer, function of the heads' outputs); record: a list that receives them."""
    hooks = []
    for layer, (module, _) in enumerate(projections(model)):
        def hook(_, inputs, layer=layer):
            heads = inputs[0].clone()
            if record is not None:
                record.append(heads)
            if changed and changed[0] == layer:
                heads = changed[1](heads)
            return (heads, *inputs[1:])
        hooks.append(module.register_forward_pre_hook(hook))
    with torch.no_grad():
        logits = model(torch.tensor(ids)[None], use_cache=False).logits[0, -1]
    for hook in hooks:
        hook.remove()
    return logits.double().numpy()


def probabilities(logits):
    shares = np.exp(logits - logits.max())
    return shares / shares.sum()


def figures(plain, changed):
    """As HeadEffect has them."""
    before, after = probabilities(plain), probabilities(changed)
    a, b = PAIR
    return [after.argmax(), after.max(), after[plain.argmax()], np.abs(before - after).sum() / 2,
            (changed[a] - changed[b]) - (plain[a] - plain[b])]


def direct(model, ids, towards):
    """What each head adds to the logits of the last position in this direction, with the last norm's divisor of the whole."""
    outputs, ends = [], []
    norm = last_norm(model)
    handle = norm.register_forward_pre_hook(lambda _, inputs: ends.append(inputs[0][0, -1].double()))
    logits_after(model, ids, record=outputs)
    handle.remove()
    end, weight, heads = ends[0], norm.weight.detach().double(), model.config.num_attention_heads
    is_layer = isinstance(norm, torch.nn.LayerNorm)
    epsilon = norm.eps if is_layer else norm.variance_epsilon
    divisor = torch.sqrt((end.var(unbiased=False) if is_layer else (end ** 2).mean()) + epsilon)
    found = []
    for output, (_, projection) in zip(outputs, projections(model), strict=True):
        width = output.shape[-1] // heads
        for head in range(heads):
            part = slice(head * width, (head + 1) * width)
            added = projection[:, part].detach().double() @ output[0, -1, part].double()
            added = (added - added.mean() if is_layer else added) / divisor * weight
            found.append(float(added @ towards))
    return np.array(found).reshape(len(outputs), heads)


def lens(model, ids):
    """Logits of the last position by each hidden state, with the last norm applied to it, in float64."""
    ends = []
    norm = last_norm(model)
    handle = norm.register_forward_pre_hook(lambda _, inputs: ends.append(inputs[0][0, -1]))
    with torch.no_grad():
        states = model(torch.tensor(ids)[None], use_cache=False, output_hidden_states=True).hidden_states
    handle.remove()
    rows = torch.stack([*(state[0, -1] for state in states[:-1]), ends[0]]).double()
    weight = norm.weight.detach().double()
    if isinstance(norm, torch.nn.LayerNorm):
        rows = torch.nn.functional.layer_norm(rows, rows.shape[-1:], weight, norm.bias.detach().double(), norm.eps)
    else:
        rows = rows / torch.sqrt((rows ** 2).mean(-1, keepdim=True) + norm.variance_epsilon) * weight
    return (rows @ model.get_output_embeddings().weight.detach().double().T).numpy()


def written(model, ids):
    """What the model writes behind the ids, always the likeliest token; with what the decoder begins with."""
    return model.generate(torch.tensor(ids)[None], attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                          max_new_tokens=8, do_sample=False, num_beams=1, forced_eos_token_id=None)[0].numpy()


def save(name, arrays):
    (HERE / "effects").mkdir(exist_ok=True)
    np.savez(HERE / "effects" / f"{name}.npz", **arrays)


def make_translation(name):
    model = AutoModelForSeq2SeqLM.from_pretrained(HERE / "models" / name, attn_implementation="eager", dtype=torch.float32).eval()
    ids = np.load(HERE / "models" / name / "expected.npz")["input_ids"].tolist()
    save(name, {"written": written(model, ids)})


def make(name):
    model = AutoModelForCausalLM.from_pretrained(HERE / "models" / name, attn_implementation="eager", dtype=torch.float32).eval()
    ids = np.load(HERE / "models" / name / "expected.npz")["input_ids"].tolist()
    other, other_outputs = ids[::-1], []
    plain = logits_after(model, ids)
    logits_after(model, other, record=other_outputs)
    heads = model.config.num_attention_heads
    rows = model.get_output_embeddings().weight.detach().double()
    arrays = {"other_ids": np.array(other), "pair": np.array(PAIR), "lens": lens(model, ids),
              "direct": direct(model, ids, rows[PAIR[0]] - rows[PAIR[1]]), "direct_to_one": direct(model, ids, rows[PAIR[0]]),
              "written": written(model, ids)}
    for by in ("zero", "mean", "other"):
        rows = []
        for layer in range(len(projections(model))):
            for head in range(heads):
                def change(outputs, layer=layer, head=head, by=by):
                    width = outputs.shape[-1] // heads
                    part = slice(head * width, (head + 1) * width)
                    if by == "zero":
                        outputs[..., part] = 0
                    elif by == "mean":
                        outputs[..., part] = outputs[..., part].mean(dim=1, keepdim=True)
                    else:
                        outputs[..., part] = other_outputs[layer][..., part]
                    return outputs
                rows.append(figures(plain, logits_after(model, ids, (layer, change))))
        arrays[by] = np.array(rows).reshape(-1, heads, 5)
    save(name, arrays)
    print(f"{name}: {arrays['zero'].shape[:2]} heads, moved up to {arrays['zero'][..., 3].max():.3f}")


if __name__ == "__main__":
    for one in sys.argv[1:] or ("gpt2", "llama", "t5", "bart"):
        (make_translation if one in ("t5", "bart") else make)(one)
