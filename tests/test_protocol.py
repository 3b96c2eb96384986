"""The Python protocol of Tensor: operators, numbers, identity, subclasses, overrides, repr."""

import copy
import enum
import gc
import math
import operator
import pickle
import subprocess
import sys
import weakref

import numpy as np
import pytest

import lucid
from tests.support import DTYPES, delay, dtype_of

inf, nan = math.inf, math.nan


# --- import ---------------------------------------------------------------------------------------


def test_import_lucid_imports_neither_numpy_nor_tqdm() -> None:
    code = (
        "import sys, lucid; print(sorted({'numpy', 'tqdm', 'torch', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr


def test_work_without_numpy() -> None:
    code = """
import sys
sys.modules["numpy"] = None
import lucid
x = lucid.tensor([[1.0, 2.0], [3.0, 4.0]]).requires_grad_()
((x @ x).sum() * 2).backward()
print(x.grad.tolist(), repr(x.detach()), x[0].tolist(), memoryview(x.detach()).tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("[[14.0, 22.0], [18.0, 26.0]]")


# --- operators ------------------------------------------------------------------------------------

BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
COMPARE = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("op", [*BINARY, *COMPARE], ids=lambda op: op.__name__)
@pytest.mark.parametrize("scalar", [2, 3.0, True], ids=repr)
def test_scalars_on_both_sides(op, scalar) -> None:
    a = np.array([1.0, 2.0, 4.0], dtype=np.float32)
    x = lucid.tensor(a)
    for got, want in ((op(x, scalar), op(a, scalar)), (op(scalar, x), op(scalar, a))):
        assert got.tolist() == want.tolist()
        assert str(got.dtype) == want.dtype.name


@pytest.mark.parametrize("op", [*BINARY, *COMPARE], ids=lambda op: op.__name__)
def test_tensors_on_both_sides(op) -> None:
    a = np.array([[1.0], [2.0]])
    b = np.array([2.0, 3.0, 1.0])
    assert op(lucid.tensor(a), lucid.tensor(b)).tolist() == op(a, b).tolist()


def test_unary_operators() -> None:
    x = lucid.tensor([1.0, -2.0])
    assert (-x).tolist() == [-1, 2]
    assert (+x).tolist() == [1, -2]
    assert abs(x).tolist() == [1, 2]
    assert (~lucid.tensor([True, False])).tolist() == [False, True]


def test_logical_operators_on_bool() -> None:
    a, b = lucid.tensor([True, True, False]), lucid.tensor([True, False, False])
    assert (~a).tolist() == [False, False, True]
    for symbol, want in (("__and__", [1, 0, 0]), ("__or__", [1, 1, 0]), ("__xor__", [0, 1, 0])):
        try:
            got = getattr(a, symbol)(b)
        except NotImplementedError:  # not an op of stage 1: said by name
            continue
        assert got.tolist() == [bool(v) for v in want]


def test_matmul_operator() -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4)
    assert (lucid.tensor(a) @ lucid.tensor(b)).tolist() == (a @ b).tolist()
    with pytest.raises(TypeError):
        operator.matmul(lucid.tensor(a), "x")


def test_reflected_operators_keep_the_order() -> None:
    x = lucid.tensor([2.0, 4.0])
    assert (1 - x).tolist() == [-1, -3]
    assert (8 / x).tolist() == [4, 2]
    assert (2**x).tolist() == [4, 16]


def test_unknown_operands_give_type_errors() -> None:
    x = lucid.ones(2)
    for bad in ("a", None, object(), {}, [1, 2]):
        for op in (operator.add, operator.mul, operator.truediv):
            with pytest.raises(TypeError):
                op(x, bad)
            with pytest.raises(TypeError):
                op(bad, x)
    assert (x == "a") is False
    assert (x != "a") is True
    assert (x == None) is False  # noqa: E711


def test_a_foreign_class_gets_its_turn() -> None:
    class Other:
        def __radd__(self, other):
            return "radd"

        def __eq__(self, other):
            return "eq"

        __hash__ = None

    assert lucid.ones(2) + Other() == "radd"
    assert (lucid.ones(2) == Other()) == "eq"


@pytest.mark.parametrize(
    "scalar, dtype",
    [
        (np.float32(2), "float32"),
        (np.float64(2), "float32"),  # a 0-d value does not widen its category
        (np.int64(2), "float32"),
        (np.bool_(True), "float32"),
        (np.complex64(2), "complex64"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_numpy_scalars_are_strong_0d_values(scalar, dtype) -> None:
    x = lucid.ones(3)
    for got in (x * scalar, scalar * x):
        assert isinstance(got, lucid.Tensor) and str(got.dtype) == dtype


def test_numpy_scalars_against_integers() -> None:
    x = lucid.ones(3, dtype=lucid.int32)
    assert (x * np.float64(0.5)).dtype == lucid.float64  # strong: not the default dtype
    assert (x * 0.5).dtype == lucid.float32  # weak
    assert (x * np.int64(2)).dtype == lucid.int32  # a 0-d value of the same category
    assert (x * np.int8(2)).dtype == lucid.int32


def test_enums_count_as_their_numbers() -> None:
    class Level(enum.IntEnum):
        TWO = 2

    assert (lucid.ones(2) * Level.TWO).tolist() == [2, 2]
    assert lucid.arange(4)[Level.TWO].item() == 2


def test_zero_d_tensors_as_arguments() -> None:
    x = lucid.arange(6)
    n = lucid.tensor(2)
    assert x[n].item() == 2
    assert x[n : n + 2].tolist() == [2, 3]
    assert x.reshape(n, 3).shape == (2, 3)
    assert [10, 20, 30][n] == 30
    assert list(range(n)) == [0, 1]


# --- numbers --------------------------------------------------------------------------------------


def test_conversions() -> None:
    x = lucid.tensor([[2.5]])
    assert float(x) == 2.5 and int(x) == 2 and bool(x) and complex(x) == 2.5 + 0j
    assert x.item() == 2.5 and type(x.item()) is float
    assert type(lucid.tensor(3).item()) is int
    assert lucid.tensor(True).item() is True
    assert lucid.tensor(1 + 2j).item() == 1 + 2j
    assert complex(lucid.tensor(1 + 2j)) == 1 + 2j
    assert lucid.tensor(2**64 - 1, dtype=lucid.uint64).item() == 2**64 - 1
    assert operator.index(lucid.tensor(7)) == 7
    assert hex(lucid.tensor(255)) == "0xff"
    assert round(float(lucid.tensor(2.567)), 2) == 2.57
    assert math.sqrt(lucid.tensor(9.0)) == 3


def test_conversions_that_raise() -> None:
    for bad in (lucid.ones(2), lucid.zeros(0)):
        for fn in (bool, float, int, complex):
            with pytest.raises((ValueError, TypeError, RuntimeError)):
                fn(bad)
        with pytest.raises((ValueError, RuntimeError)):
            bad.item()
    with pytest.raises(RuntimeError, match="ambiguous"):
        bool(lucid.ones(2))
    with pytest.raises(TypeError):
        operator.index(lucid.tensor(1.0))
    with pytest.raises((TypeError, RuntimeError)):
        float(lucid.tensor(1j))
    with pytest.raises(OverflowError):
        int(lucid.tensor(inf))
    with pytest.raises(ValueError):
        int(lucid.tensor(nan))


# --- containers -----------------------------------------------------------------------------------


def test_len_iteration_and_in() -> None:
    x = lucid.arange(6).reshape(3, 2)
    assert len(x) == 3
    assert [row.tolist() for row in x] == [[0, 1], [2, 3], [4, 5]]
    _, b, _ = x
    assert b.tolist() == [2, 3]
    assert 3 in x and 9 not in x
    assert 2.0 in x and lucid.tensor(4) in x
    assert [r.tolist() for r in reversed(x)] == [[4, 5], [2, 3], [0, 1]]
    for row in x:
        row.mul_(2)  # rows are views
    assert x.sum().item() == 30
    with pytest.raises(TypeError):
        len(lucid.tensor(1))
    with pytest.raises(TypeError):
        iter(lucid.tensor(1))
    with pytest.raises(TypeError):
        assert "text" in x
    assert list(lucid.zeros(0, 3)) == []


def test_hash_is_identity() -> None:
    x, y = lucid.ones(2), lucid.ones(2)
    table = {x: 1, y: 2}
    assert table[x] == 1 and table[y] == 2
    assert hash(x) == hash(x)
    assert len({x, y, x}) == 2


def test_format() -> None:
    assert f"{lucid.tensor(2.5):.3f}" == "2.500"
    assert f"{lucid.tensor(7):04d}" == "0007"
    x = lucid.tensor([1, 2])
    assert f"{x}" == str(x)
    with pytest.raises((TypeError, ValueError)):
        f"{x:.3f}"


def test_attributes() -> None:
    x = lucid.zeros(2, 3, dtype=lucid.float64)
    assert x.shape == (2, 3) and isinstance(x.shape, tuple)
    assert x.size() == (2, 3) and x.size(-1) == 3
    assert x.ndim == 2 and x.dim() == 2 and x.numel() == 6
    assert x.dtype == lucid.float64 and x.device == lucid.device("cpu") and str(x.device) == "cpu"
    assert x.itemsize == 8 and x.element_size() == 8 and x.nbytes == 48
    assert x.stride() == (3, 1) and x.stride(0) == 3 and x.storage_offset() == 0
    assert x[1:, 1:].storage_offset() == 4
    assert x.is_contiguous() and not x.T.is_contiguous()
    assert x.is_floating_point() and not x.is_complex()
    assert x.T.shape == (3, 2) and x.mT.shape == (3, 2)
    assert x.tolist() == [[0.0] * 3] * 2
    with pytest.raises(AttributeError):
        x.shape = (3, 2)
    with pytest.raises(AttributeError):
        x.no_such_thing


def test_dtype_objects() -> None:
    assert str(lucid.float32) == "float32"
    assert repr(lucid.float32) == "lucid.float32"
    for name in DTYPES:
        d = dtype_of(name)
        assert str(d) == name and d.name == name
        assert pickle.loads(pickle.dumps(d)) is d
        assert copy.deepcopy(d) is d
        assert {d: 1}[d] == 1
        assert d.itemsize == lucid.zeros(1, dtype=d).itemsize
    assert lucid.float32 != lucid.float64
    assert lucid.float32.is_floating_point and not lucid.int8.is_floating_point
    assert lucid.complex64.is_complex and lucid.int8.is_signed and not lucid.uint8.is_signed
    with pytest.raises(TypeError):
        type(lucid.float32)()


def test_device_objects() -> None:
    cpu = lucid.device("cpu")
    assert cpu == lucid.cpu and hash(cpu) == hash(lucid.cpu) and cpu.type == "cpu"
    assert repr(cpu) == "device(type='cpu')"
    assert lucid.device("gpu") == lucid.device("cuda")
    assert lucid.device("cuda:1").index == 1
    assert pickle.loads(pickle.dumps(cpu)) == cpu
    for bad in ("tpu", "cuda:x", "cpu:-1", ""):
        with pytest.raises((RuntimeError, ValueError)):
            lucid.device(bad)


# --- identity and life ----------------------------------------------------------------------------


def test_grad_is_one_object() -> None:
    p = lucid.ones(2, requires_grad=True)
    (p * 2).sum().backward()
    assert p.grad is p.grad
    g = p.grad
    g.note = "kept"
    del g
    gc.collect()
    assert p.grad.note == "kept"


class Named(lucid.Tensor):
    pass


def test_a_subclass_survives_a_trip_through_cpp() -> None:
    p = lucid.ones(2, requires_grad=True)
    g = Named(lucid.ones(2))
    g.label = "mine"
    p.grad = g
    del g
    gc.collect()
    back = p.grad
    assert type(back) is Named and back.label == "mine"
    (p * 2).sum().backward()
    assert p.grad is back and back.tolist() == [3, 3]


def test_a_leaf_subclass_survives_in_the_graph() -> None:
    x = Named(lucid.ones(2))
    x.requires_grad_()
    x.label = "leaf"
    y = x * 2
    del x
    gc.collect()
    leaf = y.grad_fn.next_functions[0][0].variable
    assert type(leaf) is Named and leaf.label == "leaf"
    y.sum().backward()
    assert leaf.grad.tolist() == [2, 2]


def test_weak_references() -> None:
    x = lucid.ones(2)
    watch = weakref.ref(x)
    assert watch() is x
    del x
    gc.collect()
    assert watch() is None


def test_a_weak_reference_lives_as_long_as_the_value_in_cpp() -> None:
    x = lucid.ones(2, requires_grad=True)
    y = x * x
    watch = weakref.ref(x)
    del x
    gc.collect()
    assert watch() is not None  # the graph holds it
    y.sum().backward()
    del y
    gc.collect()
    assert watch() is None


def test_cycles_through_attributes_are_collected() -> None:
    x = lucid.ones(2)
    x.self = [x]
    watch = weakref.ref(x)
    del x
    gc.collect()
    assert watch() is None


def test_cycles_through_grad_are_collected() -> None:
    x = lucid.ones(2, requires_grad=True)
    x.grad = Named(lucid.ones(2))
    x.grad.owner = x
    watch = weakref.ref(x)
    del x
    gc.collect()
    assert watch() is None


def test_many_short_lives() -> None:
    """Objects are reused; nothing of the one before is left on the next."""
    for i in range(2000):
        x = lucid.ones(1)
        assert not hasattr(x, "mark")
        if i % 3 == 0:
            x.mark = i
        assert x.grad_fn is None and not x.requires_grad


def test_subclasses() -> None:
    x = Named(lucid.arange(3))
    x.label = "a"
    assert isinstance(x, lucid.Tensor) and x.tolist() == [0, 1, 2]
    assert isinstance(x + 1, lucid.Tensor)
    assert (x + 1).tolist() == [1, 2, 3]
    y = copy.deepcopy(x)
    assert type(y) is Named and y.label == "a" and y.tolist() == [0, 1, 2]
    z = pickle.loads(pickle.dumps(x))
    assert type(z) is Named and z.label == "a" and z.tolist() == [0, 1, 2]


class WithInit(lucid.Tensor):
    def __new__(cls, data, label):
        return super().__new__(cls, data)

    def __init__(self, data, label):
        self.label = label


def test_a_subclass_with_its_own_constructor() -> None:
    x = WithInit([1.0, 2.0], "b")
    assert x.label == "b" and x.tolist() == [1, 2]


# --- __lucid_function__ ---------------------------------------------------------------------------


class Logging(lucid.Tensor):
    calls: list[str] = []

    @classmethod
    def __lucid_function__(cls, func, types, args=(), kwargs=None):
        cls.calls.append(func.__name__)

        def unwrap(a):
            if isinstance(a, list):
                return [unwrap(v) for v in a]
            return lucid.Tensor(a) if isinstance(a, lucid.Tensor) else a

        plain = [unwrap(a) for a in args]
        out = func(*plain, **(kwargs or {}))
        return cls(out) if isinstance(out, lucid.Tensor) else out


def test_a_class_overrides_functions_methods_and_operators() -> None:
    Logging.calls = []
    x = Logging(lucid.ones(3))
    y = lucid.exp(x)
    assert type(y) is Logging
    assert type(x + 1) is Logging and type(2 * x) is Logging
    assert type(x.sum(dim=0)) is Logging
    assert type(x[0]) is Logging
    assert type(lucid.cat([lucid.ones(3), x])) is Logging
    assert type(lucid.add(lucid.ones(3), x)) is Logging
    assert Logging.calls[0] == "exp" and "sum" in Logging.calls and "cat" in Logging.calls
    assert type(lucid.ones(3) + lucid.ones(3)) is lucid.Tensor


def test_anything_with_the_protocol_may_be_an_argument() -> None:
    class Foreign:
        @classmethod
        def __lucid_function__(cls, func, types, args=(), kwargs=None):
            return func.__name__, types, len(args)

    assert lucid.mul(lucid.ones(2), Foreign()) == ("mul", (Foreign,), 2)


def test_not_implemented_by_all_is_a_type_error() -> None:
    class No(lucid.Tensor):
        @classmethod
        def __lucid_function__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    with pytest.raises(TypeError, match="__lucid_function__"):
        lucid.exp(No(lucid.ones(2)))


def test_a_subclass_is_asked_before_its_base() -> None:
    order = []

    class Base(lucid.Tensor):
        @classmethod
        def __lucid_function__(cls, func, types, args=(), kwargs=None):
            order.append(cls.__name__)
            return NotImplemented if cls.__name__ == "Derived" else "base"

    class Derived(Base):
        pass

    assert lucid.add(Base(lucid.ones(1)), Derived(lucid.ones(1))) == "base"
    assert order == ["Derived", "Base"]


# --- repr, as PyTorch prints ----------------------------------------------------------------------

REPR = [
    (lambda: lucid.tensor([1.0, 2.5]), "tensor([1.0000, 2.5000])"),
    (lambda: lucid.tensor([1.0, 2.0]), "tensor([1., 2.])"),
    (lambda: lucid.tensor(3.0), "tensor(3.)"),
    (lambda: lucid.tensor(0.1), "tensor(0.1000)"),
    (lambda: lucid.tensor(7), "tensor(7)"),
    (lambda: lucid.tensor([True, False]), "tensor([ True, False])"),
    (lambda: lucid.tensor([1, -2, 30]), "tensor([ 1, -2, 30])"),
    (lambda: lucid.tensor([[1, 2], [3, 4]]), "tensor([[1, 2],\n        [3, 4]])"),
    (lambda: lucid.zeros(0), "tensor([])"),
    (lambda: lucid.zeros(0, dtype=lucid.int64), "tensor([], dtype=lucid.int64)"),
    (lambda: lucid.zeros(2, 0), "tensor([], size=(2, 0))"),
    (lambda: lucid.tensor([1.0], dtype=lucid.float64), "tensor([1.], dtype=lucid.float64)"),
    (lambda: lucid.tensor([1], dtype=lucid.int32), "tensor([1], dtype=lucid.int32)"),
    (lambda: lucid.tensor([1.0], dtype=lucid.float16), "tensor([1.], dtype=lucid.float16)"),
    (lambda: lucid.tensor([0.1], dtype=lucid.bfloat16), "tensor([0.1001], dtype=lucid.bfloat16)"),
    (lambda: lucid.tensor([inf, -inf, nan, 1.0]), "tensor([inf, -inf, nan, 1.])"),
    (lambda: lucid.tensor([1e-5, 1.0]), "tensor([1.0000e-05, 1.0000e+00])"),
    (lambda: lucid.tensor([1e10, 1.0]), "tensor([1.0000e+10, 1.0000e+00])"),
    (lambda: lucid.tensor([100000.0]), "tensor([100000.])"),
    (lambda: lucid.tensor([-1.5, 2.25]), "tensor([-1.5000,  2.2500])"),
    (lambda: lucid.tensor([1 + 2j]), "tensor([1.+2.j])"),
    (lambda: lucid.tensor([1.5 - 2j]), "tensor([1.5000-2.j])"),
    (lambda: lucid.ones(2, requires_grad=True), "tensor([1., 1.], requires_grad=True)"),
    (
        lambda: lucid.ones(2, requires_grad=True) * 2,
        "tensor([2., 2.], grad_fn=<MulBackward>)",
    ),
    (lambda: lucid.arange(1001), "tensor([   0,    1,    2,  ...,  998,  999, 1000])"),
    (
        lambda: lucid.arange(8.0).reshape(2, 2, 2),
        "tensor([[[0., 1.],\n         [2., 3.]],\n\n        [[4., 5.],\n         [6., 7.]]])",
    ),
    (
        lambda: lucid.arange(24),
        "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
        "        18, 19, 20, 21, 22, 23])",
    ),
]


@pytest.mark.parametrize("i", range(len(REPR)))
def test_repr(i: int) -> None:
    make, want = REPR[i]
    assert repr(make()) == want
    assert str(make()) == want
    with delay():
        assert repr(make()) == want


def test_repr_of_large_tensors_is_short() -> None:
    text = repr(lucid.zeros(100, 100, 100))
    assert text.count("...") > 3 and len(text) < 2000
    assert repr(lucid.rand(10, 200)).count("\n") == 6  # three rows, dots, three rows


def test_repr_of_non_contiguous_and_negative_steps() -> None:
    x = lucid.arange(6).reshape(2, 3)
    assert repr(x.T) == "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])"
    assert repr(x[:, ::-1]) == "tensor([[2, 1, 0],\n        [5, 4, 3]])"


def test_module_names_and_docs() -> None:
    assert lucid.Tensor.__name__ == "Tensor" and lucid.Tensor.__module__ == "lucid"
    assert "exp" in lucid.exp.__name__ and lucid.exp.__doc__
    import inspect

    assert list(inspect.signature(lucid.add).parameters)[:2] == ["a", "b"]
    assert isinstance(lucid.__version__, str)


def test_a_list_that_changes_while_it_is_read() -> None:
    class Clears:
        def __init__(self, items: list) -> None:
            self.items = items

        def __index__(self) -> int:
            self.items.clear()
            return 1

    items: list = []
    items.extend([Clears(items)] * 3)
    assert lucid.zeros(items).shape == (1, 1, 1)


def test_more_dimensions_than_any_loop_has() -> None:
    assert lucid.zeros([1] * 64).ndim == 64
    for make in (lambda: lucid.zeros([1] * 65), lambda: lucid.zeros([1] * 64).unsqueeze(0)):
        with pytest.raises(lucid.ShapeMismatch, match="at most 64"):
            make()


def test_an_array_method_that_gives_no_array() -> None:
    class Endless:
        def __array__(self, *args, **kwargs):
            return self

    with pytest.raises(TypeError, match="__array__"):
        lucid.tensor(Endless())


def test_a_state_of_the_wrong_length() -> None:
    for state in ((), (1,), (1, 2, 3)):
        with pytest.raises(ValueError, match="pair"):
            lucid.set_rng_state(state)


def test_an_index_out_of_range_writes_nothing() -> None:
    x = lucid.ones(3)
    with pytest.raises(IndexError):
        x[lucid.tensor([0, 9])] = 5.0
    assert x.tolist() == [1, 1, 1]
