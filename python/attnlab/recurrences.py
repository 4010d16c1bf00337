"""Layers that carry a state instead of keys and values: what their functions compute with.

The functions are those of Transformers and of flash-linear-attention, which a model calls by their names. Their arrays
are (B,L,H,E). The state S (E,Ev) of a head starts as 0. For each token it fades by the gate, S = diag(exp(g)) S, then
takes in its key and value: S += k v^T, or by the delta rule S += beta k (v - S^T k)^T. The output is scale S^T q.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np
import torch

from .arrays import as_array
from .capture import Recorder
from .recording import Pass

_WAYS = r"^(?:torch_|naive_)?(?:chunk|parallel|recurrent|fused_recurrent|fused_chunk)_"
_KINDS = (
    ("gated_delta", re.compile(_WAYS + r"(?:gated_delta_rule|gated_delta_product|kda|kimi_delta_attention)$")),
    ("delta_rule", re.compile(_WAYS + r"delta_rule$")),
    ("retention", re.compile(_WAYS + r"retention$")),
    ("gated_linear", re.compile(_WAYS + r"(?:simple_)?gla$")),
)
_MOST_ROWS = 32  # that are computed again
_TOLERANCE = {torch.float64: 1e-4, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 5e-2}  # states are float32
# Other settings change what is computed. None or False leaves it as it is.
_OTHERS = {"initial_state": "continues a state of an earlier call",
           "cu_seqlens": "has several sequences in one",
           "use_gate_in_kernel": "computes its gate in the kernel",
           "use_beta_sigmoid_in_kernel": "computes beta in the kernel",
           "head_first": "has its heads before its tokens"}


def kind_of(name: str) -> Optional[str]:
    """The mechanism that a function of this name computes; None for other functions."""
    return next((kind for kind, names in _KINDS if names.search(name)), None)


@dataclass
class Call:
    """Arrays (B,H,L,E), (B,H,L,E), (B,H,L,Ev), and as the mechanism has them gate (B,H,L) or (B,H,L,E), beta (B,H,L)."""

    mechanism: str
    query: Any
    key: Any
    value: Any
    scale: float
    gate: Any = None
    beta: Any = None
    gamma: Any = None

    def first(self, count: int) -> "Call":
        def cut(tensor: Any) -> Any:
            return None if tensor is None else tensor[:, :, :count]

        return Call(self.mechanism, cut(self.query), cut(self.key), cut(self.value), self.scale, cut(self.gate),
                    cut(self.beta), self.gamma)

    def output(self) -> Any:
        """(B,H,L,Ev) in float64, token by token."""
        query, key, value = (one.double() for one in (self.query, self.key, self.value))
        state = torch.zeros(*key.shape[:2], key.shape[3], value.shape[3], dtype=torch.float64, device=key.device)
        rows = []
        for token in range(key.shape[2]):
            if self.gamma is not None:
                state = state * self.gamma.double()[:, None, None]
            if self.gate is not None:
                gate = self.gate[:, :, token].double().exp()
                state = state * (gate[..., None, None] if gate.dim() == 2 else gate[..., None])
            k, v = key[:, :, token], value[:, :, token]
            if self.beta is not None:
                v = self.beta[:, :, token, None].double() * (v - (state * k[..., None]).sum(-2))
            state = state + k[..., None] * v[..., None, :]
            rows.append(self.scale * (state * query[:, :, token, :, None]).sum(-2))
        return torch.stack(rows, 2)


def call_of(function: Callable[..., Any], kind: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """Raises ValueError with the reason if the call computes something else."""
    bound = inspect.signature(function).bind(*args, **kwargs)
    given = dict(bound.arguments)
    for name, parameter in bound.signature.parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            given.update(given.pop(name, {}))
    for name, why in _OTHERS.items():
        if given.get(name) is not None and given.get(name) is not False:
            raise ValueError(why)

    def array(*names: str) -> Any:
        found = next((given[name] for name in names if given.get(name) is not None), None)
        return None if found is None else found.detach().transpose(1, 2)

    query, key, value = array("q", "query"), array("k", "key"), array("v", "value")
    heads, width = value.shape[1], query.shape[3]
    if given.get("use_qk_l2norm_in_kernel"):
        query, key = (_normalised(one) for one in (query, key))
    # Several heads of values may share one of queries and keys.
    query, key = (one.repeat_interleave(heads // one.shape[1], 1) if one.shape[1] != heads else one for one in (query, key))
    scale = given.get("scale")
    call = Call(kind, query, key, value, float(width ** -0.5 if scale is None else scale))
    if kind in ("gated_delta", "delta_rule"):
        beta = array("beta")
        call.beta = torch.ones(value.shape[:3], device=value.device) if beta is None else beta
        if call.beta.dim() != 3:
            raise ValueError("has a beta for each feature")
    if kind in ("gated_delta", "gated_linear"):
        call.gate = array("g", "gk", "decay")
        if call.gate is None:
            raise ValueError("has no gate")
    if kind == "retention":
        call.gamma = 1 - torch.exp2(-5.0 - torch.arange(heads, dtype=torch.float64, device=value.device))
    return call


def _normalised(rows: Any) -> Any:
    rows = rows.float()
    return rows * torch.rsqrt((rows * rows).sum(-1, keepdim=True) + 1e-6)


def record(recorder: Recorder, path: str, function: Callable[..., Any], called: str, args: tuple[Any, ...],
           kwargs: dict[str, Any], result: Any) -> None:
    """Records a call of the function `called` that has returned `result`."""
    kind = kind_of(called)
    assert kind is not None
    try:
        call = call_of(function, kind, args, kwargs)
    except ValueError as why:
        recorder.skip(path, f"{called} {why}")
        return
    name = recorder.name_of(path, None, True)
    if name is None:
        return
    returned = (result[0] if isinstance(result, tuple) else result).detach().transpose(1, 2)
    rows = min(_MOST_ROWS, call.key.shape[2])
    expected, got = call.first(rows).output(), returned[:, :, :rows].double()
    largest = float(expected.abs().max()) if expected.numel() else 0.0
    apart = float((expected - got).abs().max()) if expected.numel() else 0.0
    differs = None
    if not apart <= _TOLERANCE.get(returned.dtype, 1e-4) * max(largest, 1e-30):
        differs = apart / largest if largest > 0 and np.isfinite(apart) else 1.0
    recorder.append(pass_of(recorder, name, call, differs))


def pass_of(recorder: Recorder, name: str, call: Call, differs: Optional[float]) -> Pass:
    if recorder.max_tokens is not None:
        call = call.first(recorder.max_tokens)

    def copied(what: str, tensor: Any) -> Any:
        return None if tensor is None else as_array(tensor, f"{name}.{what}", copy=True)

    return Pass(name, copied("query", call.query), copied("key", call.key),
                copied("value", call.value) if "value" in recorder.capture.keep else None, scale=call.scale, causal=True,
                mechanism=call.mechanism, beta=copied("beta", call.beta), log_gate=copied("log_gate", call.gate),
                gamma=copied("gamma", call.gamma), differs=differs)
