"""Sample arrays for ops that move values: small numbers that every dtype holds exactly."""

import numpy as np

from tests.support import np_dtype


def numbers(rng: np.random.Generator, dtype: str, *shape: int) -> np.ndarray:
    """Multiples of 1/4 in [-2, 2]; integers in [-9, 9], without a sign where there is none."""
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.startswith("uint"):
        return rng.integers(0, 10, shape).astype(dtype)
    if dtype.startswith("int"):
        return rng.integers(-9, 10, shape).astype(dtype)
    real = rng.integers(-8, 9, shape) / 4
    if dtype.startswith("complex"):
        return (real + 1j * rng.integers(-8, 9, shape) / 4).astype(dtype)
    return real.astype(np_dtype(dtype))
