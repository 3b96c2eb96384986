import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest
from tests.support import FLOATING


def samples(rng, dtype):
    for a, b in (((2, 3), (2, 3)), ((2, 3), (3,)), ((), ())):
        for reduction in ("mean", "sum", "none"):
            yield (numbers(rng, dtype, *a), numbers(rng, dtype, *b)), {"reduction": reduction}
    yield (numbers(rng, dtype, 2, 3), numbers(rng, dtype, 2, 3)), {}


def reference(input, target, reduction="mean"):
    squares = (input - target) ** 2
    return {"mean": np.mean, "sum": np.sum, "none": lambda x: x}[reduction](squares)


MSE_LOSS = OpTest(
    name="mse_loss",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros(2), np.zeros(3)), exception="ShapeMismatch"),
        ErrorInput((np.zeros(2), np.zeros(2)), {"reduction": "max"}, ValueError, "reduction"),
    ),
    dtypes=FLOATING,
    ulp={"float16": 2, "bfloat16": 2, "float32": 2, "float64": 2},
)
