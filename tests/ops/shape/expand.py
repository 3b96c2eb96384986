import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    for shape, size in (
        ((2, 1), (2, 3)),
        ((2, 1), (-1, 4)),
        ((3,), (2, 3)),
        ((), (2, 2)),
        ((1, 3), (0, 3)),
        ((2, 3), (2, -1)),
    ):
        yield (numbers(rng, dtype, *shape), size), {}


def reference(x, size):
    missing = len(size) - x.ndim
    kept = [x.shape[i - missing] if n == -1 else n for i, n in enumerate(size)]
    return np.broadcast_to(x, kept)


EXPAND = OpTest(
    name="expand",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros((2, 3)), (2, 4)), exception="ShapeMismatch"),
        ErrorInput((np.zeros((2, 3)), (3,)), exception="ShapeMismatch"),
        ErrorInput((np.zeros(3), (-1, 3)), exception="ShapeMismatch"),
    ),
)
