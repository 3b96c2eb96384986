"""Slot 5 of an op: its reference, sample inputs, error inputs and tolerances, as data.

`tests/ops/<family>/<op>.py` makes one OpTest for each op; tests/test_ops_generic.py runs it over
dtypes, layouts, the delayed backend, streams and gradients, and tests/test_contract.py checks that
none is missing.

    SOFTSIGN = OpTest(
        name="softsign",
        samples=unary_samples,
        reference=lambda x: x / (1 + abs(x)),
        dtypes=FLOATING,
        ulp={"float32": 2, "float64": 2},
    )
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Sample = tuple[tuple[Any, ...], dict[str, Any]]
# (rng, dtype) -> (args, kwargs) ...; arrays stand for tensors (lists of arrays for Tensor[]), all
# else is passed on as it is.
Samples = Callable[[np.random.Generator, str], Iterator[Sample]]


@dataclass(frozen=True)
class ErrorInput:
    """A call that must raise: the arguments, the class, and a pattern that the text must match."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)
    exception: type[BaseException] | str = "LucidError"
    match: str = ""


@dataclass(frozen=True)
class OpTest:
    name: str
    samples: Samples
    # The same arguments: float16, bfloat16 and float32 arrays come widened to float64 and complex64
    # to complex128, integers and bool as they are. Gives the exact value (an array, or a tuple).
    reference: Callable[..., Any]
    errors: tuple[ErrorInput, ...] = ()
    # None: those of the schema.
    dtypes: tuple[str, ...] | None = None
    # Largest distance by dtype of the result; what is not there: 1 for floating, 0 else.
    ulp: dict[str, float] = field(default_factory=dict)
    # Whether gradients are checked (only for ops that have one).
    grad: bool = True
    # Inputs at which the op is differentiable; None: the samples of at most 40 elements.
    grad_samples: Samples | None = None
    # Whether the elements of the result depend on the arguments alone (not for rand and its like).
    deterministic: bool = True
