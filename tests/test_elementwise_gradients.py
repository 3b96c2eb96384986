"""Gradients where the generic samples do not go: kinks, poles, masked branches."""

import math

import numpy as np
import pytest

import lucid
from lucid.autograd import grad, gradgradcheck

f64 = lucid.float64


def leaf(values):
    return lucid.tensor(
        values, dtype=None if isinstance(values[0], complex) else f64
    ).requires_grad_()


def test_abs_of_complex_is_flat_at_zero_twice() -> None:
    x = leaf([0j, 3 + 4j])
    (first,) = grad(lucid.abs(x).sum(), [x], create_graph=True)
    assert np.allclose(first.tolist(), [0, 0.6 + 0.8j])
    (second,) = grad(lucid.abs(first).sum(), [x])
    assert second.tolist()[0] == 0
    assert np.isfinite(second.tolist()).all()


def test_root_behind_a_mask() -> None:
    x = leaf([0.0, 4.0])
    lucid.where(x > 1, lucid.sqrt(x), 0.0).sum().backward()
    assert x.grad.tolist() == [0, 0.25]
    y = leaf([0.0])
    lucid.sqrt(y).sum().backward()
    assert y.grad.tolist() == [math.inf]


@pytest.mark.parametrize("constant", [False, True])
def test_power_zero_of_zero(constant: bool) -> None:
    a = leaf([0.0, 2.0, -3.0])
    b = 0 if constant else leaf([0.0, 0.0, 0.0])
    (a**b).sum().backward()
    assert a.grad.tolist() == [0, 0, 0]


def test_mixed_second_derivative_of_a_power_at_exponent_zero() -> None:
    """d2/da db of a**b is 1/a at b = 0."""
    a, b = leaf([2.0, 4.0]), leaf([0.0, 0.0])
    (first,) = grad((a**b).sum(), [a], create_graph=True)
    (mixed,) = grad(first.sum(), [b])
    assert mixed.tolist() == [0.5, 0.25]


def test_power_of_zero_by_exponent() -> None:
    a, b = leaf([0.0, 0.0, 0.0]), leaf([2.0, 1.0, -1.0])
    (a**b).sum().backward()
    assert b.grad.tolist() == [0, 0, -math.inf]


def test_negative_base_with_a_whole_exponent() -> None:
    a = leaf([-2.0, -3.0])
    (a**3).sum().backward()
    assert a.grad.tolist() == [12, 27]


def test_products_with_zeros() -> None:
    one, two = leaf([0.0, 2.0, 5.0]), leaf([0.0, 2.0, 0.0])
    (one.prod() + two.prod()).backward()
    assert one.grad.tolist() == [10, 0, 0]
    assert two.grad.tolist() == [0, 0, 0]
    assert gradgradcheck(lucid.prod, [leaf([0.0, 2.0, 5.0])])
