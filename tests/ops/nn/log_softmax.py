import numpy as np

from tests.ops._spec import ErrorInput, OpTest
from tests.support import np_dtype


def samples(rng, dtype):
    def x(*shape):
        return rng.uniform(-1, 1, shape).astype(np_dtype(dtype))

    for shape, dim in (
        ((3, 5), 1),
        ((3, 5), 0),
        ((2, 3, 4), -2),
        ((), 0),
        ((0, 3), 1),
        ((3, 0), 1),
    ):
        yield (x(*shape), dim), {}
    for n in (1, 7, 16, 17, 127, 128, 129, 4097):
        yield (x(n), 0), {}
    yield (x(4) + np_dtype(dtype).type(100), 0), {}  # a large offset
    yield (np.full(5, -np.inf).astype(np_dtype(dtype)), 0), {}
    yield (np.array([-np.inf, 0.5, -0.5]).astype(np_dtype(dtype)), 0), {}
    yield (np.array([np.inf, 1]).astype(np_dtype(dtype)), 0), {}


def grad_samples(rng, dtype):
    for shape, dim in (((3, 4), 1), ((3, 4), 0), ((2, 2, 3), -2), ((), 0), ((0, 3), 1)):
        yield (rng.uniform(-1, 1, shape).astype(np_dtype(dtype)), dim), {}


def reference(x, dim):
    if x.size == 0:
        return x
    axis = None if x.ndim == 0 else dim
    with np.errstate(all="ignore"):
        shifted = x - np.max(x, axis=axis, keepdims=True)
        total = np.sum(np.exp(shifted), axis=axis, keepdims=True)
        return np.asarray(shifted - np.log(total)).reshape(x.shape)


LOG_SOFTMAX = OpTest(
    name="log_softmax",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput((np.zeros(3), 1), exception="IndexOutOfRange"),
        ErrorInput((np.zeros(3, int), 0), exception=TypeError, match="dtype"),
        ErrorInput((np.zeros(3, complex), 0), exception=TypeError),
    ),
    ulp={"float32": 32, "float64": 32},
    grad_samples=grad_samples,
)
