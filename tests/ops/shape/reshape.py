import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    for shape, size in (
        ((2, 3), (3, 2)),
        ((2, 3), (-1,)),
        ((4, 3, 2), (2, -1, 3)),
        ((0, 3), (3, 0)),
        ((), (1, 1)),
        ((1,), ()),
        ((2, 1, 3), (1, 2, 3, 1)),
    ):
        yield (numbers(rng, dtype, *shape), size), {}


RESHAPE = OpTest(
    name="reshape",
    samples=samples,
    reference=lambda x, size: x.reshape(size),
    errors=(
        ErrorInput((np.zeros((2, 3)), (4, 2)), exception="ShapeMismatch", match="elements"),
        ErrorInput((np.zeros((2, 3)), (-1, -1)), exception="ShapeMismatch", match="-1"),
        ErrorInput((np.zeros((2, 3)), (4, -1)), exception="ShapeMismatch"),
        ErrorInput((np.zeros((0, 3)), (0, -1)), exception="ShapeMismatch", match="ambiguous"),
        ErrorInput((np.zeros((2, 3)), (-2, 3)), exception="ShapeMismatch", match="negative"),
    ),
)
