import numpy as np

from tests.ops._samples import binary, unary
from tests.ops._spec import ErrorInput, OpTest
from tests.support import COMPLEX, np_dtype

MISMATCH = ErrorInput((np.zeros((2, 3)), np.zeros(2)), exception="ShapeMismatch", match="broadcast")
# Integers are rounded to float32 before the division.
DIVISION = {"float32": 2, "complex64": 4, "complex128": 4}


def away_from_zero(rng, dtype, *shape):
    real = rng.uniform(0.5, 2, shape) * rng.choice([-1, 1], shape)
    real = np.asarray(real * np.exp(1j * real) if dtype in COMPLEX else real)
    return real.astype(np_dtype(dtype))


def divisors(rng, dtype):
    for a, b in (((2, 3), (2, 3)), ((2, 3), (3,)), ((2,), ()), ((0, 3), (1, 3))):
        yield (away_from_zero(rng, dtype, *a), away_from_zero(rng, dtype, *b)), {}


def inverses(rng, dtype):
    for shape in ((2, 3), (), (0,)):
        yield (away_from_zero(rng, dtype, *shape),), {}


MUL = OpTest(name="mul", samples=binary(), reference=np.multiply, errors=(MISMATCH,))
DIV = OpTest(
    name="div",
    samples=binary(),
    reference=np.true_divide,
    errors=(MISMATCH,),
    ulp=DIVISION,
    grad_samples=divisors,
)
RECIPROCAL = OpTest(
    name="reciprocal",
    samples=unary(),
    reference=lambda x: 1 / (x.astype(np.float64) if x.dtype.kind in "biu" else x),
    ulp=DIVISION,
    grad_samples=inverses,
)
SQUARE = OpTest(
    name="square",
    samples=unary(),
    reference=lambda x: x * x,
    errors=(ErrorInput((np.ones(2, bool),), exception=TypeError, match="bool"),),
)
