"""The tape: accumulation, walks and their options, hooks, grad modes, flags, anomaly mode."""

import gc
import threading
import weakref

import numpy as np
import pytest

import lucid

grad = lucid.autograd.grad
f64 = lucid.float64


def leaf(values, dtype=f64) -> "lucid.Tensor":
    return lucid.tensor(values, dtype=dtype).requires_grad_()


# --- accumulation and options of backward ---------------------------------------------------------


def test_gradients_accumulate_over_backwards() -> None:
    x = leaf([1.0, 2.0])
    (x * 3).sum().backward()
    first = x.grad
    assert first.tolist() == [3, 3]
    (x * x).sum().backward()
    assert x.grad.tolist() == [5, 7]
    x.grad = None
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_accumulation_without_create_graph_keeps_the_same_grad_object() -> None:
    x = leaf([1.0, 2.0])
    x.sum().backward()
    g = x.grad
    x.sum().backward()
    assert x.grad is g
    assert g.tolist() == [2, 2]


def test_grad_handed_in_is_not_changed_by_accumulation() -> None:
    x = leaf([1.0, 2.0])
    g = lucid.tensor([10.0, 20.0], dtype=f64)
    x.backward(g)
    x.backward(g)
    assert g.tolist() == [10, 20]
    assert x.grad.tolist() == [20, 40]


def test_two_leaves_do_not_share_a_gradient() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    (x + y).sum().backward()
    x.grad.add_(1)
    assert y.grad.tolist() == [1, 1]


def test_one_tensor_used_twice_in_one_op() -> None:
    x = leaf([3.0])
    (x * x).backward()
    assert x.grad.tolist() == [6]
    x.grad = None
    (x @ x).backward()
    assert x.grad.tolist() == [6]


def test_backward_of_a_non_scalar_needs_a_gradient() -> None:
    x = leaf([1.0, 2.0])
    y = x * 2
    with pytest.raises(RuntimeError, match="scalar"):
        y.backward()
    y.backward(lucid.tensor([1.0, 10.0], dtype=f64))
    assert x.grad.tolist() == [2, 20]


def test_a_gradient_of_the_wrong_shape_raises() -> None:
    x = leaf([1.0, 2.0])
    with pytest.raises(lucid.ShapeMismatch):
        (x * 2).backward(lucid.ones(3, dtype=f64))


def test_backward_of_what_needs_no_grad_raises() -> None:
    with pytest.raises(RuntimeError, match="require"):
        lucid.ones(3).sum().backward()


def test_one_element_of_any_shape_counts_as_scalar() -> None:
    x = leaf([[2.0]])
    (x * 3).backward()
    assert x.grad.tolist() == [[3]]


def test_second_backward_raises_and_retain_graph_allows_it() -> None:
    x = leaf([2.0])
    y = (x * x).exp().sum()
    y.backward(retain_graph=True)
    first = x.grad.item()
    y.backward()
    assert x.grad.item() == 2 * first
    with pytest.raises(RuntimeError, match="earlier backward"):
        y.backward()


def test_second_backward_through_ops_that_save_nothing_is_allowed() -> None:
    x = leaf([2.0])
    y = (x + 1).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2]


def test_backward_inputs_limits_what_accumulates() -> None:
    x, y = leaf([2.0]), leaf([3.0])
    z = (x * y).sum()
    z.backward(inputs=[x])
    assert x.grad.tolist() == [3]
    assert y.grad is None


def test_backward_inputs_may_be_a_middle_tensor() -> None:
    x = leaf([2.0])
    m = x * 3
    m.retain_grad()
    (m * m).sum().backward(inputs=[m])
    assert m.grad.tolist() == [12]
    assert x.grad is None


def test_a_leaf_made_by_requires_grad_argument() -> None:
    x = lucid.ones(2, requires_grad=True)
    assert x.is_leaf and x.requires_grad and x.grad is None and x.grad_fn is None
    y = x * 2
    assert not y.is_leaf and y.requires_grad
    assert not x.detach().requires_grad


# --- autograd.grad --------------------------------------------------------------------------------


def test_grad_returns_and_does_not_accumulate() -> None:
    x, y = leaf([2.0]), leaf([3.0])
    gx, gy = grad((x * y).sum(), [x, y])
    assert (gx.item(), gy.item()) == (3, 2)
    assert x.grad is None and y.grad is None


def test_grad_takes_a_single_tensor_for_inputs() -> None:
    x = leaf([2.0])
    (g,) = grad((x * x).sum(), x)
    assert g.tolist() == [4]


def test_grad_of_several_outputs_with_grad_outputs() -> None:
    x = leaf([1.0, 2.0])
    a, b = x * 2, x * x
    (g,) = grad([a, b], [x], [lucid.ones(2, dtype=f64), lucid.tensor([1.0, 10.0], dtype=f64)])
    assert g.tolist() == [4, 42]


def test_grad_of_an_unused_input() -> None:
    x, z = leaf([1.0]), leaf([1.0])
    y = (x * 2).sum()
    with pytest.raises(RuntimeError, match="allow_unused"):
        grad(y, [x, z], retain_graph=True)
    gx, gz = grad(y, [x, z], allow_unused=True)
    assert gx.tolist() == [2]
    assert gz is None


def test_grad_of_an_input_that_does_not_require_grad_raises() -> None:
    x = lucid.ones(2)
    y = leaf([1.0, 2.0])
    with pytest.raises(RuntimeError):
        grad((x * y).sum(), [x])


def test_grad_with_respect_to_a_middle_tensor_and_itself() -> None:
    x = leaf([2.0])
    m = x * 3
    y = (m * m).sum()
    (g,) = grad(y, [m], retain_graph=True)
    assert g.tolist() == [12]
    (g,) = grad(y, [y], retain_graph=True)
    assert g.item() == 1
    gm, gx = grad(y, [m, x])
    assert (gm.item(), gx.item()) == (12, 36)


def test_the_same_input_twice() -> None:
    x = leaf([3.0])
    a, b = grad((x * x).sum(), [x, x])
    assert (a.item(), b.item()) == (6, 6)


# --- create_graph ---------------------------------------------------------------------------------


def test_third_derivative() -> None:
    x = leaf(2.0)
    y = x**4
    (d1,) = grad(y, [x], create_graph=True)
    (d2,) = grad(d1, [x], create_graph=True)
    (d3,) = grad(d2, [x], create_graph=True)
    (d4,) = grad(d3, [x])
    assert [d.item() for d in (d1, d2, d3, d4)] == pytest.approx([32, 48, 48, 24])


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_derivatives_of_exp_and_tanh(order: int) -> None:
    x = leaf(0.3)
    e, t = x.exp(), x.tanh()
    for _ in range(order):
        (e,) = grad(e, [x], create_graph=True)
        (t,) = grad(t, [x], create_graph=True)
    th = np.tanh(0.3)
    s = 1 - th * th
    exact = {1: s, 2: -2 * th * s, 3: s * (6 * th * th - 2), 4: s * (16 * th - 24 * th**3)}[order]
    assert e.item() == pytest.approx(np.exp(0.3), rel=1e-13)
    assert t.item() == pytest.approx(exact, rel=1e-11)


def test_create_graph_gives_the_same_bits() -> None:
    def first(create: bool) -> bytes:
        x = leaf(np.linspace(-2, 2, 60).reshape(6, 10))
        y = ((x @ x.transpose(0, 1)).tanh().softmax(0) * x.sum()).log_softmax(1).sum()
        (g,) = grad(y, [x], create_graph=create)
        return g.detach().numpy().tobytes()

    assert first(True) == first(False)


def test_without_create_graph_the_gradient_is_a_constant() -> None:
    x = leaf(2.0)
    (d,) = grad(x**3, [x])
    assert not d.requires_grad
    with pytest.raises(RuntimeError):
        grad(d, [x])


def test_backward_with_create_graph_leaves_a_graph_on_grad() -> None:
    x = leaf(2.0)
    (x**3).backward(create_graph=True)
    g = x.grad
    assert g.requires_grad
    x.grad = None
    g.backward()
    assert x.grad.item() == pytest.approx(12)


def test_create_graph_implies_retain_graph() -> None:
    x = leaf(2.0)
    y = x**3
    grad(y, [x], create_graph=True)
    (d,) = grad(y, [x])
    assert d.item() == pytest.approx(12)


def test_gradient_penalty() -> None:
    x, w = leaf([1.0, 2.0]), leaf([3.0, -1.0])
    y = (x * w).tanh().sum()
    (g,) = grad(y, [x], create_graph=True)
    (g * g).sum().backward()
    xv, wv = x.detach().numpy(), w.detach().numpy()
    t = np.tanh(xv * wv)
    s = 1 - t * t
    # g = w s(xw); d/dw sum g^2 = 2 g (s + w * s' * x), s' = -2 t s
    expected = 2 * wv * s * (s + wv * -2 * t * s * xv)
    assert np.allclose(w.grad.numpy(), expected, rtol=1e-12)


# --- hooks ----------------------------------------------------------------------------------------


def test_hooks_run_in_order_and_replace() -> None:
    x = leaf([1.0])
    y = x * 2
    seen = []

    def record(name, factor):
        def hook(g):
            seen.append((name, g.tolist()))
            return None if factor is None else g * factor

        return hook

    y.register_hook(record("a", 10))
    y.register_hook(record("b", None))
    y.register_hook(record("c", 3))
    y.sum().backward()
    assert seen == [("a", [1]), ("b", [10]), ("c", [10])]
    assert x.grad.tolist() == [60]


def test_a_removed_hook_does_not_run() -> None:
    x = leaf([1.0])
    y = x * 2
    seen = []
    handle = y.register_hook(lambda g: seen.append(1))
    other = y.register_hook(lambda g: seen.append(2))
    handle.remove()
    handle.remove()  # twice is harmless
    y.sum().backward()
    assert seen == [2]
    other.remove()


def test_a_hook_on_a_leaf_sees_the_sum_of_one_backward() -> None:
    x = leaf([1.0])
    seen = []
    x.register_hook(lambda g: seen.append(g.item()))
    (x * 2 + x * 3).sum().backward()
    (x * 4).sum().backward()
    assert seen == [5, 4]
    assert x.grad.item() == 9


def test_a_hook_on_a_leaf_may_replace() -> None:
    x = leaf([1.0])
    x.register_hook(lambda g: g * 0)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [0]


def test_hooks_and_autograd_grad() -> None:
    x = leaf([1.0])
    y = x * 2
    y.register_hook(lambda g: g * 5)
    (g,) = grad(y.sum(), [x], retain_graph=True)
    assert g.tolist() == [10]
    x.register_hook(lambda g: g + 1)
    (g,) = grad(y.sum(), [x])
    assert g.tolist() == [11]


def test_a_hook_of_the_wrong_shape_raises() -> None:
    x = leaf([1.0, 2.0])
    y = x * 2
    y.register_hook(lambda g: lucid.ones(5, dtype=f64))
    with pytest.raises(RuntimeError):
        y.sum().backward()


def test_a_hook_that_returns_no_tensor_raises() -> None:
    x = leaf([1.0, 2.0])
    y = x * 2
    y.register_hook(lambda g: "nothing")
    with pytest.raises(TypeError):
        y.sum().backward()


def test_a_hook_needs_a_tensor_that_requires_grad() -> None:
    with pytest.raises(RuntimeError, match="require"):
        lucid.ones(2).register_hook(lambda g: g)


def test_post_accumulate_hooks() -> None:
    x = leaf([1.0])
    seen = []

    def hook(t):
        assert t is x
        seen.append(t.grad.item())
        t.grad = None

    handle = x.register_post_accumulate_grad_hook(hook)
    (x * 2).sum().backward()
    (x * 3).sum().backward()
    assert seen == [2, 3]
    assert x.grad is None
    handle.remove()
    (x * 4).sum().backward()
    assert x.grad.item() == 4


def test_post_accumulate_hooks_are_for_leaves() -> None:
    x = leaf([1.0])
    with pytest.raises(RuntimeError, match="leaf"):
        (x * 2).register_post_accumulate_grad_hook(lambda t: None)


def test_retain_grad() -> None:
    x = leaf([1.0, 2.0])
    y = x * 2
    y.retain_grad()
    assert y.retains_grad
    (y * y).sum().backward()
    assert y.grad.tolist() == [4, 8]
    assert x.grad.tolist() == [8, 16]


def test_retain_grad_sees_what_hooks_made() -> None:
    x = leaf([1.0])
    y = x * 2
    y.register_hook(lambda g: g * 7)
    y.retain_grad()
    y.register_hook(lambda g: g * 2)
    y.sum().backward()
    assert y.grad.item() == 14
    assert x.grad.item() == 28


def test_grad_of_a_non_leaf_is_none_without_retain_grad() -> None:
    x = leaf([1.0])
    y = x * 2
    y.sum().backward()
    assert y.grad is None


def test_a_nested_backward_in_a_hook() -> None:
    x, w = leaf([2.0]), leaf([5.0])

    def hook(g):
        with lucid.enable_grad():  # a walk without create_graph runs without grad mode
            (w * w).sum().backward()
            (inner,) = grad((x.detach().requires_grad_() * w).sum(), [w])
        return g * inner

    y = x * 3
    y.register_hook(hook)
    y.sum().backward()
    assert w.grad.tolist() == [10]
    assert x.grad.tolist() == [6]


def test_a_hook_runs_with_grad_mode_as_the_walk() -> None:
    x = leaf([2.0])
    modes = []
    y = x * x
    y.register_hook(lambda g: modes.append(lucid.is_grad_enabled()))
    y.sum().backward(retain_graph=True)
    grad(y.sum(), [x], create_graph=True)
    assert modes == [False, True]


def test_a_hook_on_an_inner_tensor_dies_with_the_graph() -> None:
    class Token:
        pass

    token = Token()
    watch = weakref.ref(token)
    x = leaf([1.0])
    y = x * 2
    y.register_hook(lambda g, token=token: None)
    del token, y
    gc.collect()
    assert watch() is None


def test_a_cycle_through_a_hook_is_collected() -> None:
    x = leaf([1.0])
    y = x * 2
    y.register_hook(lambda g, y=y: None)
    watch = weakref.ref(y)
    del y
    gc.collect()
    assert watch() is None


def test_a_cycle_through_a_leaf_hook_is_collected() -> None:
    x = leaf([1.0])
    x.register_hook(lambda g, x=x: None)
    watch = weakref.ref(x)
    del x
    gc.collect()
    assert watch() is None


# --- grad modes -----------------------------------------------------------------------------------


def test_no_grad_and_enable_grad_nest() -> None:
    x = leaf([1.0])
    assert lucid.is_grad_enabled()
    with lucid.no_grad():
        assert not (x * 2).requires_grad
        with lucid.enable_grad():
            assert (x * 2).requires_grad
            with lucid.no_grad():
                assert not (x * 2).requires_grad
            assert lucid.is_grad_enabled()
        assert not lucid.is_grad_enabled()
    assert lucid.is_grad_enabled()


def test_grad_modes_are_restored_after_an_exception() -> None:
    with pytest.raises(KeyError), lucid.no_grad():
        raise KeyError
    assert lucid.is_grad_enabled()


def test_grad_modes_as_decorators() -> None:
    x = leaf([1.0])

    @lucid.no_grad()
    def off(t):
        """Docs."""
        return t * 2

    @lucid.enable_grad()
    def on(t):
        return t * 2

    @lucid.inference_mode()
    def inference(t):
        return t * 2

    assert not off(x).requires_grad
    assert off.__name__ == "off" and off.__doc__ == "Docs."
    with lucid.no_grad():
        assert on(x).requires_grad
    y = inference(x)
    assert not y.requires_grad
    with pytest.raises(RuntimeError):
        y.requires_grad_()
    assert lucid.is_grad_enabled()


def test_no_grad_as_a_bare_decorator() -> None:
    @lucid.no_grad
    def off(t):
        return t * 2

    assert not off(leaf([1.0])).requires_grad


def test_a_decorated_generator_keeps_the_mode_only_inside() -> None:
    @lucid.no_grad()
    def steps(t):
        yield t * 2
        yield t * 3

    x = leaf([1.0])
    out = []
    for t in steps(x):
        assert lucid.is_grad_enabled()
        out.append(t.requires_grad)
    assert out == [False, False]


def test_set_grad_enabled() -> None:
    x = leaf([1.0])
    with lucid.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    assert (x * 2).requires_grad
    lucid.set_grad_enabled(False)
    assert not lucid.is_grad_enabled()
    lucid.set_grad_enabled(True)


def test_grad_mode_is_of_the_thread() -> None:
    seen = []
    with lucid.no_grad():
        thread = threading.Thread(target=lambda: seen.append(lucid.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_requires_grad_under_no_grad_is_allowed() -> None:
    with lucid.no_grad():
        x = lucid.ones(2, requires_grad=True)
        x.add_(1)  # a leaf may be changed without grad mode
    assert x.requires_grad
    assert x.tolist() == [2, 2]


def test_inference_mode() -> None:
    x = leaf([1.0, 2.0])
    with lucid.inference_mode():
        assert lucid.is_inference_mode_enabled()
        y = x * 2
        assert not y.requires_grad
        y.add_(1)
    with pytest.raises(RuntimeError, match=r"[Ii]nference"):
        y.add_(1)
    with pytest.raises(RuntimeError, match=r"[Ii]nference"):
        y.requires_grad_()
    with pytest.raises(RuntimeError, match=r"[Ii]nference"):
        x * y  # y would be saved for backward
    z = y.clone()
    (x * z).sum().backward()
    assert x.grad.tolist() == [3, 5]
    with lucid.inference_mode(), lucid.inference_mode(False):
        assert not lucid.is_inference_mode_enabled()
        assert (x * 2).requires_grad


# --- leaves and flags -----------------------------------------------------------------------------


def test_requires_grad_of_integers_raises() -> None:
    with pytest.raises(lucid.DtypeMismatch):
        lucid.arange(3).requires_grad_()
    with pytest.raises(lucid.DtypeMismatch):
        lucid.tensor([1], requires_grad=True)
    with pytest.raises(lucid.DtypeMismatch):
        lucid.arange(3).requires_grad = True


def test_requires_grad_of_a_non_leaf_cannot_be_turned_off() -> None:
    y = leaf([1.0]) * 2
    with pytest.raises(RuntimeError, match="leaf"):
        y.requires_grad_(False)
    with pytest.raises(RuntimeError, match="leaf"):
        y.requires_grad = False
    y.requires_grad_()  # already so
    x = leaf([1.0])
    x.requires_grad_(False)
    assert not x.requires_grad


def test_detach_shares_memory_and_version() -> None:
    x = leaf([1.0, 2.0])
    y = x.exp()
    d = y.detach()
    assert d.is_leaf and not d.requires_grad
    d[0] = 5
    assert y.tolist()[0] == 5
    with pytest.raises(lucid.VersionMismatch):
        y.sum().backward()


def test_detach_in_place() -> None:
    x = leaf([1.0])
    y = x * 2
    y.detach_()
    assert y.grad_fn is None and not y.requires_grad


def test_assigning_grad_checks() -> None:
    x = leaf([1.0, 2.0])
    x.grad = lucid.ones(2, dtype=f64)
    assert x.grad.tolist() == [1, 1]
    with pytest.raises((RuntimeError, TypeError)):
        x.grad = lucid.ones(3, dtype=f64)
    with pytest.raises((RuntimeError, TypeError)):
        x.grad = lucid.ones(2, dtype=lucid.float32)
    with pytest.raises(TypeError):
        x.grad = "text"
    assert x.grad.tolist() == [1, 1]


def test_gradient_of_an_empty_tensor() -> None:
    x = lucid.zeros(0, 3, requires_grad=True)
    x.sum().backward()
    assert x.grad.shape == (0, 3)


def test_gradient_of_an_expanded_input_is_dense() -> None:
    x = leaf([2.0])
    y = x.expand(1000)
    y.sum().backward()
    assert x.grad.tolist() == [1000]


# --- anomaly mode ---------------------------------------------------------------------------------


class NanBackward(lucid.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, g):
        return g * float("nan")


def test_anomaly_mode_finds_nan_and_names_the_op() -> None:
    with (
        lucid.autograd.detect_anomaly(),
        pytest.raises(RuntimeError, match=r"(?s)log.*nan|nan.*[Ll]og"),
    ):
        x = leaf([0.0])
        y = x.log() * 0  # grad of log at 0: 0 * inf
        y.sum().backward()


def test_anomaly_mode_shows_where_the_op_was_made() -> None:
    def a_telling_name(x):
        return NanBackward.apply(x)

    with lucid.autograd.detect_anomaly():
        y = a_telling_name(leaf([1.0]))
        with pytest.raises(RuntimeError, match="a_telling_name"):
            y.sum().backward()


def test_anomaly_mode_is_off_by_default_and_restored() -> None:
    x = leaf([1.0])
    NanBackward.apply(x).sum().backward()
    assert np.isnan(x.grad.item())
    with lucid.autograd.detect_anomaly():
        pass
    NanBackward.apply(x).sum().backward()


def test_anomaly_mode_without_nan_checks() -> None:
    with lucid.autograd.detect_anomaly(check_nan=False):
        x = leaf([1.0])
        NanBackward.apply(x).sum().backward()
    assert np.isnan(x.grad.item())
