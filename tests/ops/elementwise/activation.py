import numpy as np

from tests.ops._samples import ELEMENTARY, narrow, unary, values, wide
from tests.ops._spec import ErrorInput, OpTest
from tests.support import COMPLEX


def samples(rng, dtype):
    """tanh and the sigmoid have poles on the imaginary axis; those of complex samples are far."""
    yield from unary(-1, 1)(rng, dtype)
    if dtype not in COMPLEX:
        yield from unary(-20, 20, special=False)(rng, dtype)


def kink_free(rng, dtype):
    for shape in ((2, 3), (), (0, 2)):
        x = values(rng, dtype, *shape, low=0.5, high=2)
        yield (x * np.asarray(rng.choice([-1, 1], shape)).astype(x.dtype),), {}


def sigmoid(x):
    x = wide(x)
    return narrow(1 / (1 + np.exp(-x)))


RELU = OpTest(
    name="relu",
    samples=unary(),
    reference=lambda x: np.maximum(x, np.zeros((), x.dtype)),
    errors=(ErrorInput((np.ones(2, bool),), exception=TypeError, match="bool"),),
    grad_samples=kink_free,
)
TANH = OpTest(
    name="tanh",
    samples=samples,
    reference=lambda x: narrow(np.tanh(wide(x))),
    ulp=ELEMENTARY,
)
SIGMOID = OpTest(name="sigmoid", samples=samples, reference=sigmoid, ulp=ELEMENTARY)
