"""Layers of attention as PyTorch, nanoGPT and TransformerLens save them, with the states that they get."""
import math

import torch

from own_cases import B, D, HEADS, S, TOKENS, attention, blocked, case, named


def seen(module, inputs, **options):
    """What a module got and gave in one pass."""
    got = {}

    def keep(_, arguments, keywords, result):
        got.update(arguments=arguments, keywords=keywords, result=result)

    hook = module.register_forward_hook(keep, with_kwargs=True)
    with torch.no_grad():
        got["model"] = inputs(**options)
    hook.remove()
    return got


def randomised(model):
    """As trained weights are: no zero biases, no gains of 1, a spread that shows in the weights of attention."""
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return model.float().double().eval()  # numbers that float32 holds


def in_float32(state):
    return {name: tensor.float() for name, tensor in state.items()}


def torch_modules():
    x, context, values = (torch.randn(B, n, w).float() for n, w in ((TOKENS, D), (S, 12), (S, 10)))

    def mha(name, options=(), inputs=None, files=None, heads=HEADS, mask=None, **settings):
        module = randomised(torch.nn.MultiheadAttention(D, heads, batch_first=True, **settings))
        q, k, v = (tensor.double() for tensor in inputs or (x, x, x))
        with torch.no_grad():
            output, weights = module(q, k, v, average_attn_weights=False, key_padding_mask=mask)
        case(name, {"state.pt": in_float32(module.state_dict())} | (files or {"x.npy": x}), (weights, output),
             ["--set", f"num_heads={heads}", *options], mechanism="multi_head")

    mha("mha")
    mha("mha_no_bias", bias=False)
    # Without batch_first, which is PyTorch's default.
    mha("mha_tokens_first", ["--layout", "LBE"], files={"x.npy": x.transpose(0, 1)})
    mha("mha_bias_kv", add_bias_kv=True)
    mha("mha_zero_attn", ["--set", "add_zero_attn=true"], add_zero_attn=True)
    mha("mha_bias_kv_zero_attn", ["--set", "add_zero_attn=true"], add_bias_kv=True, add_zero_attn=True)
    cross = (x, context, values)
    mha("mha_kdim_vdim", inputs=cross, kdim=12, vdim=10,
        files={"x.npy": x, "context.npy": context, "value_context.npy": values})
    mha("mha_kdim_vdim_bias_kv", inputs=cross, kdim=12, vdim=10, add_bias_kv=True,
        files={"x.npy": x, "context.npy": context, "value_context.npy": values})
    # Its own arguments are called query, key and value.
    mha("mha_arguments", inputs=cross, kdim=12, vdim=10, files={"inputs.npz": named("query key value", cross)})
    padding = torch.tensor([[0, 0, 0, 0, 1, 1], [0] * 6], dtype=torch.bool)
    mha("mha_padding", mask=padding, files={"x.npy": x, "key_padding_mask.npy": padding})

    def in_a_stack(name, model, state, prefix, run, unused=None, files=None, **options):
        module = model.get_submodule(prefix.removesuffix("."))
        plain = module.forward
        module.forward = lambda *a, **k: plain(*a, **{**k, "need_weights": True, "average_attn_weights": False})
        got = seen(module, run)
        output, weights = got["result"]
        inputs = [tensor.float() for tensor in got["arguments"][:3]]
        module.forward = plain
        # The numbers of the file.
        with torch.no_grad():
            output, weights = module(*[tensor.double() for tensor in inputs], average_attn_weights=False, **options)
        arrays = {"x.npy": inputs[0]}
        if got["arguments"][1] is not got["arguments"][0]:
            arrays["context.npy"] = inputs[1]
        outside = [key for key in state if not key.startswith(prefix)]
        case(name, {"state.pth": state} | arrays, (weights, output), ["--prefix", prefix, "--set", f"num_heads={HEADS}"],
             outside, mechanism="multi_head")

    layer = torch.nn.TransformerEncoderLayer(D, HEADS, 8, 0.0, batch_first=True, norm_first=True)
    encoder = randomised(torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)).train()
    source, target = torch.randn(B, S, D).double(), torch.randn(B, TOKENS, D).double()
    in_a_stack("transformer_encoder", encoder, in_float32(encoder.state_dict()), "layers.1.self_attn.",
               lambda: encoder(source))
    model = randomised(torch.nn.Transformer(D, HEADS, 2, 1, 8, 0.0, batch_first=True)).train()
    in_a_stack("transformer_bare", model, in_float32(model.state_dict()), "encoder.layers.1.self_attn.",
               lambda: model(source, target))
    owner = torch.nn.ModuleDict({"transformer": model, "head": torch.nn.Linear(D, 3).double()})
    in_a_stack("transformer_prefixed_cross", owner, in_float32(owner.state_dict()),
               "transformer.decoder.layers.0.multihead_attn.", lambda: model(source, target))


def own_layers():
    """Layers as nanoGPT and TransformerLens keep them, in plain PyTorch."""
    x = torch.randn(B, TOKENS, D).float()
    wide = D // HEADS
    causal = torch.ones(TOKENS, TOKENS).triu(1).bool()

    def run(w_q, w_k, w_v, w_o, bias=None):
        """(D, H*E) and (H*E, D)."""
        q, k, v = ((x.double() @ w.double()).unflatten(-1, (-1, wide)).transpose(1, 2) for w in (w_q, w_k, w_v))
        weights, output = attention(q, k, v, bias)
        return weights, output.transpose(1, 2).flatten(2) @ w_o.double()

    fused, out = torch.randn(3 * D, D) / 4, torch.randn(D, D) / 4
    prefix = "transformer.h.0.attn."
    state = {prefix + "c_attn.weight": fused, prefix + "c_proj.weight": out,
             prefix + "bias": torch.ones(1, 1, 8, 8).tril(),
             "transformer.h.0.mlp.c_proj.weight": torch.randn(D, 4 * D), "transformer.h.0.ln_1.weight": torch.ones(D)}
    outside = [key for key in state if "c_" not in key or "mlp" in key]
    case("nanogpt", {"model.pt": state, "x.npy": x},
         run(*(part.T for part in fused.split(D)), out.T, blocked(causal)),
         ["--set", f"num_heads={HEADS}", "--mask", "causal"], outside, mechanism="multi_head")
    for kv in (HEADS, 2):
        w_q, w_o = torch.randn(HEADS, D, wide), torch.randn(HEADS, wide, D)
        w_k, w_v = torch.randn(kv, D, wide), torch.randn(kv, D, wide)
        prefix = "blocks.0.attn."
        state = named(" ".join(prefix + name for name in ("W_Q", "W_O", "W_K", "W_V")), (w_q, w_o, w_k, w_v))
        state |= {prefix + "b_Q": torch.zeros(HEADS, wide), prefix + "b_K": torch.zeros(kv, wide),
                  prefix + "b_V": torch.zeros(kv, wide), prefix + "b_O": torch.zeros(D),
                  prefix + "mask": torch.ones(8, 8).tril().bool(), prefix + "IGNORE": torch.tensor(-math.inf)}
        case(f"transformer_lens_{kv}", {"model.pt": state, "x.npy": x},
             run(*(w.transpose(0, 1).flatten(1) for w in (w_q, w_k, w_v)), w_o.flatten(0, 1), blocked(causal)),
             ["--mask", "causal"], [prefix + "mask", prefix + "IGNORE"],
             mechanism="multi_head" if kv == HEADS else "grouped_query")
    square = [torch.randn(D, D) for _ in range(4)]
    case("capital_weights", {"model.npz": named("W_Q W_K W_V W_O", square), "x.npy": x}, run(*square),
         ["--set", f"num_heads={HEADS}"], mechanism="multi_head")
    context = torch.randn(B, S, D).float()
    kept = torch.tensor([[1, 1, 1, 1, 1, 0, 0], [1] * 7])
    q = (x.double() @ square[0].double()).unflatten(-1, (-1, wide)).transpose(1, 2)
    k, v = ((context.double() @ w.double()).unflatten(-1, (-1, wide)).transpose(1, 2) for w in square[1:3])
    weights, output = attention(q, k, v, blocked(kept == 0)[:, None, None])
    case("encoder_attention_mask",
         {"model.pt": named("W_Q W_K W_V W_O", square) | {
             "hidden_states": x, "encoder_hidden_states": context, "encoder_attention_mask": kept,
             "attention_mask": torch.ones(B, TOKENS).long()}},
         (weights, output.transpose(1, 2).flatten(2) @ square[3].double()),
         ["--set", f"num_heads={HEADS}"], ["attention_mask"], mechanism="multi_head")
