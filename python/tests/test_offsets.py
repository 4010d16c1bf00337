"""Where the first query stands among the keys: decoding steps."""

import numpy as np
import pytest

import attnlab
from attnlab.single import record
from formula import weights_of

rng = np.random.default_rng(1)


@pytest.mark.parametrize("queries", [1, 3])
@pytest.mark.parametrize("window", [0, 4])
def test_a_decoding_step(queries, window):
    q, k = rng.normal(size=(1, 1, queries, 4)), rng.normal(size=(1, 1, 10, 4))
    with pytest.warns(UserWarning, match=r"the last query stands at the last key \(query_offset="):
        one = record(q, k, causal=True, window=window).passes[0]
    reads = weights_of(one)[0, 0] > 0
    for row in range(queries):
        last = 10 - queries + row
        assert np.flatnonzero(reads[row]).tolist() == list(range(max(0, last + 1 - (window or 10)), last + 1))


@pytest.mark.parametrize("offset, reads", [(0, [0]), (3, [0, 1, 2, 3]), (9, list(range(10)))])
def test_an_offset_is_taken(offset, reads, recwarn):
    one = record(rng.normal(size=(1, 1, 1, 4)), rng.normal(size=(1, 1, 10, 4)), causal=True, offset=offset).passes[0]
    assert np.flatnonzero(weights_of(one)[0, 0, 0]).tolist() == reads and not len(recwarn)


def test_equal_lengths_and_more_queries(recwarn):
    q = rng.normal(size=(1, 1, 5, 4))
    assert record(q, q, causal=True).passes[0].offset == 0 and not len(recwarn)
    with pytest.warns(UserWarning, match="the first query stands at the first key"):
        assert record(q, q[:, :, :3], causal=True).passes[0].offset == 0


@pytest.mark.parametrize("options, words", [(dict(offset=1), "goes with causal"), (dict(offset="a", causal=True), "is 'a'"),
                                            (dict(offset=True, causal=True), "is True")])
def test_refused(options, words):
    with pytest.raises(attnlab.AttnLabError, match=words):
        record(rng.normal(size=(1, 1, 2, 4)), rng.normal(size=(1, 1, 2, 4)), **options)


def reads(queries, keys, left, right, offsets):
    """(B,L,S), by the definition: p - left <= j <= p + right, negative is unlimited."""
    p, j = np.asarray(offsets)[:, None, None] + np.arange(queries)[:, None], np.arange(keys)
    return (j >= p - left if left >= 0 else np.True_) & (j <= p + right if right >= 0 else np.True_)


REACHES = [(0, 0), (2, 0), (-1, 0), (2, 2), (3, 1), (1, 3), (-1, 2), (2, -1), (0, -1)]


@pytest.mark.parametrize("queries, keys", [(3, 7), (5, 5), (6, 4)])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("offset", [0, -1, 2, "bottom_right", [2, -2], np.array([4, 1], "i4"), np.array([3, 3])])
@pytest.mark.parametrize("left, right", REACHES)
def test_reaches_and_offsets(queries, keys, left, right, offset, causal, recwarn):
    q, k = rng.normal(size=(2, 1, queries, 4)), rng.normal(size=(2, 1, keys, 4))
    one = record(q, k, window=(left, right), causal=causal, query_offset=offset).passes[0]
    at = np.broadcast_to(keys - queries if isinstance(offset, str) else offset, 2)
    assert np.array_equal(weights_of(one)[:, 0] > 0, reads(queries, keys, left, 0 if causal else right, at))
    assert not len(recwarn)


@pytest.mark.parametrize("queries, keys", [(1, 7), (3, 7), (5, 5), (6, 4)])
@pytest.mark.parametrize("left, right", REACHES)
def test_window_size_lines_up_the_last_ones(queries, keys, left, right, recwarn):
    q, k = rng.normal(size=(1, 1, queries, 4)), rng.normal(size=(1, 1, keys, 4))
    one = record(q, k, window_size=(left, right)).passes[0]
    assert np.array_equal(weights_of(one)[:, 0] > 0, reads(queries, keys, left, right, [keys - queries]))
    assert not len(recwarn)


def test_a_window_goes_with_a_mask():
    q, k = rng.normal(size=(2, 1, 3, 4)), rng.normal(size=(2, 1, 6, 4))
    mask = rng.random((2, 1, 3, 6)) < 0.6
    one = record(q, k, mask=mask, window=(2, 1), query_offset=[0, 3]).passes[0]
    assert np.array_equal(weights_of(one)[:, 0] > 0, mask[:, 0] & reads(3, 6, 2, 1, [0, 3]))


@pytest.mark.parametrize("options, words", [
    (dict(window=(1, 2, 3)), r"window: is \(1, 2, 3\), expected two integers"), (dict(window=-1), "window: is -1"),
    (dict(window="ab"), "window: is 'ab'"), (dict(window=(1, 0.5)), "window: is"), (dict(window=True), "window: is True"),
    (dict(window=2, window_size=(1, 1)), "window: is 2, and window_size"), (dict(window_size=3), "window_size: is 3"),
    (dict(causal=True, query_offset=[1, 2, 3]), r"query_offset: has the shape \(3,\), expected .* of the 2 sequences"),
    (dict(causal=True, query_offset=[0.5, 1]), "query_offset: has the type F64"),
    (dict(causal=True, query_offset=np.nan), "query_offset: has the type F64"),
    (dict(causal=True, query_offset="left"), "query_offset: is 'left'"),
    (dict(causal=True, query_offset=2 ** 41), "query_offset: has 2199023255552"),
    (dict(causal=True, query_offset=1, offset=2), "offset: is 2, and query_offset is 1"),
    (dict(query_offset=1), "query_offset: goes with causal")])
def test_what_is_refused(options, words):
    with pytest.raises(attnlab.AttnLabError, match=words):
        record(rng.normal(size=(2, 1, 3, 4)), rng.normal(size=(2, 1, 3, 4)), **options)


@pytest.mark.usefixtures("attnlab_program")
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("offset", [None, 0, -1, 3, "bottom_right", [2, -2]])
@pytest.mark.parametrize("window", [0, 2, (3, 1), (-1, 2), (2, -1)])
def test_the_program_computes_the_same(offset, window, causal):
    q, k, v = (rng.normal(size=(2, 1, size, 4)) for size in (3, 7, 7))
    if offset is not None and window == 0 and not causal:
        return
    stages = attnlab.compute(q, k, v, causal=causal, window=window, query_offset=offset)
    left, right = (window - 1, window - 1) if isinstance(window, int) else window
    at = np.broadcast_to(4 if isinstance(offset, str) else offset or 0, 2)
    expected = reads(3, 7, left, 0 if causal else right, at)
    assert np.array_equal(stages.weights[:, 0] > 0, np.broadcast_to(expected, (2, 3, 7)))


@pytest.mark.usefixtures("attnlab_program")
@pytest.mark.filterwarnings("ignore:there are")
@pytest.mark.parametrize("window", [0, 4])
def test_a_right_decoding_kernel_is_right(window):
    q, k, v = rng.normal(size=(1, 1, 1, 4)), rng.normal(size=(1, 1, 10, 4)), rng.normal(size=(1, 1, 10, 4))
    mine = weights_of(record(q, k, causal=True, window=window, offset=9).passes[0]) @ v
    assert attnlab.compare(mine=mine, q=q, k=k, v=v, causal=True, window=window)
    assert not attnlab.compare(mine=mine, q=q, k=k, v=v, causal=True, window=window, offset=0)


@pytest.mark.usefixtures("attnlab_program")
def test_a_kernel_with_reaches_and_caches_of_different_lengths_is_right():
    q, k, v = (rng.normal(size=(2, 1, size, 4)) for size in (2, 9, 9))
    given = dict(q=q, k=k, v=v, window=(3, 0), query_offset=[5, 2])
    mine = weights_of(record(q, k, window=(3, 0), query_offset=[5, 2]).passes[0]) @ v
    assert attnlab.compare(mine=mine, **given)
    assert not attnlab.compare(mine=mine, **{**given, "query_offset": [2, 5]})
