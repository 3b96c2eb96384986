import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    for shape in ((3,), (2, 3), (2, 2, 3), (0, 3)):
        x, w, b = (numbers(rng, dtype, *s) for s in (shape, (4, 3), (4,)))
        yield (x, w, b), {}
        yield (x, w), {}
    yield (numbers(rng, dtype, 2, 0), numbers(rng, dtype, 3, 0), numbers(rng, dtype, 3)), {}


def reference(x, weight, bias=None):
    y = x @ weight.T
    return y if bias is None else y + bias


LINEAR = OpTest(
    name="linear",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros((2, 3)), np.zeros((4, 2))), exception="ShapeMismatch", match="inner"),
        ErrorInput((np.zeros(3), np.zeros(3)), exception="ShapeMismatch", match="two dimensions"),
        ErrorInput(
            (np.zeros(3), np.zeros((4, 3)), np.zeros(3)), exception="ShapeMismatch", match="bias"
        ),
        ErrorInput((np.ones(2, bool), np.ones((2, 2), bool)), exception=TypeError, match="bool"),
    ),
    ulp={"float16": 2, "bfloat16": 2},  # the product rounds, then the sum
)
