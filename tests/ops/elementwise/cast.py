import numpy as np

from tests.ops._numbers import numbers
from tests.ops._samples import values
from tests.ops._spec import OpTest
from tests.support import COMPLEX, DTYPES, FLOATING, UNSIGNED, dtype_of, np_dtype


def samples(rng, dtype):
    for target in DTYPES:
        x = numbers(rng, dtype, 4, 9)
        if target in UNSIGNED and dtype in (*FLOATING, *COMPLEX):
            x = np.abs(x).astype(x.dtype)  # a negative float has no unsigned value
        yield (x, dtype_of(target)), {}
    yield (numbers(rng, dtype), dtype_of("float64")), {}
    yield (numbers(rng, dtype, 0, 3), dtype_of("int64")), {}
    if dtype in FLOATING:
        special = np.array([np.nan, np.inf, -np.inf, -0.0, 60000, 1e-6]).astype(np_dtype(dtype))
        for target in ("bool", *FLOATING, *COMPLEX):
            yield (special, dtype_of(target)), {}


def grad_samples(rng, dtype):
    target = {"float64": "complex128", "complex128": "float64"}.get(dtype, "float32")
    for shape in ((2, 3), (), (0,)):
        yield (values(rng, dtype, *shape), dtype_of(target)), {}


def reference(x, dtype):
    name = str(dtype)
    if x.dtype.kind == "c" and name not in ("bool", *COMPLEX):
        x = x.real
    # Narrow floats: the test rounds.
    return x.astype(np.float64) if name in FLOATING else x.astype(np_dtype(name))


CAST = OpTest(name="cast", samples=samples, reference=reference, grad_samples=grad_samples)
