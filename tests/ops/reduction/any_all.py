import numpy as np

from tests.ops._numbers import numbers
from tests.ops._samples import axis_of, reduced
from tests.ops._spec import ErrorInput, OpTest

AXIS = ErrorInput((np.zeros((2, 3)), 2), exception="IndexOutOfRange")


def samples(rng, dtype):
    yield from reduced(numbers)(rng, dtype)
    for fill in (0, 1):
        x = np.full((3, 70), fill).astype(numbers(rng, dtype, 1).dtype)
        x[1, 41] = 1 - fill
        yield (x, 1), {}


def truth(function):
    return lambda x, dim=None, keepdim=False: np.asarray(
        function(x, axis=axis_of(x, dim), keepdims=keepdim)
    )


ANY = OpTest(name="any", samples=samples, reference=truth(np.any), errors=(AXIS,))
ALL = OpTest(name="all", samples=samples, reference=truth(np.all), errors=(AXIS,))
