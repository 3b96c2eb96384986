"""Sample inputs of elementwise ops and reductions: shapes, values and special values by dtype."""

from collections.abc import Iterator

import ml_dtypes
import numpy as np

from tests.ops._spec import Sample, Samples
from tests.support import COMPLEX, FLOATING, np_dtype

# What elementary functions are held to: 2 ulp, half types (computed in float32) 1.
ELEMENTARY = {"float32": 2, "float64": 2, "complex64": 8, "complex128": 8}


def values(rng, dtype: str, *shape: int, low: float = -4.0, high: float = 4.0) -> np.ndarray:
    """Floats drawn evenly from [low, high); integers from -9 to 9, without a sign from 0."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.startswith("uint"):
        return rng.integers(0, 10, shape).astype(dtype)
    if dtype.startswith("int"):
        return rng.integers(-9, 10, shape).astype(dtype)
    real = np.asarray(rng.uniform(low, high, shape))
    if dtype in COMPLEX:
        return np.asarray(real + 1j * rng.uniform(low, high, shape)).astype(dtype)
    return real.astype(np_dtype(dtype))


def specials(dtype: str) -> np.ndarray | None:
    """The ends of the dtype, zeros, infinities, nan; None for bool and complex."""
    if dtype == "bool" or dtype in COMPLEX:
        return None
    if dtype in FLOATING:
        info = ml_dtypes.finfo(np_dtype(dtype))
        ends = [float(info.max), float(info.min), float(info.smallest_normal)]
        numbers = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, *ends]
        return np.array(numbers).astype(np_dtype(dtype))
    info = np.iinfo(dtype)
    return np.array([info.min, info.max, 0, 1, 2, info.max - 1], dtype=dtype)


def unary(low: float = -4.0, high: float = 4.0, special: bool = True) -> Samples:
    def samples(rng, dtype: str) -> Iterator[Sample]:
        for shape in ((2, 3), (17,), (), (1,), (0, 3), (2, 1, 4)):
            yield (values(rng, dtype, *shape, low=low, high=high),), {}
        extremes = specials(dtype)
        if special and extremes is not None:
            yield (extremes,), {}

    return samples


PAIRS = (((2, 3), (2, 3)), ((17,), (17,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((2, 3), ()),
         ((), (2,)), ((), ()), ((0, 3), (1, 3)))  # fmt: skip


def binary(low: float = -4.0, high: float = 4.0, special: bool = True) -> Samples:
    def samples(rng, dtype: str) -> Iterator[Sample]:
        for a, b in PAIRS:
            yield tuple(values(rng, dtype, *s, low=low, high=high) for s in (a, b)), {}
        yield (values(rng, dtype, 2, 3, low=low, high=high), 2), {}
        extremes = specials(dtype)
        if special and extremes is not None:
            n = len(extremes)
            yield (np.repeat(extremes, n), np.tile(extremes, n)), {}

    return samples


# (shape, dim, keepdim) of reductions; DIMS_OF_ONE for ops that take one dimension.
DIMS = (((2, 3), None, False), ((2, 3), (0,), False), ((2, 3), (-1,), True),
        ((2, 3, 4), (0, 2), False), ((2, 3, 4), (2, 0), True), ((2, 3), (0, 1), True),
        ((), None, False), ((), (0,), True), ((7,), 0, False), ((0, 3), (1,), False),
        ((33,), None, True))  # fmt: skip
DIMS_OF_ONE = (((2, 3), None, False), ((2, 3), 0, False), ((2, 3), -1, True), ((), None, False),
               ((2, 3, 4), 1, False), ((2, 3, 4), None, True), ((), 0, True), ((7,), 0, False),
               ((0, 3), 1, False), ((33,), None, False))  # fmt: skip


def reduced(make=values, dims=DIMS, empty: bool = True) -> Samples:
    """`empty`: also over axes without elements. Values by make(rng, dtype, *shape)."""

    def samples(rng, dtype: str) -> Iterator[Sample]:
        for shape, dim, keepdim in dims:
            x = make(rng, dtype, *shape)
            yield ((x, dim, keepdim) if keepdim else (x, dim) if dim is not None else (x,)), {}
        if empty:
            for shape, dim in (((2, 0), 1), ((0,), None), ((3, 0, 2), 1)):
                yield (make(rng, dtype, *shape), dim), {}
        if dtype in FLOATING:
            for extreme in (np.nan, np.inf, -np.inf):
                x = make(rng, dtype, 2, 19)
                x[0, 11] = extreme
                yield (x, 1), {}

    return samples


def axis_of(x, dim):
    """NumPy has no axis 0 of a 0-d array."""
    return None if np.ndim(x) == 0 else dim


def wide(x):
    """float64 as longdouble, complex128 as clongdouble, for references of elementary functions."""
    if isinstance(x, np.ndarray) and x.dtype.kind == "c":
        return x.astype(np.clongdouble)
    return np.asarray(x).astype(np.longdouble)


def narrow(x):
    """Back to float64 or complex128."""
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
