#!/usr/bin/env python3
"""Writes transformer_*.npz beside it: models of torch.nn.Transformer with what PyTorch itself computes from them.

Run it in this folder after a change; the results are committed. Needs PyTorch 1.13 or later and NumPy, and safetensors
for the one state_dict in that format. `NAME.in.npz` is the state_dict with the token ids, `NAME.out.npz` memory, output,
logits, probabilities and the weights of every attention.
"""
import math

import numpy as np
import torch

torch.set_default_dtype(torch.float64)


class Model(torch.nn.Module):
    def __init__(self, vocabularies, scale_embedding, d_model, **options):
        super().__init__()
        source, target, out = vocabularies
        self.scale = math.sqrt(d_model) if scale_embedding else 1.0
        self.src_embedding = torch.nn.Embedding(source, d_model, padding_idx=0)
        self.tgt_embedding = torch.nn.Embedding(target, d_model, padding_idx=0)
        self.transformer = torch.nn.Transformer(d_model, dropout=0.0, batch_first=True, **options)
        self.generator = torch.nn.Linear(d_model, out)

    def embed(self, table, ids):
        count, width = ids.shape[1], table.embedding_dim
        angle = torch.arange(count)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
        positions = torch.stack([angle.sin(), angle.cos()], dim=-1).reshape(count, width)
        return table(ids) * self.scale + positions

    def forward(self, src, tgt):
        causal = torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool).triu(1)
        memory = self.transformer.encoder(self.embed(self.src_embedding, src), src_key_padding_mask=src == 0)
        output = self.transformer.decoder(self.embed(self.tgt_embedding, tgt), memory, tgt_mask=causal,
                                          tgt_key_padding_mask=tgt == 0, memory_key_padding_mask=src == 0)
        logits = self.generator(output)
        return {"memory": memory, "output": output, "logits": logits, "probabilities": logits.softmax(-1)}


def keep_weights(attention, name, kept):
    """The layers ask for no weights; this asks for those of every head."""
    plain = attention.forward

    def forward(*arguments, **options):
        output, weights = plain(*arguments, **{**options, "need_weights": True, "average_attn_weights": False})
        kept[name] = weights
        return output, weights

    attention.forward = forward


def state_dict(model):
    """The names of nn.Transformer itself, and those of the tables and the last map beside it."""
    return {name.removeprefix("transformer."): value.detach() for name, value in model.state_dict().items()}


def make(name, seed, vocabularies, src, tgt, scale_embedding=True, **options):
    torch.manual_seed(seed)
    model = Model(vocabularies, scale_embedding, **options).train()  # in train mode nothing takes a short cut
    with torch.no_grad():
        for key, parameter in model.named_parameters():  # norms and biases start as ones and zeros: move them too
            parameter.add_(0.2 * torch.randn_like(parameter))
    kept = {}
    for i, layer in enumerate(model.transformer.encoder.layers):
        keep_weights(layer.self_attn, f"encoder.{i}.self.weights", kept)
    for i, layer in enumerate(model.transformer.decoder.layers):
        keep_weights(layer.self_attn, f"decoder.{i}.self.weights", kept)
        keep_weights(layer.multihead_attn, f"decoder.{i}.cross.weights", kept)
    src, tgt = torch.tensor(src), torch.tensor(tgt)
    with torch.no_grad():
        results = {**model(src, tgt), **kept}
    state = state_dict(model)
    np.savez_compressed(f"transformer_{name}.in.npz", src=src.numpy(), tgt=tgt.numpy(),
                        **{key: value.numpy() for key, value in state.items()})
    np.savez_compressed(f"transformer_{name}.out.npz", **{key: value.numpy() for key, value in results.items()})
    return state


if __name__ == "__main__":
    small = make("small", 1, (9, 7, 7), [[3, 8, 1, 2]], [[1, 6, 2]], d_model=8, nhead=2, num_encoder_layers=1,
                 num_decoder_layers=1, dim_feedforward=12)
    make("padded", 2, (11, 6, 8), [[1, 5, 10, 2, 2, 7], [4, 3, 9, 0, 0, 0], [6, 0, 0, 0, 0, 0]],
         [[1, 2, 3, 4, 5], [5, 4, 0, 0, 0], [2, 2, 2, 0, 0]], d_model=12, nhead=3, num_encoder_layers=2,
         num_decoder_layers=3, dim_feedforward=20)
    make("norm_first", 3, (5, 5, 5), [[1, 2], [4, 0]], [[3, 1, 2, 4], [2, 2, 1, 0]], scale_embedding=False, d_model=6,
         nhead=1, num_encoder_layers=2, num_decoder_layers=1, dim_feedforward=9, norm_first=True, activation="gelu",
         layer_norm_eps=1e-2)
    from safetensors.torch import save_file

    save_file({key: value.float().contiguous() for key, value in small.items()}, "transformer_small.safetensors")
