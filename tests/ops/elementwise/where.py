import numpy as np

from tests.ops._samples import values
from tests.ops._spec import ErrorInput, OpTest


def samples(rng, dtype):
    for condition, a, b in (
        ((2, 3), (2, 3), (2, 3)),
        ((17,), (17,), (17,)),
        ((2, 1), (3,), (2, 3)),
        ((), (2,), ()),
        ((2,), (), ()),
        ((0, 3), (3,), ()),
    ):
        choice = rng.integers(0, 2, condition).astype(bool)
        yield (choice, values(rng, dtype, *a), values(rng, dtype, *b)), {}


WHERE = OpTest(
    name="where",
    samples=samples,
    reference=np.where,
    errors=(
        ErrorInput((np.array([1, 0]), np.ones(2), np.ones(2)), exception=TypeError, match="bool"),
        ErrorInput((np.ones(2, bool), np.ones(2), np.ones(3)), exception="ShapeMismatch"),
    ),
)
