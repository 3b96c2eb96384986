import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 1, 3, 1, 2)
    yield (x,), {}
    for dim in ((0,), (2,), (0, 2), (-2,), (1,), ()):
        yield (x, dim), {}
    yield (numbers(rng, dtype),), {}
    yield (numbers(rng, dtype, 1, 0),), {}


def reference(x, dim=None):
    dims = range(x.ndim) if dim is None else [d % x.ndim for d in dim]
    return np.squeeze(x, tuple(d for d in dims if x.shape[d] == 1))


SQUEEZE = OpTest(
    name="squeeze",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros((1, 3)), (2,)), exception="IndexOutOfRange"),
        ErrorInput((np.zeros((1, 3)), (0, -2)), exception="ShapeMismatch"),
    ),
)
