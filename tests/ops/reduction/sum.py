import numpy as np

from tests.ops._numbers import numbers
from tests.ops._samples import axis_of, reduced, values
from tests.ops._spec import ErrorInput, OpTest
from tests.support import COMPLEX, FLOATING, dtype_of, np_dtype

AXIS = ErrorInput((np.zeros((2, 3)), 2), exception="IndexOutOfRange")
TWICE = ErrorInput((np.zeros((2, 3)), (0, -2)), exception="ShapeMismatch", match="twice")


def long(rng, dtype):
    """Values of one sign: no cancellation, which would leave no relative accuracy."""
    for shape, dim in (((5000,), 0), ((9, 600), 0), ((600, 9), 0), ((3, 5000), (0, 1))):
        yield (values(rng, dtype, *shape, low=0.5, high=1.5), dim), {}


def sum_samples(rng, dtype):
    yield from reduced(numbers)(rng, dtype)
    if dtype != "float16":  # those overflow
        yield from long(rng, dtype)
    if dtype not in COMPLEX:
        yield (numbers(rng, dtype, 3, 4), 0), {"dtype": dtype_of("float64")}
        yield (numbers(rng, dtype, 3, 4),), {"dtype": dtype_of("int64")}


def sum_reference(x, dim=None, keepdim=False, dtype=None):
    if dtype is not None:
        x = x.astype(np_dtype(str(dtype)))
    elif x.dtype.kind in "biu":
        x = x.astype(np.int64)
    total = x.astype({"f": np.longdouble, "c": np.clongdouble}.get(x.dtype.kind, x.dtype))
    return total.sum(axis=axis_of(x, dim), keepdims=keepdim).astype(x.dtype)


def mean_samples(rng, dtype):
    yield from reduced(numbers)(rng, dtype)
    yield from long(rng, dtype)
    if dtype not in COMPLEX:
        yield (rng.integers(0, 200, (5, 3)).astype(np.uint8), 0), {"dtype": dtype_of(dtype)}


def mean_reference(x, dim=None, keepdim=False, dtype=None):
    x = x if dtype is None else x.astype(np.float64)
    total = sum_reference(x, dim, keepdim)
    with np.errstate(all="ignore"):
        return np.asarray(total / np.asarray(x.size / max(np.size(total), 1)))


LONG_SUMS = {"float32": 8, "float64": 8, "complex64": 8, "complex128": 8}
SUM = OpTest(
    name="sum", samples=sum_samples, reference=sum_reference, errors=(AXIS, TWICE), ulp=LONG_SUMS
)
MEAN = OpTest(
    name="mean",
    samples=mean_samples,
    reference=mean_reference,
    errors=(
        AXIS,
        TWICE,
        ErrorInput((np.array([1, 2]),), exception=TypeError, match="dtype=lucid.float32"),
        ErrorInput((np.ones(2), 0), {"dtype": dtype_of("int64")}, TypeError),
    ),
    dtypes=(*FLOATING, *COMPLEX),
    ulp=LONG_SUMS,
)
