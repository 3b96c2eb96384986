"""Gradients through whole graphs: scale, views, casts, complex, random programs, kinks."""

import copy
import gc
import pickle
import random
import weakref

import numpy as np
import pytest

import lucid
from tests.support import delay

grad = lucid.autograd.grad
f64 = lucid.float64


def leaf(values, dtype=f64) -> "lucid.Tensor":
    return lucid.tensor(values, dtype=dtype).requires_grad_()


class Square(lucid.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 * x


# --- size -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("delayed", [False, True])
def test_a_chain_of_100000_ops(delayed: bool) -> None:
    with delay(delayed):
        x = leaf([1.0, 2.0])
        y = x
        for i in range(100_000):
            y = y + 1 if i % 2 else y * 1.0
        y.sum().backward()
        assert x.grad.tolist() == [1, 1]
        assert y.tolist() == [50_001, 50_002]
        del y


def test_a_chain_that_is_never_walked_dies() -> None:
    x = leaf([1.0])
    y = x
    for _ in range(100_000):
        y = y * 1.5
    del y
    gc.collect()


def test_a_chain_of_functions_dies() -> None:
    x = leaf([1.0])
    y = x
    for _ in range(20_000):
        y = Square.apply(y)
    y.sum().backward()
    del y
    y = x
    for _ in range(20_000):
        y = Square.apply(y)
    del y
    gc.collect()


@pytest.mark.parametrize("delayed", [False, True])
def test_two_to_the_sixty_paths(delayed: bool) -> None:
    with delay(delayed):
        x = leaf(1.0)
        y = x
        for _ in range(60):
            y = y + y
        y.backward()
        assert y.item() == 2.0**60
        assert x.grad.item() == 2.0**60


def test_shared_nodes_under_create_graph() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(20):
        y = y * y
    (d,) = grad(y, [x], create_graph=True)
    (d2,) = grad(d, [x])
    n = 2.0**20
    assert d.item() == n
    assert d2.item() == n * (n - 1)


def test_the_graph_is_released_by_backward() -> None:
    big = leaf(np.ones(1000))
    held = big * 2
    watch = weakref.ref(held)
    y = (held * held).sum()
    del held
    y.backward()
    gc.collect()
    assert watch() is None


# --- through views, broadcasting, casts -----------------------------------------------------------

VIEWS = {
    "reshape": lambda x: x.reshape(4, 6),
    "view": lambda x: x.view(6, 4),
    "transpose": lambda x: x.transpose(0, 2),
    "permute": lambda x: x.permute(2, 0, 1),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "squeeze": lambda x: x.unsqueeze(1).squeeze(1),
    "squeeze all": lambda x: x.unsqueeze(0).unsqueeze(-1).squeeze(),
    "select": lambda x: x.select(1, -1),
    "slice": lambda x: x.slice(2, 1, None, 2),
    "negative slice": lambda x: x.slice(2, None, None, -1),
    "negative slice with a step": lambda x: x.slice(1, None, None, -2),
    "empty slice": lambda x: x.slice(1, 2, 2),
    "expand": lambda x: x.unsqueeze(0).expand(3, 2, 3, 4),
    "expand of a kept axis": lambda x: x[:, :1].expand(2, 5, 4),
    "index": lambda x: x[1, ..., ::2],
    "new axis": lambda x: x[:, None, 1:],
    "flatten": lambda x: x.flatten(1),
    "contiguous": lambda x: x.transpose(0, 1).contiguous(),
    "clone": lambda x: x.clone(),
    "T": lambda x: x[0].T,
    "mT": lambda x: x.mT,
    "as_strided": lambda x: x.as_strided((3, 2), (2, 5), 1),
    "overlapping as_strided": lambda x: x.as_strided((4, 3), (1, 1), 2),
    "detour": lambda x: x.permute(2, 0, 1)[1:, :, ::2].transpose(0, 1).reshape(-1)[::3],
}


@pytest.mark.parametrize("name", VIEWS)
def test_gradient_through_a_view(name: str) -> None:
    x = leaf(np.linspace(-1, 1, 24).reshape(2, 3, 4))
    view = VIEWS[name]
    assert lucid.autograd.gradcheck(lambda t: view(t) * 1.5, [x])
    assert lucid.autograd.gradgradcheck(lambda t: view(t * t), [x])


@pytest.mark.parametrize("name", VIEWS)
def test_gradient_lands_where_the_view_reads(name: str) -> None:
    """Each element's gradient is how often the view reads it."""
    x = leaf(np.arange(24.0).reshape(2, 3, 4))
    y = VIEWS[name](x)
    y.backward(lucid.ones(y.shape, dtype=f64))
    count = np.bincount(y.detach().numpy().astype(int).ravel(), minlength=24).reshape(2, 3, 4)
    assert np.array_equal(x.grad.numpy(), count)


@pytest.mark.parametrize(
    "a, b",
    [
        ((3, 4), (4,)),
        ((3, 1), (1, 4)),
        ((), (2, 3)),
        ((2, 1, 3), (5, 1)),
        ((1,), (0, 3)),
        ((1, 1), ()),
    ],
)
@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "maximum", "pow"])
def test_gradient_is_summed_back_over_broadcast_axes(a, b, op: str) -> None:
    rng = np.random.default_rng(0)
    x, y = leaf(rng.uniform(0.5, 2, a)), leaf(rng.uniform(2.5, 4, b))
    fn = getattr(lucid, op)
    fn(x, y).sum().backward()
    assert x.grad.shape == a and y.grad.shape == b
    assert lucid.autograd.gradcheck(fn, [x, y])


@pytest.mark.parametrize("low", ["float16", "bfloat16", "float32", "float64"])
def test_a_cast_keeps_the_chain(low: str) -> None:
    x = lucid.ones(4, requires_grad=True)
    (x.to(getattr(lucid, low)) * 3).float().sum().backward()
    assert x.grad.dtype == lucid.float32
    assert x.grad.tolist() == [3] * 4


def test_mixed_dtypes_give_each_leaf_its_own_dtype() -> None:
    x = lucid.ones(3, dtype=lucid.float16, requires_grad=True)
    y = lucid.ones(3, dtype=f64, requires_grad=True)
    (x * y).sum().backward()
    assert x.grad.dtype == lucid.float16 and y.grad.dtype == f64


def test_a_cast_to_integers_ends_the_chain() -> None:
    x = leaf([1.5])
    assert not x.to(lucid.int64).requires_grad


def test_a_zero_d_float64_does_not_widen_the_gradient() -> None:
    x = lucid.ones(3, requires_grad=True)
    s = lucid.tensor(2.0, dtype=f64).requires_grad_()
    y = x * s
    assert y.dtype == lucid.float32
    y.sum().backward()
    assert x.grad.dtype == lucid.float32 and s.grad.dtype == f64
    assert s.grad.item() == 3


# --- complex --------------------------------------------------------------------------------------


def test_complex_gradient_is_with_respect_to_the_conjugate() -> None:
    z = lucid.tensor([1 + 2j, -3 + 0.5j], dtype=lucid.complex128).requires_grad_()
    abs2 = z.abs()
    (abs2 * abs2).sum().backward()  # |z|^2: PyTorch's gradient is 2 z
    assert np.allclose(z.grad.numpy(), 2 * z.detach().numpy(), rtol=1e-12)


def test_complex_product_conjugates() -> None:
    a = lucid.tensor([1 + 2j], dtype=lucid.complex128).requires_grad_()
    b = lucid.tensor([3 - 1j], dtype=lucid.complex128).requires_grad_()
    g = lucid.tensor([0.5 + 1j], dtype=lucid.complex128)
    (a * b).backward(g)
    assert np.allclose(a.grad.numpy(), g.numpy() * np.conj(b.detach().numpy()))
    assert np.allclose(b.grad.numpy(), g.numpy() * np.conj(a.detach().numpy()))


def test_real_input_of_a_complex_product_gets_a_real_gradient() -> None:
    x = leaf([2.0])
    z = lucid.tensor([3 + 4j], dtype=lucid.complex128).requires_grad_()
    (x * z).backward(lucid.tensor([1 + 1j], dtype=lucid.complex128))
    assert x.grad.dtype == f64
    assert x.grad.tolist() == [7.0]  # Re((1+i) conj(3+4i))


def test_backward_of_a_complex_scalar_needs_a_gradient() -> None:
    z = lucid.tensor([1 + 2j], dtype=lucid.complex128).requires_grad_()
    with pytest.raises(RuntimeError):
        (z * z).sum().backward()


@pytest.mark.parametrize("op", ["exp", "log", "sqrt", "tanh", "neg", "sigmoid"])
def test_complex_gradcheck(op: str) -> None:
    if "complex128" not in supported(op):
        return
    z = lucid.tensor([0.3 + 0.7j, -0.4 + 0.2j], dtype=lucid.complex128).requires_grad_()
    assert lucid.autograd.gradcheck(getattr(lucid, op), [z])
    assert lucid.autograd.gradgradcheck(getattr(lucid, op), [z])


def supported(op: str) -> set[str]:
    """The dtypes that the op takes without raising."""
    out = set()
    for name in ("complex64", "complex128"):
        try:
            getattr(lucid, op)(lucid.ones(1, dtype=getattr(lucid, name)))
            out.add(name)
        except TypeError:
            pass
    return out


# --- the graph as seen from Python ----------------------------------------------------------------


def test_grad_fn_names_and_next_functions() -> None:
    x, w = leaf([[1.0, 2.0]]), leaf([[3.0], [4.0]])
    y = (x @ w).exp() + 1
    node = y.grad_fn
    names = []
    while node is not None:
        names.append(node.name())
        node = node.next_functions[0][0] if node.next_functions else None
    assert names == ["AddBackward", "ExpBackward", "MatmulBackward", "AccumulateGrad"]
    (first, _), (second, _) = (x @ w).grad_fn.next_functions
    assert first.variable is x
    assert second.variable is w


def test_a_node_is_one_object_while_somebody_holds_it() -> None:
    """A walk that keeps a set of the nodes that it has seen must end on 2**60 paths."""
    y = leaf([1.0])
    for _ in range(60):
        y = y + y
    assert y.grad_fn is y.grad_fn
    seen, stack = set(), [y.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [n for n, _ in node.next_functions]
            assert len(seen) <= 61


def test_next_functions_have_none_for_what_needs_no_gradient() -> None:
    x = leaf([1.0])
    y = x * lucid.ones(1, dtype=f64)
    functions = y.grad_fn.next_functions
    assert functions[0][0].name() == "AccumulateGrad"
    assert functions[1][0] is None


def test_output_number() -> None:
    class Two(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1, x * 2

        @staticmethod
        def backward(ctx, a, b):
            return a + b

    a, b = Two.apply(leaf([1.0]))
    assert a.output_nr == 0 and b.output_nr == 1
    (edge,) = (b * 2).grad_fn.next_functions[:1]
    assert edge[1] == 1


def test_deepcopy() -> None:
    x = leaf([1.0, 2.0])
    (x * 3).sum().backward()
    y = copy.deepcopy(x)
    assert y is not x and y.requires_grad and y.is_leaf
    assert y.tolist() == [1, 2] and y.grad.tolist() == [3, 3]
    y.grad.add_(1)
    assert x.grad.tolist() == [3, 3]
    with lucid.no_grad():
        y.add_(1)
    assert x.tolist() == [1, 2]
    with pytest.raises(RuntimeError):
        copy.deepcopy(x * 2)  # only leaves


def test_deepcopy_keeps_sharing() -> None:
    base = lucid.arange(6)
    pair = [base, base]
    a, b = copy.deepcopy(pair)
    assert a is b


def test_copy_shares_memory() -> None:
    x = lucid.arange(3)
    y = copy.copy(x)
    y[0] = 7
    assert x[0].item() == 7


def test_pickle() -> None:
    for x in (leaf([[1.0, 2.0]]), lucid.arange(6).reshape(2, 3).transpose(0, 1), lucid.zeros(0, 3)):
        y = pickle.loads(pickle.dumps(x))
        assert y.tolist() == x.tolist() and y.dtype == x.dtype
        assert y.requires_grad == x.requires_grad and y.shape == x.shape
    with pytest.raises(RuntimeError):
        pickle.dumps(leaf([1.0]) * 2)


# --- random programs ------------------------------------------------------------------------------

UNARY_STEPS = ("exp", "tanh", "sigmoid", "neg", "abs", "relu")
STEPS = (
    "unary",
    "mul",
    "add",
    "div",
    "matmul",
    "view",
    "reduce",
    "softmax",
    "write",
    "where",
    "cat",
)


class Script:
    """A random program on a (2, 3) leaf; all its choices are made by the seed, none by values."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def __call__(self, x):
        rng = random.Random(self.seed)
        pool = [x * 1.0, x.tanh()]
        for _ in range(rng.randint(2, 7)):
            pool.append(self.step(rng, pool))
        total = None
        for y in pool[-3:]:
            part = (y * y).sum() if rng.random() < 0.5 else y.mean()
            total = part if total is None else total + part
        return total

    def step(self, rng, pool):
        y = rng.choice(pool)
        kind = rng.choice(STEPS)
        if kind == "unary":
            return getattr(lucid, rng.choice(UNARY_STEPS))(y + 0.0314)
        if kind == "mul":
            return y * rng.choice([z for z in pool if z.shape in (y.shape, ())])
        if kind == "add":
            return y + rng.choice([z for z in pool if z.shape in (y.shape, ())]) * 0.5
        if kind == "div":
            return y / (y * y + 1.5)
        if kind == "matmul" and y.ndim == 2:
            return y @ y.transpose(0, 1)
        if kind == "view" and y.ndim:
            choices = (
                lambda: y.transpose(0, -1),
                lambda: y.reshape(-1),
                lambda: y.unsqueeze(rng.randint(0, y.ndim)),
                lambda: y[..., ::-1],
                lambda: y[rng.randrange(y.shape[0])],
                lambda: y.expand(2, *y.shape),
            )
            return rng.choice(choices)()
        if kind == "reduce" and y.ndim:
            dim = rng.randrange(y.ndim)
            return rng.choice((lucid.sum, lucid.mean))(y, dim, rng.random() < 0.5)
        if kind == "softmax" and y.ndim:
            return rng.choice((lucid.softmax, lucid.log_softmax))(y, rng.randrange(y.ndim))
        if kind == "write" and y.ndim:
            z = y * 1.0
            v = z[0] if rng.random() < 0.5 else z[..., ::2]
            rng.choice((lambda: v.mul_(v), lambda: v.tanh_(), lambda: v.add_(z.sum())))()
            return rng.choice((z, v))
        if kind == "where":
            return lucid.where(y.detach() > 0.1, y, y * 3)
        if kind == "cat" and y.ndim:
            return lucid.cat([y, y * 2], rng.randrange(y.ndim))
        return y * 2


@pytest.mark.parametrize("block", range(8))
def test_gradients_of_random_programs(block: int) -> None:
    for seed in range(block, 640, 8):
        x = leaf(np.random.default_rng(seed).uniform(-0.9, 0.9, (2, 3)))
        assert lucid.autograd.gradcheck(Script(seed), [x]), seed
        if seed % 4 == 0:
            assert lucid.autograd.gradgradcheck(Script(seed), [x]), seed
        (at_once,) = grad(Script(seed)(x), [x])
        with delay():
            (late,) = grad(Script(seed)(x), [x])
        assert late.tolist() == at_once.tolist()


# --- gradcheck itself fails when it should --------------------------------------------------------


class WrongBackward(lucid.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        return g * 2.01 * ctx.saved_tensors[0]


class WrongSecond(lucid.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x * x.detach()


def test_gradcheck_fails_on_a_wrong_gradient() -> None:
    with pytest.raises(RuntimeError):
        lucid.autograd.gradcheck(WrongBackward.apply, [leaf([0.7])])
    assert not lucid.autograd.gradcheck(WrongBackward.apply, [leaf([0.7])], raise_exception=False)


def test_gradgradcheck_fails_on_a_wrong_second_gradient() -> None:
    assert lucid.autograd.gradcheck(WrongSecond.apply, [leaf([0.7])])
    with pytest.raises(RuntimeError):
        lucid.autograd.gradgradcheck(WrongSecond.apply, [leaf([0.7])])


# --- subgradients and masked branches (numerics.md) -----------------------------------------------


def test_subgradients_at_kinks() -> None:
    for fn in (lucid.abs, lucid.relu):
        x = leaf([0.0, -0.0])
        fn(x).sum().backward()
        assert x.grad.tolist() == [0, 0]


def test_ties_of_maximum_and_amax_share() -> None:
    x, y = leaf([1.0, 2.0]), leaf([1.0, 0.0])
    lucid.maximum(x, y).sum().backward()
    assert x.grad.tolist() == [0.5, 1] and y.grad.tolist() == [0.5, 0]
    x = leaf([[3.0, 3.0, 1.0], [0.0, 2.0, 2.0]])
    x.amax(1).sum().backward()
    assert x.grad.tolist() == [[0.5, 0.5, 0], [0, 0.5, 0.5]]


def test_no_nan_from_a_masked_branch() -> None:
    x = leaf([0.0, 4.0])
    lucid.where(x > 0, x, lucid.zeros(2, dtype=f64)).sum().backward()
    assert x.grad.tolist() == [0, 1]
    x = leaf([-1.0, 4.0])
    safe = lucid.where(x > 0, x, 1.0)
    lucid.where(x > 0, safe.sqrt(), 0.0).sum().backward()
    assert x.grad.tolist() == [0, 0.25]


def test_pow_gradients_are_finite_where_mathematics_is() -> None:
    x = leaf([0.0, 0.0, 0.0, 2.0])
    p = leaf([2.0, 1.0, 0.0, 0.0])
    (x**p).sum().backward()
    assert x.grad.tolist() == [0, 1, 0, 0]
    assert p.grad.tolist()[:2] == [0, 0]
    assert p.grad.tolist()[3] == pytest.approx(np.log(2))
    x = leaf([-2.0, 0.0])
    (x**2).sum().backward()
    assert x.grad.tolist() == [-4, 0]
    x = leaf([-2.0])
    (x**3.0).sum().backward()
    assert x.grad.tolist() == [12]
