import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 2, 3, 4)
    for dim, index in ((0, 1), (1, -3), (-1, 3), (2, -1)):
        yield (x, dim, index), {}
    yield (numbers(rng, dtype, 3), 0, 2), {}
    yield (numbers(rng, dtype, 0, 3), 1, 0), {}


SELECT = OpTest(
    name="select",
    samples=samples,
    reference=lambda x, dim, index: np.take(x, index, axis=dim),
    errors=(
        ErrorInput((np.zeros((2, 3)), 1, 3), exception=IndexError, match="range"),
        ErrorInput((np.zeros((2, 3)), 0, -3), exception=IndexError),
        ErrorInput((np.zeros(()), 0, 0), exception=IndexError, match="0-d"),
    ),
)
