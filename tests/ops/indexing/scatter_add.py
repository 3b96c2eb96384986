import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 3, 4, 2)
    for dim, shape in ((0, (5, 4, 2)), (1, (2, 6, 1)), (-1, (3, 4, 3)), (1, (3, 0, 2))):
        index = rng.integers(0, x.shape[dim], shape)
        yield (x, dim, index, numbers(rng, dtype, *shape)), {}
    # source may be larger than index; the rest of it does not count.
    yield (x, 0, rng.integers(0, 3, (2, 1, 2)), numbers(rng, dtype, 3, 2, 2)), {}
    yield (numbers(rng, dtype, 2), 0, np.array([1, 1, 1]), numbers(rng, dtype, 3)), {}
    yield (numbers(rng, dtype), 0, np.array(0), numbers(rng, dtype)), {}


def reference(x, dim, index, source):
    out = np.array(x)
    if x.ndim == 0:
        return out + source if x.dtype != bool else out | source
    for at in np.ndindex(index.shape):
        to = list(at)
        to[dim] = index[at]
        with np.errstate(over="ignore"):
            out[tuple(to)] += source[at]
    return out


SCATTER_ADD = OpTest(
    name="scatter_add",
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
        ErrorInput((np.zeros((2, 2)), 0, np.array([0]), np.zeros(1)), exception="ShapeMismatch"),
    ),
)
