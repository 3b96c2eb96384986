"""Shapes, dtypes and errors; tests/test_random.py checks the distributions."""

import numpy as np

from tests.ops._spec import ErrorInput, OpTest
from tests.support import COMPLEX, FLOATING, dtype_of, np_dtype

NEGATIVE = ErrorInput(((2, -1),), exception="ShapeMismatch", match="negative")
INTEGER = ErrorInput(((2,),), {"dtype": dtype_of("int64")}, "DtypeMismatch", "randint")
SMALL = {"dtype": dtype_of("uint8")}


def sized(rng, dtype):
    for size in ((2, 3), (), (0, 3), (1000,)):
        yield (size,), {"dtype": dtype_of(dtype)}


def like(rng, dtype):
    for shape in ((2, 3), (), (0, 3)):
        yield (np.zeros(shape, np_dtype(dtype)),), {}


def integers(rng, dtype):
    high = 2 if dtype == "bool" else 100
    for size in ((2, 3), (), (0, 3), (1000,)):
        yield (0, high, size), {"dtype": dtype_of(dtype)}


DRAWS = [
    OpTest(name, sized, None, errors=(NEGATIVE, INTEGER), grad=False, deterministic=False)
    for name in ("rand", "randn")
]
DRAWS_LIKE = [
    OpTest(
        name,
        like,
        None,
        errors=(ErrorInput((np.zeros(2, int),), exception="DtypeMismatch", match="randint"),),
        dtypes=(*FLOATING, *COMPLEX),
        grad=False,
        deterministic=False,
    )
    for name in ("rand_like", "randn_like")
]
RANDINT = OpTest(
    "randint",
    integers,
    None,
    errors=(
        ErrorInput((0, 5, (2, -1)), exception="ShapeMismatch", match="negative"),
        ErrorInput((5, 5, (2,)), exception=ValueError, match="low"),
        ErrorInput((0, 1000, (2,)), SMALL, OverflowError, "999"),
        ErrorInput((-1, 5, (2,)), SMALL, OverflowError, "-1"),
        ErrorInput((0, 5, (2,)), {"dtype": dtype_of("complex64")}, TypeError, "complex"),
    ),
    grad=False,
    deterministic=False,
)
