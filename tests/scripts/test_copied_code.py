"""Runs the code that `attnlab code` prints and compares its numbers with those of `attnlab compute`: NumPy's to 1e-12,
those of PyTorch and JAX to 1e-6 where these are installed. The program is in the environment variable ATTNLAB."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path = [folder for folder in sys.path if Path(folder).resolve() != HERE]  # its folder torch is not PyTorch
NEEDED = "import numpy"
if subprocess.run([sys.executable, "-c", NEEDED], capture_output=True).returncode != 0:
    system = "/usr/bin/python3"
    if sys.executable != system and Path(system).exists() and \
            subprocess.run([system, "-c", NEEDED], capture_output=True).returncode == 0:
        sys.exit(subprocess.run([system, __file__]).returncode)
    print("NumPy is in no Python here: scripts/setup installs it")
    sys.exit(77)

import numpy as np

PROGRAM = os.environ["ATTNLAB"]
random = np.random.default_rng(1)


def normal(*shape):
    return random.standard_normal(shape)


def qkv(B=1, H=1, L=3, S=4, E=4, Ev=2, kv=None, Ek=None, rank=4):
    kv = H if kv is None else kv
    arrays = {"query": normal(B, H, L, E), "key": normal(B, kv, S, Ek or E), "value": normal(B, kv, S, Ev)}
    return {name: array.reshape(array.shape[4 - rank:]) if rank == 2 else array[:, 0] if rank == 3 else array
            for name, array in arrays.items()}


def tokens(L=4, D=4, E=4, Ev=3, B=0, **more):
    batch = (B,) if B else ()
    return {"x": normal(*batch, L, D), "w_q": normal(D, E), "w_k": normal(D, E), "w_v": normal(D, Ev), **more}


def cross(B=0):
    batch = (B,) if B else ()
    return {"x": normal(*batch, 3, 4), "context": normal(*batch, 5, 6), "w_q": normal(4, 4), "w_k": normal(6, 4),
            "w_v": normal(6, 2)}


def heads(H=2, kv=2, E=4, Ev=2, L=3, D=4, B=0, biases=False, out=True, **more):
    batch = (B,) if B else ()
    arrays = {"x": normal(*batch, L, D), "w_q": normal(D, H * E), "w_k": normal(D, kv * E), "w_v": normal(D, kv * Ev)}
    if out:
        arrays["w_o"] = normal(H * Ev, D)
    if biases:
        arrays |= {"b_q": normal(H * E), "b_k": normal(kv * E), "b_v": normal(kv * Ev), "b_o": normal(D)}
    return arrays | more


def mask(*shape):
    return random.random(shape) < 0.4


def listed(table):
    """A table of `attnlab list`."""
    return json.loads(subprocess.run([PROGRAM, "list", "--json"], check=True, capture_output=True).stdout)[table]


def numbers_in(path):
    """The arrays of a file without its texts: tokens, axes and settings."""
    return {name: array for name, array in np.load(path).items() if isinstance(array, np.ndarray) and array.dtype.kind != "U"}


def other_values(row):
    """Of the first parameter of a row."""
    for parameter in row["parameters"][:1]:
        if "choices" in parameter:
            yield from (choice for choice in parameter["choices"] if choice != parameter["default"])
        elif parameter["type"] == "integer":
            yield int(parameter["default"]) + 1
        elif parameter["type"] == "real":
            yield round(0.7 * float(parameter["default"]), 9)


def cases():
    """Name, arrays and options."""
    plain = qkv()
    batched = qkv(B=2, H=2, L=3, S=4)
    # Scales: every mode of the program with the default and another value of its parameter.
    modes = {mode["id"]: mode for mode in listed("scales")}
    for scale in (*modes, *(f"{name}:{value}" for name, mode in modes.items() for value in other_values(mode)), "custom:-0.31"):
        yield f"scale {scale}", batched, f"--scale {scale}"
        if modes[scale.split(":")[0]]["after_softmax"]:
            yield f"scale {scale} after softmax", batched, f"--scale {scale} --scale-after-softmax --mask causal"
    yield "gains", {**batched, "query_gain": normal(4), "key_gain": normal(4)}, "--scale qk_norm:1.5"
    zero = qkv(L=3, S=3)
    zero["query"][0, 0, 1] = 0
    for scale in ("pre_norm:0.5", "qk_norm", "score_norm:row"):
        yield f"a row of zeros with {scale}", zero, f"--scale {scale}"
    nothing = qkv(L=3, S=3)
    nothing["key"][:] = 0
    for norm in ("frobenius", "row", "max", "minmax"):
        yield f"zeros with score_norm:{norm}", nothing, f"--scale score_norm:{norm}"
    # Shapes.
    for rank in (2, 3):
        yield f"rank {rank}", qkv(rank=rank), "--mask causal"
    yield "rank 3 with batches", qkv(B=3, rank=3), "--mask window:2"
    yield "grouped heads", qkv(B=2, H=4, kv=2), ""
    yield "shared heads", qkv(B=2, H=4, kv=1), "--position alibi"
    yield "one query", qkv(L=1), "--mask causal:bottom_right"
    yield "large, from a file", qkv(B=2, H=3, L=17, S=19, E=8, Ev=5), "--mask causal --scale softcap:3"
    yield "float32, from a file", {name: array.astype(np.float32) for name, array in qkv(L=17, S=19, E=8).items()}, ""
    yield "large with heads", heads(H=4, kv=4, L=9, D=8, biases=True), "--variant multi_head --set num_heads=4"
    # Positions.
    for H in (1, 2, 3, 8, 12):
        yield f"alibi of {H}", qkv(H=H), "--position alibi"
    yield "alibi with offset", qkv(H=2), "--position alibi:query_offset=3 --mask causal:bottom_right"
    for buckets, options in ((32, ""), (9, "max_distance=20"), (8, "bidirectional=false,max_distance=6"),
                             (32, "bidirectional=false,query_offset=40"), (4, "max_distance=2,query_offset=2")):
        arrays = {**qkv(H=2, L=9, S=30), "relative_attention_bias": normal(buckets, 2)}
        yield f"t5 of {buckets} {options}", arrays, f"--position t5{':' if options else ''}{options}"
    for options in ("", ":base=500000", ":style=interleaved", ":style=interleaved,query_offset=7,base=100"):
        yield f"rope{options}", batched, f"--position rope{options}"
    yield "rope after norm", batched, "--position rope --scale qk_norm"
    # Masks: every band of the program, and other values.
    bands = [kind["id"] for kind in listed("masks")
             if kind["inputs"] and not any(array["required"] for array in kind["inputs"])]
    for kind in (*bands, "causal:bottom_right", "window:0", "prefix:2", "sliding_window:2"):
        for L, S in ((4, 4), (3, 5), (5, 3)):
            yield f"{kind} {L}x{S}", qkv(L=L, S=S), f"--mask {kind}"
    for kind in ("window:2,0", "window:0,1", "window:-1,1", "window:1,inf", "window:inf,inf", "causal --mask window:1,1"):
        for L, S in ((4, 4), (3, 5), (5, 3)):
            yield f"{kind} {L}x{S}", qkv(L=L, S=S), f"--mask {kind}"
    # Query offsets: a number, one array for all sequences, and one that differs.
    three = qkv(B=3, H=2, L=3, S=5)
    for kind in (*bands, "window:2,0", "window:inf,1", "window:1,-1", "sliding_window:2"):
        for offset in (2, -1, 9):
            yield f"{kind} at {offset}", three, f"--mask {kind} --query-offset {offset}"
        for offsets in ((2, 2, 2), (2, 0, -4)):
            yield f"{kind} at {offsets}", {**three, "query_offset": np.array(offsets)}, f"--mask {kind}"
    # Documents, trees of drafts and images.
    ids, of_each = np.array([[0, 0, 1, -1, 1]]), np.array([[0, 0, 1, 1, 2], [2, 1, 1, 0, 0], [-1, 0, 0, 0, -1]])
    for name, documents in (("shared", ids), ("one row", ids[0]), ("of each", of_each)):
        for offset in ("", " --query-offset 2", " --query-offset -1", " --query-offset 4"):
            yield f"documents {name}{offset}", {**three, "segment_ids": documents}, f"--mask documents{offset}"
        yield f"documents {name} at offsets", \
            {**three, "segment_ids": documents, "query_offset": np.array([2, 0, -1])}, "--mask documents"
        yield f"documents {name}, own of queries", \
            {**three, "segment_ids": documents, "query_segment_ids": np.array([[0, 1, -1]])}, "--mask documents"
    square = qkv(B=3, H=2, L=5, S=5)
    yield "documents, causal", {**square, "segment_ids": of_each}, "--mask documents --mask causal"
    parents = np.array([[-1, 0, 0], [-1, -1, 1], [-1, 0, 1]])
    for name, tree in (("shared", parents[0]), ("of each", parents)):
        for offset in ("", " --query-offset 1", " --query-offset 0", " --query-offset 5", " --query-offset -1"):
            yield f"tree {name}{offset}", {**three, "parents": tree}, f"--mask tree{offset}"
        yield f"tree {name} at offsets", {**three, "parents": tree, "query_offset": np.array([2, 0, 4])}, "--mask tree"
    yield "tree without a cache", {**square, "parents": np.array([-1, 0, 0, 1, 2])}, "--mask tree"
    for kind in ("neighborhood:3", "neighborhood:3,clip", "neighborhood:5", "neighborhood:1", "neighborhood:9,clip"):
        yield kind, qkv(B=2, L=12, S=12), f"--mask {kind} --key-grid 3x4"
    for kind in ("dilated:4,2", "dilated:5,3", "chunked:3 --mask causal", "block_causal:3"):
        yield kind, three, f"--mask {kind}"
    # Normalisers and decays, with rows that may read nothing.
    some = {**square, "attn_mask": np.array([[q == 2 or k % 3 == q % 3 for k in range(5)] for q in range(5)])}
    for text in ("softmax1", "sigmoid", "sigmoid:-1.5", "relu", "relu:2", "sparsemax", "entmax", "entmax:1.2", "entmax:8",
                 "stick_breaking", "stick_breaking:self", "none"):
        yield f"normaliser {text}", some, f"--normaliser {text} --mask attn_mask --scale temperature:0.4"
        yield f"normaliser {text}, scale after it", three, f"--normaliser {text} --scale-after-softmax"
    yield "stick-breaking with an offset", three, "--normaliser stick_breaking --query-offset 1"
    yield "retention", square, "--decay retention --normaliser none"
    yield "retention, one factor", some, "--decay retention:0.7 --mask attn_mask"
    yield "retention, an array", {**square, "gamma": np.array([0.8, 0.5])}, "--variant scaled_dot_product --decay retention"
    yield "forget gate", {**square, "forget_gate": normal(3, 2, 5)}, "--decay forget --mask causal"
    yield "log of the gate", {**square, "log_forget_gate": -abs(normal(2, 5))}, \
        "--decay forget --normaliser sigmoid --score-mod 'score * 2'"
    # Expressions: masks, combinations and score_mod.
    doc = {**square, "doc": np.array([[0, 0, 1, 1, 2], [2, 1, 1, 0, 0], [1, 0, 0, 0, 1]]), "slope": normal(2),
           "ok": np.array([True, False, True, True, False])}
    for text in ("q >= k & (k < 1 | q - k <= 2 * (h + 1))", "doc[b, q] == doc[b, k] and ok[k]", "not (q // 2 == k // 2)",
                 "abs(q - k) % 2 == 0 or b == 1", "where(h == 0, q >= k, k >= q)", "2 ** q > min(k, 3, b + 2) and max(q, k) != 3",
                 "exp(-0.5) * abs(q - k) < log(k + 2)", "k < S - L + offset + 2", "(q - k) / 2 >= -(1 / 2)", "true"):
        yield f"expression {text}", doc, shlex.join(["--mask-expression", text])
    yield "expression at offsets", {**three, "query_offset": np.array([2, 0, -1])}, "--mask-expression 'q + offset >= k'"
    for text in ("score - 0.5 ** (h + 1) * abs(q - k)", "where(q >= k, 3 * tanh(score / 3) + slope[h], -inf)",
                 "sigmoid(score) * 2 - sqrt(k)", "max(score, 0.1 * score)", "score * ok_number[k] - floor(k / 2)"):
        yield f"score_mod {text}", {**doc, "ok_number": normal(5)}, shlex.join(["--score-mod", text])
    yield "score_mod, mask and bias", {**doc, "attn_bias": normal(5, 5)}, \
        "--mask causal --mask attn_bias --position alibi --score-mod 'score * score'"
    for text in ("or", "causal and (window or not prefix)", "not causal or window & prefix"):
        yield f"masks by {text}", square, \
            shlex.join(["--mask", "causal", "--mask", "window:2", "--mask", "prefix:2", "--mask-combine", text])
    yield "any of documents and lengths", {**doc, "segment_ids": doc["doc"], "valid_lens": np.array([1, 2, 3])}, \
        "--mask documents --mask valid_lens --mask-combine or"
    yield "an implied mask beside others", tokens(), "--variant causal --mask window:2 --mask prefix:1 --mask-combine or"
    yield "causal at offsets of floating point", {**three, "query_offset": np.array([1.0, 0.0, 2.0])}, "--mask causal"
    for position in ("rope", "rope:style=interleaved", "alibi"):
        yield f"{position} at 3", three, f"--position {position} --query-offset 3"
        yield f"{position} at offsets", {**three, "query_offset": np.array([3, 0, -2])}, f"--position {position}"
        yield f"{position} at offsets, causal", {**three, "query_offset": np.array([3, 0, -2])}, \
            f"--position {position} --mask causal --mask prefix:1"
    yield "an own offset beside the array", {**three, "query_offset": np.array([3, 0, -2])}, \
        "--position alibi:query_offset=2 --mask causal"
    yield "bottom right beside a window", three, "--mask causal:bottom_right --mask window:2"
    for options in ("", ":bidirectional=false"):
        arrays = {**three, "relative_attention_bias": normal(8, 2)}
        yield f"t5{options} at 20", arrays, f"--position t5{options} --query-offset 20"
        yield f"t5{options} at offsets", {**arrays, "query_offset": np.array([20, 0, -6])}, f"--position t5{options}"
    large = qkv(B=2, H=3, L=17, S=19, E=8, Ev=5)
    yield "large at offsets", {**large, "query_offset": np.array([2, -3])}, "--mask causal --position rope"
    yield "large at offsets of floating point", {**large, "query_offset": np.array([2.0, -3.0])}, "--mask window:4,1"
    yield "causal variant at offsets", {**tokens(B=2), "query_offset": np.array([1, -1])}, "--variant causal"
    yield "heads at offsets", {**heads(B=2), "query_offset": np.array([1, -1])}, \
        "--variant multi_head --set num_heads=2 --mask causal --position rope"
    yield "valid_lens", {**batched, "valid_lens": np.array([2, 0])}, ""
    yield "valid_lens a query", {**batched, "valid_lens": np.array([[1, 0, 4], [3, 2, 4]])}, ""
    yield "key_padding", {**batched, "key_padding_mask": np.array([[0, 0, 1, 1], [1, 1, 1, 1]], bool)}, ""
    yield "one key_padding", {**batched, "key_padding_mask": np.array([[0, 0, 1, 1]], bool)}, ""
    for shape in ((4,), (1,), (3, 4), (1, 4), (3, 1), (2, 3, 4), (4, 3, 4), (1, 3, 4), (4, 1, 4), (2, 2, 3, 4),
                  (1, 2, 3, 4), (2, 1, 3, 4), (2, 1, 1, 4), (1, 1, 1, 1)):
        for meaning in ("blocks", "keeps"):
            yield f"attn_mask {shape} {meaning}", {**batched, "attn_mask": mask(*shape)}, f"--mask-true {meaning}"
        yield f"attn_bias {shape}", {**batched, "attn_bias": normal(*shape)}, ""
    three = qkv(B=3)
    yield "attn_mask for each batch", {**three, "attn_mask": mask(3, 3, 4)}, ""
    yield "painted", {**batched, "painted_mask": mask(3, 4)}, "--mask painted"
    yield "painted heads", {**batched, "painted_mask": mask(2, 2, 3, 4)}, "--mask painted --mask causal"
    blocked = np.zeros((3, 4))
    blocked[1], blocked[0, 2] = -np.inf, -np.inf
    yield "a bias of -inf", {**batched, "attn_bias": blocked}, ""
    for fill in ("-1e9", "-3", "0.5", "-inf"):
        for mode in ("replace", "add"):
            yield f"fill {fill} {mode}", {**batched, "attn_mask": mask(3, 4)}, \
                f"--mask-fill {fill} --mask-fill-mode {mode} --mask causal"
    yield "every mask", {**batched, "attn_mask": mask(4, 3, 4), "attn_bias": normal(3, 4), "painted_mask": mask(3, 4),
                         "key_padding_mask": mask(2, 4), "valid_lens": np.array([3, 4])}, \
        "--mask causal --mask window:4 --mask prefix:1 --mask painted --position alibi --mask-fill -50"
    # Mechanisms.
    yield "flash", batched, "--variant flash --set block_q=2 --set block_k=3 --mask causal"
    wide = qkv(B=2, H=2, Ek=3)
    yield "bilinear", {**wide, "bilinear_w": normal(4, 3)}, "--scale sqrt_dk"
    hidden = {"additive_w_q": normal(4, 5), "additive_w_k": normal(3, 5), "additive_v": normal(5)}
    yield "additive", {**wide, **hidden}, ""
    yield "additive with bias", {**wide, **hidden, "additive_b": normal(5)}, "--mask causal --scale temperature:2"
    yield "additive, grouped heads", {**qkv(B=2, H=4, kv=2, Ek=3), **hidden}, ""
    yield "additive, one key head", {**qkv(B=2, H=4, kv=1, Ek=3), **hidden}, ""
    yield "concat", {**wide, "concat_w": normal(7)}, "--variant concat"
    yield "concat with tanh", {**wide, "concat_w": normal(6, 7), "concat_v": normal(6)}, "--variant concat"
    yield "vector_sum", {**batched, "sum_w": normal(4)}, "--variant vector_sum"
    yield "gaussian_kernel", batched, "--variant gaussian_kernel --set sigma=0.6"
    for B in (0, 2):
        yield f"self {B}", tokens(B=B), "--variant self --scale pre_norm:0.4"
        yield f"causal {B}", tokens(B=B), "--variant causal"
        yield f"cross {B}", cross(B), "--variant cross --mask window:2"
        yield f"multi_head {B}", heads(B=B), "--variant multi_head --set num_heads=2"
    # A carried state.
    two, padded = qkv(B=2, H=4, kv=2, L=5, S=5), {"key_padding_mask": np.array([[0, 1, 0, 0, 1], [0, 0, 0, 0, 1]], bool)}
    gates = {"scalar": normal(2, 4, 5), "vector": normal(2, 4, 5, 4)}
    logs = {kind: -np.log1p(np.exp(-gate)) for kind, gate in gates.items()}
    beta = {"beta": random.uniform(0, 2, size=(2, 4, 5)).round(3)}
    for features in ("elu", "relu", "identity"):
        for more in ("", " --set normalise=false --scale custom:0.31", " --mask causal", " --mask prefix:2 --mask key_padding"):
            if features != "identity" or "normalise" in more:
                yield f"linear {features}{more}", {**qkv(B=2, H=4, kv=2, L=4, S=5), **padded}, \
                    f"--variant linear --set features={features}{more}"
    for padding in ("", " --mask key_padding"):
        for more in ("", " --set gamma=0.75 --scale pre_norm:0.5", " --set normalise=true"):
            yield f"retention{more}{padding}", {**two, **padded}, f"--variant retention{more}{padding}"
        yield f"retention with gamma{padding}", {**two, **padded, "gamma": np.array([0.5, 0.75, 1.0, 0.25])}, \
            f"--variant retention --set normalise=true{padding}"
        for kind in gates:
            for name, arrays in (("gate", gates), ("log_gate", logs)):
                yield f"gated_linear, {kind} {name}{padding}", {**two, **padded, name: arrays[kind]}, f"--variant gated_linear{padding}"
                yield f"gated_delta, {kind} {name}{padding}", {**two, **padded, **beta, name: arrays[kind]}, \
                    f"--variant gated_delta --scale pre_norm:2{padding}"
        yield f"delta_rule{padding}", {**two, **padded, **beta}, f"--variant delta_rule{padding}"
        yield f"delta_rule without beta{padding}", {**two, **padded}, f"--variant delta_rule{padding}"
    yield "delta_rule of shared keys", qkv(H=2, kv=1, L=4, S=4), "--variant delta_rule --scale sqrt_dk"
    yield from new_mechanisms()
    three = qkv(B=3, H=2, L=3, S=5)
    for offset in (1, 2):
        for decay in ("retention", "retention:0.6", "forget"):
            yield f"{decay} at {offset}", {**three, "forget_gate": normal(3, 2, 5)}, f"--decay {decay} --query-offset {offset}"
    yield "retention at offsets", {**three, "query_offset": np.array([2, 0, 1])}, "--decay retention --normaliser none"
    yield "forget gate at offsets", {**three, "forget_gate": normal(3, 2, 5), "query_offset": np.array([2, 0, 1])}, \
        "--decay forget"
    yield "causal of the other corner", tokens(), "--variant causal --mask causal:bottom_right --position rope"
    yield "multi_head with biases", heads(biases=True), "--variant multi_head --set num_heads=2 --mask causal"
    yield "multi_head without w_o", heads(out=False), "--variant multi_head --set num_heads=2"
    yield "multi_head of one head", heads(H=1, kv=1), "--variant multi_head --set num_heads=1 --position alibi"
    yield "multi_head with contexts", heads(B=2, context=normal(2, 5, 4), value_context=normal(2, 5, 4)), \
        "--variant multi_head --set num_heads=2 --position rope"
    yield "multi_query", heads(H=4, kv=1), "--variant multi_query --set num_heads=4 --position rope"
    yield "grouped_query", heads(H=4, kv=2, biases=True), \
        "--variant grouped_query --set num_heads=4 --set num_kv_heads=2 --mask causal --scale qk_norm"
    for D in (4, 16): # written out, and read from the file
        yield f"torch.nn.MultiheadAttention of {D}", {
            "x": normal(3, D), "in_proj_weight": normal(3 * D, D), "in_proj_bias": normal(3 * D),
            "w_o": normal(D, D), "b_o": normal(D)}, "--variant multi_head --set num_heads=2"


def latent(B=0, L=4, D=5, H=2, nope=3, rope=2, vd=3, rank=4, q_rank=0, biases=False, out=True):
    batch = (B,) if B else ()
    arrays = {"x": normal(*batch, L, D), "kv_a_proj_with_mqa.weight": normal(rank + rope, D),
              "kv_a_layernorm.weight": normal(rank), "kv_b_proj.weight": normal(H * (nope + vd), rank)}
    width = H * (nope + rope)
    arrays |= {"q_a_proj.weight": normal(q_rank, D), "q_a_layernorm.weight": normal(q_rank),
               "q_b_proj.weight": normal(width, q_rank)} if q_rank else {"q_proj.weight": normal(width, D)}
    if out:
        arrays["o_proj.weight"] = normal(D, H * vd)
    if biases:
        arrays |= {"kv_a_proj_with_mqa.bias": normal(rank + rope)}
        if out:
            arrays["o_proj.bias"] = normal(D)
        if q_rank:
            arrays["q_a_proj.bias"] = normal(q_rank)
    return arrays


def setting_of_an_exact_pass():
    """A scale, a position, masks, a score_mod and a decay at random."""
    def one(*choices):
        return choices[random.integers(len(choices))]
    return " ".join([one("", "", "--scale custom:0.4", "--scale qk_norm:1.5", "--scale score_norm:row", "--scale softcap:2"),
                     one("", "", "--position rope", "--position alibi"),
                     one("", "--mask causal", "--mask window:3", "--mask prefix:2", "--mask causal --mask dilated:4,2"),
                     one("", "", "--score-mod 'score - 0.1 * abs(q - k) * (h + 1)'"),
                     one("", "", "", "--decay retention:0.7")])


def new_mechanisms():
    """Differential, latent, selected and sparse attention, at random."""
    for n in range(12):
        pairs, H, L = ("features", "adjacent", "halves")[n % 3], 1 + n // 3, 3 + n % 4
        kv = 1 if n % 2 else H
        wide, many = (2, 1) if pairs == "features" else (1, 2)
        arrays = {"query": normal(2, many * H, L, 4 * wide), "key": normal(2, many * kv, L + 1, 4 * wide),
                  "value": normal(2, kv, L + 1, 3)}
        if n % 4 == 1:
            arrays |= {f"lambda_{name}": 0.5 * normal(H, 4) for name in ("q1", "k1", "q2", "k2")}
        elif n % 4 == 2:
            arrays |= {f"lambda_{name}": 0.5 * normal(4) for name in ("q1", "k1", "q2", "k2")}
        yield f"differential {n}", arrays, f"--variant differential --set pairs={pairs} --set norm={('none', 'rms')[n // 2 % 2]} " \
            f"--set layer={1 + n} --set lambda={(0.8, -0.3)[n % 2]} {setting_of_an_exact_pass()}"
    yield "differential, all blocked", {"query": normal(3, 8), "key": normal(4, 8), "value": normal(4, 2),
                                        "attn_mask": np.array([[1, 1, 1, 1], [0, 1, 0, 0], [1, 0, 0, 0]], bool)}, "--variant differential"
    for n in range(12):
        form = ("plain", "absorbed")[n % 2]
        arrays = latent(B=n % 3, L=3 + n % 3, H=1 + n // 4, q_rank=4 * (n // 2 % 2), biases=n % 4 > 1, out=n != 5)
        setting = setting_of_an_exact_pass().replace("--position rope", "").replace("--position alibi", "")
        if form == "absorbed":
            setting = setting.replace("--scale qk_norm:1.5", "")
        yield f"mla {n}", arrays, f"--variant mla --set num_heads={1 + n // 4} --set form={form} --set first_position={n % 5} " \
            f"--set rope_interleave={('true', 'false')[n // 3 % 2]} --set rope_theta={(10000, 50)[n % 2]} {setting} " \
            + ("--normaliser sigmoid" if n == 7 else "")
    for n in range(16):
        H, L, S = 2 * (1 + n // 6), 3 + n % 2, 5 + n % 3
        arrays = qkv(B=2, H=H, kv=(H, 1, 2)[n % 3], L=L, S=S)
        select = ("scores", "indexer")[n % 2]
        if select == "indexer":
            arrays |= {"indexer_query": normal(2, 3, L, 2), "indexer_key": normal(2, S, 2), "indexer_weights": normal(2, L, 3)}
        yield f"top_k {n}", arrays, f"--variant top_k --set k={1 + n % 5} --set select={select} {setting_of_an_exact_pass()} " \
            + ("--normaliser sparsemax" if n == 8 else "--normaliser softmax1" if n == 9 else "")
    ties = qkv(L=3, S=5)
    ties["key"][:] = 1.0
    yield "top_k of equal scores", ties, "--variant top_k --set k=2 --mask prefix:4"
    yield "top_k, one batch by an indexer", {**qkv(rank=2, L=3, S=5), "indexer_query": normal(2, 3, 2), "indexer_key": normal(5, 2),
                                             "indexer_weights": normal(3, 2)}, "--variant top_k --set k=2 --set select=indexer --mask causal"
    for n in range(16):
        H, L = 2 * (1 + n % 2), (3, 9, 12, 17)[n // 4]
        arrays = qkv(B=2, H=H, kv=(H, 1, 2)[n % 3], L=L, S=L)
        stride, block, select = ((2, 4, 4), (1, 3, 2), (2, 2, 6))[n % 3]
        if n % 4 == 1:
            arrays |= {"compress_w_k": normal(block), "compress_w_v": normal(block)}
        if n % 4 > 1:
            arrays["nsa_gates"] = random.uniform(0, 1, (2, H, L, 3))
        yield f"nsa {n}", arrays, f"--variant nsa --set block={block} --set stride={stride} --set select_block={select} " \
            f"--set select_count={n % 5} --set init_blocks={n % 2} --set local_blocks={n // 2 % 3} --set window={1 + n % 4} " \
            + ("--scale custom:0.3" if n % 5 == 0 else "")


def attnlab(folder, *words):
    run = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"attnlab {shlex.join(words)}: {run.stderr}")
    return run.stdout


def require_close(found, stages, tolerance):
    for name in ("weights", "output") if "weights" in found else ("output",):
        got, expected = np.asarray(found[name]), stages[name]
        if got.shape != expected.shape:
            raise AssertionError(f"{name}: has shape {got.shape}, expected {expected.shape}")
        error = np.abs(got - expected).max()
        if not error <= tolerance * max(1.0, np.abs(expected).max()):
            raise AssertionError(f"{name}: differs by {error}, expected {tolerance} at most")


def run_python(code):
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)
        warnings.filterwarnings("ignore", message="[^a-z]*flex_attention called without torch.compile")
        exec(compile(code, "copied code", "exec"), names)
    return names


def check_latex(text):
    plain = text.replace("\\{", "").replace("\\}", "")
    depth = 0
    for letter in plain:
        depth += (letter == "{") - (letter == "}")
        assert depth >= 0, "a brace is closed that was not opened"
    assert depth == 0, "a brace is not closed"
    open_parts = []
    for what, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", text):
        if what == "begin":
            open_parts.append(name)
        else:
            assert open_parts and open_parts.pop() == name, f"\\end{{{name}}} has no beginning"
    assert not open_parts, f"{open_parts} is not ended"
    assert len(re.findall(r"\\left\b", text)) == len(re.findall(r"\\right\b", text)), "\\left without \\right"


def languages():
    """Those of Python that are installed: id, tolerance and what to do before the code runs."""
    yield "numpy", 1e-12, lambda: None
    try:
        import torch
        yield "pytorch", 1e-9, lambda: torch.set_default_dtype(torch.float64)
        yield "pytorch", 1e-6, lambda: torch.set_default_dtype(torch.float32)
        yield "sdpa", 1e-9, lambda: torch.set_default_dtype(torch.float64)
        yield "flex", 1e-6, lambda: torch.set_default_dtype(torch.float32)
    except ImportError:
        print("PyTorch is not installed: its code is not run")
    try:
        import jax
        yield "jax", 1e-6, lambda: jax.config.update("jax_enable_x64", True)
        yield "jax", 1e-4, lambda: jax.config.update("jax_enable_x64", False)  # float32, as it is by default
    except ImportError:
        print("JAX is not installed: its code is not run")


def has_function(folder, words, language):
    """Many settings are no call of a function of PyTorch: other scores, scales of several numbers, fills other than -inf."""
    run = subprocess.run([PROGRAM, "code", "workspace.npz", *words, "--as", language], cwd=folder, capture_output=True, text=True)
    return run.returncode == 0


def check(folder, name, arrays, options, python):
    os.chdir(folder)
    np.savez("workspace.npz", **arrays)
    words = shlex.split(options)
    attnlab(folder, "compute", "workspace.npz", *words, "--out", "expected.npz")
    expected = numbers_in("expected.npz")
    printed = {}
    for language, tolerance, prepare in python:
        if language in ("flex", "sdpa") and not has_function(folder, words, language):
            continue
        code = printed.get(language) or attnlab(folder, "code", "workspace.npz", *words, "--as", language)
        printed[language] = code
        if language == "jax" and tolerance > 1e-6 and "e+" in code:
            continue  # beyond float32
        try:
            prepare()
            require_close(run_python(code), expected, tolerance)
        except Exception as error:
            raise AssertionError(f"{language}: {error!r}\n{code}") from error
    check_latex(attnlab(folder, "code", "workspace.npz", *words, "--as", "latex"))
    command = shlex.split(attnlab(folder, "code", "workspace.npz", *words, "--as", "command"))
    assert command[0] == "attnlab", command
    attnlab(folder, *command[1:])
    again = numbers_in("stages.npz")
    assert again.keys() == expected.keys(), f"{command}: {again.keys()}"
    for stage, numbers in expected.items():
        assert np.array_equal(numbers, again[stage], equal_nan=True), f"{command}: {stage} differs"


def main():
    only = sys.argv[1:]
    python = list(languages())
    done, failed = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name, arrays, options in cases():
            if only and not any(part in name for part in only):
                continue
            try:
                check(folder, name, arrays, options, python)
            except Exception as error:
                failed.append(name)
                print(f"{name}: {error}\n")
            done += 1
        os.chdir("/")
    print(f"{done - len(failed)} of {done} settings agree in {', '.join(sorted({each[0] for each in python}))}")
    if failed or (not only and done < 60):
        sys.exit(1)


if __name__ == "__main__":
    main()
