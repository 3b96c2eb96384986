import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    x = numbers(rng, dtype, 2, 3, 4)
    for dims in ((0, 1, 2), (2, 0, 1), (-1, 0, -2)):
        yield (x, dims), {}
    yield (numbers(rng, dtype), ()), {}
    yield (numbers(rng, dtype, 3, 0), (1, 0)), {}


PERMUTE = OpTest(
    name="permute",
    samples=samples,
    reference=lambda x, dims: x.transpose(dims),
    errors=(
        ErrorInput((np.zeros((2, 3)), (0, 0)), exception="ShapeMismatch", match="exactly once"),
        ErrorInput((np.zeros((2, 3)), (0,)), exception="ShapeMismatch", match="exactly once"),
        ErrorInput((np.zeros((2, 3)), (0, 2)), exception="IndexOutOfRange"),
    ),
)
