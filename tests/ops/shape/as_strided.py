import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    # The memory depends on the layout, so every element is the same here; tests/test_as_strided.py
    # has the values.
    ones = numbers(rng, dtype, 6) * 0 + 1 if dtype != "bool" else np.ones(6, bool)
    ones = ones.astype(numbers(rng, dtype).dtype)
    for size, stride, offset in (
        ((2, 3), (3, 1), 0),
        ((3, 3), (1, 1), 1),
        ((), (), 5),
        ((0,), (1,), 0),
    ):
        yield (ones, size, stride, offset), {}


AS_STRIDED = OpTest(
    name="as_strided",
    samples=samples,
    reference=lambda x, size, stride, storage_offset=0: np.ones(size, x.dtype),
    errors=(
        ErrorInput(
            (np.zeros(4), (5,), (1,)), exception="ShapeMismatch", match="outside the memory"
        ),
        ErrorInput((np.zeros(4), (2,), (1,), -1), exception="ShapeMismatch"),
        ErrorInput((np.zeros(4), (2,), (1, 1)), exception="ShapeMismatch", match="lengths"),
        ErrorInput((np.zeros(4), (-1,), (1,)), exception="ShapeMismatch", match="negative"),
    ),
)
