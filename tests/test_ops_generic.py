"""Every op of the table: dtypes, layouts, lengths, delay, streams, in-place, gradients and errors.

What is tested comes from the table and from slot 5 (tests/ops); nothing here is written for one op,
except the few reductions whose long inputs need values that do not cancel.
"""

import numpy as np
import pytest

import lucid
from tests.support import (
    BFLOAT16,
    COMPLEX,
    DTYPES,
    FLOATING,
    LAYOUTS,
    array,
    arrays_in,
    content,
    convert_all,
    delay,
    expand_first,
    expanded,
    function_of,
    grad_samples,
    has_gradient,
    load_specs,
    np_dtype,
    rows,
    spec_dtypes,
    tensor,
    ulp_distance,
    widen,
)

SPECS = {name: spec for name, spec in load_specs().items() if name in rows() and function_of(name)}
CASES = [(name, dtype) for name, spec in SPECS.items() for dtype in spec_dtypes(spec)]
GRADIENTS = [
    (name, dtype)
    for name, spec in SPECS.items()
    if has_gradient(spec)
    for dtype in ("float64", "complex128")
    if dtype in spec_dtypes(spec)
]
# Library calls may depend on the layout class (engine.md section 4).
LAYOUT_DEPENDENT = {"matmul", "linear"}
SEED = 12345


def ids(case) -> str:
    return "-".join(case)


def call(name: str, args, kwargs, make=tensor) -> tuple["lucid.Tensor", ...]:
    args, kwargs = convert_all(args, kwargs, make)
    lucid.manual_seed(SEED)
    out = function_of(name)(*args, **kwargs)
    return tuple(out) if isinstance(out, (tuple, list)) else (out,)


def contents(name: str, args, kwargs, make=tensor) -> list[bytes]:
    return [content(x) for x in call(name, args, kwargs, make)]


def samples(name: str, dtype: str) -> list:
    return list(SPECS[name].samples(np.random.default_rng(1), dtype))


def describe(args, kwargs) -> str:
    def one(v):
        if isinstance(v, list):
            return [one(x) for x in v]
        return f"{v.dtype}{v.shape}" if isinstance(v, np.ndarray) else repr(v)

    return f"{[one(a) for a in args]} { {k: one(v) for k, v in kwargs.items()} }"


def kind_of(dtype: np.dtype) -> str:
    if dtype == BFLOAT16:
        return "f"
    return "i" if dtype.kind in "iu" else dtype.kind


def tolerance(spec, dtype: np.dtype) -> float:
    name = "bfloat16" if dtype == BFLOAT16 else dtype.name
    if name in FLOATING or name in COMPLEX:
        return spec.ulp.get(name, 2 if name in COMPLEX else 1)
    return 0


def complain(name: str, args, kwargs, make=tensor) -> str | None:
    """None when the op agrees with its reference, otherwise what is wrong."""
    spec = SPECS[name]
    with np.errstate(all="ignore"):
        want = spec.reference(*[widen(a) for a in args], **{k: widen(v) for k, v in kwargs.items()})
    wants = want if isinstance(want, tuple) else (want,)
    got = call(name, args, kwargs, make)
    if len(got) != len(wants):
        return f"{name}{describe(args, kwargs)}: {len(got)} results, expected {len(wants)}"
    for g, w in zip(got, wants, strict=True):
        g, w = array(g), np.asarray(w)
        where = f"{name}{describe(args, kwargs)}: got {g.dtype}{g.shape}"
        if g.shape != w.shape:
            return f"{where}, expected the shape {w.shape}"
        if kind_of(g.dtype) != kind_of(w.dtype):
            return f"{where}, expected the kind of {w.dtype}"
        distance = ulp_distance(g, w)
        if distance > tolerance(spec, g.dtype):
            return f"{where}, {distance} ulp off:\n{g}\nexpected\n{w}"
    return None


# --- against the reference ------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_reference(case) -> None:
    name, dtype = case
    found = samples(name, dtype)
    assert found, "no samples"
    if not SPECS[name].deterministic:
        return  # its own test checks the distribution
    complaints = [complain(name, args, kwargs) for args, kwargs in found]
    assert not any(complaints), "\n".join(filter(None, complaints))


def variant_of(a: np.ndarray, variant: str) -> np.ndarray:
    """One element of the sample, or none, in another shape."""
    if variant == "empty":
        return a[:0] if a.ndim else a.reshape(1)[:0]
    one = a.reshape(-1)[:1]
    return one.reshape(() if variant == "0-d" else (1,) * max(a.ndim, 1))


ELEMENTWISE = [name for name in SPECS if rows()[name]["kernels"]["cpu"] == "instruction"]


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise_on_empty_0d_and_single(name: str) -> None:
    for dtype in spec_dtypes(SPECS[name]):
        for args, kwargs in samples(name, dtype)[:2]:
            for variant in ("empty", "0-d", "size 1"):
                arrays = [a for a in args if isinstance(a, np.ndarray)]
                shape = np.broadcast_shapes(*(a.shape for a in arrays))
                if 0 in shape and variant != "empty":
                    continue
                changed = [
                    variant_of(np.broadcast_to(a, shape), variant)
                    if isinstance(a, np.ndarray)
                    else a
                    for a in args
                ]
                assert complain(name, changed, kwargs) is None


LENGTHS = (
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    15,
    16,
    17,
    31,
    33,
    64,
    65,
    127,
    129,
    1000,
    4095,
    4096,
    4097,
    16384,
    16385,
)
LONG = (65537,)
LONG_DTYPES = ("float32", "float16", "int64")


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise_at_every_length(name: str) -> None:
    """The same elements at every length: a vector tail or a thread's chunk changes nothing."""
    for dtype in spec_dtypes(SPECS[name]):
        pool = [
            (args, kwargs)
            for args, kwargs in samples(name, dtype)
            if args
            and all(a.size for a in arrays_in(args, kwargs))
            and isinstance(args[0], np.ndarray)
        ]
        shapes = [
            np.broadcast_shapes(*(a.shape for a in arrays_in(args, kwargs)))
            for args, kwargs in pool
        ]
        largest = max(range(len(pool)), key=lambda i: int(np.prod(shapes[i])))
        args, kwargs = pool[largest]
        wide = [
            np.broadcast_to(a, shapes[largest]).ravel() if isinstance(a, np.ndarray) else a
            for a in args
        ]
        once = array(call(name, wide, kwargs)[0])
        for n in LENGTHS + (LONG if dtype in LONG_DTYPES else ()):
            long = [np.resize(a, n) if isinstance(a, np.ndarray) else a for a in wide]
            got = array(call(name, long, kwargs)[0])
            assert got.tobytes() == np.resize(once, n).tobytes(), (dtype, n)


REDUCTIONS = [
    name for name in ("sum", "mean", "amax", "argmax", "softmax", "log_softmax") if name in SPECS
]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize(
    "dtype", ["float32", "float64", "float16", "bfloat16", "int32", "int64", "uint8"]
)
def test_reductions_at_every_length(name: str, dtype: str) -> None:
    if dtype not in spec_dtypes(SPECS[name]):
        return
    rng = np.random.default_rng(3)
    extra = (0,) if "softmax" in name else ()
    for n in (*LENGTHS[1:], *LONG):
        if dtype in FLOATING:
            x = rng.uniform(0.5, 1.5, n).astype(np_dtype(dtype))
        else:
            x = rng.integers(0, 100, n).astype(dtype)
        with np.errstate(all="ignore"):
            want = np.asarray(SPECS[name].reference(widen(x), *extra))
        for make in (tensor, LAYOUTS["negative"], LAYOUTS["stepped"], LAYOUTS["offset"]):
            got = array(call(name, (x, *extra), {}, make)[0])
            limit = max(tolerance(SPECS[name], got.dtype), 16 if got.dtype.itemsize >= 4 else 1)
            if got.dtype == np.float16 and np.abs(want).max() >= 65504:
                continue
            assert ulp_distance(got, want) <= limit * (1 if want.dtype.kind == "f" else 0), (
                n,
                got,
                want,
            )
        # Along either axis of a matrix the same logical reduction has the same bits.
        if extra or n > 5000:
            continue
        matrix = np.stack([x, x[::-1], np.roll(x, 1)])
        along = array(call(name, (matrix, 1), {})[0])
        across = array(call(name, (np.ascontiguousarray(matrix.T), 0), {})[0])
        alone = [array(call(name, (row,), {})[0]) for row in matrix]
        assert along.tobytes() == across.tobytes() == np.stack(alone).tobytes(), n


# --- layouts, delay, streams: equal bytes ---------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_layouts_give_the_same_bytes(case) -> None:
    name, dtype = case
    for args, kwargs in samples(name, dtype):
        if not arrays_in(args, kwargs):
            continue
        plain = contents(name, args, kwargs)
        for layout, make in LAYOUTS.items():
            try:
                got = contents(name, args, kwargs, make)
            except lucid.LucidError:
                if name in ("view", "as_strided", "as_strided_scatter"):
                    continue  # they ask for the layout
                raise
            if name == "as_strided":
                continue  # reads by memory, not by element
            if name in LAYOUT_DEPENDENT:
                assert complain(name, args, kwargs, make) is None, layout
            else:
                assert got == plain, f"{layout}: {describe(args, kwargs)}"
        if name not in ("view", "as_strided", "as_strided_scatter"):
            assert_same_expanded(name, dtype, args, kwargs)


def assert_same_expanded(name: str, dtype: str, args, kwargs) -> None:
    """Arguments that are constant along their last axis, dense and with stride 0."""
    flat = [expand_first(a) if is_of(a, dtype) else a for a in args]
    if all(a is b for a, b in zip(flat, args, strict=True)):
        return
    expandable = {id(a) for a in flat if is_of(a, dtype)}
    assert_same(name, flat, kwargs, lambda a: expanded(a) if id(a) in expandable else tensor(a))


def is_of(value, dtype: str) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np_dtype(dtype)


def assert_same(name: str, args, kwargs, make) -> None:
    try:
        plain = contents(name, args, kwargs)
    except lucid.LucidError:
        return
    if name in LAYOUT_DEPENDENT:
        assert complain(name, args, kwargs, make) is None
    else:
        assert contents(name, args, kwargs, make) == plain, f"expanded: {describe(args, kwargs)}"


@pytest.mark.parametrize("case", CASES, ids=ids)
def test_delay_and_streams_give_the_same_bytes(case) -> None:
    name, dtype = case
    stream = lucid.new_stream(lucid.cpu)
    for args, kwargs in samples(name, dtype):
        plain = contents(name, args, kwargs)
        with delay():
            late = [content(x) for x in call(name, args, kwargs)]
        assert late == plain, f"delayed: {describe(args, kwargs)}"
        with lucid.stream(stream):
            results = call(name, args, kwargs)
        assert [content(x) for x in results] == plain, f"on a stream: {describe(args, kwargs)}"


def test_stream_keyword() -> None:
    stream = lucid.new_stream(lucid.cpu)
    for name, spec in SPECS.items():
        dtype = "float32" if "float32" in spec_dtypes(spec) else spec_dtypes(spec)[0]
        args, kwargs = samples(name, dtype)[0]
        plain = contents(name, args, kwargs)
        assert contents(name, args, {**kwargs, "stream": stream}) == plain, name


# --- other forms ----------------------------------------------------------------------------------

METHODS = [
    name
    for name in SPECS
    if "method" in rows()[name]["forms"] and "function" in rows()[name]["forms"]
]


@pytest.mark.parametrize("name", METHODS)
def test_the_method_is_the_function(name: str) -> None:
    dtype = "float32" if "float32" in spec_dtypes(SPECS[name]) else spec_dtypes(SPECS[name])[0]
    for args, kwargs in samples(name, dtype):
        if not args or not isinstance(args[0], np.ndarray):
            continue
        made, more = convert_all(args, kwargs)
        lucid.manual_seed(SEED)
        got = getattr(made[0], name)(*made[1:], **more)
        got = got if isinstance(got, tuple) else (got,)
        assert [content(x) for x in got] == contents(name, args, kwargs)


IN_PLACE = [name for name in SPECS if "in_place" in rows()[name]["forms"]]


@pytest.mark.parametrize("name", IN_PLACE)
def test_the_in_place_form_is_the_function(name: str) -> None:
    ran = 0
    for dtype in spec_dtypes(SPECS[name]):
        for args, kwargs in samples(name, dtype):
            (want,) = call(name, args, kwargs)
            for layout in ("contiguous", "stepped", "transposed", "negative", "offset"):
                for late in (False, True):
                    with delay(late):
                        made, more = convert_all(args, kwargs)
                        target = LAYOUTS[layout](np.asarray(args[0]))
                        before = content(target)
                        method = getattr(target, name + "_")
                        if want.shape != target.shape:
                            with pytest.raises(lucid.ShapeMismatch):
                                method(*made[1:], **more)
                            assert content(target) == before
                        elif want.dtype == target.dtype:
                            assert method(*made[1:], **more) is target
                            assert content(target) == content(want), (dtype, layout, late)
                            ran += 1
                        else:
                            # Another dtype: cast back within the category, else refused.
                            try:
                                method(*made[1:], **more)
                            except lucid.DtypeMismatch:
                                assert content(target) == before
                            else:
                                assert content(target) == content(want.to(target.dtype))
    assert ran


@pytest.mark.parametrize("name", IN_PLACE)
def test_in_place_writes_only_what_the_view_shows(name: str) -> None:
    for dtype in ("float32", "float64"):
        if dtype not in spec_dtypes(SPECS[name]):
            continue
        for args, kwargs in samples(name, dtype):
            a = np.asarray(args[0])
            if a.ndim == 0:
                continue
            base = tensor(np.repeat(a, 2, axis=-1))
            view = base.slice(-1, 0, None, 2)
            kept = content(base.slice(-1, 1, None, 2).clone())
            made, more = convert_all(args, kwargs)
            (want,) = call(name, args, kwargs)
            if want.shape != view.shape or want.dtype != view.dtype:
                continue
            getattr(view, name + "_")(*made[1:], **more)
            assert content(base.slice(-1, 1, None, 2).clone()) == kept
            assert content(base.slice(-1, 0, None, 2).clone()) == content(want)


# --- gradients ------------------------------------------------------------------------------------


def differentiable(name: str, args, kwargs, dtype: str):
    """(fn of the inexact tensors, those tensors as leaves)."""
    made, more = convert_all(args, kwargs)
    slots: list[tuple] = []

    def collect(container, key):
        value = container[key]
        if isinstance(value, list):
            for i in range(len(value)):
                collect(value, i)
        elif isinstance(value, lucid.Tensor) and str(value.dtype) == dtype:
            slots.append((container, key))

    for i in range(len(made)):
        collect(made, i)
    for key in list(more):
        collect(more, key)
    leaves = [container[key].requires_grad_() for container, key in slots]

    def fn(*values):
        for (container, key), value in zip(slots, values, strict=True):
            container[key] = value
        lucid.manual_seed(SEED)
        return function_of(name)(*made, **more)

    return fn, leaves


@pytest.mark.parametrize("case", GRADIENTS, ids=ids)
def test_gradients(case) -> None:
    name, dtype = case
    found = grad_samples(SPECS[name], dtype)
    assert found, "no samples for gradients: give the spec grad_samples"
    for args, kwargs in found:
        fn, leaves = differentiable(name, args, kwargs, dtype)
        if leaves and fn(*leaves).requires_grad:
            assert lucid.autograd.gradcheck(fn, leaves), describe(args, kwargs)


@pytest.mark.parametrize("case", GRADIENTS, ids=ids)
def test_second_gradients(case) -> None:
    name, dtype = case
    for args, kwargs in grad_samples(SPECS[name], dtype)[:6]:
        fn, leaves = differentiable(name, args, kwargs, dtype)
        if leaves and fn(*leaves).requires_grad:
            assert lucid.autograd.gradgradcheck(fn, leaves), describe(args, kwargs)


@pytest.mark.parametrize("case", [c for c in GRADIENTS if c[1] == "float64"], ids=ids)
def test_gradients_have_the_same_bytes_delayed_and_by_layout(case) -> None:
    name, dtype = case

    def gradients(args, kwargs, late: bool) -> list:
        with delay(late):
            fn, leaves = differentiable(name, args, kwargs, dtype)
            if not leaves:
                return []
            y = fn(*leaves)
            if not y.requires_grad:
                return []
            weights = tensor(np.linspace(1, 2, y.numel())).reshape(y.shape).to(y.dtype)
            y.backward(weights)
            return [None if leaf.grad is None else content(leaf.grad) for leaf in leaves]

    for args, kwargs in grad_samples(SPECS[name], dtype):
        assert gradients(args, kwargs, True) == gradients(args, kwargs, False)


@pytest.mark.parametrize("name", [n for n, s in SPECS.items() if has_gradient(s)])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "complex64"])
def test_gradients_in_other_dtypes_have_dtype_and_shape(name: str, dtype: str) -> None:
    spec = SPECS[name]
    if dtype not in spec_dtypes(spec):
        return
    for args, kwargs in grad_samples(spec, dtype)[:4]:
        fn, leaves = differentiable(name, args, kwargs, dtype)
        y = fn(*leaves) if leaves else None
        if y is None or not y.requires_grad:
            continue
        y.backward(lucid.ones(y.shape, dtype=y.dtype))
        for leaf in leaves:
            if leaf.grad is not None:
                assert leaf.grad.dtype == leaf.dtype and leaf.grad.shape == leaf.shape


# --- errors ---------------------------------------------------------------------------------------

ERRORS = [(name, i) for name, spec in SPECS.items() for i in range(len(spec.errors))]


@pytest.mark.parametrize("case", ERRORS, ids=lambda c: f"{c[0]}-{c[1]}")
@pytest.mark.parametrize("late", [False, True], ids=["at once", "delayed"])
def test_error_inputs(case, late: bool) -> None:
    name, i = case
    error = SPECS[name].errors[i]
    expected = (
        getattr(lucid, error.exception) if isinstance(error.exception, str) else error.exception
    )
    with delay(late):
        args, kwargs = convert_all(error.args, error.kwargs)
        with pytest.raises(expected, match=error.match or None) as caught:
            function_of(name)(*args, **kwargs)
    assert name in str(caught.value), "the text does not name the op"


@pytest.mark.parametrize("name", SPECS)
def test_refused_dtypes_raise_with_the_reason(name: str) -> None:
    row = rows()[name]
    taken = {str(d) for d in row["dtypes"]}
    if row["dtype_rule"] in ("First", "Promote") and not any(
        a["type"] == "Dtype?" for a in row["arguments"]
    ):
        donor = next(d for d in ("float64", "int64", "bool") if d in taken)
        args, kwargs = samples(name, donor)[0]
        if not (args and isinstance(args[0], np.ndarray)):
            return
        for dtype in DTYPES:
            if dtype in taken:
                continue
            with np.errstate(all="ignore"):
                cast = [
                    a.astype(np_dtype(dtype))
                    if isinstance(a, np.ndarray) and a.dtype == np_dtype(donor)
                    else a
                    for a in args
                ]
            with pytest.raises(lucid.DtypeMismatch) as caught:
                call(name, cast, kwargs)
            assert name in str(caught.value) and dtype in str(caught.value)
            assert row["dtype_reason"] in str(caught.value)


@pytest.mark.parametrize("name", SPECS)
def test_wrong_arguments_are_type_errors_that_name_the_op(name: str) -> None:
    fn = function_of(name)
    dtype = "float32" if "float32" in spec_dtypes(SPECS[name]) else spec_dtypes(SPECS[name])[0]
    args, kwargs = convert_all(*samples(name, dtype)[0])
    with pytest.raises(TypeError, match=f"{name}.*no_such_argument"):
        fn(*args, **kwargs, no_such_argument=1)
    required = [
        a for a in rows()[name]["arguments"] if a["default"] is None and a["type"] != "Tensor?"
    ]
    if required:
        with pytest.raises(TypeError, match=name):
            fn()
        with pytest.raises(TypeError, match=name):
            fn(object())
    positional = [a for a in rows()[name]["arguments"] if not a["keyword_only"]]
    if not (
        positional and positional[-1]["type"].startswith("int[]")
    ):  # f(x, 1, 2) spells f(x, (1, 2))
        with pytest.raises(TypeError, match=name):
            fn(*[1] * 40)


# --- the checker itself ---------------------------------------------------------------------------


def test_the_comparison_catches_a_wrong_value() -> None:
    x = np.array([1.0, 2.0], np.float32)
    assert ulp_distance(x, x.astype(np.float64)) == 0
    assert ulp_distance(np.nextafter(x, np.float32(9)), x.astype(np.float64)) == pytest.approx(1)
    assert ulp_distance(x, np.array([1.0, np.nan])) == np.inf
    assert ulp_distance(np.array([np.inf], np.float32), np.array([1.0])) == np.inf
    assert ulp_distance(np.array([np.nan]), np.array([np.nan])) == 0
    assert ulp_distance(np.array([1, 2]), np.array([1, 3])) == np.inf
    assert ulp_distance(np.array([1 + 1j]), np.array([1 + 2j])) > 1e10
    assert ulp_distance(x, x.astype(np.float64).reshape(1, 2)) == np.inf
    assert ulp_distance(np.array([65504], np.float16), np.array([1e9])) == np.inf
