import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    for shape, size in (((2, 1), (2, 3)), ((3,), (2, 3)), ((), (2, 2)), ((1, 3), (0, 3))):
        yield (numbers(rng, dtype, *shape), size), {}


BROADCAST_TO = OpTest(
    name="broadcast_to",
    samples=samples,
    reference=np.broadcast_to,
    errors=(
        ErrorInput((np.zeros((2, 3)), (2, 4)), exception="ShapeMismatch"),
        ErrorInput((np.zeros((2, 3)), (2, -1)), exception="ShapeMismatch"),
    ),
)
