import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    yield (numbers(rng, dtype, 2, 3),), {}
    yield (numbers(rng, dtype, 4),), {}
    yield (numbers(rng, dtype),), {}
    x = numbers(rng, dtype, 2, 3, 4)
    for dims in ((0, 1), (0, -1), (1, 1), (-1, -3)):
        yield (x, *dims), {}
    yield (numbers(rng, dtype, 0, 3), 0, 1), {}


def reference(x, dim0=-2, dim1=-1):
    return x if x.ndim < 2 else np.swapaxes(x, dim0, dim1)


TRANSPOSE = OpTest(
    name="transpose",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros((2, 3)), 0, 2), exception="IndexOutOfRange"),
        ErrorInput((np.zeros((2, 3)), -3, 0), exception="IndexOutOfRange"),
    ),
)
