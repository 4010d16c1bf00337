#!/usr/bin/env python3
"""Writes mistakes.npz and cases.json: attention as code with a known mistake computes it, and without one.

Run it in this folder after a change; the results are committed. Needs numpy alone. Each case names its problem, the
stage, and the mistakes that give this array; none where it is right.
"""
import json
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent
INF = np.inf


def turned(x, positions, base, interleaved):
    pairs = x.shape[-1] // 2
    angle = positions[:, None] * base ** (-np.arange(pairs) / pairs)
    cos, sin = np.cos(angle), np.sin(angle)
    result = x.copy()
    a, b = (np.s_[..., 0::2], np.s_[..., 1::2]) if interleaved else (np.s_[..., :pairs], np.s_[..., pairs:])
    result[a], result[b] = x[a] * cos - x[b] * sin, x[a] * sin + x[b] * cos
    return result


def slopes(H):
    power = 2 ** int(np.floor(np.log2(H)))
    own = [2 ** (-8 * (h + 1) / power) for h in range(power)]
    return np.array((own + [2 ** (-8 * (2 * h + 1) / (2 * power)) for h in range(power)])[:H])


def softmax(m):
    with np.errstate(all="ignore"):
        high = m.max(-1, keepdims=True)
        high = np.where(np.isfinite(high), high, 0)
        e = np.exp(m - high)
        total = e.sum(-1, keepdims=True)
        return np.where(total > 0, e / total, 0), np.where(total > 0, np.log(total) + high, -INF)[..., 0]


class Problem:
    def __init__(self, name, seed, B, H, Hkv, L, S, E, Ev, position="", scale="sqrt_dk", masks=(), offset=0, sinks=False):
        self.name, self.position, self.scale, self.masks, self.offset = name, position, scale, list(masks), offset
        r = np.random.default_rng(seed)
        self.q, self.k = r.normal(size=(B, H, L, E)) * 1.5, r.normal(size=(B, Hkv, S, E)) * 1.5
        self.v = r.normal(size=(B, Hkv, S, Ev))
        self.sinks = r.uniform(0.5, 2.5, H) if sinks else None
        self.B, self.H, self.group, self.L, self.S, self.E = B, H, H // Hkv, L, S, E
        self.kept = np.ones((B, 1, L, S), bool)
        i, j = np.arange(L)[:, None], np.arange(S)[None]
        if "causal:bottom_right" in masks:
            self.kept &= j <= i + S - L
        if "causal" in masks:
            self.kept &= j <= i
        self.padding = None
        if "key_padding" in masks:
            self.padding = np.zeros((B, S), bool)
            self.padding[0, S - 2:] = True
            self.kept &= ~self.padding[:, None, None, :]
        self.attn_mask = None
        if "attn_mask" in masks:
            self.attn_mask = np.zeros((L, S), bool)
            self.attn_mask[1] = True
            self.attn_mask[0, 2:] = True
            self.kept &= ~self.attn_mask

    def arrays(self):
        k, v = self.k, self.v
        found = {}
        if self.sinks is not None:  # one more key of zeros whose bias is the sink
            k, v = (np.concatenate([x, np.zeros_like(x[:, :, :1])], 2) for x in (k, v))
            bias = np.zeros((1, self.H, 1, self.S + 1))
            bias[0, :, 0, -1] = self.sinks
            found["attn_bias"] = bias
            found["attn_mask"] = np.concatenate([~self.kept[0, 0], np.zeros((self.L, 1), bool)], 1)
        if self.padding is not None:
            found["key_padding_mask"] = self.padding
        if self.attn_mask is not None:
            found["attn_mask"] = self.attn_mask
        return found | {"query": self.q, "key": k, "value": v}

    def options(self):
        masks = ["attn_mask", "attn_bias"] if self.sinks is not None else self.masks
        position = self.position
        if self.offset:
            position += ("," if ":" in position else ":") + f"query_offset={self.offset}"
        return {"position": position, "scale": self.scale, "masks": masks}

    def rope(self):
        given = dict(part.split("=") for part in self.position.partition(":")[2].split(",") if part)
        return float(given.get("base", 1e4)), given.get("style") == "interleaved"

    def attend(self, base=None, other_style=False, q_first=None, turn=(True, True), sign=1, slope=None, add=1,
               absolute=True, before=False, cap_after=False, cap_before=False, divisor=None, sink="right", empty=None):
        q, k, v = self.q, np.repeat(self.k, self.group, 1), np.repeat(self.v, self.group, 1)
        first = self.offset if q_first is None else q_first
        at_q, at_k = first + np.arange(self.L), np.arange(self.S)
        if self.position.startswith("rope"):
            own, interleaved = self.rope()
            q = turned(q, sign * at_q, base or own, interleaved != other_style) if turn[0] else q
            k = turned(k, sign * at_k, base or own, interleaved != other_style) if turn[1] else k
        s = q @ k.swapaxes(-1, -2)
        bias = np.zeros_like(s)
        if self.position == "alibi":
            apart = (at_k[None] - at_q[:, None]).astype(float)
            apart = -np.abs(apart) if absolute else apart
            bias = bias + add * (slopes(self.H) if slope is None else slope)[:, None, None] * apart
        root = divisor or np.sqrt(self.E)
        if before:
            s, bias = s + bias, 0
        cap = float(self.scale.partition(":")[2]) if self.scale.startswith("softcap") else None
        m = s / root
        if cap and cap_before:
            m = cap * np.tanh(s / cap) / root
        elif cap and not cap_after:
            m = cap * np.tanh(m / cap)
        m = np.where(self.kept, m + bias, -INF)
        if cap and cap_after:
            m = cap * np.tanh(m / cap)
        if empty is not None:
            m = np.where((m == -INF).all(-1, keepdims=True), empty, m)
        w, lse = softmax(m)
        if self.sinks is not None and sink != "ignored":
            high = m.max(-1)
            s_h = np.broadcast_to(self.sinks[None, :, None], lse.shape)
            term = {"right": np.exp(s_h), "scaled": np.exp(s_h / root), "itself": s_h, "raw": np.exp(s_h + high),
                    "twice": 2 * np.exp(s_h), "first": np.exp(np.broadcast_to(self.sinks[0], lse.shape))}[sink]
            both = np.log(np.exp(lse) + term)
            w, lse = w * np.exp(lse - both)[..., None], both
        return {"output": w @ v, "lse": lse, "max": m.max(-1), "masked": m}


files, cases = {}, []


def put(problem, stage, array, *mistakes):
    name = f"{problem.name}.{len(cases)}"
    files[name] = array
    cases.append({"problem": problem.name, "array": name, "stage": stage, "mistakes": list(mistakes)} | problem.options())


def start(*args, **more):
    problem = Problem(*args, **more)
    files.update({f"{problem.name}:{name}": array for name, array in problem.arrays().items()})
    right = problem.attend()
    put(problem, "output", right["output"])
    put(problem, "lse", right["lse"])
    return problem, right


def lse_cases(problem, right, ids=True):
    lse = right["lse"]
    put(problem, "lse", lse * np.log(2), "lse_times_ln_2")
    put(problem, "lse", lse / np.log(2), "lse_base_2")
    put(problem, "lse", -lse, "lse_negative")


def ropes(p):
    for how, id in ((dict(other_style=True), "rope_style"), (dict(base=5e5 if p.rope()[0] != 5e5 else 1e4), "rope_base"),
                    (dict(sign=-1), "position_reversed"), (dict(turn=(False, True)), "rope_one_side"),
                    (dict(turn=(True, False)), "rope_one_side"), (dict(turn=(False, False)), "position_ignored"),
                    (dict(q_first=p.offset + 1), "position_off_by_one"), (dict(q_first=p.offset - 1), "position_off_by_one")):
        for stage in ("output", "lse"):
            put(p, stage, p.attend(**how)[stage], id)
    if p.offset:
        put(p, "output", p.attend(q_first=0)["output"], "position_not_shifted")


def alibis(p, two_sided):
    H = p.H
    h = np.arange(H)
    how = [(dict(add=-1), "alibi_added"), (dict(before=True), "bias_before_scale"),
           (dict(slope=2 ** (-8 * h / H)), "alibi_slopes"), (dict(slope=slopes(H)[::-1]), "alibi_slopes")]
    if H & (H - 1):
        how.append((dict(slope=2 ** (-8 * (h + 1) / H)), "alibi_slopes"))
    if two_sided:
        how += [(dict(absolute=False), "alibi_signed"), (dict(q_first=p.offset + 1), "position_off_by_one")]
    for settings, id in how:
        for stage in ("output", "lse"):
            put(p, stage, p.attend(**settings)[stage], id)
    if p.offset and two_sided:
        put(p, "output", p.attend(q_first=0)["output"], "position_not_shifted")


for seed in (1, 2):
    for name, position, shape, masks, offset in (
            ("half", "rope", (2, 4, 2, 6, 6, 8, 3), ["causal"], 0),
            ("pairs", "rope:base=500000,style=interleaved", (1, 3, 3, 5, 7, 6, 4), [], 2),
            ("decode", "rope", (2, 4, 1, 3, 9, 8, 5), ["causal:bottom_right"], 6)):
        ropes(start(f"rope_{name}_{seed}", seed, *shape, position=position, masks=masks, offset=offset)[0])
    for name, shape, masks, offset in (("eight", (1, 8, 2, 6, 6, 4, 3), ["causal"], 0),
                                       ("six", (2, 6, 6, 5, 7, 4, 2), [], 2)):
        alibis(start(f"alibi_{name}_{seed}", seed + 10, *shape, position="alibi", masks=masks, offset=offset)[0], not masks)

    p, right = start(f"plain_{seed}", seed + 20, 2, 4, 2, 5, 6, 6, 3)
    lse_cases(p, right)
    put(p, "lse", right["max"], "lse_is_maximum")
    put(p, "lse", right["lse"] - right["max"], "lse_without_maximum")
    for stage in ("output", "lse"):
        put(p, stage, p.attend(divisor=np.sqrt(p.E * p.H))[stage], "scale_by_model_width")
    sums = np.exp(right["lse"])
    put(p, "lse", np.log(sums + 1), "sink_added")
    put(p, "output", right["output"] * (sums / (sums + 1))[..., None], "sink_added")
    put(p, "output", right["output"] * (sums / (sums + np.exp(right["max"])))[..., None], "sink_added")

    for name, position, masks in (("causal", "", ["causal"]), ("padded", "", ["key_padding"]), ("alibi", "alibi", [])):
        p, right = start(f"cap_{name}_{seed}", seed + 30, 2, 4, 2, 6, 6, 4, 3, scale="softcap:2", masks=masks,
                         position=position)
        for how, id in ((dict(cap_after=True), "softcap_after_mask"), (dict(cap_before=True), "softcap_before_scale")):
            for stage in ("output", "lse"):
                put(p, stage, p.attend(**how)[stage], id)

    p, right = start(f"empty_{seed}", seed + 40, 1, 2, 2, 4, 5, 4, 3, masks=["attn_mask"])
    put(p, "output", p.attend(empty=0.0)["output"], "empty_rows_equal")
    put(p, "lse", np.where(right["lse"] == -INF, INF, right["lse"]), "lse_infinite")
    lse_cases(p, right)
    output = right["output"].copy()
    output[:, :, 1] = np.nan
    put(p, "output", output, "nan:empty_rows")

    p, right = start(f"sinks_{seed}", seed + 50, 2, 4, 2, 6, 6, 4, 3, masks=["causal"], sinks=True)
    for sink, id in (("ignored", "sink_ignored"), ("scaled", "sink_scaled"), ("itself", "sink_itself"),
                     ("raw", "sink_without_maximum"), ("twice", "sink_twice"), ("first", "sink_of_other_head")):
        put(p, "output", p.attend(sink=sink)["output"], id)
    put(p, "lse", p.attend(sink="ignored")["lse"], "lse_without_sink")
    lse_cases(p, right)

np.savez_compressed(FOLDER / "mistakes.npz", **{name: np.ascontiguousarray(array) for name, array in files.items()})
(FOLDER / "cases.json").write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")
