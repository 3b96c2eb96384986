import numpy as np

from tests.ops._numbers import numbers
from tests.ops._samples import DIMS_OF_ONE, axis_of, reduced
from tests.ops._spec import ErrorInput, OpTest

ERRORS = (
    ErrorInput((np.zeros((2, 3)), 2), exception="IndexOutOfRange"),
    ErrorInput((np.zeros((2, 0)), 1), exception="ShapeMismatch", match="element"),
    ErrorInput((np.zeros(0),), exception="ShapeMismatch", match="element"),
)


def samples(rng, dtype):
    """Small numbers, so that there are ties: the first one counts."""
    yield from reduced(numbers, DIMS_OF_ONE, empty=False)(rng, dtype)


def position(function):
    return lambda x, dim=None, keepdim=False: np.asarray(
        function(x, axis=axis_of(x, dim), keepdims=keepdim)
    )


ARGMAX = OpTest(name="argmax", samples=samples, reference=position(np.argmax), errors=ERRORS)
ARGMIN = OpTest(name="argmin", samples=samples, reference=position(np.argmin), errors=ERRORS)
