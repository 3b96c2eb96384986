import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    def piece(*shape):
        return numbers(rng, dtype, *shape)

    yield ([piece(2, 3), piece(1, 3)],), {}
    yield ([piece(2, 3), piece(2, 0), piece(2, 2)], 1), {}
    yield ([piece(2, 3), piece(2, 3)], -1), {}
    yield ([piece(3)],), {}
    yield ([piece(0), piece(2, 2)],), {}  # a 1-d tensor without elements is skipped
    yield ([piece(0), piece(0)],), {}
    yield ([piece(2, 1, 2), piece(2, 2, 2), piece(2, 1, 2)], -2), {}


def reference(tensors, dim=0):
    return np.concatenate([t for t in tensors if t.shape != (0,)] or tensors, axis=dim)


CAT = OpTest(
    name="cat",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput(([],), exception=ValueError, match="empty"),
        ErrorInput(
            ([np.zeros((2, 3)), np.zeros((2, 2))],), exception="ShapeMismatch", match="dim 0"
        ),
        ErrorInput(([np.zeros((2, 3)), np.zeros(3)],), exception="ShapeMismatch"),
        ErrorInput(([np.zeros(()), np.zeros(())],), exception="ShapeMismatch", match="stack"),
        ErrorInput(([np.zeros(3)], 1), exception="IndexOutOfRange"),
    ),
)
