import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 2, 3)
    for dim in (0, 1, 2, -1, -3):
        yield (x, dim), {}
    yield (numbers(rng, dtype), 0), {}
    yield (numbers(rng, dtype, 0), -1), {}


UNSQUEEZE = OpTest(
    name="unsqueeze",
    samples=samples,
    reference=np.expand_dims,
    errors=(
        ErrorInput((np.zeros((2, 3)), 3), exception="IndexOutOfRange"),
        ErrorInput((np.zeros(3), -100), exception="IndexOutOfRange"),
        ErrorInput((np.zeros(()), -3), exception="IndexOutOfRange"),
    ),
)
