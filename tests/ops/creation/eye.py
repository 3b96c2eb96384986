import numpy as np

from tests.ops._spec import ErrorInput, OpTest
from tests.support import FLOATING, dtype_of, np_dtype


def samples(rng, dtype):
    for args in ((3,), (2, 4), (4, 2), (0,), (3, 0)):
        yield args, {"dtype": dtype_of(dtype)}
    yield (2,), {}


def reference(n, m=None, dtype="float32"):
    return np.eye(n, m, dtype=np.float64 if str(dtype) in FLOATING else np_dtype(str(dtype)))


EYE = OpTest(
    name="eye",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((-1,), exception="ShapeMismatch", match="negative"),
        ErrorInput((2, -1), exception="ShapeMismatch", match="negative"),
    ),
    grad=False,
)
