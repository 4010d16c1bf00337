"""What attention functions of PyTorch and Transformers were asked to compute, and what of it they did."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Optional, Union

import numpy as np
import torch
from torch.nn import functional

from .arrays import Array, as_array
from .capture import Call, Recorder
from .checks import Candidate, Check, rows_of
from .masks import Mask
from .softmax_attention import Product, explained

_MULTIHEAD = inspect.signature(inspect.unwrap(functional.multi_head_attention_forward))
try:  # since PyTorch 2.3
    from torch.nn.attention.bias import CausalBias as _CAUSAL_BIAS
except ImportError:
    _CAUSAL_BIAS = ()
_UNITS = {torch.float16: 2.0 ** -11, torch.bfloat16: 2.0 ** -8}


def _unit(*tensors: Any) -> float:
    """The relative error of a number of their arithmetic."""
    unit = max(_UNITS.get(tensor.dtype, 0.0) for tensor in tensors)
    is_rough = torch.get_float32_matmul_precision() != "highest" or (
        tensors[0].is_cuda and torch.backends.cuda.matmul.allow_tf32)
    return max(unit, 2.0 ** -10) if is_rough else unit  # TF32


def _numbers(tensor: Any) -> np.ndarray:
    tensor = tensor.detach()
    numbers: np.ndarray = (tensor if tensor.dtype == torch.float64 else tensor.float()).cpu().numpy()
    return numbers


def _check_of(call: Call, output: Any, unit: float) -> Optional[Check]:
    """Of an output (B,H,L,Ev)."""
    batch, heads, queries, _ = call.query.shape
    if output.dim() != 4 or tuple(output.shape[:2]) != (batch, heads) or output.shape[2] < queries or (
            output.shape[3] != call.value.shape[3]):
        return None
    rows = rows_of(queries)
    returned = _numbers(output[:, :, torch.as_tensor(rows, device=output.device)])
    return Check(call.query, call.key, call.value, rows, returned, unit=max(unit, _unit(output)))


def _default_scale(query: Any) -> float:
    return float(max(1, query.shape[3])) ** -0.5


# torch.nn.functional.scaled_dot_product_attention


@dataclass
class Sdpa:
    """A call, with its tensors as (B,H,L,E)."""

    query: Any
    key: Any
    value: Any
    attn_mask: Any
    dropout_p: float
    is_causal: bool
    scale: float
    output: Any
    shape: tuple[int, ...] = field(default=())


def _bind_sdpa(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
               scale: Optional[float] = None, enable_gqa: bool = False, **_: Any) -> tuple[Any, ...]:
    return query, key, value, attn_mask, dropout_p, is_causal, scale


def _cells_of(bias: Any, queries: int, keys: int) -> Any:
    """Of a CausalBias, which has no numbers of its own."""
    from torch.nn.attention.bias import CausalVariant

    last = keys - queries if bias.variant == CausalVariant.LOWER_RIGHT else 0
    return torch.ones(queries, keys, dtype=torch.bool).tril(last)


def bound_sdpa(args: Any, kwargs: Any, output: Any) -> Optional[Sdpa]:
    query, key, value, attn_mask, dropout_p, is_causal, scale = _bind_sdpa(*args, **kwargs)
    if isinstance(attn_mask, _CAUSAL_BIAS):
        attn_mask = _cells_of(attn_mask, query.shape[-2], key.shape[-2])
    if query.is_nested or not isinstance(output, torch.Tensor):
        return Sdpa(query, key, value, attn_mask, dropout_p, is_causal, 1.0, output, ())
    lead = torch.broadcast_shapes(*(x.shape[:-3] for x in (query, key, value)))
    heads = query.shape[-3] if query.dim() > 2 else 1
    shape = tuple(query.shape)
    output = output.reshape(-1, *output.shape[-3:]) if output.dim() > 3 else output[(None,) * (4 - output.dim())]
    if attn_mask is not None:
        if attn_mask.dim() > 4:
            attn_mask = attn_mask.expand(*lead, *attn_mask.shape[-3:]).reshape(-1, *attn_mask.shape[-3:])
        attn_mask = attn_mask[(None,) * (4 - attn_mask.dim())]
        attn_mask = attn_mask.expand(-1, -1, -1, key.shape[-2])
    query, key, value = (x.expand(*lead, *x.shape[-3:]).reshape(-1, *x.shape[-3:]) if x.dim() > 3 else
                         x[(None,) * (4 - x.dim())] for x in (query, key, value))
    if heads == 1 and key.shape[1] > 1:
        query = query.expand(-1, key.shape[1], -1, -1)
    return Sdpa(query, key, value, attn_mask, float(dropout_p), bool(is_causal),
                float(scale) if scale is not None else _default_scale(query), output, shape)


def _masks_of_sdpa(recorder: Recorder, event: Sdpa) -> list[Mask]:
    if event.attn_mask is None:
        return [Mask(causal=True) if event.is_causal else Mask()]
    mask = recorder.mask_of(event.attn_mask)
    return [_both(mask, Mask(causal=True)), mask] if event.is_causal else [mask]


def sdpa(recorder: Recorder, path: str, event: Sdpa, inner: list[Any]) -> None:
    """`inner`: what the function was seen to do, where it is not PyTorch's own."""
    if not event.shape:
        recorder.skip(path, "reads a nested tensor")
        return
    masks = _masks_of_sdpa(recorder, event)
    call = recorder.begin(path, None, masks[0].causal, event.query, event.key, event.value, masks[0])
    if call is None:
        return
    asked = [Candidate(mask, event.scale) for mask in masks]
    _end(recorder, path, None, call, _check_of(call, event.output, _unit(event.query)), asked, inner, True,
         event.dropout_p > 0)


def kernel(recorder: Recorder, path: str, name: str) -> None:
    """Another function that computes attention as a whole."""
    recorder.skip(path, f"attention by {name} cannot be recorded")


# torch.nn.MultiheadAttention


def multihead(recorder: Recorder, path: str, args: Any, kwargs: Any, result: Any) -> None:
    """A call of torch.nn.functional.multi_head_attention_forward: tensors are (L,B,E)."""
    given = _MULTIHEAD.bind(*args, **kwargs)
    given.apply_defaults()
    one = given.arguments
    if one["static_k"] is not None or one["static_v"] is not None:
        recorder.skip(path, "is given keys or values of its own (static_k, static_v), which cannot be recorded")
        return
    projected = _projected(one)
    is_batched = one["query"].dim() == 3
    heads = [_split(x if is_batched else x.unsqueeze(1), one["num_heads"]) for x in projected]
    padding, cells = one["key_padding_mask"], one["attn_mask"]
    if one["is_causal"] and padding is None and not one["need_weights"]:
        masks = [Mask(causal=True)]  # attn_mask is not read
    else:
        masks = [_mask_of_parts(recorder, heads[0].shape, cells, padding)]
    for extra in _appended(one, heads):
        heads[1], heads[2] = (torch.cat([x, more], dim=2) for x, more in zip(heads[1:], extra))
        masks = [_longer(mask, heads[1].shape[2]) for mask in masks]
    output = result[0] if is_batched else result[0].unsqueeze(1)
    _end_heads(recorder, path, heads, masks, output.transpose(0, 1),
               _linear(one["out_proj_weight"], one["out_proj_bias"]), bool(one["training"] and one["dropout_p"] > 0))


def native_attention(recorder: Recorder, path: str, module: Any, args: Any, kwargs: Any, result: Any) -> None:
    """A run of the fast path, whose masks are bool."""
    given = inspect.signature(module.forward).bind(*args, **kwargs).arguments
    missing = [name for name in ("query", "key", "value") if name not in given]
    if missing:
        recorder.skip(path, f"{type(module).__name__} is given no {missing[0]}, and cannot be recorded")
        return
    if given["query"].is_nested:
        recorder.skip(path, "reads a nested tensor")
        return
    heads = _heads_of_module(module, *(given[name] for name in ("query", "key", "value")))
    mask = _mask_of_parts(recorder, heads[0].shape, given.get("attn_mask"), given.get("key_padding_mask"))
    output = result[0] if isinstance(result, tuple) else result
    _end_heads(recorder, path, heads, [mask], output, _linear(module.out_proj.weight, module.out_proj.bias), False)


def native_layer(recorder: Recorder, _path: str, layer: Any, args: Any, kwargs: Any, result: Any) -> None:
    """A run of the fast path of a whole torch.nn.TransformerEncoderLayer."""
    given = inspect.signature(layer.forward).bind(*args, **kwargs).arguments
    path = recorder.path_of(layer.self_attn)
    src = given["src"]
    if src.is_nested:
        recorder.skip(path, "reads a nested tensor; enable_nested_tensor=False of TransformerEncoder prevents that")
        return
    x = layer.norm1(src) if layer.norm_first else src
    heads = _heads_of_module(layer.self_attn, x, x, x)
    mask = _mask_of_parts(recorder, heads[0].shape, given.get("src_mask"), given.get("src_key_padding_mask"))
    project = _linear(layer.self_attn.out_proj.weight, layer.self_attn.out_proj.bias)

    def rest(output: np.ndarray, rows: np.ndarray) -> np.ndarray:
        attended = torch.as_tensor(project(output, rows), dtype=src.dtype, device=src.device)
        y = src[:, torch.as_tensor(rows, device=src.device)] + attended
        if layer.norm_first:
            return _numbers(y + layer._ff_block(layer.norm2(y)))
        y = layer.norm1(y)
        return _numbers(layer.norm2(y + layer._ff_block(y)))

    _end_heads(recorder, path, heads, [mask], result, rest, False)


def _heads_of_module(module: Any, query: Any, key: Any, value: Any) -> list[Any]:
    if module.in_proj_weight is not None:
        weights = module.in_proj_weight.chunk(3)
    else:
        weights = (module.q_proj_weight, module.k_proj_weight, module.v_proj_weight)
    biases = module.in_proj_bias.chunk(3) if module.in_proj_bias is not None else (None, None, None)
    found = []
    for x, weight, bias in zip((query, key, value), weights, biases):
        x = x.unsqueeze(0) if x.dim() == 2 else x if module.batch_first else x.transpose(0, 1)
        found.append(_split(functional.linear(x, weight, bias).transpose(0, 1), module.num_heads))
    return found


def _projected(one: dict[str, Any]) -> list[Any]:
    if one["use_separate_proj_weight"]:
        weights = [one["q_proj_weight"], one["k_proj_weight"], one["v_proj_weight"]]
    else:
        weights = list(one["in_proj_weight"].chunk(3))
    biases = one["in_proj_bias"].chunk(3) if one["in_proj_bias"] is not None else (None, None, None)
    return [functional.linear(one[name], weight, bias)
            for name, weight, bias in zip(("query", "key", "value"), weights, biases)]


def _split(x: Any, heads: int) -> Any:
    """(L,B,H*E) as (B,H,L,E)."""
    return x.unflatten(-1, (heads, -1)).permute(1, 2, 0, 3)


def _appended(one: dict[str, Any], heads: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Keys and values of the module's own, (B,H,1,E)."""
    batch, count, _, width = heads[1].shape
    if one["bias_k"] is not None:
        yield tuple(_split(one[name].expand(1, batch, -1), count)  # type: ignore[misc]
                    for name in ("bias_k", "bias_v"))
    if one["add_zero_attn"]:
        zeros = heads[1].new_zeros(batch, count, 1, width)
        yield zeros, zeros


def _longer(mask: Mask, keys: int) -> Mask:
    """For keys that are appended and that all may read."""
    def add(cells: Optional[Array], number: int) -> Optional[Array]:
        if cells is None:
            return None
        return cells.with_bits(np.pad(cells.bits, ((0, 0),) * 3 + ((0, 1),), constant_values=number))

    if not mask.causal and not mask.window:
        return Mask(kept=add(mask.kept, 1), bias=add(mask.bias, 0))
    at, j = np.arange(keys - 1)[:, None] + mask.offset, np.arange(keys - 1)
    band = (j <= at) if mask.causal else np.ones((keys - 1, keys - 1), bool)
    if mask.window:
        band = band & (np.abs(at - j) < mask.window)
    kept = band[None, None] if mask.kept is None else band & mask.kept.bits
    return Mask(kept=add(Array("BOOL", np.ascontiguousarray(kept)), 1), bias=add(mask.bias, 0))


def _linear(weight: Any, bias: Any) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    def project(output: np.ndarray, _rows: np.ndarray) -> np.ndarray:
        batch, heads, rows, width = output.shape
        flat = output.transpose(0, 2, 1, 3).reshape(batch, rows, heads * width)
        made = flat @ _numbers(weight).T.astype(output.dtype)
        return made if bias is None else made + _numbers(bias).astype(output.dtype)

    return project


def _end_heads(recorder: Recorder, path: str, heads: list[Any], masks: list[Mask], output: Any,
               project: Callable[[np.ndarray, np.ndarray], np.ndarray], has_dropout: bool) -> None:
    """Of an output (B,L,D)."""
    call = recorder.begin(path, None, masks[0].causal, *heads, masks[0])
    if call is None:
        return
    rows = rows_of(call.query.shape[2])
    returned = _numbers(output[:, torch.as_tensor(rows, device=output.device)])
    check = Check(call.query, call.key, call.value, rows, returned, lambda made: project(made, rows),
                  _unit(heads[0], output))
    scale = _default_scale(heads[0])
    _end(recorder, path, None, call, check, [Candidate(mask, scale) for mask in masks], [], True, has_dropout)


def _mask_of_parts(recorder: Recorder, shape: Any, cells: Any, padding: Any) -> Mask:
    """Of an attn_mask (L,S) or (B*H,L,S) and a key_padding_mask (S) or (B,S); in bools True blocks, numbers are
    added."""
    batch, heads = shape[:2]
    mask = Mask()
    if cells is not None:
        cells = cells.view(batch, heads, *cells.shape[1:]) if cells.dim() == 3 else cells[None, None]
        mask = recorder.mask_of(~cells if cells.dtype == torch.bool else cells)
    if padding is None:
        return mask
    padding = padding.view(-1, padding.shape[-1])[:, None, None]
    return _both(mask, recorder.mask_of(~padding if padding.dtype == torch.bool else padding))


def _both(one: Mask, other: Mask) -> Mask:
    """Reads what both read; their numbers are added. At most one has a band, or they have the same one."""
    kept, bias = one.kept, one.bias
    if other.kept is not None:
        kept = other.kept if kept is None else Array("BOOL", kept.bits & other.kept.bits)
    if other.bias is not None:
        bias = other.bias if bias is None else Array("F32", (bias.numpy() + other.bias.numpy()).astype(np.float32))
    band = one if one.causal or one.window else other
    return Mask(band.causal, band.offset, band.window, kept, bias)


# Transformers


@dataclass
class _Interface:
    """A call of a function of Transformers' attention interface, before it has computed."""

    call: Call
    layer: Optional[int]
    asked: list[Candidate]
    is_own: bool  # not one of Transformers
    has_dropout: bool
    unit: float


def begin_interface(recorder: Recorder, path: str, name: str, function: Any, module: Any, query: Any, key: Any,
                    value: Any, cells: Any, kwargs: dict[str, Any]) -> Optional[_Interface]:
    name = str(name)
    if query.dim() != 4 or key.dim() != 4 or "flex" in name or "paged" in name or (
            cells is not None and not isinstance(cells, torch.Tensor)):
        recorder.skip(path, f"attention by {name} cannot be recorded; eager, sdpa and flash can")
        return None
    layer = getattr(module, "layer_idx", None)
    masks = _asked_masks(recorder, name, module, query, key, cells, kwargs)
    first = masks[0][0]
    call = recorder.begin(path, layer if isinstance(layer, int) else None,
                          first.causal or bool(getattr(module, "is_causal", False)), query, key, value, first)
    if call is None:
        return None
    scale = kwargs.get("scaling")
    scale = float(scale) if scale is not None else _default_scale(query)
    soft_cap, sinks = kwargs.get("softcap"), kwargs.get("s_aux")
    sinks = recorder.shared(sinks.reshape(-1)) if sinks is not None else None
    asked = [Candidate(mask, scale, float(soft_cap) if soft_cap else None, sinks, ignored) for mask, ignored in masks]
    home = str(getattr(inspect.unwrap(function), "__module__", ""))
    return _Interface(call, layer, asked, not home.startswith("transformers."),
                      float(kwargs.get("dropout") or 0) > 0, _unit(query))


def end_interface(recorder: Recorder, path: str, one: _Interface, events: list[Any], result: Any) -> None:
    output = result[0] if isinstance(result, tuple) else result
    if output.dim() == 3:
        output = output.unflatten(-1, (one.call.query.shape[1], -1))
    output = output.transpose(1, 2) if output.dim() == 4 else output
    _end(recorder, path, one.layer, one.call, _check_of(one.call, output, one.unit), one.asked, events, one.is_own,
         one.has_dropout)


def _asked_masks(recorder: Recorder, name: str, module: Any, query: Any, key: Any, cells: Any,
                 kwargs: dict[str, Any]) -> list[tuple[Mask, tuple[str, ...]]]:
    """The masks that the call may mean, the likeliest first, and what each leaves out."""
    queries, keys = query.shape[2], key.shape[2]
    is_causal = kwargs.get("is_causal")
    is_causal = bool(getattr(module, "is_causal", True) if is_causal is None else is_causal)
    window = int(kwargs.get("sliding_window") or 0)
    if "flash" in name or (cells is not None and cells.dim() == 2):
        # The last query stands at the last key; cells are padding, (B,S).
        kept = None
        if cells is not None and cells.dim() == 2:
            kept = recorder.mask_of(cells[:, None, None, -keys:] != 0).kept
        elif cells is not None:
            return [(recorder.mask_of(cells[..., :keys]), ())]
        plain = Mask(is_causal, keys - queries if is_causal or window else 0, window, kept)
        documents = _documents(recorder, query, key, kwargs)
        if documents is None or kept is not None:
            return [(plain, ())]
        return [(replace(plain, kept=documents), ()), (plain, ("documents",))]
    if cells is None:
        causal = Mask(causal=True)
        if name == "sdpa":
            masks = [causal if is_causal and queries > 1 else Mask()]
        elif name == "eager" or not is_causal or queries == 1:
            masks = [Mask()]
        else:
            masks = [causal, Mask()]  # a function that is not known
    else:
        masks = [recorder.mask_of(cells[..., :keys])]
    bias = kwargs.get("position_bias")
    if bias is not None:
        bias = recorder.shared(bias.expand(-1, -1, queries, keys) if bias.dim() == 4 else bias)
        masks = [_both(mask, Mask(bias=bias)) for mask in masks]
    return [(mask, ()) for mask in masks]


def _documents(recorder: Recorder, query: Any, key: Any, kwargs: dict[str, Any]) -> Optional[Array]:
    """The cells of documents that are packed into one sequence; None where there is one document."""
    batch, _, queries, _ = query.shape
    keys = key.shape[2]
    lengths = [next((kwargs[name] for name in names if isinstance(kwargs.get(name), torch.Tensor)), None)
               for names in (("cu_seq_lens_q", "cu_seqlens_q", "cu_seqlens"), ("cu_seq_lens_k", "cu_seqlens_k",
                                                                               "cu_seqlens"))]
    positions = kwargs.get("position_ids")
    if batch == 1 and lengths[0] is not None and lengths[1] is not None:
        at = [torch.bucketize(torch.arange(count, device=ends.device), ends.long(), right=True)[None]
              for count, ends in zip((queries, keys), lengths)]
    elif isinstance(positions, torch.Tensor) and positions.dim() == 2 and positions.shape[1] == queries == keys:
        starts = torch.zeros_like(positions, dtype=torch.bool)
        starts[:, 1:] = positions[:, 1:] != positions[:, :-1] + 1
        at = [starts.cumsum(1)] * 2
    else:
        return None
    same = (at[0][:, None, :, None] == at[1][:, None, None, :])
    if bool(same.all()):
        return None
    return recorder.mask_of(same).kept


# What was computed


def _end(recorder: Recorder, path: str, layer: Optional[int], call: Call, check: Optional[Check],
         asked: list[Candidate], events: list[Any], is_own: bool, has_dropout: bool) -> None:
    """Records what fits: what was asked for, what was seen inside the function, or what is left where it ignores a part
    of what was asked."""
    if call.most is not None:
        asked = [one.first(call.most) for one in asked]
    if check is None:
        recorder.end(call, asked[0])
        return
    seen = _seen_in(recorder, events[0], call) if len(events) == 1 else []
    fitting = [one for one in seen if check.difference(one)[1]]
    if is_own and fitting:  # rounding may hide that it differs from what was asked
        same = [one for one in asked if check.is_same(one, fitting[0])]
        recorder.end(call, same[0] if same else replace(fitting[0], ignored=_ignored(check, asked, fitting[0])))
        return
    chosen, differs = check.choose(asked)
    if differs is not None and fitting:
        chosen, differs = replace(fitting[0], ignored=_ignored(check, asked, fitting[0])), None
    if differs is not None and call.most is None:
        for candidate in _variations(asked, call):
            if check.difference(candidate)[1]:
                chosen, differs = candidate, None
                break
    if differs is None:
        recorder.end(call, chosen)
    elif not check.is_finite:
        recorder.end(call, chosen, 1.0, ("not_finite",))
    elif len(events) == 1 and isinstance(events[0], Product) and not has_dropout and call.most is None:
        recorder.end_weights(call.name, events[0].weights)
    else:
        recorder.end(call, seen[0] if is_own and seen else chosen, differs, ("dropout",) if has_dropout else ())


def _seen_in(recorder: Recorder, event: Union[Sdpa, Product], call: Call) -> list[Candidate]:
    """Of an event inside a function: with what the function was given, else with its own queries, keys and values."""
    if isinstance(event, Sdpa):
        if not event.shape:
            return []
        found = [Candidate(mask, event.scale) for mask in _masks_of_sdpa(recorder, event)]
        query, key, value = event.query, event.key, event.value
    else:
        made = explained(event)
        if made is None:
            return []
        query, key, value = made.query, made.key, made.value
        found = [Candidate(recorder.interned(made.mask), made.scale)]
    if (query.shape[0], *query.shape[1:3], key.shape[2]) != (*call.query.shape[:3], call.key.shape[2]):
        return []
    own = [as_array(x, copy=True) for x in (query, key, value)]
    return found + [replace(one, query=own[0], key=own[1], value=own[2]) for one in found]


def _ignored(check: Check, may_mean: list[Candidate], computed: Candidate) -> tuple[str, ...]:
    asked = next((one for one in may_mean if check.is_same(replace(computed, mask=one.mask), computed)), may_mean[0])
    found = []
    if asked.sinks is not None and computed.sinks is None:
        found.append("sinks")
    if asked.soft_cap and not computed.soft_cap:
        found.append("soft_cap")
    given = replace(computed, query=None, key=None)
    if not check.is_same(replace(given, scale=asked.scale), computed) and check.is_same(given, computed):
        found.append("scale")
    if not check.is_same(replace(computed, mask=asked.mask), computed):
        found.append("causal" if asked.mask == Mask(causal=True) else "mask")
    return tuple(found)


def _variations(asked: list[Candidate], call: Call) -> Iterator[Candidate]:
    """What a function computes that ignores parts of what it was asked."""
    first = asked[0]
    rows, keys = call.query.shape[2], call.key.shape[2]
    masks = [(one.mask, one.ignored) for one in asked]
    for mask, ignored in list(masks):
        if mask.kept is not None and "documents" not in ignored:
            masks.append((replace(mask, kept=None), ("padding" if mask.kept.shape[2] == 1 else "mask",)))
        if mask.window:
            masks.append((replace(mask, window=0), ("window",)))
        if mask.bias is not None:
            masks.append((replace(mask, bias=None), ("mask",)))
    name = "causal" if first.mask == Mask(causal=True) else "mask"
    masks += [(Mask(), (name,)), (Mask(causal=True), (name,))]
    if keys != rows:
        masks.append((Mask(causal=True, offset=keys - rows), (name,)))
    caps = [first.soft_cap, None] if first.soft_cap else [None]
    sinks = [first.sinks, None] if first.sinks is not None else [None]
    for mask, ignored in masks:
        for cap in caps:
            for sink in sinks:
                left = (*ignored, *(("soft_cap",) if cap != first.soft_cap else ()),
                        *(("sinks",) if sink is not first.sinks else ()))
                yield replace(first, mask=mask, soft_cap=cap, sinks=sink, ignored=left)


def softmax(recorder: Recorder, path: str, event: Product) -> None:
    """Attention that is a softmax and a product with values: with queries and keys where they explain the weights."""
    made = explained(event)
    queries, keys = event.weights.shape[2:]
    if made is not None:
        mask = recorder.interned(made.mask)
        call = recorder.begin(path, None, mask.causal, made.query, made.key, made.value, mask)
        if call is None:
            return
        candidate = Candidate(mask, made.scale)
        if call.most is not None:
            candidate = candidate.first(call.most)
        check = _check_of(call, event.output, _unit(event.query, event.given))
        differs = None if check is None else check.choose([candidate])[1]
        if differs is None:
            recorder.end(call, candidate)
        elif check is not None and not check.is_finite:
            recorder.end(call, candidate, 1.0, ("not_finite",))
        else:
            recorder.end(call, candidate, differs, ("dropout",) if event.has_dropout else ())
        return
    is_causal = 1 < queries <= keys and not bool(torch.triu(event.weights[0, 0], keys - queries + 1).any())
    name = recorder.name_of(path, None, is_causal)
    if name is not None:
        recorder.end_weights(name, event.weights)
