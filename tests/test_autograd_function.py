"""autograd.Function: everything that ctx offers, several outputs, errors."""

import gc
import weakref

import pytest

import lucid

grad = lucid.autograd.grad
f64 = lucid.float64


def leaf(values, dtype=f64) -> "lucid.Tensor":
    return lucid.tensor(values, dtype=dtype).requires_grad_()


# --- autograd.Function ----------------------------------------------------------------------------


class Square(lucid.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x


def test_function_first_and_second_derivative() -> None:
    x = leaf([3.0])
    y = Square.apply(x)
    assert y.grad_fn.name() == "SquareBackward"
    (d1,) = grad(y, [x], create_graph=True)
    (d2,) = grad(d1, [x])
    assert (d1.item(), d2.item()) == (6, 2)
    assert lucid.autograd.gradcheck(Square.apply, [leaf([0.5, -2.0])])
    assert lucid.autograd.gradgradcheck(Square.apply, [leaf([0.5, -2.0])])


def test_function_needs_forward_and_backward() -> None:
    class Half(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

    y = Half.apply(leaf([1.0]))
    with pytest.raises(NotImplementedError):
        y.sum().backward()


def test_function_with_non_tensor_arguments_and_several_outputs() -> None:
    class Scale(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor, name, y):
            assert name == "n"
            ctx.factor = factor
            ctx.needs = ctx.needs_input_grad
            return x * factor, 7, y + x

        @staticmethod
        def backward(ctx, ga, gseven, gb):
            assert ctx.needs == (True, False, False, True)
            assert gseven is None
            return ga * ctx.factor + gb, None, None, gb

    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    a, seven, b = Scale.apply(x, 5, "n", y)
    assert seven == 7
    (a * 2 + b).sum().backward()
    assert x.grad.tolist() == [11, 11]
    assert y.grad.tolist() == [1, 1]


def test_function_unused_outputs_get_zeros_or_none() -> None:
    def make(materialize: bool):
        class Two(lucid.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.set_materialize_grads(materialize)
                return x * 1, x * 2

            @staticmethod
            def backward(ctx, a, b):
                seen.append(b if b is None else b.tolist())
                return a

        return Two

    for materialize, expected in ((True, [0, 0]), (False, None)):
        seen = []
        a, _ = make(materialize).apply(leaf([1.0, 2.0]))
        a.sum().backward()
        assert seen == [expected]


def test_function_mark_non_differentiable() -> None:
    class Sorted(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            index = x.argmax()
            mask = x > 0
            value = x * 2
            ctx.mark_non_differentiable(index, mask)
            return value, index, mask

        @staticmethod
        def backward(ctx, g, g_index, g_mask):
            return g * 2

    x = leaf([1.0, -2.0])
    value, index, mask = Sorted.apply(x)
    assert not index.requires_grad and not mask.requires_grad
    value.sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_function_mark_dirty() -> None:
    class AddOne(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.add_(1)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 10

    x = leaf([1.0, 2.0])
    y = x * 2
    z = AddOne.apply(y)
    assert z is y
    assert y.tolist() == [3, 5]
    y.sum().backward()
    assert x.grad.tolist() == [20, 20]


def test_function_returning_its_input_unchanged() -> None:
    class Identity(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 5

    x = leaf([1.0])
    y = Identity.apply(x)
    assert y is not x
    y.sum().backward()
    assert x.grad.tolist() == [5]


def test_function_save_an_output() -> None:
    class Exp(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    assert lucid.autograd.gradcheck(Exp.apply, [leaf([0.5, -2.0])])
    assert lucid.autograd.gradgradcheck(Exp.apply, [leaf([0.5, -2.0])])
    y = Exp.apply(leaf([0.5]))
    watch = weakref.ref(y)
    del y
    gc.collect()
    assert watch() is None  # saving an output makes no cycle


def test_function_saved_tensor_changed_in_place_raises() -> None:
    w = lucid.tensor([2.0], dtype=f64)
    x = leaf([3.0])

    class Mul(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(w)
            return x * w

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0], None

    y = Mul.apply(x, w)
    w.add_(1)
    with pytest.raises(lucid.VersionMismatch, match="Mul"):
        y.sum().backward()


def test_function_saved_tensors_after_release_raise() -> None:
    y = Square.apply(leaf([3.0])).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="earlier backward"):
        y.backward()


def test_function_once_differentiable() -> None:
    class Twice(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * x

        @staticmethod
        @lucid.autograd.function.once_differentiable
        def backward(ctx, g):
            return g * 2

    x = leaf([1.0])
    (d,) = grad(Twice.apply(x), [x], create_graph=True)
    assert d.item() == 2
    with pytest.raises(RuntimeError):
        grad(d, [x])


@pytest.mark.parametrize("result", [lambda g: (g, g), lambda g: ()])
def test_function_wrong_number_of_gradients(result) -> None:
    class Bad(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return result(g)

    with pytest.raises(RuntimeError, match="Bad"):
        Bad.apply(leaf([1.0])).sum().backward()


def test_function_trailing_none_gradients_are_allowed() -> None:
    class Extra(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2, None, None

    x = leaf([1.0])
    Extra.apply(x).sum().backward()
    assert x.grad.tolist() == [2]


def test_function_wrong_shape_of_a_gradient() -> None:
    class Bad(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return lucid.ones(7, dtype=f64)

    with pytest.raises(RuntimeError, match="Bad"):
        Bad.apply(leaf([1.0, 2.0])).sum().backward()


def test_function_that_raises_loses_nothing() -> None:
    class Raises(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x, early):
            if early:
                raise KeyError("in forward")
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise KeyError("in backward")

    x = leaf([1.0])
    with pytest.raises(KeyError, match="in forward"):
        Raises.apply(x, True)
    assert lucid.is_grad_enabled()
    with pytest.raises(KeyError, match="in backward"):
        Raises.apply(x, False).sum().backward()
    assert lucid.is_grad_enabled()
    (x * 2).sum().backward()
    assert x.grad.tolist() == [2]


def test_function_forward_runs_without_grad_mode() -> None:
    modes = []

    class Mode(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            modes.append(lucid.is_grad_enabled())
            return x * 2

        @staticmethod
        def backward(ctx, g):
            modes.append(lucid.is_grad_enabled())
            return g

    x = leaf([1.0])
    y = Mode.apply(x)
    y.sum().backward(retain_graph=True)
    grad(y.sum(), [x], create_graph=True)
    assert modes == [False, False, True]
    with lucid.no_grad():
        assert not Mode.apply(x).requires_grad


def test_function_of_inputs_without_grad() -> None:
    y = Square.apply(lucid.ones(2))
    assert not y.requires_grad and y.grad_fn is None


def test_function_setup_context() -> None:
    class Cube(lucid.autograd.Function):
        @staticmethod
        def forward(x):
            return x * x * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            (x,) = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return g * 3 * x * x

    x = leaf([2.0])
    Cube.apply(x).sum().backward()
    assert x.grad.tolist() == [12]


def test_function_ctx_is_the_node() -> None:
    y = Square.apply(leaf([3.0]))
    assert y.grad_fn.saved_tensors[0].tolist() == [3]
    assert y.grad_fn.next_functions[0][0].name() == "AccumulateGrad"


def test_function_cannot_be_instantiated_or_called() -> None:
    with pytest.raises((RuntimeError, TypeError)):
        Square()(leaf([1.0]))


def test_function_nested_in_function() -> None:
    class Outer(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with lucid.enable_grad():
                inner = x.detach().requires_grad_()
                y = Square.apply(inner)
            ctx.inner, ctx.y = inner, y
            return y.detach()

        @staticmethod
        def backward(ctx, g):
            return grad(ctx.y, [ctx.inner], g)[0]

    x = leaf([3.0])
    Outer.apply(x).sum().backward()
    assert x.grad.tolist() == [6]
