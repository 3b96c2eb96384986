import numpy as np

from tests.ops._numbers import numbers
from tests.ops._samples import binary, specials
from tests.ops._spec import ErrorInput, OpTest

MISMATCH = ErrorInput((np.zeros((2, 3)), np.zeros(2)), exception="ShapeMismatch", match="broadcast")


def unary_samples(rng, dtype):
    for shape in ((2, 3), (40,), (), (0, 3)):
        yield (numbers(rng, dtype, *shape),), {}
    if specials(dtype) is not None:
        yield (specials(dtype),), {}


LOGICAL = [
    OpTest(name=f.__name__, samples=binary(), reference=f, errors=(MISMATCH,))
    for f in (np.logical_and, np.logical_or, np.logical_xor)
]
LOGICAL_NOT = OpTest(name="logical_not", samples=unary_samples, reference=np.logical_not)
