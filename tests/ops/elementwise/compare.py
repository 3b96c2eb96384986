import numpy as np

from tests.ops._numbers import numbers
from tests.ops._samples import binary
from tests.ops._spec import ErrorInput, OpTest

MISMATCH = ErrorInput((np.zeros((2, 3)), np.zeros(2)), exception="ShapeMismatch", match="broadcast")


def samples(rng, dtype):
    yield from binary()(rng, dtype)
    x = numbers(rng, dtype, 40)
    yield (x, x[::-1].copy()), {}
    # Python numbers compare exactly, whether or not the dtype holds them.
    for number in (1, 1.5, 300, -1, -0.5, 2**40, 1e30, float("inf"), float("-inf"), float("nan")):
        if not isinstance(number, int) or dtype.startswith(("int", "uint")) or abs(number) < 300:
            yield (x, number), {}


def compare(name):
    return OpTest(
        name=name,
        samples=samples,
        reference={
            "eq": np.equal,
            "ne": np.not_equal,
            "lt": np.less,
            "le": np.less_equal,
            "gt": np.greater,
            "ge": np.greater_equal,
        }[name],
        errors=(MISMATCH,),
    )


COMPARISONS = [compare(name) for name in ("eq", "ne", "lt", "le", "gt", "ge")]
