import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    # As in as_strided.py: equal elements, whatever the layout.
    ones = numbers(rng, dtype, 6) * 0 + 1 if dtype != "bool" else np.ones(6, bool)
    ones = ones.astype(numbers(rng, dtype).dtype)
    yield (ones, ones[:2], (2,), (2,), 1), {}
    yield (ones, ones[:4].reshape(2, 2), (2, 2), (3, 1)), {}
    yield (ones, ones[:0], (0,), (1,)), {}


def reference(x, source, size, stride, storage_offset=0):
    return x


AS_STRIDED_SCATTER = OpTest(
    name="as_strided_scatter",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros(4), np.zeros(5), (5,), (1,)), exception="ShapeMismatch"),
        ErrorInput((np.zeros(4), np.zeros(2), (2,), (0,)), exception=ValueError, match="overlap"),
        ErrorInput((np.zeros(4), np.zeros(2, np.float32), (2,), (1,)), exception="DtypeMismatch"),
        ErrorInput((np.zeros(4), np.zeros(3), (2,), (1,)), exception="ShapeMismatch"),
    ),
)
