"""Calls of PyTorch's attention with every mask: the record gives what was computed, or says that it does not."""

import itertools
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import attnlab  # noqa: E402
from formula import weights_of  # noqa: E402
from torch.nn import functional  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
B, L, D, H = 2, 5, 16, 4
LOWEST = torch.finfo(torch.float32).min


def masks():
    torch.manual_seed(3)
    causal = torch.triu(torch.ones(L, L, dtype=torch.bool), 1)
    return {"none": None, "causal": causal, "causal floats": torch.zeros(L, L).masked_fill(causal, -torch.inf),
            "bias": torch.randn(L, L), "heads": (torch.rand(B * H, L, L) < 0.3) & ~torch.eye(L, dtype=torch.bool),
            "zeros": torch.zeros(L, L)}


def paddings():
    at = torch.arange(L)[None] >= torch.tensor([[5], [3]])
    return {"none": None, "bool": at, "-inf": torch.zeros(B, L).masked_fill(at, -torch.inf),
            "-1e9": torch.zeros(B, L).masked_fill(at, -1e9), "-1e4": torch.zeros(B, L).masked_fill(at, -1e4),
            "lowest": torch.zeros(B, L).masked_fill(at, LOWEST), "numbers": torch.randn(B, L)}


def close(mine, theirs):
    """Rows that read nothing are NaN in PyTorch."""
    theirs = theirs.detach()
    return bool((torch.as_tensor(mine).float().nan_to_num(0) - theirs.nan_to_num(0)).abs().max() < 1e-5)


def output_of(one):
    weights = weights_of(one)
    value = np.repeat(one.value.numpy(), weights.shape[1] // one.value.shape[1], axis=1)
    return (weights @ value).transpose(0, 2, 1, 3).reshape(weights.shape[0], weights.shape[2], -1)


def attention():
    torch.manual_seed(1)
    return torch.nn.MultiheadAttention(D, H, batch_first=True).eval()


MHA = [(mask, padding, causal, need, grad) for mask, padding, causal, need, grad in itertools.product(
    masks(), paddings(), (False, True), (False, True), (False, True)) if not (causal and mask == "none")]


@pytest.mark.parametrize("mask, padding, causal, need, grad", MHA)
def test_multihead_attention(mask, padding, causal, need, grad):
    layer = attention()
    x = torch.randn(B, L, D, generator=torch.Generator().manual_seed(2))
    given = dict(attn_mask=masks()[mask], key_padding_mask=paddings()[padding], is_causal=causal, need_weights=need)
    with torch.set_grad_enabled(grad), attnlab.capture(layer) as recorded:
        output = layer(x, x, x, **given)[0]
    one = recorded.passes[0]
    made = output_of(one) @ layer.out_proj.weight.detach().numpy().T + layer.out_proj.bias.detach().numpy()
    reads_nothing = (weights_of(one) == 0).all(-1).any(1)[..., None]
    assert close(np.where(reads_nothing, 0, made), torch.where(torch.as_tensor(reads_nothing), 0, output)), recorded.remarks
    assert not recorded.remarks and not recorded.skipped


SDPA = list(itertools.product(["none", "causal", "bool", "bias", "lowest", "heads"], [None, 0.3], [1, 2, 4], [3, 4, 5]))


@pytest.mark.parametrize("mask, scale, kv_heads, axes", SDPA)
def test_scaled_dot_product_attention(mask, scale, kv_heads, axes):
    torch.manual_seed(4)

    class Model(torch.nn.Module):
        def forward(self, *args, **kwargs):
            return functional.scaled_dot_product_attention(*args, **kwargs)

    model = Model()
    q, k, v = torch.randn(B, 4, 3, 8), torch.randn(B, kv_heads, L, 8), torch.randn(B, kv_heads, L, 6)
    cells = {"bool": torch.rand(3, L) < 0.6, "bias": torch.randn(3, L), "heads": torch.randn(B, 4, 3, L),
             "lowest": torch.zeros(3, L).masked_fill(torch.rand(3, L) < 0.5, LOWEST)}.get(mask)
    if axes == 3:
        q, k, v = q[0], k[0], v[0]
        cells = cells[0] if mask == "heads" else cells
    if axes == 5:
        q, k, v = q[None], k[None], v[None]
    options = dict(attn_mask=cells, scale=scale, is_causal=mask == "causal", enable_gqa=kv_heads != 4)
    with attnlab.capture(model) as recorded:
        output = model(q, k, v, **options)
    one = recorded.passes[0]
    made = output_of(one).reshape(*one.shape[:1], 3, 4, 6).transpose(0, 2, 1, 3)
    assert close(made, output.reshape(made.shape)) and not recorded.remarks and not recorded.skipped


LAYERS = list(itertools.product(["encoder", "decoder", "stack"], ["none", "causal", "causal floats", "zeros"],
                                ["none", "bool", "-1e9", "numbers"], [False, True], [False, True], [False, True]))


@pytest.mark.parametrize("kind, mask, padding, causal, grad, norm_first", [
    case for case in LAYERS if not (case[3] and case[1] == "none")])
def test_layers(kind, mask, padding, causal, grad, norm_first):
    """A mark stands where the record does not give the layer's output, and nowhere else."""
    torch.manual_seed(5)
    if kind == "decoder":
        layer = torch.nn.TransformerDecoderLayer(D, H, 32, 0.0, batch_first=True, norm_first=norm_first).eval()
    else:
        layer = torch.nn.TransformerEncoderLayer(D, H, 32, 0.0, batch_first=True, norm_first=norm_first).eval()
    model = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False) if kind == "stack" else layer
    x = torch.randn(B, L, D)
    names = {"encoder": ("src_mask", "src_key_padding_mask", "is_causal"), "stack": ("mask", "src_key_padding_mask",
                                                                                     "is_causal"),
             "decoder": ("tgt_mask", "tgt_key_padding_mask", "tgt_is_causal")}[kind]
    given = dict(zip(names, (masks()[mask], paddings()[padding], causal)))
    args = (x, torch.randn(B, 3, D)) if kind == "decoder" else (x,)
    with torch.set_grad_enabled(grad):
        before = model(*args, **given)
        with attnlab.capture(model) as recorded:
            during = model(*args, **given)
    assert torch.equal(before.nan_to_num(7), during.nan_to_num(7)) and not recorded.skipped
    one = recorded.passes[0]
    first = model.layers[0] if kind == "stack" else model
    with torch.no_grad():  # the layer's own formula, with the recorded weights
        heads = output_of(one) @ first.self_attn.out_proj.weight.detach().numpy().T
        attended = torch.as_tensor(heads).float() + first.self_attn.out_proj.bias
        if kind == "decoder":
            return  # its second attention follows; the check of the capture is on each
        z = x + attended if norm_first else first.norm1(x + attended)
        z = z + first._ff_block(first.norm2(z)) if norm_first else first.norm2(z + first._ff_block(z))
    if kind == "encoder":
        reads = ~torch.as_tensor((weights_of(one) == 0).all(-1).any(1))
        agrees = close((z * reads[..., None]).detach(), torch.where(reads[..., None], during, torch.zeros(())))
        assert agrees == (one.differs is None), one.remark


class Called(torch.nn.Module):
    """Calls a function that it imported by name, after an attention that is recorded."""

    def __init__(self, function):
        super().__init__()
        self.known = attention()
        self.function = function

    def forward(self, *args, **kwargs):
        self.known(*[torch.ones(B, L, D)] * 3)
        return self.function(*args, **kwargs)


@pytest.mark.parametrize("corner", ["causal_upper_left", "causal_lower_right"])
@pytest.mark.parametrize("keys", [3, 5, 9])
def test_causal_bias(corner, keys):
    bias = pytest.importorskip("torch.nn.attention.bias", reason="this version of PyTorch has no CausalBias")
    model = Called(functional.scaled_dot_product_attention).eval()
    query, key, value = (torch.randn(B, H, n, 4) for n in (5, keys, keys))
    with attnlab.capture(model) as recorded, torch.no_grad():
        output = model(query, key, value, attn_mask=getattr(bias, corner)(5, keys))
    one = recorded.passes[1]
    assert not recorded.skipped and not recorded.remarks
    weights = weights_of(one)
    read = torch.as_tensor(weights.sum(-1, keepdims=True) > 0)
    assert close(weights @ one.value.numpy(), torch.where(read, output, torch.zeros(())))
    at = np.arange(5)[:, None] + (keys - 5 if corner == "causal_lower_right" else 0)
    assert ((weights > 0) == (np.arange(keys) <= at)).all()


@pytest.mark.parametrize("name", ["flex_attention", "_scaled_dot_product_flash_attention_for_cpu"])
def test_functions_that_compute_attention_whole_are_named(name):
    if name == "flex_attention":
        function = pytest.importorskip("torch.nn.attention.flex_attention").flex_attention
    else:
        function = getattr(torch.ops.aten, name)
    model = Called(function).eval()
    with pytest.warns(UserWarning, match=name), attnlab.capture(model) as recorded, torch.no_grad():
        model(*(torch.randn(B, H, 16, 16) for _ in range(3)))
    assert len(recorded) == 1 and recorded.skipped == [f"the model: attention by {name} cannot be recorded"]


def test_the_sweep_is_whole():
    assert len(MHA) + len(SDPA) + len([case for case in LAYERS if not (case[3] and case[1] == "none")]) >= 146


def test_dropout_is_named():
    layer = torch.nn.MultiheadAttention(D, H, dropout=0.5, batch_first=True)
    x = torch.randn(B, L, D)
    with pytest.warns(UserWarning, match="differs from its record"), attnlab.capture(layer) as recorded:
        layer(x, x, x)
    assert recorded.passes[0].likely == ("dropout",) and recorded.passes[0].differs > 0.1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with attnlab.capture(layer.eval()):
            layer(x, x, x)
