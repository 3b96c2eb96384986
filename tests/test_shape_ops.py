"""Shape, index, matrix and loss ops by hand: cases that broke other engines, errors, aliasing."""

import numpy as np
import pytest

import lucid
from lucid.nn import functional as F
from tests.support import delay

T = lucid.tensor


@pytest.fixture(params=[False, True], ids=["now", "delayed"], autouse=True)
def mode(request):
    with delay(request.param):
        yield


# Case 29.
def test_a_strided_slice_that_picks_one_row() -> None:
    wa, wb = T([[1.0, 2, 3]]), T([[100.0, 101, 102]])
    for rows in (lambda z: (z[0::2], z[1::2]), lambda z: (z[-2::-2], z[::-2])):
        z = lucid.zeros(2, 3).requires_grad_()
        a, b = rows(z)
        ((a * wa).sum() + (b * wb).sum()).backward()
        assert z.grad.tolist() == [[1, 2, 3], [100, 101, 102]]


def test_many_slices_of_one_tensor() -> None:
    x = lucid.zeros(10, 4).requires_grad_()
    sum((x[i] * i).sum() + x[i : i + 2].sum() for i in range(10)).backward()
    assert x.grad.tolist() == [[i + (1 if i == 0 else 2)] * 4 for i in range(10)]


# Case 55.
def test_index_select_of_a_transposed_source() -> None:
    got = lucid.arange(24).reshape(2, 3, 4).permute(2, 1, 0).index_select(0, T([0, 2]))
    assert got.tolist() == [[[0, 12], [4, 16], [8, 20]], [[2, 14], [6, 18], [10, 22]]]


# Case 56.
def test_out_of_range_raises() -> None:
    with pytest.raises(IndexError):
        lucid.zeros(2, 3).index_select(0, T([0, 2]))
    with pytest.raises(IndexError):
        lucid.zeros(3).unsqueeze(-100)
    with pytest.raises(IndexError):
        lucid.zeros(()).unsqueeze(-3)


# Case 58.
def test_a_zero_length_inner_dimension() -> None:
    assert (lucid.ones(2, 0) @ lucid.ones(0, 3)).tolist() == [[0.0] * 3] * 2
    assert (lucid.ones(0, 4) @ lucid.ones(4, 3)).numpy().shape == (0, 3)
    a, b = lucid.ones(2, 0).requires_grad_(), lucid.ones(0, 3).requires_grad_()
    (a @ b).sum().backward()
    assert a.grad.shape == (2, 0)
    assert b.grad.shape == (0, 3)


# Case 62.
def test_a_stack_of_thousands() -> None:
    assert lucid.stack([lucid.ones(4) * i for i in range(6000)]).sum().item() == 71988000


def test_the_error_of_matmul() -> None:
    with pytest.raises(lucid.ShapeMismatch) as error:
        lucid.zeros(8, 3, 64) @ lucid.zeros(32, 10)
    assert str(error.value).rstrip() == (
        "matmul(a, b): inner dimensions differ\n"
        "  a  float32 (8, 3, 64)  cpu   a.shape[-1] = 64\n"
        "  b  float32 (32, 10)    cpu   b.shape[-2] = 32\n"
        "  rule  (..., n, k) @ (..., k, m) -> (..., n, m)"
    )


@pytest.mark.parametrize(
    "shapes", [((3, 4), (2, 4, 5)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (3, 4, 2))]
)
def test_matmul_gradients_of_complex_batches(shapes) -> None:
    a, b = (lucid.rand(*s, dtype=lucid.float64) for s in shapes)
    a, b = (x.to(lucid.complex128) * (1 + 0.5j) for x in (a, b))
    a, b = a.detach().requires_grad_(), b.detach().requires_grad_()
    assert lucid.autograd.gradcheck(lucid.matmul, [a, b])
    turned = b.transpose(-1, -2).detach().requires_grad_()
    assert lucid.autograd.gradcheck(lambda a, b: lucid.matmul(a, b, trans_b=True), [a, turned])


def test_reshape_is_a_view_where_it_can_be() -> None:
    x = lucid.zeros(2, 6)
    x.reshape(3, 4)[0, 0] = 1
    assert x[0, 0].item() == 1
    x.transpose().reshape(-1)[1] = 5  # a copy
    assert x.sum().item() == 1


def test_contiguous_is_the_tensor_itself() -> None:
    x = lucid.zeros(2, 3)
    assert x.contiguous() is x
    assert x.transpose().contiguous().is_contiguous()


def test_cat_promotes_and_differentiates() -> None:
    x = lucid.ones(2, dtype=lucid.float16).requires_grad_()
    y = lucid.ones(1, dtype=lucid.float32).requires_grad_()
    z = lucid.cat([lucid.zeros(0), x, T([7]), y])
    assert z.dtype == lucid.float32
    (z * T([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert x.grad.tolist() == [1, 2] and x.grad.dtype == lucid.float16
    assert y.grad.tolist() == [4]


def test_softmax_second_gradient() -> None:
    x = lucid.rand(2, 3, dtype=lucid.float64).requires_grad_()
    for f in (lucid.softmax, lucid.log_softmax):
        assert lucid.autograd.gradgradcheck(lambda x, f=f: f(x, 1) ** 2, [x])


def test_softmax_casts_first() -> None:
    assert lucid.softmax(T([0, 0]), 0, dtype=lucid.float64).tolist() == [0.5, 0.5]
    x = lucid.zeros(2, dtype=lucid.float16).requires_grad_()
    y = lucid.log_softmax(x, 0, dtype=lucid.float32)
    assert y.dtype == lucid.float32
    y[0].backward()
    assert x.grad.tolist() == [0.5, -0.5]


def test_cross_entropy_is_computed_in_float32() -> None:
    x = lucid.zeros(70000, 2, dtype=lucid.float16).requires_grad_()
    loss = F.cross_entropy(x, lucid.zeros(70000, dtype=lucid.int64))
    assert loss.dtype == lucid.float16
    assert loss.item() == float(np.float16(np.log(2)))


def test_the_first_gradient_of_linear_does_not_read_the_bias() -> None:
    x, w, b = (lucid.ones(*s).requires_grad_() for s in ((2, 3), (4, 3), (4,)))
    y = F.linear(x * 1, w * 1, b)
    assert y.grad_fn.name() == "LinearBackward"
    with lucid.no_grad():
        b.add_(1)
    y.sum().backward()
    assert b.grad.tolist() == [2] * 4
    assert x.grad.tolist() == [[4] * 3] * 2
