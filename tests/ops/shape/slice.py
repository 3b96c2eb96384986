import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 5, 4)
    yield (x,), {}
    for args in (
        (0, 1),
        (0, 1, 3),
        (0, None, None, 2),
        (0, 1, None, 2),
        (0, None, None, -1),
        (0, 4, 0, -2),
        (1, -1, None, -3),
        (-1, -100, 100),
        (0, 3, 1),
        (0, 2, 3, 7),
        (1, 0, 1, -1),
    ):
        yield (x, *args), {}
    yield (numbers(rng, dtype, 0, 2), 0, 1, 2), {}


def reference(x, dim=0, start=None, end=None, step=1):
    index = [slice(None)] * x.ndim
    index[dim] = slice(start, end, step)
    return x[tuple(index)]


SLICE = OpTest(
    name="slice",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros(3), 0, None, None, 0), exception=ValueError, match="zero"),
        ErrorInput((np.zeros(3), 1), exception="IndexOutOfRange"),
        ErrorInput((np.zeros(()),), exception="IndexOutOfRange", match="0-d"),
    ),
)
