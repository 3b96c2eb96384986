import numpy as np

from tests.ops._samples import binary, narrow, specials, values, wide
from tests.ops._spec import ErrorInput, OpTest
from tests.support import COMPLEX


def samples(rng, dtype):
    if dtype.startswith(("int", "uint")):
        yield from binary(special=False)(rng, dtype)
        extremes = specials(dtype)
        yield (np.repeat(extremes, 4), np.tile(np.arange(4, dtype=dtype), len(extremes))), {}
        if dtype.startswith("int"):
            yield (np.array([2, -2, 3, 1, -1, -1, 0], dtype), np.full(7, -3, dtype)), {}
        return
    if dtype in COMPLEX:
        yield from grad_samples(rng, dtype)
        return
    # Of a negative base only whole powers are real.
    yield from binary(low=0.25)(rng, dtype)
    x = values(rng, dtype, 2, 5)
    for exponent in (2, 3, -1, 0, 0.5):
        yield (np.abs(x) if exponent == 0.5 else x, exponent), {}


def grad_samples(rng, dtype):
    for a, b in (((2, 3), (2, 3)), ((2, 3), (3,)), ((2,), ())):
        yield tuple(values(rng, dtype, *s, low=0.5, high=2) for s in (a, b)), {}
    for exponent in (2, 3, -1, 0):
        yield (values(rng, dtype, 2, 3, low=0.5, high=2), exponent), {}


def reference(a, b):
    if a.dtype.kind in "iu" and not isinstance(b, float):
        b = np.broadcast_to(np.asarray(b, a.dtype), np.broadcast_shapes(a.shape, np.shape(b)))
        with np.errstate(all="ignore"):
            power = np.power(a, np.maximum(b, 0).astype(a.dtype))
        if a.dtype.kind == "u":
            return power
        sign = np.where(b % 2 == 0, 1, a)
        return np.where(b >= 0, power, np.where(np.abs(a) == 1, sign, 0)).astype(a.dtype)
    return narrow(np.power(wide(a), wide(b)))


POW = OpTest(
    name="pow",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.ones((2, 3)), np.ones(2)), exception="ShapeMismatch", match="broadcast"),
        ErrorInput((np.array([2, 3]), -1), exception=ValueError, match="negative"),
        ErrorInput((np.ones(2, bool), np.ones(2, bool)), exception=TypeError, match="bool"),
    ),
    ulp={"float32": 2, "float64": 2, "complex64": 64, "complex128": 64},
    grad_samples=grad_samples,
)
