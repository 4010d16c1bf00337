"""Q, K and V in files: their containers, layouts, heads and types; masks and labels beside them."""
import math

import numpy as np
import torch

from own_cases import B, E, H, L, S, attention, blocked, case, named, qkv


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
