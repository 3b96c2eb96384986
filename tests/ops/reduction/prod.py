import numpy as np

from tests.ops._samples import axis_of, reduced, values
from tests.ops._spec import ErrorInput, OpTest
from tests.support import COMPLEX, dtype_of, np_dtype


def near_one(rng, dtype, *shape):
    return values(rng, dtype, *shape, low=0.5, high=1.5)


def samples(rng, dtype):
    yield from reduced(near_one)(rng, dtype)
    if dtype not in COMPLEX:
        yield (near_one(rng, dtype, 3, 4), 0), {"dtype": dtype_of("float64")}


def grad_samples(rng, dtype):
    for shape, dim, keepdim in (((5,), None, False), ((2, 3), 0, True), ((2, 3, 2), (0, 2), False)):
        x = near_one(rng, dtype, *shape)
        yield (x, dim, keepdim), {}
        for zeros in (1, 2):  # the others' product is 0 for all but one, for all
            x = x.copy()
            x.reshape(-1)[-zeros:] = 0
            yield (x, dim, keepdim), {}
    yield (near_one(rng, dtype),), {}
    yield (near_one(rng, dtype, 0, 3), 0), {}


def reference(x, dim=None, keepdim=False, dtype=None):
    if dtype is not None:
        x = x.astype(np_dtype(str(dtype)))
    elif x.dtype.kind in "biu":
        x = x.astype(np.int64)
    with np.errstate(all="ignore"):
        return np.asarray(np.prod(x, axis=axis_of(x, dim), keepdims=keepdim))


PROD = OpTest(
    name="prod",
    samples=samples,
    reference=reference,
    errors=(ErrorInput((np.zeros((2, 3)), 2), exception="IndexOutOfRange"),),
    ulp={"float32": 32, "float64": 32, "complex64": 64, "complex128": 64},
    grad_samples=grad_samples,
)
