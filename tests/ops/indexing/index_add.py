import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 3, 4, 2)
    for dim in (0, 1, -1):
        shape = list(x.shape)
        shape[dim] = 5
        yield (x, dim, rng.integers(0, x.shape[dim], 5), numbers(rng, dtype, *shape)), {}
    yield (x, 1, np.array([2, 2], np.int32), numbers(rng, dtype, 3, 2, 2)), {}
    yield (x, 1, np.zeros(0, np.int64), numbers(rng, dtype, 3, 0, 2)), {}
    yield (numbers(rng, dtype), 0, np.array([0]), numbers(rng, dtype)), {}


def reference(x, dim, index, source):
    if x.ndim == 0:
        return x + source if x.dtype != bool else x | source
    out = np.array(x)
    with np.errstate(over="ignore"):
        np.add.at(np.moveaxis(out, dim, 0), index.reshape(-1), np.moveaxis(source, dim, 0))
    return out


INDEX_ADD = OpTest(
    name="index_add",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros(2), 0, np.array([2]), np.zeros(1)), exception=IndexError),
        ErrorInput(
            (np.zeros(2), 0, np.array([0.0]), np.zeros(1)), exception=TypeError, match="int64"
        ),
        ErrorInput(
            (np.zeros(2), 0, np.array([0]), np.zeros(1, np.float32)),
            exception="DtypeMismatch",
            match="source",
        ),
        ErrorInput((np.zeros(2), 0, np.array([0, 1]), np.zeros(1)), exception="ShapeMismatch"),
        ErrorInput(
            (np.zeros((2, 2)), 0, np.array([[0]]), np.zeros((1, 2))), exception="ShapeMismatch"
        ),
    ),
)
