"""Maps and figures of heads on a cluster of this machine, one worker of which is lost half-way."""

import os
import signal
import threading

import numpy as np
import pytest

import attnlab
from attnlab.program import run

distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
from attnlab import distributed as many  # noqa: E402

pytestmark = pytest.mark.usefixtures("attnlab_program")
rng = np.random.default_rng(1)
q, k = rng.normal(size=(1, 2, 300, 8)), rng.normal(size=(1, 2, 280, 8))
TEXTS = [f"When {a} and {b} went to the store, {a} gave a drink to" for a, b in
         [("Mary", "John"), ("Daniel", "Mary"), ("John", "Maria")] * 4]


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as one:
        yield one


class Killing:
    """A client that loses a worker when the first of its results is there."""

    def __init__(self, client):
        self._client, self._lock, self.killed = client, threading.Lock(), 0

    def __getattr__(self, name):
        return getattr(self._client, name)

    def submit(self, *args, **options):
        return Killing.Future(self, self._client.submit(*args, **options))

    def lose_a_worker(self):
        with self._lock:
            if not self.killed:
                self.killed = next(iter(self._client.run(os.getpid).values()))
                os.kill(self.killed, signal.SIGKILL)

    class Future:
        def __init__(self, owner, future):
            self._owner, self._future = owner, future

        def result(self):
            found = self._future.result()
            self._owner.lose_a_worker()
            return found


def whole_map(tmp_path, *options):
    attnlab.single.record(q, k, causal=True).save(tmp_path / "a.safetensors")
    out = tmp_path / "map.npy"
    run(["map", str(tmp_path / "a.safetensors"), "--head", "1", "--bins", "32x32", "--backend", "cpu", "--out", str(out),
         *options])
    return np.load(out)


@pytest.mark.parametrize("pool", ["max", "mean"])
@pytest.mark.parametrize("parts", [None, 1, 7])
def test_a_map_in_parts_is_the_map(client, tmp_path, pool, parts):
    whole = whole_map(tmp_path, "--pool", pool)
    made = many.map(client, q=q, k=k, causal=True, head=1, bins=(32, 32), pool=pool, parts=parts)
    assert made.dtype == np.float32 and np.array_equal(made, whole, equal_nan=True)


def test_a_file_is_read_by_the_workers(client, tmp_path):
    whole = whole_map(tmp_path)
    made = many.map(client, tmp_path / "a.safetensors", head=1, bins=(32, 32))
    assert np.array_equal(made, whole, equal_nan=True)


def test_a_lost_worker_changes_nothing(client, tmp_path):
    whole = whole_map(tmp_path)
    killing = Killing(client)
    made = many.map(killing, q=q, k=k, causal=True, head=1, bins=(32, 32), parts=12)
    assert killing.killed
    assert np.array_equal(made, whole, equal_nan=True)


class Scattering:
    """A client that loses its connection to a worker in the first `losses` copies of an input."""

    def __init__(self, client, losses):
        self._client, self.losses = client, losses

    def __getattr__(self, name):
        return getattr(self._client, name)

    def scatter(self, *args, **options):
        if self.losses:
            self.losses -= 1
            raise distributed.comm.CommClosedError("in <TCP>: stream is closed")
        return self._client.scatter(*args, **options)


def test_a_worker_lost_while_the_input_is_copied_changes_nothing(client, tmp_path):
    whole = whole_map(tmp_path)
    made = many.map(Scattering(client, losses=2), q=q, k=k, causal=True, head=1, bins=(32, 32), parts=2)
    assert np.array_equal(made, whole, equal_nan=True)
    with pytest.raises(OSError, match="closed"):
        many.map(Scattering(client, losses=2), q=q, k=k, causal=True, parts=2, retries=1)


def test_figures_of_heads_depend_neither_on_the_order_nor_on_a_lost_worker(client):
    found = many.heads(client, "sample", TEXTS)
    assert len(found) > 1 and all(one.texts == len(TEXTS) for one in found)
    assert {"entropy", "previous", "induction"} <= set(found[0].mean)
    killing = Killing(client)
    assert many.heads(killing, "sample", TEXTS[::-1]) == found
    assert killing.killed
    previous = max(found, key=lambda one: one.mean["previous"])
    assert previous.mean["previous"] > 0.9 and 0 <= previous.spread["previous"] < 0.2
    assert {one.precision for one in found} == {"float32"}


def test_figures_of_heads_name_their_precision(client):
    found = many.heads(client, "sample", TEXTS)
    rounded = many.heads(client, "sample", TEXTS, precision="bfloat16")
    assert {one.precision for one in rounded} == {"bfloat16"}
    assert [one.mean for one in rounded] != [one.mean for one in found]
    assert all(abs(a.mean["entropy"] - b.mean["entropy"]) < 0.05 for a, b in zip(rounded, found))
    with pytest.raises(attnlab.AttnLabError, match="expected float32 or bfloat16"):
        many.heads(client, "sample", TEXTS, precision="float16")


def test_what_is_wrong_is_said(client, tmp_path):
    with pytest.raises(attnlab.AttnLabError, match="either a file or a recording, or q and k"):
        many.map(client)
    with pytest.raises(attnlab.AttnLabError, match="parts is 0"):
        many.map(client, q=q, k=k, parts=0)
    with pytest.raises(attnlab.AttnLabError, match="causal: go with q and k"):
        many.map(client, tmp_path / "a.safetensors", causal=True)
    with pytest.raises(attnlab.AttnLabError, match="has no texts"):
        many.heads(client, "sample", [])
    with pytest.raises(attnlab.ProgramError, match="--head: has '2'"):
        many.map(client, q=q, k=k, head=2, parts=2)
