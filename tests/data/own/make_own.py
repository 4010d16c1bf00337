#!/usr/bin/env python3
"""Writes the folders beside it: arrays as NumPy, safetensors, PyTorch and Transformers save them, with what PyTorch and
Transformers compute from them.

Each folder is a case: its files, and expected.npz with the weights and the output. cases.json lists the cases: the
files, the options of the command line that a user needs, the type that the numbers were computed in (None: the numbers
of the files in float64), and the arrays that are not used. Run it in this folder after a change; the results are committed.
Needs PyTorch (2.15 wrote these), Transformers (5.23), safetensors and NumPy.
"""
import json
import logging
import math
import pathlib
import shutil

import numpy as np
import safetensors.torch
import torch
import transformers

FOLDER = pathlib.Path(__file__).parent
B, H, L, S, E = 2, 4, 5, 7, 8
D, HEADS, TOKENS = 16, 4, 6  # of the layers
cases = []


def numpy_of(value):
    return value.numpy() if isinstance(value, torch.Tensor) else value


def save(path, value):
    if path.suffix == ".npy":
        np.save(path, numpy_of(value))
    elif path.name.endswith("compressed.npz"):
        np.savez_compressed(path, **{name: numpy_of(array) for name, array in value.items()})
    elif path.suffix == ".npz":
        np.savez(path, **{name: numpy_of(array) for name, array in value.items()})
    elif path.suffix == ".safetensors":
        safetensors.torch.save_file({name: tensor.contiguous() for name, tensor in value.items()}, path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(value, ensure_ascii=False))
    elif path.suffix == ".txt":
        path.write_text("\n".join(value) + "\n")
    else:
        torch.save(value, path)


def names_in(value, path):
    """The arrays in `value` by the names that files give them."""
    if isinstance(value, dict):
        return [name for key, item in value.items() for name in names_in(item, [*path, str(key)])]
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [".".join(path)]
    if isinstance(value, (tuple, list)):
        return [name for key, item in enumerate(value) for name in names_in(item, [*path, str(key)])]
    return [".".join(path)]


def arrays_of(file, value):
    """Every array and list of labels of a file; alone in it they are named after it."""
    return names_in(value, []) if isinstance(value, (dict, tuple)) else [file.split(".")[0]]


def case(name, files, expected, options=(), unused=(), computed_in="float64", mechanism="scaled_dot_product", asks=None):
    """`expected` is (weights, output), either may be None. `asks`: the files leave open what the options say."""
    folder = FOLDER / name
    folder.mkdir()
    for file, value in files.items():
        save(folder / file, value)
    weights, output = expected
    if isinstance(weights, tuple):  # one a layer
        kept = {f"layer.{number}.weights": each for number, each in enumerate(weights)}
    else:
        kept = {"weights": weights, "output": output}
    np.savez_compressed(folder / "expected.npz",
                        **{key: value.detach().double().numpy() for key, value in kept.items() if value is not None})
    cases.append({"name": name, "files": list(files), "options": list(options), "arrays": [array for file, value in files.items() for array in arrays_of(file, value)],
                  "unused": list(unused),
                  "computed_in": computed_in, "mechanism": mechanism,
                  "asks": any(word in " ".join(options) for word in ("--prefix", "--role", "num_heads")) if asks is None
                          else asks})


def attention(q, k, v, bias=None, scale=None):
    """(B,H,L,E) in float64; `bias` is added to the scaled scores."""
    q, k, v = q.double(), k.double(), v.double()
    groups = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
    scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    weights = (scores if bias is None else scores + bias).softmax(-1)
    output = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias, scale=scale)
    torch.testing.assert_close(weights @ v, output)
    return weights, output


def blocked(mask):
    """An additive mask from one whose True blocks."""
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill(mask, -math.inf)


def qkv(dtype=torch.float32, batch=B, heads=H, queries=L, keys=S, kv_heads=None):
    kv_heads = kv_heads or heads
    return (torch.randn(batch, heads, queries, E).to(dtype), torch.randn(batch, kv_heads, keys, E).to(dtype),
            torch.randn(batch, kv_heads, keys, E).to(dtype))


def named(names, arrays):
    return dict(zip(names.split(), arrays))


def containers():
    arrays = qkv()
    expected = attention(*arrays)
    case("npy_trio", named("q.npy k.npy v.npy", arrays), expected)
    case("npy_trio_long_names", named("query.npy key.npy value.npy", arrays), expected)
    case("npz_stored", {"arrays.npz": named("query key value", arrays)}, expected)
    case("npz_compressed", {"compressed.npz": named("Q K V", arrays)}, expected)
    case("safetensors", {"arrays.safetensors": named("query_states key_states value_states", arrays)}, expected)
    case("pt", {"arrays.pt": named("q k v", arrays)}, expected)
    case("pth", {"arrays.pth": named("xq xk xv", arrays)}, expected)
    case("bin", {"arrays.bin": named("query_layer key_layer value_layer", arrays)}, expected)
    case("nested_dict", {"arrays.pt": {"layers": [{"attn": named("q k v", arrays)}]}}, expected)
    two = {"first": named("q k v", qkv()), "second": named("q k v", arrays)}
    case("nested_two", {"arrays.pt": two}, expected, ["--prefix", "second."], ["first.q", "first.k", "first.v"])
    case("tuple", {"arrays.pt": arrays}, expected,
         ["--role", "0=query", "--role", "1=key", "--role", "2=value"])
    case("npz_arr", {"arrays.npz": named("arr_0 arr_1 arr_2", arrays)}, expected,
         ["--role", "arr_0=query", "--role", "arr_1=key", "--role", "arr_2=value"])
    case("key_heads_shared", {"arrays.npz": named("q k v", grouped := qkv(kv_heads=2))}, attention(*grouped))
    # A kernel's test: (B,L,H,E), with what it gave.
    last = [array.transpose(1, 2) for array in arrays]
    weights, output = expected
    scores = arrays[0].double() @ arrays[1].double().transpose(-1, -2) / math.sqrt(E)
    beside = {"out": output.transpose(1, 2).float(), "softmax_lse": scores.logsumexp(-1).float()}
    case("kernel", {"kernel.npz": named("q k v", last) | beside}, expected, ["--layout", "BLHE"],
         ["out", "softmax_lse"])
    beside = {"attn_output": output.float(), "lse": scores.logsumexp(-1).float(), "attn_weights": weights.float()}
    case("everything_beside", {"all.safetensors": named("q k v", arrays) | beside}, expected,
         [], ["attn_output", "lse", "attn_weights"])


def layouts():
    arrays = qkv()
    expected = attention(*arrays)
    orders = {"BHLE": (0, 1, 2, 3), "BLHE": (0, 2, 1, 3)}
    for layout, order in orders.items():
        case(f"layout_{layout}", {"arrays.npz": named("q k v", [array.permute(order) for array in arrays])}, expected,
             ["--layout", layout])
    arrays = qkv(batch=1)
    expected = attention(*arrays)
    case("layout_HLE", {"arrays.npz": named("q k v", [array[0] for array in arrays])}, expected, ["--layout", "HLE"])
    case("layout_LHE", {"arrays.npz": named("q k v", [array[0].transpose(0, 1) for array in arrays])}, expected,
         ["--layout", "LHE"])
    arrays = qkv(heads=1)
    case("layout_BLE", {"arrays.npz": named("q k v", [array[:, 0] for array in arrays])}, attention(*arrays))
    case("layout_BLE_said", {"arrays.npz": named("q k v", [array[:, 0] for array in arrays])}, attention(*arrays),
         ["--layout", "BLE"])
    arrays = qkv(batch=1, heads=1)
    case("layout_LE", {"arrays.npz": named("q k v", [array[0, 0] for array in arrays])}, attention(*arrays))


def heads():
    """Projections before they are split into heads: (B,L,H*E)."""
    def flat(array):
        return array.transpose(1, 2).flatten(2)

    arrays = qkv()
    parted = ["--set", f"num_heads={H}"]
    case("heads_parted", {"arrays.npz": named("query key value", map(flat, arrays))}, attention(*arrays), parted,
         asks=False)
    one = qkv(batch=1)
    case("heads_parted_one_sequence", {"arrays.pt": named("q k v", [flat(array)[0] for array in one])},
         attention(*one), parted, asks=False)
    grouped = qkv(kv_heads=2)
    case("heads_parted_shared_keys", {"arrays.safetensors": named("q k v", map(flat, grouped))}, attention(*grouped),
         parted, asks=False)
    case("heads_parted_shared_keys_said", {"arrays.npz": named("q k v", map(flat, grouped))}, attention(*grouped),
         [*parted, "--set", "num_kv_heads=2"], asks=False)
    case("heads_parted_tokens_first",
         {"arrays.npz": named("q k v", [flat(array).transpose(0, 1) for array in arrays])}, attention(*arrays),
         [*parted, "--layout", "LBE"], asks=False)


def dtypes():
    for dtype, suffix in ((torch.float64, "npz"), (torch.float32, "npz"), (torch.float16, "npz"),
                          (torch.float16, "pt"), (torch.bfloat16, "pt"), (torch.bfloat16, "safetensors")):
        name = str(dtype).removeprefix("torch.")
        arrays = qkv(dtype)
        case(f"{name}_{suffix}", {f"arrays.{suffix}": named("query key value", arrays)}, attention(*arrays))
    for dtype in (torch.float32, torch.float16, torch.bfloat16):  # what PyTorch itself gives in these types
        name = str(dtype).removeprefix("torch.")
        q, k, v = qkv(dtype)
        weights = (q @ k.transpose(-1, -2) / math.sqrt(E)).softmax(-1)
        case(f"computed_in_{name}", {"arrays.pt": named("query key value", (q, k, v))}, (weights, weights @ v),
             computed_in=name)


def masks():
    q, k, v = qkv()
    arrays = named("query key value", (q, k, v))
    padding = torch.tensor([[0, 0, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 0]], dtype=torch.bool)
    cells = torch.ones(L, S, dtype=torch.bool).triu(2)
    padded, parted = blocked(padding)[:, None, None], blocked(cells)
    case("padding_bool", {"masked.pt": arrays | {"key_padding_mask": padding}}, attention(q, k, v, padded))
    case("padding_int8", {"masked.npz": arrays | {"key_padding_mask": padding.to(torch.int8)}},
         attention(q, k, v, padded))
    case("src_padding", {"masked.pt": arrays | {"src_key_padding_mask": padding}}, attention(q, k, v, padded))
    case("attention_mask_int64", {"masked.safetensors": arrays | {"attention_mask": (~padding).long()}},
         attention(q, k, v, padded))
    case("attn_mask_bool", {"masked.pt": arrays | {"attn_mask": cells}}, attention(q, k, v, parted))
    case("attn_mask_int8", {"masked.npz": arrays | {"attn_mask": cells.to(torch.int8)}}, attention(q, k, v, parted))
    case("attn_mask_uint8_mask", {"masked.npz": arrays | {"mask": cells.to(torch.uint8)}}, attention(q, k, v, parted))
    # scaled_dot_product_attention's own meaning.
    case("attn_mask_keeps", {"masked.pt": arrays | {"attn_mask": ~cells}}, attention(q, k, v, parted),
         ["--mask-true", "keeps"])
    case("attn_mask_float", {"masked.pt": arrays | {"attn_mask": parted.float()}}, attention(q, k, v, parted))
    # Masks of (B,1,1,S) and the like, with sizes of 1 where they repeat, have their place here.
    both = padded + parted
    case("two_masks", {"masked.pt": arrays | {"attn_mask": cells, "key_padding_mask": padding}},
         attention(q, k, v, both))
    bias = torch.randn(H, L, S).double()
    case("attn_bias", {"masked.pt": arrays | {"attn_bias": bias[None].expand(B, H, L, S).contiguous()}},
         attention(q, k, v, bias[None].expand(B, H, L, S)))
    case("position_bias", {"masked.pt": arrays | {"position_bias": bias[None]}}, attention(q, k, v, bias[None]))
    case("labels_json", {"arrays.npz": named("q k v", square := qkv(keys=L)), "tokens.json": ["a", "b", "c", "d", "e"]},
         attention(*square))
    case("labels_txt", {"arrays.npz": named("q k v", square), "tokens.txt": ["a", "b", "c", "d", "e"]},
         attention(*square))
    case("labels_npz", {"arrays.npz": named("q k v", square) | {"tokens": np.array(["a", "b", "c", "d", "e"])}},
         attention(*square))
    case("attention_mask_cells", {"masked.npz": arrays | {"attention_mask": (~cells).long()}},
         attention(q, k, v, parted))
    case("attention_mask_three_axes",
         {"masked.npz": arrays | {"attention_mask": (~(cells | padding[:, None])).long()}},
         attention(q, k, v, both))
    case("attention_mask_zeros", {"masked.pt": arrays | {"attention_mask": torch.zeros(B, 1, 1, S)}},
         attention(q, k, v))
    few = qkv(queries=B, keys=B)
    case("attention_mask_called_cells",
         {"masked.pt": named("query key value", few) | {"attention_mask": torch.ones(B, B).tril().long()}},
         attention(*few, blocked(torch.ones(B, B).tril() == 0)), ["--role", "attention_mask=attn_mask"],
         asks=False)
    zero_one = cells.float()
    case("attn_mask_float_zero_one", {"masked.pt": arrays | {"attn_mask": zero_one}},
         attention(q, k, v, zero_one.double()))
    case("attn_mask_float_called_cells", {"masked.pt": arrays | {"attn_mask": zero_one}}, attention(q, k, v, parted),
         ["--role", "attn_mask=attn_mask"], asks=False)
    below = torch.ones(L, S).tril().bool()
    for name, mask in (("keeps", below), ("blocks", ~below), ("keeps_float", below.float())):
        case(f"causal_mask_{name}", {"masked.pt": arrays | {"causal_mask": mask}}, attention(q, k, v, blocked(~below)))
    lengths = torch.tensor([5, 7])
    padded = blocked(torch.arange(S)[None] >= lengths[:, None])[:, None, None]
    case("seq_lens", {"masked.npz": arrays | {"seq_lens": lengths}}, attention(q, k, v, padded))
    case("kv_lens", {"masked.npz": arrays | {"kv_lens": lengths.int()}}, attention(q, k, v, padded))
    case("layer_numbers", {"arrays.npz": named("layer3_q layer3_k layer3_v", (q, k, v))}, attention(q, k, v))
    case("layer_numbers_two", {"arrays.npz": named("l2.q l2.k l2.v", qkv()) | named("l3_q l3_k l3_v", (q, k, v))},
         attention(q, k, v), ["--prefix", "l3_"], ["l2.q", "l2.k", "l2.v"])
    words = [["a", "b", "c", "d", "e"], ["f", "g", "h", "i", "j"]]
    case("labels_of_sequences", {"arrays.pt": named("q k v", square) | {"tokens": words}}, attention(*square), [],
         ["tokens.0", "tokens.1"])
    case("labels_of_sequences_json", {"arrays.npz": named("q k v", square), "tokens.json": {"tokens": words}},
         attention(*square), [], ["tokens.0", "tokens.1"])
    case("labels_of_sequences_npy", {"arrays.npz": named("q k v", square), "tokens.npy": np.array(words)},
         attention(*square), [], ["tokens"])
    one = [array[:1] for array in square]
    case("labels_of_one_sequence", {"arrays.pt": named("q k v", one) | {"tokens": words[:1]}}, attention(*one))
    case("labels_of_two_files", {"arrays.npz": named("q k v", (q, k, v)), "asked.txt": ["a", "b", "c", "d", "e"],
                                 "read.txt": ["f", "g", "h", "i", "j", "k", "l"]},
         attention(q, k, v), ["--role", "asked=query_tokens", "--role", "read=key_tokens"], asks=False)


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


def attentions_of(model, **inputs):
    with torch.no_grad():
        return model(**inputs, output_attentions=True).attentions


def huggingface():
    common = {"hidden_size": D, "num_attention_heads": HEADS, "num_hidden_layers": 2, "intermediate_size": 8,
              "vocab_size": 11, "attn_implementation": "eager", "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
    ids = torch.tensor([[3, 4, 5, 6, 7, 8], [8, 4, 3, 9, 2, 3]])

    def layer(name, model, prefix, module, run, options=(), suffix="safetensors", mechanism="multi_head", saved=None, used=(),
              computed_in="float32"):
        """The attention `module` of a model, from the hidden states that it gets. Many models take their softmax and
        the angles of RoPE in float32, whatever their own type."""
        attention = model.get_submodule(module)
        got = seen(attention, run)
        hidden = got["arguments"][0] if got["arguments"] else got["keywords"]["hidden_states"]
        hidden = hidden.float()
        arguments = (hidden.double(), *got["arguments"][1:])
        keywords = {key: value for key, value in got["keywords"].items()
                    if key not in ("hidden_states", "past_key_values", "layer_past")}
        with torch.no_grad():
            result = attention(*arguments, **keywords)
        output, weights = result[0], result[-1]
        state = saved or in_float32(model.state_dict())
        outside = [key for key in state if not key.startswith(prefix) and not any(name in key for name in used)]
        files = {f"model.{suffix}": state, "hidden_states.npy": hidden}
        case(name, files, (weights, output),
             ["--prefix", prefix, "--set", f"num_heads={HEADS}", *options], outside,
             mechanism=mechanism, computed_in=computed_in)

    bert = randomised(transformers.BertModel(transformers.BertConfig(**common, max_position_embeddings=8)))
    # The dense map after the heads is a module beside; what it gives before the sum with the hidden states.
    got = seen(bert.encoder.layer[1].attention.self, lambda: bert(ids))
    hidden = (got["arguments"][0] if got["arguments"] else got["keywords"]["hidden_states"]).float()
    with torch.no_grad():
        context, weights = bert.encoder.layer[1].attention.self(hidden.double())[:2]
        output = bert.encoder.layer[1].attention.output.dense(context)
    state = in_float32(bert.state_dict())
    prefix = "encoder.layer.1.attention."
    outside = [key for key in state if not key.startswith(prefix) or "LayerNorm" in key]
    for name, suffix in (("bert", "safetensors"), ("bert_bin", "bin")):
        case(name, {f"model.{suffix}": state, "hidden_states.npy": hidden}, (weights, output),
             ["--prefix", prefix, "--set", f"num_heads={HEADS}"], outside, mechanism="multi_head")
    alone = in_float32(bert.encoder.layer[1].attention.self.state_dict())
    case("bert_self_alone", {"state.pt": alone, "hidden_states.npy": hidden},
         (weights, context), ["--set", f"num_heads={HEADS}"], mechanism="multi_head")

    settings = {"n_embd": D, "n_head": HEADS, "n_layer": 2, "n_inner": 8, "vocab_size": 11, "n_positions": 8,
                "attn_implementation": "eager", "bos_token_id": 1, "eos_token_id": 2}
    gpt2 = randomised(transformers.GPT2Model(transformers.GPT2Config(**settings)))
    layer("gpt2", gpt2, "h.1.attn.", "h.1.attn", lambda: gpt2(ids), ["--mask", "causal"],
          computed_in="float64")

    rope = ["--mask", "causal", "--position", "rope"]
    llama = randomised(transformers.LlamaModel(transformers.LlamaConfig(**common, num_key_value_heads=2)))
    layer("llama", llama, "layers.1.self_attn.", "layers.1.self_attn", lambda: llama(ids), rope,
          mechanism="grouped_query")
    neox = transformers.GPTNeoXConfig(**common, rope_parameters={
        "rope_theta": 10000.0, "partial_rotary_factor": 1.0, "rope_type": "default"})
    neox = randomised(transformers.GPTNeoXModel(neox))
    layer("gpt_neox", neox, "layers.1.attention.", "layers.1.attention", lambda: neox(ids), rope)
    phi3 = randomised(transformers.Phi3Model(transformers.Phi3Config(**common, num_key_value_heads=2)))
    layer("phi3", phi3, "layers.1.self_attn.", "layers.1.self_attn", lambda: phi3(ids),
          rope, mechanism="grouped_query")
    layer("phi3_sizes_given", phi3, "layers.1.self_attn.", "layers.1.self_attn", lambda: phi3(ids),
          [*rope, "--set", "num_kv_heads=2"], mechanism="grouped_query")
    qwen3 = randomised(transformers.Qwen3Model(transformers.Qwen3Config(**common, num_key_value_heads=2, head_dim=6)))
    layer("qwen3", qwen3, "layers.1.self_attn.", "layers.1.self_attn", lambda: qwen3(ids), [*rope, "--scale", "qk_norm"],
          mechanism="grouped_query")

    t5 = transformers.T5EncoderModel(transformers.T5Config(
        d_model=D, d_kv=6, num_heads=HEADS, num_layers=2, d_ff=8, vocab_size=11, relative_attention_num_buckets=8,
        attn_implementation="eager"))
    t5 = randomised(t5)
    layer("t5", t5, "encoder.block.0.layer.0.SelfAttention.", "encoder.block.0.layer.0.SelfAttention",
          lambda: t5(ids), ["--scale", "none", "--position", "t5"])
    layer("t5_later_block", t5, "encoder.block.1.layer.0.SelfAttention.", "encoder.block.1.layer.0.SelfAttention",
          lambda: t5(ids), ["--scale", "none", "--position", "t5"], used=["relative_attention_bias"])
    picture = torch.randn(1, 3, 8, 8).double()
    vit = randomised(transformers.ViTModel(transformers.ViTConfig(
        **{key: value for key, value in common.items() if "token" not in key and key != "vocab_size"}, image_size=8,
        patch_size=4), add_pooling_layer=False))
    layer("vit_state_dict", vit, "layers.1.attention.", "layers.1.attention", lambda: vit(picture), suffix="bin")
    vit.save_pretrained(scratch := FOLDER / "scratch")  # under the names of older versions
    saved = in_float32(safetensors.torch.load_file(scratch / "model.safetensors"))
    shutil.rmtree(scratch)
    layer("vit_saved", vit, "encoder.layer.1.attention.", "layers.1.attention", lambda: vit(picture), saved=saved)
    distilbert = randomised(transformers.DistilBertModel(transformers.DistilBertConfig(
        dim=D, n_heads=HEADS, n_layers=2, hidden_dim=8, vocab_size=11, max_position_embeddings=8,
        attn_implementation="eager")))
    layer("distilbert", distilbert, "transformer.layer.1.attention.", "transformer.layer.1.attention",
          lambda: distilbert(ids), computed_in="float64")

    # What output_attentions gives, in float32 as models run.
    attentions = attentions_of(bert.float(), input_ids=ids)
    for name, value in (("attentions_tuple", attentions), ("attentions_named", {"attentions": attentions})):
        case(name, {"attentions.pt": value}, (attentions, None), mechanism="given_weights")
    shallow = attentions[:1]
    case("attentions_of_one_layer", {"attentions.pt": {"attentions": shallow, "attention_mask": torch.ones(B, TOKENS).long()}},
         (shallow[0], None), unused=["attention_mask"], mechanism="given_weights")
    case("attentions_stacked", {"attentions.npy": torch.stack(attentions)}, (attentions, None),
         mechanism="given_weights")
    case("attentions_one", {"attn_l1.npy": attentions[1]}, (attentions[1], None), mechanism="given_weights")

    # Transformers' own mask of four axes: (B,1,L,S), of finfo.min where the eager way takes it, of bool for sdpa.
    kept = torch.tensor([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]])
    for name, how in (("additive", "eager"), ("bool", "sdpa")):
        llama.float().set_attn_implementation(how)
        got = seen(llama.layers[0].self_attn, lambda: llama(ids, attention_mask=kept))
        mask = got["keywords"]["attention_mask"]
        assert mask.shape == (B, 1, TOKENS, TOKENS), mask.shape
        assert mask.dtype == (torch.bool if how == "sdpa" else torch.float32)
        q, k, v = qkv(queries=TOKENS, keys=TOKENS)
        bias = blocked(~mask) if how == "sdpa" else mask.double()
        case(f"transformers_mask_{name}", {"masked.pt": named("query key value", (q, k, v)) | {"attention_mask": mask}},
             attention(q, k, v, bias))

    fused = {key: value for key, value in common.items() if key != "intermediate_size"}
    for name, more in (("falcon", {}), ("falcon_groups", {"new_decoder_architecture": True, "num_kv_heads": 2})):
        falcon = randomised(transformers.FalconModel(transformers.FalconConfig(**fused, **more)))
        layer(name, falcon, "h.1.self_attention.", "h.1.self_attention", lambda: falcon(ids), rope,
              mechanism="grouped_query")
    bigcode = randomised(transformers.GPTBigCodeModel(transformers.GPTBigCodeConfig(**settings)))
    layer("gpt_bigcode", bigcode, "h.1.attn.", "h.1.attn", lambda: bigcode(ids), ["--mask", "causal"],
          mechanism="grouped_query")
    gemma3 = randomised(transformers.Gemma3TextModel(transformers.Gemma3TextConfig(
        **common, num_key_value_heads=2, head_dim=6, query_pre_attn_scalar=6, sliding_window=16)))
    with torch.no_grad():  # its norms are taken in float32: sums of about 1
        gemma3.layers[1].self_attn.o_proj.weight *= 0.25
    layer("gemma3", gemma3, "layers.1.self_attn.", "layers.1.self_attn", lambda: gemma3(ids),
          [*rope, "--scale", "qk_norm"], mechanism="grouped_query")


def main():
    logging.disable()
    torch.set_num_threads(1)
    for old in FOLDER.iterdir():
        if old.is_dir():
            shutil.rmtree(old)
    for number, write in enumerate((containers, layouts, dtypes, masks, torch_modules, huggingface, heads, own_layers)):
        torch.manual_seed(number)
        write()
    (FOLDER / "cases.json").write_text("[\n" + ",\n".join(json.dumps(entry) for entry in cases) + "\n]\n")


if __name__ == "__main__":
    main()
