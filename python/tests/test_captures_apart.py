"""Captures hold what was computed when it was computed, each its own, and leave PyTorch as it was."""

import contextlib
import pickle
import random
import threading
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import attnlab  # noqa: E402
from formula import weights_of  # noqa: E402
from torch.nn import functional  # noqa: E402
from torch.nn.modules import module as torch_modules  # noqa: E402


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


class Function(torch.nn.Module):
    """Calls a function, whatever it is."""

    def forward(self, function, *args, **kwargs):
        return function(*args, **kwargs)


def state():
    """All that a capture changes while it runs."""
    found = {name: getattr(functional, name) for name in ("scaled_dot_product_attention", "multi_head_attention_forward")}
    for name in ("_global_forward_hooks", "_global_forward_pre_hooks", "_global_forward_hooks_always_called",
                 "_global_forward_hooks_with_kwargs"):
        found[name] = dict(getattr(torch_modules, name))
    found["modes"] = torch.overrides._get_current_function_mode_stack()
    with contextlib.suppress(ImportError):
        from transformers import AttentionInterface

        found["interface"] = dict(vars(AttentionInterface))
        found["functions"] = dict(AttentionInterface._global_mapping)
    return found


@pytest.fixture(autouse=True)
def nothing_changes():
    before = state()
    yield
    assert state() == before


def sdpa(*args, **kwargs):
    return functional.scaled_dot_product_attention(*args, **kwargs)


def written_out(q, k, v, attn_mask=None):
    scores = q @ k.transpose(-1, -2) * 0.5
    if attn_mask is not None:
        scores = scores + attn_mask
    return scores.softmax(-1) @ v


@pytest.mark.parametrize("function", [sdpa, written_out])
def test_arrays_that_change_afterwards(function):
    q, k, v = (torch.randn(1, 2, 5, 4) for _ in range(3))
    bias = torch.randn(1, 2, 5, 5)
    right = [x.clone() for x in (q, k, v, bias)]
    model = Function()
    with attnlab.capture(model) as recorded, torch.no_grad():
        model(function, q, k, v, attn_mask=bias)
        for x in (q, k, v, bias):
            x.zero_()
    one = recorded.passes[0]
    for mine, theirs in zip((one.query, one.key, one.value), right):
        assert np.array_equal(mine.numpy(), theirs.numpy())
    assert np.abs(one.bias.numpy() - right[3].numpy()).max() < 1e-5


class Several(torch.nn.Module):
    """Calls attention several times in one run."""

    def forward(self, calls):
        for q, k, v, options in calls():
            functional.scaled_dot_product_attention(q, k, v, **options)


def recorded_of(calls, grad=contextlib.nullcontext):
    model = Several()
    with attnlab.capture(model) as recorded, grad():
        model(calls)
    assert not recorded.skipped and not recorded.remarks
    return recorded.passes


@pytest.mark.parametrize("kind", ["bool", "floats"])
@pytest.mark.parametrize("how", ["in place", "data", "numpy", "freed", "inference"])
def test_masks_and_biases_that_change_between_layers(kind, how):
    shape = (1, 1, 40, 40)
    masks = [torch.rand(shape) < 0.5 if kind == "bool" else torch.randn(shape) for _ in range(4)]
    masks = [mask | torch.eye(40, dtype=torch.bool) if kind == "bool" else mask for mask in masks]
    q = torch.randn(1, 1, 40, 4)

    def calls():
        held = masks[0].clone()
        for mask in masks:
            if how == "freed":
                held = None
                held = mask.clone()  # often where the one before was
            elif how == "data":
                held.data.copy_(mask)
            elif how == "numpy":
                held.numpy()[...] = mask.numpy()
            else:
                held.copy_(mask)
            yield q, q, q, {"attn_mask": held}

    passes = recorded_of(calls, torch.inference_mode if how == "inference" else contextlib.nullcontext)
    for one, mask in zip(passes, masks):
        cells = one.mask if kind == "bool" else one.bias
        assert np.array_equal(cells.numpy(), mask.numpy())


def test_equal_masks_are_recorded_once():
    mask = torch.rand(1, 1, 9, 9) < 0.7
    mask |= torch.eye(9, dtype=torch.bool)
    q = torch.randn(2, 3, 9, 4)
    passes = recorded_of(lambda: ((q, q, q, {"attn_mask": given}) for given in (
        mask, mask.clone(), mask.expand(2, 3, 9, 9))))
    assert passes[0].mask is passes[1].mask is passes[2].mask and passes[0].mask.shape == (1, 1, 9, 9)


def test_static_caches():
    transformers = pytest.importorskip("transformers", reason="Transformers is not installed")
    config = transformers.LlamaConfig(hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=4,
                                      num_key_value_heads=2, vocab_size=50, max_position_embeddings=64)
    model = transformers.LlamaForCausalLM._from_config(config, attn_implementation="sdpa").eval()
    with attnlab.capture(model) as recorded:
        model.generate(torch.tensor([[1, 2, 3, 4]]), max_new_tokens=6, do_sample=False, cache_implementation="static")
    assert np.abs(recorded["decoder.0.self"].key.numpy()[:, :, 4:]).max() == 0
    for step in range(1, 5):
        before, after = (recorded[f"decoder.0.self@{at}" if at else "decoder.0.self"].key.numpy()
                         for at in (step - 1, step))
        assert np.array_equal(before[:, :, :3 + step], after[:, :, :3 + step])
        assert np.abs(after[:, :, 4 + step:]).max(initial=0) == 0


# Captures that overlap


class Layers(torch.nn.Module):
    """Attention of every kind that is seen."""

    def __init__(self):
        super().__init__()
        self.mha = torch.nn.MultiheadAttention(8, 2, batch_first=True)
        self.function = Function()

    def forward(self, x):
        y = self.mha(x, x, x)[0]
        q = y.unflatten(-1, (2, 4)).transpose(1, 2)
        return self.function(sdpa, q, q, q, is_causal=True), self.function(written_out, q, q, q)


def names(recorded):
    return [one.name for one in recorded.passes]


ALL = ["mha", "function", "function@1"]


def test_two_threads_that_end_in_another_order():
    models = [Layers().eval(), Layers().eval()]
    found, at = [None, None], threading.Barrier(2, timeout=30)

    def first():
        with attnlab.capture(models[0]) as found[0]:
            at.wait()
            at.wait()  # the second has entered
            models[0](torch.randn(1, 3, 8))
        at.wait()

    def second():
        at.wait()
        with attnlab.capture(models[1]) as found[1]:
            at.wait()
            at.wait()  # the first has left
            for _ in range(2):
                models[1](torch.randn(1, 3, 8))

    threads = [threading.Thread(target=one) for one in (first, second)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert names(found[0]) == ALL
    assert names(found[1]) == ["mha", "function", "function@1", "mha@1", "function@2", "function@3"]
    assert not found[0].skipped and not found[1].skipped


def test_nesting_and_leaving_in_any_order():
    model = Layers().eval()
    order = random.Random(1)
    x = torch.randn(1, 3, 8)
    plain = model(x)
    for _ in range(20):
        stacks, captures, expected = [], [], []
        for _ in range(4):
            stack = contextlib.ExitStack()
            captures.append(stack.enter_context(attnlab.capture(order.choice([model, model.function, model.mha]))))
            stacks.append(stack)
            expected.append(0)
            for mine, theirs in zip(plain, model(x)):
                assert torch.equal(mine, theirs)
            expected = [count + 1 for count in expected]
        remaining = list(range(4))
        order.shuffle(remaining)
        while remaining:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                stacks[remaining.pop()].close()
            model(x)
            for at in remaining:
                expected[at] += 1
        for one, count in zip(captures, expected):
            per_run = {"Layers": 3, "Function": 2, "MultiheadAttention": 1}[one.title]
            assert len(one) == per_run * count and not one.skipped


def test_many_threads_and_one_model():
    """Each records its own inputs, whatever the others do meanwhile."""
    model = Layers().eval()
    wrong = []

    def work(seed):
        chance = random.Random(seed)
        make = torch.Generator().manual_seed(seed)
        for _ in range(25):
            count = chance.randint(1, 6)
            with attnlab.capture(model) as outer:
                for at in range(count):
                    x = torch.randn(1, chance.randint(2, 9), 8, generator=make)
                    with attnlab.capture(model) if chance.random() < 0.3 else contextlib.nullcontext() as inner:
                        model(x)
                    made = outer[f"mha@{at}" if at else "mha"].query.numpy()
                    with torch.no_grad():
                        q = functional.linear(x, *(part.chunk(3)[0] for part in (model.mha.in_proj_weight,
                                                                                 model.mha.in_proj_bias)))
                    right = q.unflatten(-1, (2, 4)).transpose(1, 2).numpy()
                    if made.shape != right.shape or np.abs(made - right).max() > 1e-5:
                        wrong.append((seed, at))
                    if inner is not None and names(inner) != ALL:
                        wrong.append((seed, names(inner)))
            if len(outer) != 3 * count or outer.skipped or outer.remarks:
                wrong.append((seed, len(outer), count, outer.skipped, outer.remarks))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert not wrong


def test_a_run_in_another_thread_is_named():
    model = Layers().eval()
    with pytest.warns(UserWarning, match="another thread"), attnlab.capture(model) as recorded:
        thread = threading.Thread(target=model, args=(torch.randn(1, 3, 8),))
        thread.start()
        thread.join()
    assert not recorded.passes and recorded.skipped == [
        "Layers: has run in another thread than the one that has entered the capture"]


class Stopped(torch.nn.Module):
    def __init__(self, error):
        super().__init__()
        self.error, self.function = error, Function()

    def forward(self, stops):
        q = torch.randn(1, 1, 2, 4)
        self.function(sdpa, q, q, q)
        if stops:
            raise self.error


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_runs_that_are_ended_by_errors(error):
    model = Stopped(error)
    with attnlab.capture(model) as outer:
        with pytest.raises(error), attnlab.capture(model) as inner:
            model(True)
        model(False)
    assert names(inner) == ["function"] and names(outer) == ["function", "function@1"]


def test_modes_of_others_stay_where_they_are():
    class Counting(torch.overrides.TorchFunctionMode):
        count = 0

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.count += 1
            return func(*args, **(kwargs or {}))

    class Inside(Layers):
        def forward(self, x):
            with Counting() as mode:
                found = super().forward(x)
                self.during = torch.overrides._get_current_function_mode_stack()
            assert mode.count > 5
            return found

    model = Inside().eval()
    with Counting() as outside, attnlab.capture(model) as recorded:
        model(torch.randn(1, 3, 8))
        assert torch.overrides._get_current_function_mode_stack() == [outside]
    assert names(recorded) == ALL and [type(mode).__name__ for mode in model.during] == ["Counting", "_Mode", "Counting"]


def test_a_wrapper_that_another_has_put_around(monkeypatch):
    model = Layers().eval()
    stack = contextlib.ExitStack()
    stack.enter_context(attnlab.capture(model))
    inner = functional.multi_head_attention_forward

    def around(*args, **kwargs):
        return inner(*args, **kwargs)

    monkeypatch.setattr(functional, "multi_head_attention_forward", around)
    model(torch.randn(1, 3, 8))
    stack.close()
    assert functional.multi_head_attention_forward is around
    model.train()
    with attnlab.capture(model) as recorded:
        model(torch.randn(1, 3, 8))
    assert names(recorded) == ALL
    monkeypatch.undo()
    functional.multi_head_attention_forward = inner.__wrapped__


def test_captures_are_pickled_without_their_model(tmp_path):
    model = Layers().eval()
    model.unpicklable = lambda: None

    class Words:
        unpicklable = lambda: None  # noqa: E731

        @staticmethod
        def convert_ids_to_tokens(row):
            return [f"t{number}" for number in row]

    with attnlab.capture(model, tokenizer=Words(), layers=lambda path: True) as recorded:
        model(torch.randn(1, 3, 8))
        pickle.dumps(recorded)
    again = pickle.loads(pickle.dumps(recorded))
    assert names(again) == ALL and again.title == "Layers"
    again.save(tmp_path / "a.safetensors")
    for one, other in zip(attnlab.load(tmp_path / "a.safetensors").passes, recorded.passes):
        assert np.array_equal(weights_of(one), weights_of(other))
