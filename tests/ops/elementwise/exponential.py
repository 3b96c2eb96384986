import numpy as np

from tests.ops._samples import ELEMENTARY, narrow, unary, values, wide
from tests.ops._spec import OpTest


def positive(rng, dtype):
    for shape in ((2, 3), (), (0,)):
        yield (values(rng, dtype, *shape, low=0.5, high=3),), {}


def wide_range(rng, dtype):
    yield from unary()(rng, dtype)
    if dtype in ("float32", "float64"):
        yield (values(rng, dtype, 1000, low=-80, high=80),), {}


def magnitudes(rng, dtype):
    yield from unary()(rng, dtype)
    if dtype in ("float32", "float64"):
        yield (np.exp(values(rng, dtype, 1000, low=-80, high=80)).astype(dtype),), {}


EXP = OpTest(
    name="exp",
    samples=wide_range,
    reference=lambda x: narrow(np.exp(wide(x))),
    ulp=ELEMENTARY,
)
LOG = OpTest(
    name="log",
    samples=magnitudes,
    reference=lambda x: narrow(np.log(wide(x))),
    ulp=ELEMENTARY,
    grad_samples=positive,
)
SQRT = OpTest(
    name="sqrt",
    samples=magnitudes,
    reference=lambda x: narrow(np.sqrt(wide(x))),
    ulp={"complex64": 4, "complex128": 4},
    grad_samples=positive,
)
