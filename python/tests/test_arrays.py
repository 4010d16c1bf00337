import numpy as np
import pytest

from attnlab.arrays import as_array, cells_of, heads_of, labels_of
from attnlab.errors import AttnLabError


@pytest.mark.parametrize("dtype, name", [("?", "BOOL"), ("u1", "U8"), ("i8", "I64"), ("f2", "F16"), ("<f4", "F32"),
                                         (">f4", "F32"), ("f8", "F64")])
def test_types(dtype, name):
    array = as_array(np.array([[0, 1], [1, 0]], dtype))
    assert array.type == name
    assert array.bits.dtype.newbyteorder("=") == np.dtype(dtype).newbyteorder("=")
    assert array.numpy().tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("value", [np.array([1j]), np.array(["a"]), np.array([object()]), object()])
def test_types_that_are_refused(value):
    with pytest.raises(AttnLabError, match="mine: "):
        as_array(value, "mine")


def test_protocols():
    class Dense:
        def __array__(self, dtype=None, copy=None):
            return np.arange(3.0)

    class Lent:
        def __init__(self):
            self.held = np.arange(3.0)

        def __dlpack__(self, **options):
            return self.held.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.held.__dlpack_device__()

    for value in (Dense(), Lent(), [0.0, 1.0, 2.0]):
        assert as_array(value).numpy().tolist() == [0, 1, 2]


def test_arrays_of_another_device_or_that_are_gone():
    class Elsewhere:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("implicit conversion is not allowed")

        def __dlpack__(self, **options):
            raise BufferError("not on this device")

        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(AttnLabError, match="q: this Elsewhere cannot be read, expected an array in the memory"):
        as_array(Elsewhere(), "q")


def test_jax():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    numbers = jax.numpy.arange(6.0).reshape(2, 3) / 7
    for dtype, name in ((jax.numpy.float32, "F32"), (jax.numpy.bfloat16, "BF16"), (jax.numpy.float16, "F16")):
        given = numbers.astype(dtype)
        array = as_array(given)
        assert array.type == name and np.array_equal(array.numpy(), np.asarray(given.astype(jax.numpy.float32)))
    assert as_array(numbers.T).numpy().tolist() == np.asarray(numbers).T.tolist()
    held = jax.numpy.ones(3)
    held.delete()
    with pytest.raises(AttnLabError, match="held: this ArrayImpl cannot be read"):
        as_array(held, "held")


def test_strides_and_views():
    whole = np.arange(24.0).reshape(2, 3, 4)
    assert np.array_equal(as_array(whole[:, ::2].transpose(2, 0, 1)).bits, whole[:, ::2].transpose(2, 0, 1))
    assert as_array(np.float32(2)).shape == ()


@pytest.mark.parametrize("layout", ["BHLE", "BLHE", "HLE", "LHE", "LE"])
def test_layouts(layout):
    sizes = {"B": 2, "H": 3, "L": 4, "E": 5}
    given = np.random.default_rng(1).normal(size=[sizes[axis] for axis in layout])
    array = heads_of(given, layout, "q")
    assert array.shape == tuple(sizes[axis] if axis in layout else 1 for axis in "BHLE")
    picked = tuple(0 if axis not in layout else {"B": 1, "H": 2, "L": 3, "E": 4}[axis] for axis in "BHLE")
    assert array.bits[picked] == given[-1, -1, -1, -1] if given.ndim == 4 else given.reshape(-1)[-1]


@pytest.mark.parametrize("shape, layout, words", [
    ((2, 3, 4), "BHLE", r"q: has the shape \(2, 3, 4\), expected 4 axes \(B,H,L,E\); layout="),
    ((2, 3, 4, 5), "LE", "expected 2 axes"),
    ((2, 3), "EL", "layout: is 'EL', expected one of BHLE"),
])
def test_ranks_that_are_refused(shape, layout, words):
    with pytest.raises(AttnLabError, match=words):
        heads_of(np.zeros(shape), layout, "q")


def test_cells():
    sizes = (2, 3, 4, 5)
    for shape in [(4, 5), (3, 4, 5), (1, 1, 1, 5), (2, 1, 1, 5), (2, 3, 4, 5), (6, 4, 5)]:
        assert cells_of(np.zeros(shape), sizes, "mask").bits.ndim == 4
    for shape in [(5,), (5, 4), (2, 4, 5), (1, 1, 2, 3, 4)]:
        with pytest.raises(AttnLabError, match="mask: has the shape"):
            cells_of(np.zeros(shape), sizes, "mask")


def test_labels():
    assert labels_of(["a", b"b", 3], 3, "tokens") == [["a", "b", "3"]]
    assert labels_of([["a"], ["b"]], 1, "tokens") == [["a"], ["b"]]
    with pytest.raises(AttnLabError, match="tokens: has 1 labels, expected 2"):
        labels_of(["a"], 2, "tokens")
