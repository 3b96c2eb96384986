import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 3, 4, 2)
    for dim, shape in (
        (0, (5, 4, 2)),
        (1, (2, 6, 1)),
        (-1, (3, 4, 3)),
        (0, (1, 1, 1)),
        (1, (3, 0, 2)),
    ):
        yield (x, dim, rng.integers(0, x.shape[dim], shape)), {}
    yield (numbers(rng, dtype, 4), 0, np.array([3, 3, 0])), {}
    yield (numbers(rng, dtype), 0, np.array(0)), {}
    yield (numbers(rng, dtype, 0), 0, np.zeros(0, np.int64)), {}


def reference(x, dim, index):
    if x.ndim == 0:
        return x
    part = [slice(0, n) for n in index.shape]
    part[dim] = slice(None)
    return np.take_along_axis(x[tuple(part)], index, axis=dim)


GATHER = OpTest(
    name="gather",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros((2, 3)), 0, np.array([[0, 2, 0]])), exception=IndexError),
        ErrorInput((np.zeros((2, 3)), 0, np.array([[0, -1, 0]])), exception=IndexError),
        ErrorInput((np.zeros(3), 0, np.array([0.0])), exception=TypeError, match="int64"),
        ErrorInput((np.zeros((2, 3)), 0, np.array([0])), exception="ShapeMismatch", match="ranks"),
        ErrorInput((np.zeros((2, 3)), 0, np.zeros((2, 4), int)), exception="ShapeMismatch"),
        ErrorInput((np.zeros((2, 3)), 2, np.zeros((2, 3), int)), exception="IndexOutOfRange"),
    ),
)
