import numpy as np

from tests.ops._spec import ErrorInput, OpTest
from tests.support import FLOATING, UNSIGNED, dtype_of, np_dtype


def samples(rng, dtype):
    given = {"dtype": dtype_of(dtype)}
    for args in ((5,), (0,), (1, 6), (1, 6, 2), (1, 7, 2), (3, 3), (100,)):
        yield args, given
    if dtype not in UNSIGNED:
        for args in ((5, 0, -1), (5, -2, -3), (-3, 3)):
            yield args, given
    if dtype in FLOATING:
        for args in ((0.0, 1.0, 0.25), (0.5, 3), (1.0, -1.0, -0.5)):
            yield args, given
    yield (4,), {}
    yield (4.0,), {}
    yield (1, 4, 0.5), {}
    yield (), {"end": 4}
    yield (2,), {"end": 5}


def reference(start=0, end=None, step=1, dtype=None):
    low, high = (0, start) if end is None else (start, end)
    x = np.arange(low, high, step)
    if dtype is None:
        return x
    return x.astype(np.float64 if str(dtype) in FLOATING else np_dtype(str(dtype)))


ARANGE = OpTest(
    name="arange",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((1, 5, 0), exception=ValueError, match="step"),
        ErrorInput((5, 1), exception=ValueError, match="step"),
        ErrorInput((1, 5, -1), exception=ValueError, match="step"),
        ErrorInput((float("nan"),), exception=ValueError, match="finite"),
        ErrorInput((float("inf"),), exception=ValueError, match="finite"),
        ErrorInput((300,), {"dtype": dtype_of("uint8")}, OverflowError, "299"),
        ErrorInput((), exception=ValueError, match="end"),
        ErrorInput((2**62,), exception="ShapeMismatch", match="too many"),
        ErrorInput((3j,), exception=TypeError, match="complex"),
        ErrorInput((3,), {"dtype": dtype_of("bool")}, TypeError, "bool"),
    ),
    grad=False,
)
