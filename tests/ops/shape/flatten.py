import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    for shape in ((), (3,), (2, 3), (2, 3, 4), (2, 0, 3)):
        yield (numbers(rng, dtype, *shape),), {}
    x = numbers(rng, dtype, 2, 3, 4)
    yield (x, 1), {}
    yield (x, 0, 1), {}
    yield (x, -2, -1), {}
    yield (x, 1, 1), {}


def reference(x, start_dim=0, end_dim=-1):
    if x.ndim == 0:
        return x.reshape(1)
    first, last = start_dim % x.ndim, end_dim % x.ndim
    middle = int(np.prod(x.shape[first : last + 1]))
    return x.reshape(x.shape[:first] + (middle,) + x.shape[last + 1 :])


FLATTEN = OpTest(
    name="flatten",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros((2, 3)), 1, 0), exception=ValueError, match="start_dim"),
        ErrorInput((np.zeros((2, 3)), 2), exception="IndexOutOfRange"),
    ),
)
