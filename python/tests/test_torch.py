"""Modules of PyTorch itself, and models that call scaled_dot_product_attention."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import attnlab  # noqa: E402
from attnlab.arrays import as_array  # noqa: E402
from formula import weights_of  # noqa: E402
from torch.nn import functional  # noqa: E402


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def test_arrays():
    for dtype, name in [(torch.bfloat16, "BF16"), (torch.float16, "F16"), (torch.bool, "BOOL"), (torch.int64, "I64")]:
        tensor = torch.tensor([[0, 1], [1, 0]]).to(dtype)
        array = as_array(tensor.T.requires_grad_() if dtype.is_floating_point else tensor.T)
        assert array.type == name and array.numpy().tolist() == [[0, 1], [1, 0]]
    assert as_array(torch.full((), 0.1, dtype=torch.bfloat16)).numpy() == torch.full((), 0.1).bfloat16().float()
    with pytest.raises(attnlab.AttnLabError, match="mine: has the type complex64"):
        as_array(torch.zeros(2, dtype=torch.complex64), "mine")
    with pytest.raises(attnlab.AttnLabError, match="sparse"):
        as_array(torch.zeros(2, 2).to_sparse())


@pytest.mark.parametrize("batch_first", [True, False])
@pytest.mark.parametrize("options", [
    {}, {"attn_mask": torch.triu(torch.ones(6, 6, dtype=torch.bool), 1)}, {"attn_mask": torch.randn(6, 6)},
    {"key_padding_mask": torch.arange(6)[None] > torch.tensor([[5], [3]])},
    {"attn_mask": torch.triu(torch.full((6, 6), -torch.inf), 1),
     "key_padding_mask": torch.arange(6)[None] > torch.tensor([[5], [3]])},
    {"attn_mask": torch.rand(8, 6, 6) < 0.3},
], ids=["plain", "causal", "bias", "padding", "both", "heads"])
@pytest.mark.parametrize("kdim", [None, 10])
def test_multihead_attention(batch_first, options, kdim):
    layer = torch.nn.MultiheadAttention(16, 4, batch_first=batch_first, kdim=kdim, vdim=kdim).eval()
    x = torch.randn(2, 6, 16)
    y = x if kdim is None else torch.randn(2, 6, 10)
    if not batch_first:
        x, y = x.transpose(0, 1), y.transpose(0, 1)

    def outputs():
        with torch.no_grad():
            return layer(x, y, y, average_attn_weights=False, **options)

    before = outputs()
    with attnlab.capture(layer) as recorded:
        during = outputs()
    for a, b, c in zip(before, during, outputs()):
        assert torch.equal(a.nan_to_num(7), b.nan_to_num(7)) and torch.equal(a.nan_to_num(7), c.nan_to_num(7))
    assert not layer._forward_hooks and not layer._forward_pre_hooks
    weights = before[1].nan_to_num(0)  # rows that are blocked as a whole
    assert np.abs(weights_of(recorded.passes[0]) - weights.numpy()).max() < 1e-6


@pytest.mark.parametrize("norm_first", [True, False])
@pytest.mark.parametrize("training", [True, False])
def test_encoder_layers_keep_their_fast_path(norm_first, training):
    layer = torch.nn.TransformerEncoderLayer(16, 4, 32, dropout=0.0, batch_first=True, norm_first=norm_first)
    model = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False).train(training)
    x = torch.randn(2, 6, 16)
    with torch.no_grad():
        before = model(x)
        with attnlab.capture(model) as recorded:
            during = model(x)
        assert torch.equal(before, during) and torch.equal(before, model(x))
        assert [one.name for one in recorded.passes] == ["encoder.0.self", "encoder.1.self"]
        own = model.layers[0]
        given = own.norm1(x) if norm_first else x
        weights = own.self_attn(given, given, given, average_attn_weights=False)[1]
    assert np.abs(weights_of(recorded.passes[0]) - weights.numpy()).max() < 1e-6


def test_a_whole_transformer():
    model = torch.nn.Transformer(16, 4, 2, 2, 32, dropout=0.0, batch_first=True).eval()
    with attnlab.capture(model) as recorded, torch.no_grad():
        model(torch.randn(1, 7, 16), torch.randn(1, 5, 16))
    assert {one.name: one.shape[2:] for one in recorded.passes} == {
        "encoder.0.self": (7, 7), "encoder.1.self": (7, 7), "decoder.0.self": (5, 5), "decoder.1.self": (5, 5),
        "decoder.0.cross": (5, 7), "decoder.1.cross": (5, 7)}


class Own(torch.nn.Module):
    """As nanoGPT has it."""

    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(16, 48)

    def forward(self, x, **options):
        q, k, v = (part.unflatten(-1, (4, 4)).transpose(1, 2) for part in self.project(x).chunk(3, -1))
        return functional.scaled_dot_product_attention(q, k, v, **options)


@pytest.mark.parametrize("options", [{}, {"is_causal": True}, {"attn_mask": torch.rand(6, 6) < 0.8},
                                     {"attn_mask": torch.randn(2, 1, 6, 6), "scale": 0.3}])
def test_scaled_dot_product_attention(options):
    model = Own()
    original = functional.scaled_dot_product_attention
    with torch.no_grad():
        x = torch.randn(2, 6, 16)
        before = model(x, **options)
        with attnlab.capture(model) as recorded:
            assert torch.equal(before.nan_to_num(7), model(x, **options).nan_to_num(7))
    assert functional.scaled_dot_product_attention is original
    one = recorded.passes[0]
    output = weights_of(one) @ one.value.numpy()
    assert np.abs(output - before.nan_to_num(0).numpy()).max() < 1e-5


def test_gradients_pass_through():
    model = Own()
    x = torch.randn(2, 6, 16, requires_grad=True)
    model(x).sum().backward()
    before, x.grad = x.grad, None
    with attnlab.capture(model):
        model(x).sum().backward()
    assert torch.equal(before, x.grad)


@pytest.mark.parametrize("options", [{"add_zero_attn": True}, {"add_bias_kv": True},
                                     {"add_zero_attn": True, "add_bias_kv": True}])
@pytest.mark.parametrize("given", [{}, {"attn_mask": torch.triu(torch.ones(5, 5, dtype=torch.bool), 1)},
                                   {"key_padding_mask": torch.tensor([[False] * 4 + [True]] * 2)},
                                   {"attn_mask": torch.randn(5, 5), "key_padding_mask": torch.randn(2, 5)}])
@pytest.mark.parametrize("need_weights", [True, False])
def test_keys_of_the_module_itself(options, given, need_weights):
    layer = torch.nn.MultiheadAttention(16, 4, batch_first=True, **options)
    x = torch.randn(2, 5, 16)
    weights = layer(x, x, x, average_attn_weights=False, **given)[1]
    with attnlab.capture(layer) as recorded:
        layer(x, x, x, need_weights=need_weights, **given)
    assert not recorded.skipped and not recorded.remarks
    assert np.abs(weights_of(recorded.passes[0]) - weights.detach().numpy()).max() < 1e-6


def test_what_cannot_be_recorded_is_named():
    layer = torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)
    model = torch.nn.TransformerEncoder(layer, 1).eval()
    padding = torch.tensor([[False, False, True], [False, True, True]])
    with pytest.warns(UserWarning, match="nested tensor"), attnlab.capture(model) as recorded, torch.no_grad():
        model(torch.randn(2, 3, 16), src_key_padding_mask=padding)
    assert len(recorded.skipped) == 1 and recorded.skipped[0].startswith("layers.0.self_attn: reads a nested tensor")


@pytest.mark.skipif(not hasattr(torch.compiler, "set_stance"), reason="PyTorch is older than 2.6")
@pytest.mark.parametrize("place", ["whole", "inside", "in place", "a part"])
@pytest.mark.parametrize("written_out", [False, True])
@pytest.mark.parametrize("warm", [False, True])
def test_compiled_attention_is_recorded_once(place, written_out, warm):
    class Attention(torch.nn.Module):
        def forward(self, x):
            if written_out:
                return torch.softmax(x @ x.transpose(-1, -2) * 0.5, -1) @ x
            return torch.nn.functional.scaled_dot_product_attention(x, x, x, scale=0.5)

    ran = []

    def backend(graph, _inputs):
        return lambda *given: ran.append(1) or graph(*given)

    torch._dynamo.reset()
    model = torch.nn.Sequential(torch.nn.Identity(), Attention())
    if place == "in place":
        model.compile(backend=backend)
    elif place == "a part":
        model[1] = torch.compile(model[1], backend=backend)
    called = torch.compile(model, backend=backend) if place in ("whole", "inside") else model
    x = torch.randn(1, 2, 5, 4)
    if warm:
        with torch.no_grad():
            called(x)
    ran.clear()
    for _ in range(2):
        with torch.no_grad(), attnlab.capture(model if place == "inside" else called) as recorded:
            called(x)
        assert [one.name for one in recorded.passes] == ["encoder.1.self"] and not recorded.skipped
        assert recorded.passes[0].query is not None
    assert not ran
    with torch.no_grad():
        called(x)
    assert ran
