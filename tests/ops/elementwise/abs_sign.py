import numpy as np

from tests.ops._samples import unary, values
from tests.ops._spec import ErrorInput, OpTest


def kink_free(rng, dtype):
    for shape in ((2, 3), (), (0, 2)):
        x = values(rng, dtype, *shape, low=0.5, high=2)
        yield (x * np.asarray(rng.choice([-1, 1], shape)).astype(x.dtype),), {}


ABS = OpTest(
    name="abs",
    samples=unary(),
    reference=np.abs,
    errors=(ErrorInput((np.ones(2, bool),), exception=TypeError, match="bool"),),
    grad_samples=kink_free,
)


def sign(x):
    """PyTorch's: 0 for nan, where NumPy has nan."""
    return x if x.dtype == bool else np.where(np.isnan(x), 0, np.sign(x)).astype(x.dtype)


SIGN = OpTest(
    name="sign",
    samples=unary(),
    reference=sign,
    grad_samples=kink_free,
)
