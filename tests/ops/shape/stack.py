import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    for dim in (0, 1, 2, -1, -3):
        yield ([numbers(rng, dtype, 2, 3) for _ in range(3)], dim), {}
    yield ([numbers(rng, dtype), numbers(rng, dtype)],), {}
    yield ([numbers(rng, dtype, 0), numbers(rng, dtype, 0)],), {}


STACK = OpTest(
    name="stack",
    samples=samples,
    reference=lambda tensors, dim=0: np.stack(tensors, axis=dim),
    errors=(
        ErrorInput(([],), exception=ValueError, match="empty"),
        ErrorInput(([np.zeros(2), np.zeros(3)],), exception="ShapeMismatch", match="equal shapes"),
        ErrorInput(([np.zeros(2)], 2), exception="IndexOutOfRange"),
    ),
)
