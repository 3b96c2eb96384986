"""Views of memory: values, aliasing and gradients of as_strided and as_strided_scatter, by hand."""

import pytest

import lucid
from tests.support import delay


@pytest.fixture(params=[False, True], ids=["now", "delayed"], autouse=True)
def mode(request):
    with delay(request.param):
        yield


def test_the_offset_counts_from_the_start_of_the_memory() -> None:
    x = lucid.arange(12.0)
    part = x.slice(0, 4, 8)
    assert part.as_strided((2, 2), (5, 1), 1).tolist() == [[1, 2], [6, 7]]
    assert x.reshape(3, 4).transpose().as_strided((12,), (1,)).tolist() == x.tolist()


def test_it_aliases() -> None:
    x = lucid.zeros(4)
    x.as_strided((2,), (2,), 1).add_(1)
    assert x.tolist() == [0, 1, 0, 1]


def test_gradients_of_overlapping_positions_add_up() -> None:
    x = lucid.arange(5.0).requires_grad_()
    x.as_strided((3, 3), (1, 1)).sum().backward()
    assert x.grad.tolist() == [1, 2, 3, 2, 1]


def test_the_gradient_has_the_geometry_of_x() -> None:
    x = lucid.zeros(2, 3).requires_grad_()
    weights = lucid.arange(6.0)
    # The memory of x.transpose() is that of x: its element [j, i] is the memory's 3 i + j.
    (x.transpose().as_strided((6,), (1,)) * weights).sum().backward()
    assert x.grad.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_positions_outside_x_get_no_gradient() -> None:
    x = lucid.zeros(6).requires_grad_()
    part = x.slice(0, None, None, 2)
    part.as_strided((6,), (1,)).sum().backward()
    assert x.grad.tolist() == [1, 0, 1, 0, 1, 0]


def test_an_expanded_x_shares_the_gradient() -> None:
    x = lucid.zeros(1).requires_grad_()
    x.expand(4).as_strided((1,), (1,)).sum().backward()
    assert x.grad.tolist() == [1]


def test_half_precision_gradients_add_up_in_float32() -> None:
    x = lucid.zeros(1, dtype=lucid.float16).requires_grad_()
    x.as_strided((4099,), (0,)).sum().backward()
    assert x.grad.item() == 4100  # nearest float16; adding ones in float16 stops at 2048


def test_scatter_values_layout_and_gradients() -> None:
    x = lucid.arange(6.0).reshape(2, 3).requires_grad_()
    source = lucid.tensor([10.0, 20.0], requires_grad=True)
    y = lucid.as_strided_scatter(x, source, (2,), (4,), 1)
    assert y.tolist() == [[0, 10, 2], [3, 4, 20]]
    (y * lucid.arange(6.0).reshape(2, 3)).sum().backward()
    assert x.grad.tolist() == [[0, 0, 2], [3, 4, 0]]
    assert source.grad.tolist() == [1, 5]

    turned = lucid.arange(6.0).reshape(2, 3).transpose()
    z = lucid.as_strided_scatter(turned, source.detach(), (2,), (4,), 1)
    assert z.stride() == turned.stride()
    assert z.tolist() == [[0, 3], [10, 4], [2, 20]]


def test_scatter_gives_no_nan_from_the_replaced_part() -> None:
    x = lucid.ones(3).requires_grad_()
    y = lucid.as_strided_scatter(x, lucid.zeros(1), (1,), (1,), 1)
    (1 / y).sum().backward()
    assert x.grad.tolist() == [-1, 0, -1]


def test_scatter_on_a_part_of_the_memory() -> None:
    base = lucid.zeros(6)
    part = base.slice(0, 2, 5)
    y = lucid.as_strided_scatter(part, lucid.ones(2), (2,), (3,), 0)
    assert y.tolist() == [0, 1, 0]
    assert base.tolist() == [0] * 6


def test_second_derivatives() -> None:
    x = lucid.rand(6, dtype=lucid.float64).requires_grad_()
    s = lucid.rand(2, dtype=lucid.float64).requires_grad_()

    def f(x, s):
        y = lucid.as_strided_scatter(x, s, (2,), (3,), 1)
        return (y.as_strided((3, 3), (1, 1)) ** 3).sum()

    assert lucid.autograd.gradcheck(f, [x, s])
    assert lucid.autograd.gradgradcheck(f, [x, s])
