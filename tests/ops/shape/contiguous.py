from tests.ops._numbers import numbers
from tests.ops._spec import OpTest


def samples(rng, dtype):
    for shape in ((), (3,), (2, 3), (2, 3, 4), (0, 2)):
        yield (numbers(rng, dtype, *shape),), {}


CONTIGUOUS = OpTest(
    name="contiguous",
    samples=samples,
    reference=lambda x: x,
)
