"""Bad input: each call raises the right classes; the text names the op, the inputs and the rule.

The texts are compared with tests/golden/errors.txt; with LUCID_UPDATE_GOLDEN=1 this file
writes it.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import lucid
from tests.support import delay

GOLDEN = Path(__file__).parent / "golden" / "errors.txt"
UPDATE = os.environ.get("LUCID_UPDATE_GOLDEN") == "1"
f64, i64 = lucid.float64, lucid.int64
F = lucid.nn.functional


@dataclass
class Bad:
    call: Callable[[], object]
    classes: tuple[type, ...]
    # What the text must say: the op, what was given (shapes, dtypes, values), the rule.
    says: tuple[str, ...]


Shape = (lucid.ShapeMismatch, lucid.LucidError, ValueError, RuntimeError)
Dtype = (lucid.DtypeMismatch, lucid.LucidError, TypeError, RuntimeError)
Device = (lucid.DeviceMismatch, lucid.LucidError, RuntimeError)
Version = (lucid.VersionMismatch, lucid.LucidError, RuntimeError)
Index = (lucid.IndexOutOfRange, lucid.LucidError, IndexError, RuntimeError)
Memory = (lucid.OutOfMemory, lucid.LucidError, MemoryError, RuntimeError)
Missing = (lucid.NotImplementedOp, lucid.LucidError, NotImplementedError, RuntimeError)
State = (lucid.LucidError, RuntimeError)


def ones(*shape, dtype=None):
    return lucid.ones(*shape, dtype=dtype or lucid.float32)


def leaf():
    return lucid.ones(2, 3, requires_grad=True)


def read_only():
    a = np.arange(3.0)
    a.flags.writeable = False
    return lucid.from_numpy(a)


def second_backward():
    y = leaf().exp().sum()
    y.backward()
    y.backward()


def changed_input():
    x, w = leaf(), ones(2, 3)
    y = x * w
    w.add_(1)
    y.sum().backward()


def changed_output():
    y = leaf().exp()
    y.mul_(2)
    y.sum().backward()


BAD: dict[str, Bad] = {
    # shapes
    "add shapes": Bad(
        lambda: ones(2, 3) + ones(2, 4),
        Shape,
        ("add", "(2, 3)", "(2, 4)", "float32", "cpu", "rule"),
    ),
    "add ranks": Bad(
        lambda: ones(5, 1, 3) + ones(2, 4),
        Shape,
        ("add", "(5, 1, 3)", "(2, 4)", "float32", "cpu", "rule"),
    ),
    "where shapes": Bad(
        lambda: lucid.where(ones(2) > 0, ones(3), ones(4)),
        Shape,
        ("where", "(2,)", "(3,)", "float32", "cpu", "rule"),
    ),
    "compare shapes": Bad(
        lambda: ones(2) == ones(3), Shape, ("eq", "(2,)", "(3,)", "float32", "cpu", "rule")
    ),
    "matmul inner": Bad(
        lambda: ones(8, 3, 64) @ ones(32, 10),
        Shape,
        ("matmul", "(8, 3, 64)", "(32, 10)", "64", "32", "(..., n, k) @ (..., k, m)"),
    ),
    "matmul batch": Bad(
        lambda: ones(2, 3, 4) @ ones(3, 4, 5), Shape, ("matmul", "(2, 3, 4)", "(3, 4, 5)")
    ),
    "matmul 0-d": Bad(lambda: ones(()) @ ones(2), Shape, ("matmul", "()", "(2,)")),
    "linear weight": Bad(
        lambda: F.linear(ones(2, 3), ones(4, 5)), Shape, ("linear", "(2, 3)", "(4, 5)", "rule")
    ),
    "linear bias": Bad(
        lambda: F.linear(ones(2, 3), ones(4, 3), ones(5)),
        Shape,
        ("linear", "(4, 3)", "(5,)"),
    ),
    "reshape size": Bad(
        lambda: ones(2, 3).reshape(4, 2), Shape, ("reshape", "(2, 3)", "(4, 2)", "6", "8")
    ),
    "reshape two unknown": Bad(
        lambda: ones(2, 3).reshape(-1, -1), (ValueError,), ("reshape", "-1")
    ),
    "reshape unknown of empty": Bad(
        lambda: lucid.zeros(0, 3).reshape(-1, 0), Shape, ("reshape", "(0, 3)")
    ),
    "reshape does not divide": Bad(
        lambda: ones(2, 3).reshape(-1, 4), Shape, ("reshape", "(2, 3)", "4")
    ),
    "view of strides": Bad(
        lambda: ones(2, 3).transpose(0, 1).view(6), State, ("view", "(3, 2)", "reshape")
    ),
    "expand size": Bad(
        lambda: ones(2, 3).expand(4, 3), Shape, ("expand", "(2, 3)", "(4, 3)", "rule")
    ),
    "expand rank": Bad(lambda: ones(2, 3).expand(3), Shape, ("expand", "(2, 3)")),
    "cat sizes": Bad(
        lambda: lucid.cat([ones(2, 3), ones(2, 4)], 0), Shape, ("cat", "(2, 3)", "(2, 4)")
    ),
    "cat ranks": Bad(lambda: lucid.cat([ones(2, 3), ones(2)], 0), Shape, ("cat", "(2, 3)", "(2,)")),
    "cat nothing": Bad(lambda: lucid.cat([]), (ValueError,), ("cat",)),
    "cat 0-d": Bad(lambda: lucid.cat([ones(()), ones(())]), (RuntimeError,), ("cat", "0-d")),
    "stack sizes": Bad(lambda: lucid.stack([ones(2), ones(3)]), Shape, ("stack", "(2,)", "(3,)")),
    "permute rank": Bad(lambda: ones(2, 3).permute(0), (ValueError,), ("permute", "(2, 3)")),
    "permute twice": Bad(lambda: ones(2, 3).permute(0, 0), (ValueError,), ("permute", "0")),
    "gather rank": Bad(
        lambda: ones(2, 3).gather(0, lucid.zeros(2, dtype=i64)), Shape, ("gather", "(2, 3)", "(2,)")
    ),
    "index_add source": Bad(
        lambda: ones(4, 3).index_add(0, lucid.tensor([0, 1]), ones(3, 3)),
        Shape,
        ("index_add", "(3, 3)"),
    ),
    "cross_entropy batch": Bad(
        lambda: F.cross_entropy(ones(4, 3), lucid.zeros(5, dtype=i64)),
        Shape,
        ("cross_entropy", "(4, 3)", "(5,)"),
    ),
    "negative size": Bad(lambda: lucid.zeros(2, -1), (ValueError,), ("zeros", "-1")),
    "full negative size": Bad(lambda: lucid.full((-1, 2), 1.0), (ValueError,), ("full", "-1")),
    "ragged data": Bad(lambda: lucid.tensor([[1, 2], [3]]), Shape, ("tensor", "2", "1")),
    "in-place growth": Bad(
        lambda: ones(1, 3).add_(ones(2, 3)), Shape, ("add_", "(1, 3)", "(2, 3)")
    ),
    "setitem shape": Bad(
        lambda: ones(2, 3).__setitem__(0, ones(4)),
        Shape,
        ("x[...] = v", "(3,)", "(4,)"),
    ),
    "amax of nothing": Bad(lambda: lucid.zeros(2, 0).amax(-1), (RuntimeError,), ("amax", "(2, 0)")),
    "argmax of nothing": Bad(lambda: lucid.zeros(0).argmax(), (RuntimeError,), ("argmax", "(0,)")),
    "bool of several": Bad(lambda: bool(ones(2)), Shape, ("bool", "(2,)", "ambiguous")),
    "item of several": Bad(lambda: ones(2).item(), Shape, ("item", "(2,)")),
    "item of none": Bad(lambda: lucid.zeros(0).item(), Shape, ("item", "(0,)")),
    # axes and indices
    "sum axis": Bad(lambda: ones(2, 3).sum(2), Index, ("sum", "2", "-2 to 1")),
    "sum axis twice": Bad(
        lambda: ones(2, 3).sum((0, -2)), (ValueError,), ("sum", "twice|more than once|repeated")
    ),
    "softmax axis": Bad(lambda: ones(2, 3).softmax(-3), Index, ("softmax", "-3", "-2 to 1")),
    "transpose axis": Bad(lambda: ones(2, 3).transpose(0, 2), Index, ("transpose", "2", "-2 to 1")),
    "unsqueeze axis": Bad(lambda: ones(3).unsqueeze(-100), Index, ("unsqueeze", "-100", "-2 to 1")),
    "unsqueeze of 0-d": Bad(lambda: ones(()).unsqueeze(-3), Index, ("unsqueeze", "-3", "-1 to 0")),
    "select index": Bad(lambda: ones(2, 3).select(1, 3), Index, ("select", "3", "(2, 3)")),
    "select of 0-d": Bad(lambda: ones(()).select(0, 0), Index, ("select", "0-d")),
    "index int": Bad(lambda: ones(2, 3)[2], Index, ("2", "(2, 3)")),
    "index of 0-d": Bad(lambda: ones(())[0], Index, ("0-d",)),
    "too many indices": Bad(lambda: ones(2)[0, 0], Index, ("too many", "(2,)", "2")),
    "two ellipses": Bad(lambda: ones(2)[..., ...], Index, ("ellipsis",)),
    "index text": Bad(lambda: ones(2)["a"], Index, ("str",)),
    "index float tensor": Bad(lambda: ones(2)[ones(2)], Index, ("float32", "integers or bool")),
    "mask shape": Bad(lambda: ones(2, 3)[ones(3, 3) > 0], Index, ("mask", "(2, 3)", "(3, 3)")),
    "slice step zero": Bad(lambda: ones(4)[::0], (ValueError,), ("slice", "zero")),
    "index_select range": Bad(
        lambda: ones(2, 3).index_select(0, lucid.tensor([0, 2])),
        Index,
        ("index_select", "value  2", "size   2"),
    ),
    "index_select negative": Bad(
        lambda: ones(2, 3).index_select(0, lucid.tensor([-1])), Index, ("index_select", "-1")
    ),
    "gather range": Bad(
        lambda: ones(2, 3).gather(1, lucid.tensor([[3], [0]])),
        Index,
        ("gather", "value  3", "size   3"),
    ),
    "index_add range": Bad(
        lambda: ones(2).index_add(0, lucid.tensor([5]), ones(1)),
        Index,
        ("index_add", "value  5", "size   2"),
    ),
    "cross_entropy class": Bad(
        lambda: F.cross_entropy(ones(2, 3), lucid.tensor([0, 3])),
        Index,
        ("cross_entropy", "3"),
    ),
    # dtypes
    "sub bool": Bad(lambda: (ones(2) > 0) - (ones(2) > 0), Dtype, ("sub", "bool")),
    "neg bool": Bad(lambda: -(ones(2) > 0), Dtype, ("neg", "bool")),
    "relu complex": Bad(
        lambda: F.relu(ones(2, dtype=lucid.complex64)), Dtype, ("relu", "complex64")
    ),
    "lt complex": Bad(lambda: ones(2, dtype=lucid.complex64) < 1, Dtype, ("lt", "complex64")),
    "maximum complex": Bad(
        lambda: lucid.maximum(ones(2, dtype=lucid.complex64), ones(2)),
        Dtype,
        ("maximum", "complex64"),
    ),
    "argmax complex": Bad(
        lambda: ones(2, dtype=lucid.complex64).argmax(), Dtype, ("argmax", "complex64")
    ),
    "softmax int": Bad(lambda: ones(2, dtype=i64).softmax(0), Dtype, ("softmax", "int64")),
    "mean int": Bad(lambda: ones(2, dtype=i64).mean(), Dtype, ("mean", "int64")),
    "matmul bool": Bad(lambda: (ones(2, 2) > 0) @ (ones(2, 2) > 0), Dtype, ("matmul", "bool")),
    "where condition": Bad(
        lambda: lucid.where(ones(2), ones(2), ones(2)), Dtype, ("where", "float32", "bool")
    ),
    "gather index": Bad(lambda: ones(2).gather(0, ones(2)), Dtype, ("gather", "float32", "int64")),
    "index_select index": Bad(
        lambda: ones(2).index_select(0, ones(2)), Dtype, ("index_select", "float32")
    ),
    "index_add dtypes": Bad(
        lambda: ones(2).index_add(0, lucid.tensor([0]), ones(1, dtype=f64)),
        Dtype,
        ("index_add", "float32", "float64"),
    ),
    "uint64 with int": Bad(
        lambda: ones(2, dtype=lucid.uint64) + ones(2, dtype=i64), Dtype, ("uint64", "int64")
    ),
    "in-place category": Bad(
        lambda: ones(2, dtype=i64).add_(1.5), Dtype, ("add_", "int64", "float32")
    ),
    "in-place division": Bad(
        lambda: ones(2, dtype=i64).div_(2), Dtype, ("div_", "int64", "float32")
    ),
    "integer requires_grad": Bad(
        lambda: lucid.arange(3).requires_grad_(), Dtype, ("requires_grad", "int64")
    ),
    "integer tensor requires_grad": Bad(
        lambda: lucid.tensor([1], requires_grad=True), Dtype, ("int64",)
    ),
    "zeros integer requires_grad": Bad(
        lambda: lucid.zeros(2, dtype=i64, requires_grad=True),
        Dtype,
        ("int64",),
    ),
    "randn int": Bad(lambda: lucid.randn(2, dtype=i64), Dtype, ("randn", "int64")),
    "numpy bfloat16": Bad(
        lambda: ones(2, dtype=lucid.bfloat16).numpy(), (TypeError,), ("numpy", "bfloat16")
    ),
    "big-endian array": Bad(
        lambda: lucid.from_numpy(np.arange(3.0).astype(">f8")), Dtype, ("from_numpy", "endian")
    ),
    "text array": Bad(lambda: lucid.from_numpy(np.array(["a"])), Dtype, ("from_numpy",)),
    "not an array": Bad(
        lambda: lucid.from_numpy([1]), (TypeError,), ("from_numpy|buffer|bytes-like",)
    ),
    "grad dtype": Bad(
        lambda: setattr(leaf(), "grad", ones(2, 3, dtype=f64)),
        (RuntimeError,),
        ("grad", "float32", "float64"),
    ),
    # devices
    "no cuda": Bad(lambda: ones(2).to("cuda"), Device, ("to", "cuda")),
    "zeros on cuda": Bad(lambda: lucid.zeros(2, device="cuda"), (RuntimeError,), ("cuda",)),
    "unknown device": Bad(lambda: lucid.device("tpu"), Device, ("device", "tpu")),
    "device type": Bad(lambda: lucid.zeros(2, device=1.5), (TypeError,), ("device", "float")),
    # Python values
    "overflow int8": Bad(
        lambda: lucid.tensor([300], dtype=lucid.int8), (OverflowError,), ("300", "int8")
    ),
    "overflow add": Bad(
        lambda: ones(2, dtype=lucid.uint8) + 256, (OverflowError,), ("256", "uint8")
    ),
    "overflow negative": Bad(
        lambda: ones(2, dtype=lucid.uint8) + -1, (OverflowError,), ("-1", "uint8")
    ),
    "overflow int64": Bad(lambda: lucid.tensor(2**64), (OverflowError,), (str(2**64),)),
    "overflow index": Bad(lambda: ones(2)[2**70], Index, ("index",)),
    "overflow size": Bad(lambda: lucid.zeros(2**70), (OverflowError,), (str(2**70),)),
    "too many elements": Bad(lambda: lucid.zeros(2**40, 2**40), (RuntimeError,), ("zeros",)),
    "negative integer power": Bad(
        lambda: lucid.full((), 2, dtype=i64) ** -1,
        (ValueError,),
        ("pow", "negative"),
    ),
    # arguments
    "unknown keyword": Bad(
        lambda: lucid.exp(ones(2), what=1), (TypeError,), ("exp", "what", "signature")
    ),
    "missing argument": Bad(lambda: lucid.add(ones(2)), (TypeError,), ("add", "'b'", "signature")),
    "too many arguments": Bad(
        lambda: lucid.exp(ones(2), 1, 2), (TypeError,), ("exp", "1", "3", "signature")
    ),
    "argument twice": Bad(lambda: lucid.add(ones(2), ones(2), a=1), (TypeError,), ("add", "'a'")),
    "wrong type": Bad(lambda: lucid.exp("text"), (TypeError,), ("exp", "str", "Tensor")),
    "wrong type of axis": Bad(
        lambda: ones(2).softmax("x"), (TypeError,), ("softmax", "dim", "str")
    ),
    "float as size": Bad(lambda: ones(2).reshape(2.0), (TypeError,), ("reshape", "float")),
    "wrong dtype argument": Bad(
        lambda: lucid.zeros(2, dtype="float32"), (TypeError,), ("zeros", "dtype", "str")
    ),
    "cat of a tensor": Bad(lambda: lucid.cat(ones(2)), (TypeError,), ("cat", "tensors", "Tensor")),
    "cat of numbers": Bad(lambda: lucid.cat(["a"]), (TypeError,), ("cat", "str")),
    "keyword-only": Bad(
        lambda: F.cross_entropy(ones(2, 3), lucid.tensor([0, 1]), None, -100),
        (TypeError,),
        ("cross_entropy",),
    ),
    "bad reduction": Bad(
        lambda: F.cross_entropy(ones(2, 3), lucid.tensor([0, 1]), reduction="avg"),
        (ValueError,),
        ("cross_entropy", "avg", "mean"),
    ),
    "tensor of an object": Bad(lambda: lucid.tensor(object()), (TypeError,), ("tensor", "object")),
    "arange step zero": Bad(lambda: lucid.arange(0, 5, 0), (ValueError,), ("arange", "step")),
    "arange direction": Bad(lambda: lucid.arange(5, 0, 1), (ValueError,), ("arange", "5", "0")),
    "randint range": Bad(lambda: lucid.randint(5, 5, (2,)), (ValueError,), ("randint", "5")),
    "squeeze axis": Bad(lambda: ones(1, 2).squeeze(2), Index, ("squeeze", "2")),
    # in-place and autograd
    "in-place on a leaf": Bad(lambda: leaf().add_(1), State, ("add_", "leaf")),
    "in-place on a view of a leaf": Bad(lambda: leaf()[0].mul_(2), State, ("mul_", "leaf")),
    "setitem on a leaf": Bad(lambda: leaf().__setitem__(0, 1), State, ("x[...] = v", "leaf")),
    "in-place on expanded": Bad(
        lambda: ones(1).expand(3).add_(1),
        State,
        ("add_", "overlap|same memory", "clone|copy|contiguous"),
    ),
    "in-place on read-only": Bad(
        lambda: read_only().add_(1), (RuntimeError,), ("add_", "read-only")
    ),
    "second backward": Bad(second_backward, State, ("Exp", "retain_graph")),
    "changed input": Bad(changed_input, Version, ("Mul", "version|changed", "1")),
    "changed output": Bad(changed_output, Version, ("Exp", "version|changed", "output")),
    "backward of several": Bad(
        lambda: (leaf() * 2).backward(), State, ("backward", "(2, 3)", "scalar|gradient")
    ),
    "backward without a graph": Bad(
        lambda: ones(()).backward(), State, ("backward", "requires_grad|require grad")
    ),
    "backward gradient shape": Bad(
        lambda: (leaf() * 2).backward(ones(3)),
        Shape,
        ("backward|gradient", "(2, 3)", "(3,)"),
    ),
    "grad unused": Bad(
        lambda: lucid.autograd.grad(leaf().sum(), [leaf()]),
        State,
        ("grad", "allow_unused"),
    ),
    "grad of a constant": Bad(
        lambda: lucid.autograd.grad(leaf().sum(), [ones(2)]), State, ("grad", "require")
    ),
    "hook without a graph": Bad(lambda: ones(2).register_hook(print), State, ("hook", "require")),
    "requires_grad of a non-leaf": Bad(
        lambda: (leaf() * 2).requires_grad_(False), State, ("leaf", "detach")
    ),
    "numpy of a graph": Bad(lambda: leaf().numpy(), State, ("numpy", "detach")),
    "deepcopy of a graph": Bad(
        lambda: __import__("copy").deepcopy(leaf() * 2), State[1:], ("leaf", "detach")
    ),
    # memory
    "out of memory": Bad(lambda: lucid.zeros(1 << 45), Memory, ("memory", "bytes|MiB|GiB|TiB")),
    "two tensor indices": Bad(lambda: ones(2, 2)[[0], [1]], Missing, ("indexing",)),
}


EMPTY_RULE = re.compile(r"^\s*rule\s*-?\s*$", re.MULTILINE)


def caught(bad: Bad) -> BaseException:
    with pytest.raises(Exception) as info:
        bad.call()
    return info.value


def stable(text: str) -> str:
    """Without what differs from run to run: addresses, sizes of this machine's memory."""
    text = re.sub(r"0x[0-9a-f]+", "0x...", text)
    return re.sub(r"\d+(\.\d+)? (bytes|KiB|MiB|GiB|TiB)", r"N \2", text)


def read_golden() -> dict[str, str]:
    found: dict[str, str] = {}
    if GOLDEN.exists():
        for block in GOLDEN.read_text().split("\n=== ")[1:]:
            name, _, text = block.partition("\n")
            found[name] = text.rstrip("\n")
    return found


WRITTEN: dict[str, str] = {}


@pytest.fixture(scope="module", autouse=True)
def update_golden():
    yield
    if UPDATE and len(WRITTEN) == len(BAD):
        head = "The text of every error of tests/test_errors.py: class, then text.\n"
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(head + "".join(f"\n=== {name}\n{WRITTEN[name]}\n" for name in BAD))


@pytest.mark.parametrize("name", BAD)
def test_classes_and_text(name: str) -> None:
    bad = BAD[name]
    error = caught(bad)
    for cls in bad.classes:
        assert isinstance(error, cls), f"{type(error).__mro__} lacks {cls.__name__}: {error}"
    text = str(error)
    for part in bad.says:
        pattern = part if "|" in part else re.escape(part)
        assert re.search(pattern, text), f"{part!r} is not in:\n{text}"
    assert not EMPTY_RULE.search(text), f"the rule says nothing:\n{text}"


@pytest.mark.parametrize("name", BAD)
def test_golden_text(name: str) -> None:
    error = caught(BAD[name])
    text = f"{type(error).__name__}: {stable(str(error))}"
    WRITTEN[name] = text
    if not UPDATE:
        assert read_golden().get(name) == text


def test_golden_has_no_dead_entries() -> None:
    assert UPDATE or set(read_golden()) == set(BAD)


# Memory is asked for when a value is made: the one error of this list that a flush may raise.
AT_THE_FLUSH = {"out of memory"}


@pytest.mark.parametrize("name", [name for name in BAD if name not in AT_THE_FLUSH])
def test_delayed_calls_raise_the_same_at_the_call(name: str) -> None:
    at_once = caught(BAD[name])
    with delay():
        late = caught(BAD[name])
    assert type(late) is type(at_once)
    assert stable(str(late)) == stable(str(at_once))


def test_classes() -> None:
    for cls, bases in (
        (lucid.LucidError, (RuntimeError,)),
        (lucid.ShapeMismatch, (lucid.LucidError, ValueError)),
        (lucid.DtypeMismatch, (lucid.LucidError, TypeError)),
        (lucid.DeviceMismatch, (lucid.LucidError,)),
        (lucid.VersionMismatch, (lucid.LucidError,)),
        (lucid.OutOfMemory, (lucid.LucidError, MemoryError)),
        (lucid.IndexOutOfRange, (lucid.LucidError, IndexError)),
        (lucid.NotImplementedOp, (lucid.LucidError, NotImplementedError)),
    ):
        assert issubclass(cls, bases[0]) and all(issubclass(cls, b) for b in bases)
        assert cls.__module__ == "lucid"


def test_nothing_is_lost_after_errors() -> None:
    """After every bad call, values, modes and gradients are as before."""
    x = lucid.ones(3, requires_grad=True)
    y = (x * 2).sum()
    for bad in BAD.values():
        caught(bad)
    assert lucid.is_grad_enabled() and lucid.get_default_dtype() == lucid.float32
    y.backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_error_inputs_change_nothing() -> None:
    x = ones(2, 3)
    before = x._version
    for call in (
        lambda: x.add_(ones(4)),
        lambda: x.mul_(1j),
        lambda: x.__setitem__(5, 1.0),
        lambda: x.__setitem__(0, ones(7)),
        lambda: x.fill_("a"),
        lambda: x.copy_(ones(5)),
    ):
        with pytest.raises((RuntimeError, TypeError, ValueError, IndexError)):
            call()
    assert x.tolist() == [[1] * 3] * 2 and x._version == before


def test_a_text_that_changes_is_noticed() -> None:
    """The golden comparison fails on one changed character."""
    golden = read_golden()
    name = next(iter(BAD))
    error = caught(BAD[name])
    assert golden.get(name) != f"{type(error).__name__}: {stable(str(error))}."
