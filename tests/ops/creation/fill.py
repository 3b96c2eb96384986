import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest
from tests.support import COMPLEX, FLOATING, dtype_of, np_dtype

SIZES = ((2, 3), (), (0, 3), (4,))
NEGATIVE = ErrorInput(((2, -1),), exception="ShapeMismatch", match="negative")
HUGE = ErrorInput(((2**62, 2),), exception="ShapeMismatch", match="too many")
NO_GRAD = ErrorInput(
    ((2,),),
    {"dtype": dtype_of("int64"), "requires_grad": True},
    exception="DtypeMismatch",
    match="grad",
)


def fill_value(dtype):
    return {"bool": True, **dict.fromkeys(COMPLEX, 1 - 2j), **dict.fromkeys(FLOATING, 2.5)}.get(
        dtype, 7
    )


def sized(rng, dtype):
    for size in SIZES:
        yield (size,), {"dtype": dtype_of(dtype)}
    yield ((2, 3),), {}


def sized_full(rng, dtype):
    for size in SIZES:
        yield (size, fill_value(dtype)), {"dtype": dtype_of(dtype)}
    for value in (True, 3, 2.5, 2j):  # the dtype follows from the value
        yield ((2, 2), value), {}


def like(rng, dtype):
    for size in SIZES:
        yield (numbers(rng, dtype, *size),), {}
    yield (numbers(rng, dtype, 2, 3),), {"dtype": dtype_of("int16")}


def like_full(rng, dtype):
    for args, kwargs in like(rng, dtype):
        yield (*args, 7 if kwargs else fill_value(dtype)), kwargs


def name_of(dtype):
    return np.float64 if str(dtype) in FLOATING else np_dtype(str(dtype))


def filled(value):
    return lambda size, dtype="float32": np.full(size, value, name_of(dtype))


def filled_like(value):
    def reference(x, dtype=None):
        return np.full(x.shape, value, x.dtype if dtype is None else name_of(dtype))

    return reference


def full(size, value, dtype=None):
    return np.full(size, value, None if dtype is None else name_of(dtype))


def full_like(x, value, dtype=None):
    return filled_like(value)(x, dtype)


ZEROS = OpTest("zeros", sized, filled(0), errors=(NEGATIVE, HUGE, NO_GRAD), grad=False)
ONES = OpTest("ones", sized, filled(1), errors=(NEGATIVE, HUGE, NO_GRAD), grad=False)
FULL = OpTest(
    "full",
    sized_full,
    full,
    errors=(
        ErrorInput(((2, -1), 0), exception="ShapeMismatch", match="negative"),
        ErrorInput(((2,), 256), {"dtype": dtype_of("uint8")}, OverflowError, "256"),
        ErrorInput(((2,), 1j), {"dtype": dtype_of("float32")}, "DtypeMismatch"),
    ),
    grad=False,
)
ZEROS_LIKE = OpTest("zeros_like", like, filled_like(0), grad=False)
ONES_LIKE = OpTest("ones_like", like, filled_like(1), grad=False)
FULL_LIKE = OpTest(
    "full_like",
    like_full,
    full_like,
    errors=(ErrorInput((np.zeros(2, np.int8), 128), exception=OverflowError, match="128"),),
    grad=False,
)
