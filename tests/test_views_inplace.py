"""PyTorch's rules of in-place writes on leaves, views and saved values. Indexing: test_indexing."""

import numpy as np
import pytest

import lucid
from tests.support import delay

f64 = lucid.float64
grad = lucid.autograd.grad


def leaf(values) -> "lucid.Tensor":
    return lucid.tensor(values, dtype=f64).requires_grad_()


@pytest.fixture(params=[False, True], ids=["at once", "delayed"], autouse=True)
def both_modes(request):
    with delay(request.param):
        yield


# --- views alias ----------------------------------------------------------------------------------


def test_a_write_through_a_view_is_seen_by_all() -> None:
    x = lucid.zeros(2, 3)
    row, column, whole, flat = x[0], x[:, 1], x.transpose(0, 1), x.view(6)
    row.add_(1)
    column.mul_(10)
    assert x.tolist() == [[1, 10, 1], [0, 0, 0]]
    assert whole.tolist() == [[1, 0], [10, 0], [1, 0]]
    assert flat.tolist() == [1, 10, 1, 0, 0, 0]
    flat[5] = -1
    assert x[1, 2].item() == -1


def test_a_view_of_a_view_writes_to_the_base() -> None:
    x = lucid.arange(24).reshape(2, 3, 4)
    v = x.permute(2, 0, 1)[1:3][..., ::2]
    v.mul_(-1)
    expected = np.arange(24).reshape(2, 3, 4)
    expected.transpose(2, 0, 1)[1:3][..., ::2] *= -1
    assert x.tolist() == expected.tolist()


def test_a_negative_step_is_a_view() -> None:
    x = lucid.arange(5)
    v = x[::-1]
    assert v.tolist() == [4, 3, 2, 1, 0]
    v[0] = 40
    assert x.tolist() == [0, 1, 2, 3, 40]


def test_ops_that_copy_do_not_alias() -> None:
    x = lucid.zeros(4)
    copies = [x.clone(), x + 0, x[[0, 1]], x[x == 0], x.to(f64), lucid.cat([x]), lucid.tensor(x)]
    x.add_(1)
    for c in copies:
        assert c.sum().item() == 0


def test_reshape_aliases_where_possible_and_copies_otherwise() -> None:
    x = lucid.zeros(2, 3)
    a = x.reshape(3, 2)
    b = x.transpose(0, 1).reshape(6)
    x.add_(1)
    assert a.sum().item() == 6
    assert b.sum().item() == 0
    with pytest.raises(RuntimeError):
        x.transpose(0, 1).view(6)


def test_contiguous_and_to_are_the_same_tensor_when_nothing_changes() -> None:
    x = lucid.zeros(2, 3)
    assert x.contiguous() is x
    assert x.to(lucid.float32) is x
    assert x.to("cpu") is x
    assert x.transpose(0, 1).contiguous().is_contiguous()


def test_versions_are_shared_by_views() -> None:
    x = lucid.zeros(4)
    v, d = x[:2], x.detach()
    before = x._version
    v.add_(1)
    assert x._version == v._version == d._version == before + 1
    x[0] = 3
    assert v._version == before + 2


def test_what_was_computed_before_a_write_keeps_its_value() -> None:
    x = lucid.zeros(3)
    y = x + 1
    x.add_(5)
    z = x + 1
    x.mul_(0)
    assert y.tolist() == [1, 1, 1]
    assert z.tolist() == [6, 6, 6]


# --- the layout of results ------------------------------------------------------------------------


def test_equal_dense_layouts_are_kept_and_others_give_row_major() -> None:
    x = lucid.ones(2, 3, 4)
    p = x.permute(2, 0, 1)
    for out in (p + p, p * 2, p.exp(), -p, p.clone(), lucid.where(p > 0, p, p)):
        assert out.stride() == p.stride()
    q = lucid.ones(4, 2, 3)
    assert (p + q).stride() == q.stride()
    assert (x[:, ::2] + 1).is_contiguous()
    assert (x[:, ::-1] + 1).is_contiguous()
    assert (lucid.ones(1).expand(3, 4) + 1).is_contiguous()


# --- in-place ops ---------------------------------------------------------------------------------


def test_in_place_returns_self_and_keeps_identity() -> None:
    x = lucid.ones(3)
    y = x
    assert x.add_(1) is x
    x += 1
    x *= 2
    x -= 1
    x /= 5
    assert y is x
    assert y.tolist() == [1, 1, 1]


def test_in_place_keeps_dtype_and_refuses_a_wider_category() -> None:
    x = lucid.ones(3, dtype=lucid.float16)
    x += lucid.ones(3, dtype=f64)
    assert x.dtype == lucid.float16
    i = lucid.ones(3, dtype=lucid.int64)
    for call in (lambda: i.add_(1.5), lambda: i.div_(2), lambda: i.mul_(lucid.ones(3))):
        with pytest.raises(lucid.DtypeMismatch):
            call()
    b = lucid.ones(3, dtype=lucid.bool)
    with pytest.raises(lucid.DtypeMismatch):
        b += 1
    r = lucid.ones(3)
    with pytest.raises(lucid.DtypeMismatch):
        r *= 1j
    assert i.tolist() == [1, 1, 1]


def test_in_place_cannot_grow() -> None:
    x = lucid.ones(1, 3)
    with pytest.raises(lucid.ShapeMismatch):
        x.add_(lucid.ones(2, 3))
    x.add_(lucid.ones(3))
    assert x.shape == (1, 3)


def test_in_place_with_itself_and_with_an_overlapping_source() -> None:
    x = lucid.arange(5)
    x.add_(x)
    assert x.tolist() == [0, 2, 4, 6, 8]
    x[1:] = x[:-1]
    assert x.tolist() == [0, 0, 2, 4, 6]
    x[:] = x.slice(0, None, None, -1)
    assert x.tolist() == [6, 4, 2, 0, 0]
    x[1:] += x[:-1]
    assert x.tolist() == [6, 10, 6, 2, 0]


def test_a_destination_that_overlaps_itself_raises() -> None:
    x = lucid.zeros(1, 3).expand(4, 3)
    with pytest.raises(RuntimeError, match=r"overlap|expand"):
        x.add_(1)
    with pytest.raises(RuntimeError, match=r"overlap|expand"):
        x[:] = 1
    y = lucid.zeros(4, 3)
    y[:] = lucid.arange(3).expand(4, 3)  # a source may overlap itself
    assert y.tolist() == [[0, 1, 2]] * 4
    with pytest.raises(RuntimeError):
        lucid.zeros(5).as_strided((3, 2), (1, 1)).add_(1)


def test_size_one_axes_with_stride_zero_do_not_overlap() -> None:
    x = lucid.zeros(3).expand(1, 3)
    x.add_(1)
    assert x.tolist() == [[1, 1, 1]]


# --- in-place and autograd: leaves ----------------------------------------------------------------


def test_a_leaf_that_requires_grad_raises() -> None:
    x = leaf([1.0, 2.0])
    for write in (
        lambda: x.add_(1),
        lambda: x.__setitem__(0, 1.0),
        lambda: x[0].add_(1),
        lambda: x.view(2, 1).mul_(2),
        lambda: x.zero_(),
        lambda: x.fill_(1),
        lambda: x.copy_(lucid.ones(2, dtype=f64)),
    ):
        with pytest.raises(RuntimeError, match="leaf"):
            write()
    assert x.tolist() == [1, 2]
    with lucid.no_grad():
        x.add_(1)
        x[0] = 7
    assert x.tolist() == [7, 3] and x.is_leaf and x.requires_grad


def test_a_leaf_without_grad_takes_a_graph() -> None:
    x, w = lucid.zeros(3, dtype=f64), leaf([2.0])
    x.add_(w)
    assert x.requires_grad and not x.is_leaf
    (x * 3).sum().backward()
    assert w.grad.tolist() == [9]


def test_setitem_into_a_constant_takes_a_graph() -> None:
    x, w = lucid.zeros(3, dtype=f64), leaf(2.0)
    x[1] = w * 5
    x[2:] = w
    (x * lucid.tensor([1.0, 10.0, 100.0], dtype=f64)).sum().backward()
    assert w.grad.item() == 150


# --- saved values and versions --------------------------------------------------------------------


def test_a_changed_saved_input_raises_and_names_the_op() -> None:
    x, w = leaf([1.0, 2.0]), lucid.tensor([3.0, 4.0], dtype=f64)
    y = x * w
    w.add_(1)
    with pytest.raises(lucid.VersionMismatch, match=r"(?i)mul") as caught:
        y.sum().backward()
    assert "version" in str(caught.value)


def test_a_changed_saved_output_raises_or_is_right() -> None:
    """Case 40 (pt/issues/49824): exp saves its output, mul_ changes it."""
    y = leaf([0.1, 0.2, 0.3])
    z = y.exp()
    z.mul_(2)
    with pytest.raises(lucid.VersionMismatch, match=r"(?i)exp"):
        z.sum().backward()


def test_changing_what_was_not_saved_is_fine() -> None:
    x = leaf([1.0, 2.0])
    y = x + 1
    y.mul_(3)
    y.add_(x)
    y.sum().backward()
    assert x.grad.tolist() == [4, 4]


def test_in_place_ops_that_save_their_own_result() -> None:
    x = leaf([0.5, -1.0])
    y = x * 1
    y.exp_()
    y.tanh_()
    y.sum().backward()
    e = np.exp([0.5, -1.0])
    assert np.allclose(x.grad.numpy(), e * (1 - np.tanh(e) ** 2))


def test_in_place_op_that_saves_its_input_saves_the_old_value() -> None:
    x = leaf([2.0, 3.0])
    y = x * 1
    y.mul_(y)  # y^2
    y.log_()
    y.sum().backward()
    assert np.allclose(x.grad.numpy(), [1, 2 / 3])
    x = leaf([4.0])
    y = x * 1
    y.pow_(3)
    y.sum().backward()
    assert x.grad.tolist() == [48]


def test_a_write_through_a_view_counts() -> None:
    x = leaf([1.0, 2.0])
    w = lucid.tensor([3.0, 4.0], dtype=f64)
    y = x * w
    w[0] = 9
    with pytest.raises(lucid.VersionMismatch):
        y.sum().backward()


def test_a_write_under_no_grad_counts_as_well() -> None:
    x = leaf([1.0, 2.0])
    y = x.exp()
    with lucid.no_grad():
        y.mul_(2)
    with pytest.raises(lucid.VersionMismatch):
        y.sum().backward()


def test_a_write_through_numpy_is_not_seen_by_versions_but_by_values() -> None:
    x = lucid.zeros(3)
    x.numpy()[:] = 4
    assert (x + 1).tolist() == [5, 5, 5]


# --- views and rebasing ---------------------------------------------------------------------------


def test_a_write_through_a_view_rebases_the_base() -> None:
    x = leaf([1.0, 2.0, 3.0, 4.0])
    y = x * 1
    v = y[1:3]
    v.mul_(10)
    y.sum().backward()
    assert x.grad.tolist() == [1, 10, 10, 1]


def test_a_write_to_the_base_is_seen_by_the_view() -> None:
    """Case 40 (pt/issues/8874): the hook fires once, with the gradient after the write."""
    x = lucid.ones(4, requires_grad=True)
    y = x.clone()
    v = y[:2]
    y.mul_(2)
    seen = []
    v.register_hook(lambda g: seen.append(g.tolist()))
    v.sum().backward()
    assert x.grad.tolist() == [2, 2, 0, 0]
    assert seen == [[1, 1]]


def test_sibling_views_get_fresh_nodes() -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = x * 1
    a, b = y[:2], y[1:]
    before = b.grad_fn
    a.mul_(10)
    assert b.grad_fn is not before
    b.sum().backward()
    assert b.tolist() == [20, 3]
    assert x.grad.tolist() == [0, 10, 1]


def test_grad_fn_of_a_written_view_and_its_base() -> None:
    x = leaf([1.0, 2.0, 3.0])
    y = x * 1
    v = y[:2]
    v.exp_()
    (gv,) = grad(v.sum(), [x], retain_graph=True)
    (gy,) = grad(y.sum(), [x])
    assert np.allclose(gv.numpy(), [np.exp(1), np.exp(2), 0])
    assert np.allclose(gy.numpy(), [np.exp(1), np.exp(2), 1])


def test_chained_writes_through_nested_views() -> None:
    x = leaf(np.arange(12.0).reshape(3, 4))
    y = x * 1
    v = y.transpose(0, 1)[1:3]
    w = v[:, ::2]
    w.mul_(5)
    v.add_(1)
    y[0].mul_(3)
    (y * y).sum().backward()
    a = np.arange(12.0).reshape(3, 4)
    scale = np.ones((3, 4))
    scale.T[1:3][:, ::2] *= 5
    b = a * scale
    b.T[1:3] += 1
    outer = np.ones((3, 4))
    outer[0] *= 3
    assert np.allclose(y.detach().numpy(), b * outer)
    assert np.allclose(x.grad.numpy(), 2 * b * outer * outer * scale)


def test_a_write_into_a_view_with_a_source_that_requires_grad() -> None:
    base = lucid.zeros(2, 3, dtype=f64)
    w = leaf([1.0, 2.0, 3.0])
    row = base[1]
    row.add_(w)
    assert base.requires_grad and row.requires_grad
    (base * 2).sum().backward()
    assert w.grad.tolist() == [2, 2, 2]


def test_double_backward_through_writes() -> None:
    def fn(x):
        y = x * 1
        y[1:].mul_(x[:-1])
        y[0] = x[1] * x[1]
        y[::2].exp_()
        return y

    assert lucid.autograd.gradcheck(fn, [leaf([0.5, -0.7, 0.3])])
    assert lucid.autograd.gradgradcheck(fn, [leaf([0.5, -0.7, 0.3])])


def test_views_made_under_no_grad_then_written() -> None:
    """PyTorch refuses the write (the view has no graph); a right gradient is as good."""
    x = leaf([1.0, 2.0])
    y = x * 1
    with lucid.no_grad():
        v = y[:1]
    try:
        v.mul_(2)
    except RuntimeError:
        return
    y.sum().backward()
    assert y.tolist() == [2, 2]
    assert x.grad.tolist() == [2, 1]


def test_a_view_under_no_grad_written_under_no_grad() -> None:
    x = lucid.ones(3, requires_grad=True)
    with lucid.no_grad():
        x[0].mul_(5)
    assert x.tolist() == [5, 1, 1]


def test_detached_views_do_not_enter_the_graph() -> None:
    x = leaf([1.0, 2.0])
    y = x * 1
    y.detach()[:1].mul_(7)
    y.sum().backward()
    assert x.grad.tolist() == [1, 1]
    assert y.tolist() == [7, 2]


def test_hooks_stay_with_the_value_they_were_put_on() -> None:
    """PyTorch: a hook registered before a write sees the gradient of the value before the write."""
    x = leaf([1.0])
    y = x * 1
    seen = []
    y.register_hook(lambda g: seen.append(("old", g.item())))
    y.mul_(10)
    y.register_hook(lambda g: seen.append(("new", g.item())))
    y.sum().backward()
    assert seen == [("new", 1), ("old", 10)]


def test_retain_grad_moves_with_the_tensor() -> None:
    x = leaf([1.0])
    y = x * 1
    y.retain_grad()
    y.mul_(10)
    y.sum().backward()
    assert y.grad.item() == 1


# --- case 29 --------------------------------------------------------------------------------------


def test_gradient_of_a_strided_slice_that_picks_one_row() -> None:
    wa = lucid.tensor([[1.0, 2, 3]], dtype=f64)
    wb = lucid.tensor([[100.0, 101, 102]], dtype=f64)
    for a, b, rows in (
        (slice(0, None, 2), slice(1, None, 2), [[1, 2, 3], [100, 101, 102]]),
        (slice(1, None, -2), slice(0, None, -1), [[100, 101, 102], [1, 2, 3]]),
    ):
        z = lucid.zeros(2, 3, dtype=f64, requires_grad=True)
        ((z[a] * wa).sum() + (z[b] * wb).sum()).backward()
        assert z.grad.tolist() == rows


def test_in_place_slice_assignment_that_picks_one_row() -> None:
    z = leaf(np.zeros((2, 3)))
    s = leaf([[1.0, 2, 3]])
    y = z * 1
    y[0::2] = s
    y[1::-2] = s * 10
    (y * lucid.tensor([[1.0], [5.0]], dtype=f64)).sum().backward()
    assert y.tolist() == [[1, 2, 3], [10, 20, 30]]
    assert z.grad.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert s.grad.tolist() == [[51, 51, 51]]


# --- case 41 --------------------------------------------------------------------------------------


class SliceView(lucid.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        return a.clone()[:3]

    @staticmethod
    def backward(ctx, g):
        return lucid.cat([g * 10, lucid.zeros(1, dtype=g.dtype)])


def test_in_place_on_the_output_of_a_function_that_returns_a_view() -> None:
    x = lucid.ones(4, requires_grad=True)
    y = SliceView.apply(x)
    try:
        y.relu_()
    except RuntimeError:
        return  # PyTorch's answer for a view of something that is not an input; also right
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [10, 10, 10, 0]


def test_in_place_on_a_function_output_that_views_its_input() -> None:
    class View(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a[:2]

        @staticmethod
        def backward(ctx, g):
            return lucid.cat([g * 10, lucid.zeros(1, dtype=g.dtype)])

    x = leaf([1.0, 2.0, 3.0])
    base = x * 1
    y = View.apply(base)
    try:
        y.mul_(2)
    except RuntimeError as error:
        assert "view" in str(error)
        return
    y.sum().backward()
    assert x.grad.tolist() == [20, 20, 0]
