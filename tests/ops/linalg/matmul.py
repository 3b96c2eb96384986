import numpy as np

from tests.ops._numbers import numbers
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    def pair(a, b, **flags):
        return (numbers(rng, dtype, *a), numbers(rng, dtype, *b)), flags

    yield pair((2, 3), (3, 4))
    yield pair((3,), (3,))
    yield pair((3,), (3, 2))
    yield pair((2, 3), (3,))
    yield pair((3,), (2, 3, 4))
    yield pair((2, 2, 3), (3,))
    yield pair((2, 2, 3), (3, 2))  # one b for the batch
    yield pair((2, 3), (2, 3, 2))
    yield pair((2, 1, 2, 3), (2, 3, 1))
    yield pair((3, 2), (3, 4), trans_a=True)
    yield pair((2, 3), (4, 3), trans_b=True)
    yield pair((2, 3, 2), (2, 4, 3), trans_a=True, trans_b=True)
    yield pair((3,), (2, 3), trans_a=True, trans_b=True)
    yield pair((2, 3, 2), (3, 4), trans_a=True)
    yield pair((2, 0), (0, 3))
    yield pair((0, 4), (4, 3))
    yield pair((0, 2, 3), (3, 2))
    yield pair((0,), (0,))
    yield pair((33, 65), (65, 17))
    yield pair((3, 17, 40), (40, 9))


def reference(a, b, trans_a=False, trans_b=False):
    if trans_a and a.ndim > 1:
        a = np.swapaxes(a, -1, -2)
    if trans_b and b.ndim > 1:
        b = np.swapaxes(b, -1, -2)
    return np.matmul(a, b)


MATMUL = OpTest(
    name="matmul",
    samples=samples,
    reference=reference,
    errors=(
        ErrorInput(
            (np.zeros((8, 3, 64)), np.zeros((32, 10))),
            exception="ShapeMismatch",
            match=r"inner dimensions differ[\s\S]*a\.shape\[-1\] = 64[\s\S]*b\.shape\[-2\] = 32",
        ),
        ErrorInput(
            (np.zeros((2, 3, 4)), np.zeros((3, 4, 5))), exception="ShapeMismatch", match="broadcast"
        ),
        ErrorInput((np.zeros(()), np.zeros(2)), exception="ShapeMismatch", match="dimension"),
        ErrorInput(
            (np.ones((2, 2), bool), np.ones((2, 2), bool)), exception=TypeError, match="bool"
        ),
        ErrorInput(
            (np.zeros((2, 3)), np.zeros((2, 3))),
            {"trans_b": True, "trans_a": True},
            "ShapeMismatch",
        ),
    ),
)
