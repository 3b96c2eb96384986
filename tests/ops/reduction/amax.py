import numpy as np

from tests.ops._samples import axis_of, reduced, values
from tests.ops._spec import ErrorInput, OpTest

ERRORS = (
    ErrorInput((np.zeros((2, 3)), 2), exception="IndexOutOfRange"),
    ErrorInput((np.zeros((2, 0)), 1), exception="ShapeMismatch", match="element"),
    ErrorInput((np.zeros(0),), exception="ShapeMismatch", match="element"),
)


def samples(rng, dtype):
    yield from reduced(values, empty=False)(rng, dtype)
    yield (values(rng, dtype, 3, 0, 2), 0), {}  # other axes may be empty


def extreme(function):
    return lambda x, dim=None, keepdim=False: np.asarray(
        function(x, axis=axis_of(x, dim), keepdims=keepdim)
    )


AMAX = OpTest(name="amax", samples=samples, reference=extreme(np.max), errors=ERRORS)
AMIN = OpTest(name="amin", samples=samples, reference=extreme(np.min), errors=ERRORS)
