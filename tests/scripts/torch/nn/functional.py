import math

import numpy as np

import torch
from torch.nn import attention


def scaled_dot_product_attention(query, key, value, is_causal=False, enable_gqa=False):
    torch.require_device()
    if attention.chosen == attention.SDPBackend.CUDNN_ATTENTION:
        raise RuntimeError("cuDNN Frontend error: no valid execution plans")
    if attention.chosen == attention.SDPBackend.FLASH_ATTENTION and query.dtype == "float32":
        raise RuntimeError("No available kernel. Aborting execution.")
    if attention.chosen == attention.SDPBackend.EFFICIENT_ATTENTION and enable_gqa:
        raise RuntimeError("No available kernel. Aborting execution.")
    heads, own = query.shape[1], key.shape[1]
    assert enable_gqa == (heads != own)
    q, k, v = (one.numbers().astype(np.float32) for one in (query, key, value))
    k, v = (np.repeat(one, heads // own, axis=1) for one in (k, v))
    scores = q @ k.swapaxes(2, 3) / math.sqrt(q.shape[3])
    if is_causal:
        scores[..., np.triu(np.ones(scores.shape[2:], bool), 1)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return torch.Tensor.of(weights / weights.sum(-1, keepdims=True) @ v, query.dtype)
