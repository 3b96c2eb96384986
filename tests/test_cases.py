"""Inputs that broke other engines (reported_bugs.md), as far as stage 1 expresses them.

Each case is a function of `lay`, which gives its inputs a layout; it runs by itself, delayed, on
non-contiguous inputs, and on both at once. The number is the case's in the list.
"""

import math
import threading
import time

import numpy as np
import pytest

import lucid
from tests.support import LAYOUTS, delay

inf, nan = math.inf, math.nan
f64 = lucid.float64


def same(got, want) -> bool:
    """Elementwise equal, nan equal to nan."""
    a, b = np.asarray(got.tolist() if isinstance(got, lucid.Tensor) else got), np.asarray(want)
    return a.shape == b.shape and bool(np.all((a == b) | ((a != a) & (b != b))))


def case_01_low_precision_sums_accumulate_wider(lay) -> None:
    def ones(n, dtype):
        return lay(np.ones(n, np.float32)).to(dtype)

    assert ones(20000, lucid.float16).sum().item() == 20000
    assert ones(70000, lucid.bfloat16).sum().item() == 70144
    assert ones(70000, lucid.bfloat16).mean().item() == 1
    assert ones(70000, lucid.float16).mean().item() == 1
    assert math.isinf(ones(70000, lucid.float16).sum().item())
    # The same along an axis, in both directions.
    for axis, shape in ((0, (20000, 2)), (1, (2, 20000))):
        x = lay(np.ones(shape, np.float32))
        assert x.to(lucid.float16).sum(axis).tolist() == [20000, 20000]
        assert x.to(lucid.bfloat16).sum(axis).tolist() == [19968, 19968]
        assert x.to(lucid.float16).mean(axis).tolist() == [1, 1]
    # Softmax and matmul too.
    assert abs(ones(5000, lucid.float16).softmax(0).to(f64).sum().item() - 1) < 0.05
    a = ones(5000, lucid.float16)
    assert (a @ a).item() == 5000
    b = ones(5000, lucid.bfloat16).reshape(1, 5000)
    assert (b @ b.transpose(0, 1)).item() == 4992
    # And gradients of broadcasting, which are sums.
    w = lucid.ones(1, dtype=lucid.float16, requires_grad=True)
    (w * ones(20000, lucid.float16)).sum().backward()
    assert w.grad.item() == 20000


def case_04_mean_of_small_unsigned_integers(lay) -> None:
    x = lay(np.array([0, 100, 200, 123], np.uint8))
    try:
        assert x.mean().item() == 105.75
    except TypeError as error:
        assert "mean" in str(error)
    assert x.sum().item() == 423
    assert x.sum().dtype == lucid.int64


def case_08_softmax_of_infinities_at_every_length(lay) -> None:
    for n in (1, 7, 127, 128, 129, 4097):
        for fn in (lucid.softmax, lucid.log_softmax):
            out = np.array(fn(lay(np.full(n, -inf)), 0).tolist())
            assert np.isnan(out).all(), n
    assert np.isnan(lucid.softmax(lay(np.array([inf, 1.0])), 0).tolist()[0])
    for n in (2, 7, 8, 9, 127, 128, 129, 4097, 5000):
        for at in (0, n // 2, n - 1):
            x = np.full(n, -inf, np.float32)
            x[at] = 5
            out = lucid.softmax(lay(x), 0)
            want = np.zeros(n)
            want[at] = 1
            assert same(out, want)
            log = np.full(n, -inf)
            log[at] = 0
            assert same(lucid.log_softmax(lay(x), 0), log)
    big = lay(np.array([1e4, 1e4 + 1, 1e4 - 1]))
    assert abs(lucid.softmax(big, 0).sum().item() - 1) < 1e-12
    assert np.allclose(
        lucid.log_softmax(big, 0).tolist(), [-1.4076059644, -0.4076059644, -2.4076059644]
    )


def case_10_max_and_argmax_with_nan(lay) -> None:
    a = lay(np.array([3.0, nan, 1.0, 5.0]))
    assert math.isnan(a.amax().item()) and a.argmax().item() == 1
    assert math.isnan(a.max().item()) and math.isnan(a.min().item())
    assert lay(np.array([1.0, 2.0, nan])).argmax().item() == 2
    assert same(lay(np.array([[1.0, 2, 3], [nan, 5, 6]])).amax(dim=0), [nan, 5, 6])
    for dtype in (np.float32, np.float64, np.float16):
        for n in (1, 3, 4, 8, 33, 1000, 5000):
            for at in {0, n // 2, n - 1, max(n - 3, 0)}:
                x = np.arange(n).astype(dtype)
                x[at] = nan
                if n > 4 and at < n - 2:
                    x[n - 1] = nan  # the first one counts
                assert math.isnan(lay(x).amax().item()), (n, at)
                assert lay(x).argmax().item() == at, (n, at)
                ramp = np.arange(n).astype(dtype)
                column = np.stack([x, ramp], 1)
                assert lay(column).argmax(0).tolist() == [at, int(np.argmax(ramp))]
    y = lay(np.array([nan, 1.0, nan]))
    z = lay(np.array([1.0, nan, nan]))
    assert same(lucid.maximum(y, z), [nan, nan, nan])
    assert math.isnan(lucid.relu(y).tolist()[0])
    for op in (lucid.eq, lucid.lt, lucid.le, lucid.gt, lucid.ge):
        assert op(y, y).tolist() == [False, op in (lucid.eq, lucid.le, lucid.ge), False]
    assert lucid.ne(y, y).tolist() == [True, False, True]


def case_13_reductions_of_empty_tensors(lay) -> None:
    assert lay(np.zeros((0, 2))).amax(dim=-1).shape == (0,)
    assert lay(np.zeros((3, 0, 2))).amax(dim=-1).shape == (3, 0)
    assert lay(np.zeros((0, 2))).argmax(dim=-1).shape == (0,)
    for op in (lucid.amax, lucid.argmax):
        with pytest.raises((RuntimeError, IndexError)):
            op(lay(np.zeros((2, 0))), dim=-1)
        with pytest.raises((RuntimeError, ValueError)):
            op(lay(np.zeros(0)))
    assert lay(np.zeros((2, 0))).sum(dim=-1).tolist() == [0, 0]
    assert lay(np.zeros((0,))).sum().item() == 0
    assert same(lay(np.zeros((2, 0))).mean(dim=-1), [nan, nan])


def case_17_random_normals_are_finite(lay) -> None:
    for seed in range(20):
        lucid.manual_seed(seed)
        for dtype in (lucid.float16, lucid.bfloat16):
            x = lucid.randn(500_000, dtype=dtype)
            assert x.abs().amax().item() < 10
    lucid.manual_seed(0)
    assert lucid.randn(10_000_000, dtype=lucid.float16).abs().amax().item() < 10


def case_20_integer_power_with_a_negative_exponent_ends(lay) -> None:
    start = time.monotonic()
    x, e = lay(np.array([2, -2, 3])), lay(np.array([-1, -3, -9]))
    try:
        assert (x**e).tolist() == [0, 0, 0]
    except (RuntimeError, ValueError) as error:
        assert "negative" in str(error)
    exponents = np.array([3, 3, 3, -1] + [3] * 12)
    try:
        want = [8] * 16
        want[3] = 0
        assert (lay(np.full(16, 2)) ** lay(exponents)).tolist() == want
    except (RuntimeError, ValueError) as error:
        assert "negative" in str(error)
    with pytest.raises((RuntimeError, ValueError), match="negative"):
        lay(np.array([2, 3])) ** -1
    assert time.monotonic() - start < 5


def case_22_integer_sums_widen(lay) -> None:
    x = lay(np.array([2**31 - 1, 1], np.int32)).sum()
    assert x.item() == 2**31 and x.dtype == lucid.int64
    assert lay(np.full(300, 255, np.uint8)).sum().item() == 76500
    assert lay(np.ones(300, bool)).sum().item() == 300


def case_23_promotion_of_uint32_with_a_signed_int(lay) -> None:
    a, b = lay(np.array([2**32 - 1], np.uint32)), lay(np.array([1], np.int8))
    try:
        out = a + b
    except TypeError as error:
        assert "uint32" in str(error) and "int8" in str(error)
    else:
        assert out.item() == 4294967296 and out.dtype == lucid.int64
    with pytest.raises(TypeError):
        lay(np.array([1], np.uint64)) + lay(np.array([1], np.int64))


def case_25_power_with_respect_to_both_arguments_at_base_zero(lay) -> None:
    a, b = lay(np.ones(2)).requires_grad_(), lay(np.ones(2)).requires_grad_()
    ((a - b) ** b).backward(lucid.full((2,), 123.0, dtype=f64))
    assert a.grad.tolist() == [123, 123]
    assert b.grad.tolist() == [-123, -123]


def case_26_root_at_zero_behind_a_mask(lay) -> None:
    """The norm of case 26 is not there yet; its kind of fault is: no nan at a masked zero."""
    x = lay(np.zeros(3)).requires_grad_()
    lucid.where(
        x > 0, lucid.where(x > 0, x, lucid.ones(3, dtype=f64)).sqrt(), x * 0
    ).sum().backward()
    assert x.grad.tolist() == [0, 0, 0]


def case_29_gradient_of_a_strided_slice_that_picks_one_row(lay) -> None:
    wa, wb = lay(np.array([[1.0, 2, 3]])), lay(np.array([[100.0, 101, 102]]))
    z = lay(np.zeros((2, 3))).requires_grad_()
    ((z[0::2] * wa).sum() + (z[1::2] * wb).sum()).backward()
    assert z.grad.tolist() == [[1, 2, 3], [100, 101, 102]]
    z = lay(np.zeros((2, 3))).requires_grad_()
    ((z[0::-2] * wa).sum() + (z[1::-2] * wb).sum()).backward()
    assert z.grad.tolist() == [[1, 2, 3], [100, 101, 102]]


def case_31_reading_a_value_in_the_middle_does_not_cut_the_graph(lay) -> None:
    a = lay(np.ones((3, 3))).requires_grad_()
    b = a + lucid.ones(3, 3, 3, dtype=f64)
    (b < 1).tolist()
    b.tolist()
    (b**2).sum().backward()
    assert a.grad.tolist() == [[12.0] * 3] * 3


def case_32_ties_in_max_share_the_gradient_in_half_precision(lay) -> None:
    for shape in ((70000,), (1, 70000)):
        t = lay(np.ones(shape, np.float32)).to(lucid.float16).detach().requires_grad_()
        t.amax(-1).sum().backward()
        assert abs(t.grad.to(f64).sum().item() - 1) < 0.01
    t = lay(np.ones(70000, np.float32)).to(lucid.float16).detach().requires_grad_()
    t.max().backward()
    total = t.grad.to(f64).sum().item()
    assert abs(total - 1) < 0.01


def case_37_integer_tensors_have_no_gradient(lay) -> None:
    with pytest.raises(lucid.DtypeMismatch):
        lucid.tensor([110], requires_grad=True)
    with pytest.raises(RuntimeError):
        lucid.autograd.grad((lay(np.array([110])) / 2).sum(), [lay(np.array([110]))])


def case_38_casting_inside_the_graph_keeps_the_chain(lay) -> None:
    x = lay(np.ones(4, np.float32)).requires_grad_()
    (x.to(lucid.float16) * 3).float().sum().backward()
    assert x.grad.tolist() == [3] * 4 and x.grad.dtype == lucid.float32


def case_40_in_place_on_a_view_and_saved_values(lay) -> None:
    x = lay(np.ones(4, np.float32)).requires_grad_()
    y = x.clone()
    v = y[:2]
    y.mul_(2)
    seen = []
    v.register_hook(lambda g: seen.append(g.tolist()))
    v.sum().backward()
    assert x.grad.tolist() == [2, 2, 0, 0] and seen == [[1, 1]]
    y = lay(np.array([0.25, 0.5, 0.75])).requires_grad_()
    z = y.exp()
    z.mul_(2)
    try:
        z.sum().backward()
    except lucid.VersionMismatch as error:
        assert "exp" in str(error).lower()
    else:
        assert np.allclose(y.grad.tolist(), 2 * np.exp([0.25, 0.5, 0.75]))


def case_41_in_place_on_the_output_of_a_function_that_returns_a_view(lay) -> None:
    class F(lucid.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a.clone()[:3]

        @staticmethod
        def backward(ctx, g):
            return lucid.cat([g * 10, lucid.zeros(1, dtype=g.dtype)])

    x = lay(np.ones(4, np.float32)).requires_grad_()
    y = F.apply(x)
    try:
        y.relu_()
        y.sum().backward()
    except RuntimeError:
        return
    assert x.grad is not None and x.grad.tolist() == [10, 10, 10, 0]


def case_55_index_select_from_a_transposed_source(lay) -> None:
    x = lay(np.arange(24).reshape(2, 3, 4)).permute(2, 1, 0)
    want = [[[0, 12], [4, 16], [8, 20]], [[2, 14], [6, 18], [10, 22]]]
    index = lay(np.array([0, 2]))
    assert x.index_select(0, index).tolist() == want
    assert x[[0, 2]].tolist() == want
    full = index.reshape(2, 1, 1).expand(2, 3, 2)
    assert x.gather(0, full).tolist() == want


def case_56_out_of_range_indices_and_axes_raise(lay) -> None:
    for bad in ([0, 2], [-3], [2**40], [-(2**63)]):
        with pytest.raises(IndexError):
            lay(np.zeros((2, 3))).index_select(0, lay(np.array(bad)))
    zero = lay(np.zeros(3))
    for call in (
        lambda: zero.unsqueeze(-100),
        lambda: lucid.zeros(()).unsqueeze(-3),
        lambda: zero.unsqueeze(2),
        lambda: zero.sum(1),
        lambda: zero.sum(-2),
        lambda: zero.select(0, 3),
        lambda: zero.select(0, -4),
        lambda: zero.select(1, 0),
        lambda: zero.transpose(0, 1),
        lambda: zero.softmax(1),
        lambda: zero.argmax(-2),
        lambda: lucid.cat([zero, zero], 1),
        lambda: lucid.stack([zero, zero], 2),
        lambda: zero.gather(-2, lay(np.zeros(3, np.int64))),
        lambda: zero[3],
        lambda: zero[-4],
        lambda: lay(np.zeros((2, 3)))[0, 3],
    ):
        with pytest.raises(IndexError):
            call()
    for call in (
        lambda: lucid.full((-1, 2), 1.0),
        lambda: lucid.zeros(-1),
        lambda: lucid.rand(2, -3),
        lambda: zero.reshape(-2, 3),
        lambda: zero.reshape(-1, -1),
        lambda: zero.permute(0, 0),
    ):
        with pytest.raises((RuntimeError, ValueError)):
            call()


def case_58_products_with_a_zero_length_inner_dimension(lay) -> None:
    assert (lay(np.ones((2, 0))) @ lay(np.ones((0, 3)))).tolist() == [[0] * 3] * 2
    assert (lay(np.ones((0, 4))) @ lay(np.ones((4, 3)))).shape == (0, 3)
    assert (lay(np.ones((5, 2, 0))) @ lay(np.ones((0, 3)))).tolist() == [[[0] * 3] * 2] * 5
    assert (lay(np.ones(0)) @ lay(np.ones(0))).item() == 0
    out = lucid.nn.functional.linear(lay(np.ones((2, 0))), lay(np.ones((3, 0))), lay(np.ones(3)))
    assert out.tolist() == [[1] * 3] * 2
    a, b = lay(np.ones((2, 0))).requires_grad_(), lay(np.ones((0, 3))).requires_grad_()
    (a @ b).sum().backward()
    assert a.grad.shape == (2, 0) and b.grad.shape == (0, 3)
    c, d = lay(np.ones((0, 4))).requires_grad_(), lay(np.ones((4, 3))).requires_grad_()
    (c @ d).sum().backward()
    assert d.grad.tolist() == [[0] * 3] * 4


def case_59_index_add_on_empty_inputs(lay) -> None:
    e = lucid.tensor([], dtype=lucid.float32)
    i = lucid.tensor([], dtype=lucid.int64)
    assert e.index_add(0, i, e).shape == (0,)
    assert e.index_select(0, i).shape == (0,)
    assert e.gather(0, i).shape == (0,)
    with pytest.raises(TypeError):
        e.index_add(0, e, e)


def case_61_a_shared_node_is_run_once(lay) -> None:
    p = lay(np.array(1.0))
    start = time.monotonic()
    for _ in range(60):
        p = p + p
    assert p.item() == 2.0**60
    assert time.monotonic() - start < 1


def case_62_long_chains(lay) -> None:
    x = lay(np.array(0.0, np.float32))
    for _ in range(100_000):
        x = x + 1
    assert x.item() == 100_000
    y = lay(np.array(0.0, np.float32))
    for _ in range(100_000):
        y = y + 1
    del y
    assert lucid.stack([lucid.ones(4) * i for i in range(6000)]).sum().item() == 71988000
    assert lucid.cat([lucid.ones(1) * (i % 2) for i in range(6000)]).sum().item() == 3000


def case_64_a_tensor_from_one_thread_is_usable_in_another(lay) -> None:
    t = lay(np.ones(8, np.float32)) + 1
    failures = []

    def work() -> None:
        try:
            assert t.sum().item() == 16
            stream = lucid.new_stream(lucid.cpu)
            with lucid.stream(stream):
                u = t * 2
            assert u.sum().item() == 32
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def case_65_deterministic_mode(lay) -> None:
    lucid.set_deterministic(True)
    try:
        lucid.manual_seed(3)
        i, v = lucid.randint(0, 10, (100_000,)), lucid.rand(100_000)
        outs = {lucid.zeros(10).index_add(0, i, v).numpy().tobytes() for _ in range(20)}
        assert len(outs) == 1
        want = np.zeros(10)
        np.add.at(want, i.numpy(), v.numpy().astype(np.float64))
        assert np.allclose(np.frombuffer(outs.pop(), np.float32), want, rtol=1e-4)
    finally:
        lucid.set_deterministic(False)


CASES = {name[5:]: fn for name, fn in globals().items() if name.startswith("case_")}


@pytest.mark.parametrize("late", [False, True], ids=["at once", "delayed"])
@pytest.mark.parametrize("layout", ["contiguous", "stepped", "transposed", "negative"])
@pytest.mark.parametrize("name", CASES)
def test_case(name: str, layout: str, late: bool) -> None:
    if name.startswith(("17_", "62_")) and layout != "contiguous":
        return  # no tensor inputs that matter; slow
    with delay(late):
        CASES[name](LAYOUTS[layout])
