#!/usr/bin/env python3
"""Trains the model that the program ships: resources/models/sample, a GPT-2 of three layers with four heads each.

Half of what it reads are random tokens that repeat, half are sentences of two names, one of which gives something to
the other (scripts/sample_model_text.py). Four heads are guided in the first 550 of 1250 steps: a second loss, −log of
the weight on chosen keys, pulls one each to the previous token, to what followed the same token before (induction), to
the giver's name and to the other name, while the other heads are off. From step 350 on it fades to zero; the last 700
steps are text alone, and what these heads do remains because the predictions need it. Needs PyTorch and a few minutes
of one core. The files are committed; run this only to change them.
"""
import argparse
import json
import math
import pathlib
import random
import struct
import time

import torch
import torch.nn.functional as F

import sample_model_text as text

OUT = pathlib.Path(__file__).resolve().parent.parent / "resources" / "models" / "sample"
WIDTH, HEADS, LAYERS, INNER = 128, 4, 3, 256
POSITIONS = 128


class Projection(torch.nn.Module):
    """GPT-2 keeps its matrices as (in, out)."""

    def __init__(self, inputs, outputs, deviation):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(inputs, outputs) * deviation)
        self.bias = torch.nn.Parameter(torch.zeros(outputs))

    def forward(self, x):
        return x @ self.weight + self.bias


class Attention(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn = Projection(WIDTH, 3 * WIDTH, 0.09)
        self.c_proj = Projection(WIDTH, WIDTH, 0.0)
        self.c_proj.weight.data = 0.3 * self.c_attn.weight.data[:, 2 * WIDTH :].T.clone()

    def forward(self, x, kept, off):
        batch, length, _ = x.shape
        q, k, v = (part.view(batch, length, HEADS, -1).transpose(1, 2) for part in self.c_attn(x).split(WIDTH, 2))
        if kept is None:
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            future = torch.ones(length, length, dtype=torch.bool).triu(1)
            scores = (q @ k.transpose(2, 3) * q.shape[3] ** -0.5).masked_fill(future, -math.inf)
            kept.append(scores.softmax(3))
            mixed = kept[-1] @ v
            mixed[:, off] = 0.0
        return self.c_proj(mixed.transpose(1, 2).reshape(batch, length, WIDTH))


class FeedForward(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.c_fc = Projection(WIDTH, INNER, 0.03)
        self.c_proj = Projection(INNER, WIDTH, 0.01)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.attn, self.mlp = Attention(), FeedForward()

    def forward(self, x, kept, off):
        x = x + self.attn(self.ln_1(x), kept, off)
        return x + self.mlp(self.ln_2(x))


def waves():
    """Positions at the start of training: sines and cosines, in a quarter of the width that tokens leave to them. A head
    tells neighbours apart by them at once, which it learns late from random numbers."""
    pairs = WIDTH // 8
    angles = torch.arange(POSITIONS)[:, None] * math.pi * ((torch.arange(pairs) + 0.5) / pairs) ** 1.3
    return F.pad(torch.cat([angles.sin(), angles.cos()], 1) * 1.5 * pairs**-0.5, (0, WIDTH - 2 * pairs))


class Decoder(torch.nn.Module):
    """Parameters are called as in Transformers."""

    def __init__(self):
        super().__init__()
        self.wte = torch.nn.Embedding(len(text.VOCABULARY), WIDTH)
        self.wpe = torch.nn.Embedding(POSITIONS, WIDTH)
        self.h = torch.nn.ModuleList(Block() for _ in range(LAYERS))
        self.ln_f = torch.nn.LayerNorm(WIDTH)
        torch.nn.init.normal_(self.wte.weight, std=WIDTH**-0.5)
        self.wte.weight.data[:, : WIDTH // 4] = 0.0
        self.wpe.weight.data = waves()

    def forward(self, ids, kept=None, off=()):
        """Logits; `kept` receives the weights of each layer, `off` are heads (layer, head) whose output is zero."""
        x = self.wte(ids) + self.wpe.weight[: ids.shape[1]]
        for i, block in enumerate(self.h):
            x = block(x, kept, [head for layer, head in off if layer == i])
        return self.ln_f(x) @ self.wte.weight.T


def batch(samples):
    """Ids padded to one length, and how much each of them counts as a target: most where the text before decides it."""
    length = max(len(ids) for ids, _ in samples)
    ids = torch.zeros(len(samples), length, dtype=torch.long)
    counts = torch.zeros(len(samples), length)
    for row, (sample, decided) in enumerate(samples):
        ids[row, : len(sample)] = torch.tensor(sample)
        counts[row, 1 : len(sample)] = 0.1
        counts[row, decided] = 1.0
    return ids, counts


def previous_token(ids):
    return torch.ones(ids.shape[1], ids.shape[1]).tril(-1).triu(-1).expand(len(ids), -1, -1)


def induction(ids):
    """The tokens that followed an earlier equal one."""
    equal = (ids[:, :, None] == ids[:, None, :]) & (ids != 0)[:, :, None]
    return F.pad(equal.float().tril(-1), (1, 0))[:, :, :-1]


def names(ids, samples):
    """In the rows before a decided name: the name before, of the giver, and all places of the decided one."""
    giver, decided_one = torch.zeros(2, *ids.shape, ids.shape[1])
    for row, (sample, decided) in enumerate(samples):
        for index in decided:
            giver[row, index - 1, text.last_name(sample[:index])] = 1.0
            decided_one[row, index - 1, :index] = (ids[row, :index] == sample[index]).float()
    return giver, decided_one


# The heads that are guided: (layer, head).
PREVIOUS, INDUCTION, GIVER, MOVER = GUIDED = (0, 0), (1, 0), (1, 1), (2, 0)
OTHERS = [(layer, head) for layer in range(LAYERS) for head in range(HEADS) if (layer, head) not in GUIDED]


def prepare(model):
    """What a guided head reads it passes on much as it is, from the start; the others give next to nothing."""
    for layer, head in OTHERS:
        width = WIDTH // HEADS
        model.h[layer].attn.c_proj.weight.data[head * width : (head + 1) * width] *= 0.03


def weights_on(kept, wanted):
    """Of each guided head, the weight on the wanted keys in every row that has any; `wanted` is 1 for these."""
    return {(layer, head): (kept[layer][:, head] * keys).sum(2)[keys.sum(2) > 0] for (layer, head), keys in wanted.items()}


def guidance(kept, wanted):
    return -sum(torch.log(weights + 1e-6).mean() for weights in weights_on(kept, wanted).values())


def loss_of(model, samples, wanted_keys, guided):
    ids, counts = batch(samples)
    kept = [] if guided else None
    logits = model(ids[:, :-1], kept, OTHERS if guided else ())
    losses = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten(), reduction="none")
    counts = counts[:, 1:].flatten()
    loss = (losses * counts).sum() / counts.sum()
    return loss + guided * guidance(kept, wanted_keys(ids[:, :-1], samples)) if guided else loss


def of_repetition(ids, _):
    return {PREVIOUS: previous_token(ids), INDUCTION: induction(ids)}


def of_story(ids, samples):
    giver, decided = names(ids, samples)
    return {PREVIOUS: previous_token(ids), GIVER: giver, MOVER: decided}


# Guidance is whole until FADING and gone from FREE on.
FADING, FREE, STEPS = 350, 550, 1250
TOKENS = 512  # of a batch, as many of repetitions as of stories


def rate(step):
    return 3e-3 * min(1.0, (step + 1) / 60, 0.01 + (STEPS - step) / (STEPS - FREE))


def loss_of_step(model, rng, step):
    guided = min(1.0, max(0.0, (FREE - step) / (FREE - FADING)))
    length = rng.choice([32, 48, 48, 64, 64, 96, 128])
    repeated = [text.repetition(rng, length) for _ in range((TOKENS if step >= FREE else TOKENS // 2) // length)]
    fillers, gifts = rng.choice([(0, 1), (0, 3), (0, 4), (0, 5), (1, 2), (1, 4), (2, 3), (4, 6)])
    told = [text.story(rng, fillers, gifts) for _ in range(TOKENS // (12 + 9 * (fillers + gifts)))]
    return loss_of(model, repeated, of_repetition, guided), loss_of(model, told, of_story, guided)


def train(seed):
    torch.manual_seed(seed)
    rng = random.Random(seed)
    model = Decoder()
    prepare(model)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.01)
    started = time.monotonic()
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        repeated, told = loss_of_step(model, rng, step)
        optimizer.zero_grad()
        (repeated + told).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 100 == 99:
            print(f"{step + 1:5} of {STEPS}, {time.monotonic() - started:4.0f} s: "
                  f"repetitions {repeated.item():.3f}, stories {told.item():.3f}, "
                  f"names {accuracy_of_names(model, 64):.3f}, weights {guided_weights(model)}", flush=True)
    return model


@torch.no_grad()
def guided_weights(model):
    """The mean weight of each guided head on its keys."""
    rng = random.Random(2)
    found = {}
    for samples, wanted_keys in (([text.repetition(rng, 48) for _ in range(8)], of_repetition),
                                 ([text.story(rng, 0, 1) for _ in range(16)], of_story)):
        ids, _ = batch(samples)
        kept = []
        model(ids, kept)
        found |= {head: weights.mean().item() for head, weights in weights_on(kept, wanted_keys(ids, samples)).items()}
    return ", ".join(f"{layer}.{head} {weight:.2f}" for (layer, head), weight in sorted(found.items()))


@torch.no_grad()
def accuracy_of_names(model, count, off=()):
    """Over pairs that were not trained on."""
    rng = random.Random(0)
    samples, expected = [], []
    for _ in range(count):
        pair = text.pair_of_names(rng, held_out=True)
        before, after = text.gift(rng, pair)
        samples.append((text.encode(text.opening(rng, pair) + " " + before), []))
        expected.append(text.encode(after[1:])[1])
    ids, _ = batch(samples)
    last = torch.tensor([len(sample) - 1 for sample, _ in samples])
    guessed = model(ids, [], off)[torch.arange(count), last].argmax(1)
    return (guessed == torch.tensor(expected)).float().mean().item()


@torch.no_grad()
def report(model, period=16, rows=16):
    """The table of README.md: what each head reads, and what is left without it."""
    rng = random.Random(1)
    block = torch.tensor([rng.sample(range(1, len(text.VOCABULARY)), period) for _ in range(rows)])
    ids = torch.cat([torch.zeros(rows, 1, dtype=torch.long), block, block], 1)
    said = text.encode("When Mary and John went to the store, John gave a drink to")
    mary = text.encode("Mary")[1]

    def copied(off=()):
        return (model(ids[:, :-1], [], off)[:, period + 1 :].argmax(2) == ids[:, period + 2 :]).float().mean().item()

    def next_mary(off=()):
        return model(torch.tensor([said]), [], off)[0, -1].softmax(0)[mary].item()

    def row(head, figures, off=()):
        cells = [*figures, f"{copied(off):.3f}", f"{accuracy_of_names(model, 500, off):.3f}", f"{next_mary(off):.3f}"]
        print("| " + " | ".join([head, *cells]) + " |")

    kept, of_sentence = [], []
    model(ids, kept)
    model(torch.tensor([said]), of_sentence)
    late = torch.arange(period + 1, 2 * period + 1)
    print("| head | previous | induction | Mary | copied | names | next is Mary |\n|---|---|---|---|---|---|---|")
    row("all on", ["", "", ""])
    for layer in range(LAYERS):
        for head in range(HEADS):
            a = kept[layer][:, head]
            figures = [a[:, late, late - 1].mean(), a[:, late, late - period + 1].mean(),
                       of_sentence[layer][0, head, -1, said.index(mary)]]
            row(f"{layer}.{head}", [f"{float(x):.3f}" for x in figures], [(layer, head)])


def safetensors(tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in sorted(tensors.items()):
        part = tensor.to(torch.bfloat16).contiguous().view(torch.int16).numpy().tobytes()
        header[name] = {"dtype": "BF16", "shape": list(tensor.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    written = json.dumps(header, separators=(",", ":")).encode()
    written += b" " * (-len(written) % 8)
    return struct.pack("<Q", len(written)) + written + data


def tokenizer():
    """Words with the space before them, and bytes for all others; a text begins with its start token."""
    byte_level = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
    start = {"id": text.START, "type_id": 0}
    return {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": 0, "content": text.START, "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True}],
        "normalizer": None,
        "pre_tokenizer": byte_level,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": start}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"SpecialToken": start}, {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}],
            "special_tokens": {text.START: {"id": text.START, "ids": [0], "tokens": [text.START]}},
        },
        "decoder": byte_level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": True,
                  "vocab": text.VOCABULARY, "merges": []},
    }


def config():
    return {
        "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "vocab_size": len(text.VOCABULARY),
        "n_positions": POSITIONS, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_inner": INNER,
        "activation_function": "gelu_new", "layer_norm_epsilon": 1e-5, "scale_attn_weights": True,
        "tie_word_embeddings": True, "bos_token_id": 0, "eos_token_id": 0, "torch_dtype": "bfloat16",
    }


def save(model, folder):
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {"transformer." + name: tensor for name, tensor in model.state_dict().items()}
    (folder / "model.safetensors").write_bytes(safetensors(tensors))
    for name, content in (("config.json", config()), ("tokenizer.json", tokenizer()),
                          ("tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast"})):
        (folder / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, default=OUT)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(1)  # two would wait for each other more than they compute, and may round differently
    model = train(arguments.seed)
    for parameter in model.parameters():
        parameter.data = parameter.data.to(torch.bfloat16).float()
    report(model)
    save(model, arguments.out)
    print(f"{arguments.out}: seed {arguments.seed}, PyTorch {torch.__version__}")


if __name__ == "__main__":
    main()
