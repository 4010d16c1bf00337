import numpy as np
import pytest

from attnlab.arrays import Array
from attnlab.masks import compact, split
from attnlab.single import cells_kept


def band(rows, keys, causal, offset, window):
    at, j = np.arange(rows)[:, None] + offset, np.arange(keys)
    kept = (j <= at) if causal else np.ones((rows, keys), bool)
    return kept & (np.abs(at - j) < window) if window else kept


@pytest.mark.parametrize("rows, keys", [(6, 6), (3, 7), (1500, 1500), (1, 5)])
@pytest.mark.parametrize("causal, window", [(True, 0), (True, 3), (False, 3), (False, 0)])
@pytest.mark.parametrize("padding", [0, 2])
def test_bands(rows, keys, causal, window, padding):
    for offset in {0, keys - rows, min(2, keys - rows)}:
        kept = np.broadcast_to(band(rows, keys, causal, offset, window), (2, 1, rows, keys)).copy()
        kept[1, :, :, keys - padding:] = False
        mask = compact(kept)
        assert np.array_equal(np.broadcast_to(cells_kept(mask, kept.shape), kept.shape), kept)
        if rows > 1:
            assert mask.kept is None or mask.kept.shape[2] == 1  # never L x S


@pytest.mark.parametrize("window", [0, 3])
def test_free_places_of_a_cache(window):
    """Tokens 5 to 8 of a cache with room for 16."""
    kept = band(4, 16, True, 5, window)[None, None]
    mask = compact(kept)
    assert (mask.causal, mask.offset, mask.kept) == (True, 5, None) and (mask.window == window or not window)
    assert np.array_equal(cells_kept(mask, kept.shape), kept)
    padded = np.broadcast_to(kept, (2, 1, 4, 16)).copy()
    padded[1, :, :, :4] = False
    mask = compact(padded)
    assert (mask.causal, mask.offset) == (True, 5) and mask.kept.shape == (2, 1, 1, 16)
    assert np.array_equal(np.broadcast_to(cells_kept(mask, padded.shape), padded.shape), padded)


def test_left_padding():
    kept = np.broadcast_to(band(6, 6, True, 0, 0), (2, 1, 6, 6)).copy()
    kept[0, :, :, :2] = False
    mask = compact(kept)
    assert mask.causal and mask.kept.shape == (2, 1, 1, 6)
    assert np.array_equal(cells_kept(mask, kept.shape), kept)


def test_anything_else_is_kept_whole():
    kept = np.random.default_rng(1).random((1, 2, 5, 7)) < 0.5
    assert np.array_equal(compact(kept).kept.bits, kept)


def test_floats():
    kept = band(4, 4, True, 0, 0)[None, None]
    for floor in (-np.inf, np.finfo("f4").min):
        mask = split(Array("F32", np.where(kept, 0, floor).astype("f4")))
        assert mask.causal and mask.kept is None and mask.bias is None
    added = Array("F32", np.where(kept, 0.5, -np.inf).astype("f4"))
    assert split(added).bias is added
    blocked_row = np.where(kept, 0, np.finfo("f4").min).astype("f4")
    blocked_row[..., 0, :] = np.finfo("f4").min  # its weights are uniform, which no mask says
    assert split(Array("F32", blocked_row)).bias is not None


def test_bfloat16():
    lowest = np.array([0, 0xFF7F], np.uint16)  # 0 and the lowest finite number
    mask = split(Array("BF16", lowest[None, None, None].repeat(2, axis=2)))
    assert mask.bias is None and mask.kept.bits[0, 0, 0].tolist() == [True, False]
