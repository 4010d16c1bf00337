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
    with pytest.warns(UserWarning, match=r"the last query stands at the last key \(offset="):
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


@pytest.mark.usefixtures("attnlab_program")
@pytest.mark.filterwarnings("ignore:there are")
@pytest.mark.parametrize("window", [0, 4])
def test_a_right_decoding_kernel_is_right(window):
    q, k, v = rng.normal(size=(1, 1, 1, 4)), rng.normal(size=(1, 1, 10, 4)), rng.normal(size=(1, 1, 10, 4))
    mine = weights_of(record(q, k, causal=True, window=window, offset=9).passes[0]) @ v
    assert attnlab.compare(mine=mine, q=q, k=k, v=v, causal=True, window=window)
    assert not attnlab.compare(mine=mine, q=q, k=k, v=v, causal=True, window=window, offset=0)
