"""Attention of Longformer and LED, whose weights have a column for each distance and not for each key."""

from __future__ import annotations

import inspect
from typing import Any

import torch

_ATTENTIONS = {"LongformerSelfAttention", "LEDEncoderSelfAttention"}
_STACKS = {"LongformerEncoder", "LEDEncoder"}


def is_offset_attention(module: Any) -> bool:
    return type(module).__name__ in _ATTENTIONS and isinstance(getattr(module, "one_sided_attn_window_size", None), int)


def length_without_padding(module: Any, output: Any) -> int:
    """The tokens that a stack returns: it cuts off those that it has added to fill its windows. 0 for other modules."""
    if type(module).__name__ not in _STACKS:
        return 0
    hidden = output if isinstance(output, torch.Tensor) else output[0]
    return int(hidden.shape[1])


def weights_of(module: Any, args: Any, kwargs: Any, computed: list[Any]) -> Any:
    """Weights (B,H,L,L) of a run. `computed`: weights (B,L,H,G+2w+1) of G global keys and of the keys from w before to w
    after a query; and those of the global queries, (B*H,G,L), if there are any."""
    given = inspect.signature(module.forward).bind(*args, **kwargs).arguments
    is_global = given.get("is_index_global_attn") if given.get("is_global_attn") else None
    if len(computed) != (1 if is_global is None else 2):
        raise ValueError(f"{type(module).__name__} computes its weights in another way than was expected")
    return unrolled(computed[0].detach(), module.one_sided_attn_window_size, is_global,
                    None if is_global is None else computed[1].detach())


def unrolled(columns: Any, reach: int, is_global: Any = None, global_rows: Any = None) -> Any:
    """See weights_of(); is_global is (B,L)."""
    batch, tokens, heads, count = columns.shape
    near = 2 * reach + 1
    first = count - near
    most = 0 if is_global is None else int(is_global.sum(dim=1).max())
    if first != most or (global_rows is not None and global_rows.numel() != batch * heads * most * tokens):
        raise ValueError(f"weights: has {count} columns, expected {most} of global keys and {near} of a window")
    columns = columns.transpose(1, 2)
    keys = torch.arange(tokens, device=columns.device)[:, None] + torch.arange(near, device=columns.device)
    whole = columns.new_zeros(batch, heads, tokens, tokens + 2 * reach)  # key j in column j + reach
    whole.scatter_(3, keys.expand(batch, heads, -1, -1), columns[..., first:])
    whole = whole[..., reach:reach + tokens]
    for sequence in range(batch if most else 0):
        places = is_global[sequence].nonzero()[:, 0]
        whole[sequence, :, :, places] += columns[sequence, :, :, :len(places)]
        rows = global_rows.reshape(batch, heads, most, tokens)[sequence, :, :len(places)]
        whole[sequence, :, places] = rows.to(whole.dtype)
    return whole
