import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 3, 4, 2)
    for dim in (0, 1, -1):
        yield (x, dim, rng.integers(0, x.shape[dim], 5)), {}
    yield (x, 1, np.array([2, 0], np.int32)), {}
    yield (x, 1, np.array(3)), {}
    yield (x, 0, np.zeros(0, np.int64)), {}
    yield (numbers(rng, dtype), 0, np.array([0])), {}


def reference(x, dim, index):
    return x if x.ndim == 0 else np.take(x, index.reshape(-1), axis=dim)


INDEX_SELECT = OpTest(
    name="index_select",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros((2, 3)), 0, np.array([0, 2])), exception=IndexError),
        ErrorInput((np.zeros((2, 3)), 1, np.array([-1])), exception=IndexError),
        ErrorInput((np.zeros((2, 3)), 0, np.array([0.0])), exception=TypeError, match="int64"),
        ErrorInput((np.zeros((2, 3)), 0, np.array([[0]])), exception="ShapeMismatch", match="1-d"),
        ErrorInput((np.zeros((2, 3)), 2, np.array([0])), exception="IndexOutOfRange"),
    ),
)
