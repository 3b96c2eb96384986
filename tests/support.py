"""What the tests share: dtypes, tensors from arrays in every layout, distances in ulp, slot 5."""

import contextlib
import functools
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import ml_dtypes
import numpy as np

import lucid

UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
SIGNED = ("int8", "int16", "int32", "int64")
FLOATING = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
DTYPES = ("bool", *UNSIGNED, *SIGNED, *FLOATING, *COMPLEX)
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)


def np_dtype(name: str) -> np.dtype:
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


def dtype_of(name: str) -> "lucid.dtype":
    return getattr(lucid, name)


def tensor(array, requires_grad: bool = False) -> "lucid.Tensor":
    """A tensor of its own memory (not pinned) with the values and dtype of `array`."""
    array = np.asarray(array)
    if array.dtype == BFLOAT16:
        x = lucid.tensor(array.astype(np.float32)).to(lucid.bfloat16)
    else:
        x = lucid.tensor(array)
    return x.requires_grad_() if requires_grad else x


def array(x: "lucid.Tensor") -> np.ndarray:
    """A copy of the values; bfloat16 as ml_dtypes.bfloat16."""
    x = x.detach()
    if x.dtype == lucid.bfloat16:
        return x.to(lucid.float32).numpy().astype(BFLOAT16)
    return x.numpy().copy()


def content(x: "lucid.Tensor") -> bytes:
    """Dtype, shape and bits."""
    values = array(x)
    return f"{x.dtype}{tuple(x.shape)}".encode() + values.tobytes()


@contextlib.contextmanager
def delay(on: bool = True) -> Iterator[None]:
    lucid.engine._set_always_delay(on)
    try:
        yield
    finally:
        lucid.engine._set_always_delay(False)


# Layouts: from an array to an equal tensor whose memory is laid out otherwise, by ops, so that the
# memory is the engine's own.
def _transposed(a: np.ndarray) -> "lucid.Tensor":
    if a.ndim < 2:
        return _stepped(a)
    return tensor(np.ascontiguousarray(a.T)).permute(tuple(reversed(range(a.ndim))))


def _stepped(a: np.ndarray) -> "lucid.Tensor":
    if a.ndim == 0:
        return _offset(a)
    wide = np.repeat(a, 2, axis=-1)
    wide[..., 1::2] = 1
    return tensor(wide).slice(-1, 0, None, 2)


def _negative(a: np.ndarray) -> "lucid.Tensor":
    if a.ndim == 0:
        return _offset(a)
    return tensor(np.ascontiguousarray(np.flip(a, -1))).slice(-1, None, None, -1)


def _offset(a: np.ndarray) -> "lucid.Tensor":
    """Dense, but starting one element into its memory: not aligned to vectors."""
    flat = np.concatenate([np.ones(1, a.dtype), a.ravel()])
    return tensor(flat).slice(0, 1).view(a.shape)


def _rows(a: np.ndarray) -> "lucid.Tensor":
    """Rows with a gap between them."""
    if a.ndim < 2:
        return _offset(a)
    wide = np.concatenate([a, np.ones_like(a[..., :1])], axis=-1)
    return tensor(wide).slice(-1, 0, a.shape[-1])


LAYOUTS: dict[str, Callable[[np.ndarray], "lucid.Tensor"]] = {
    "contiguous": tensor,
    "transposed": _transposed,
    "stepped": _stepped,
    "negative": _negative,
    "offset": _offset,
    "rows": _rows,
}


def expand_first(a: np.ndarray) -> np.ndarray:
    """Equal values along the last axis, as an expanded tensor has."""
    return np.ascontiguousarray(np.broadcast_to(a[..., :1], a.shape)) if a.ndim and a.size else a


def expanded(a: np.ndarray) -> "lucid.Tensor":
    """The tensor for expand_first(a): stride 0 along the last axis."""
    if a.ndim == 0 or a.size == 0:
        return tensor(a)
    return tensor(np.ascontiguousarray(a[..., :1])).expand(a.shape)


# Distances.
@functools.cache
def _finfo(name: str):
    return ml_dtypes.finfo(np_dtype(name))


def spacing(want: np.ndarray, name: str) -> np.ndarray:
    """The distance between neighbours of dtype `name` around the float64 values `want`."""
    info = _finfo(name)
    nmant = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}[name]
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.abs(want))
    smallest = float(info.smallest_subnormal)
    return np.maximum(np.ldexp(1.0, (exponent - 1 - nmant).astype(int)), smallest)


def ulp_distance(got: np.ndarray, want: np.ndarray) -> float:
    """The largest distance in ulp of got's dtype; inf when a nan or an infinity is misplaced."""
    if got.shape != want.shape:
        return np.inf
    if got.size == 0:
        return 0.0
    if np.issubdtype(got.dtype, np.complexfloating):
        # Of the modulus: componentwise would ask for relative accuracy of both parts.
        wide = want.astype(np.complex128)
        part = "float32" if got.dtype == np.complex64 else "float64"
        both_nan = np.isnan(got) & np.isnan(wide)
        same = (got == wide) | both_nan
        with np.errstate(all="ignore"):
            distance = np.abs(got.astype(np.complex128) - wide) / spacing(np.abs(wide), part)
        distance = np.where(same, 0.0, distance)
        return float(np.max(np.where(np.isnan(distance), np.inf, distance)))
    name = "bfloat16" if got.dtype == BFLOAT16 else got.dtype.name
    if name not in FLOATING:
        return 0.0 if np.array_equal(got, want.astype(got.dtype)) else np.inf
    wide = want.astype(np.float64)
    narrow = got.astype(np.float64)
    with np.errstate(all="ignore"):
        rounded = wide.astype(got.dtype).astype(np.float64)
        same = (narrow == rounded) | (np.isnan(narrow) & np.isnan(wide))
        distance = np.abs(narrow - wide) / spacing(wide, name)
        # Infinity counts as the next number after the largest.
        largest = float(_finfo(name).max)
        near = (np.abs(wide) >= largest * (1 - 2.0**-6)) & (np.abs(wide) <= largest * (1 + 2.0**-6))
        edge = (
            near
            & (np.isinf(narrow) | (np.abs(narrow) == largest))
            & (np.sign(narrow) == np.sign(wide))
        )
        distance = np.where(same, 0.0, np.where(edge, 1.0, distance))
        distance = np.where(np.isinf(rounded) & ~same & ~edge, np.inf, distance)
        distance = np.where(np.isnan(distance), np.inf, distance)
    return float(np.max(distance))


# Slot 5 of the ops.
OPS_FOLDER = Path(__file__).parent / "ops"


@functools.cache
def load_specs() -> dict[str, "object"]:
    """Every OpTest under tests/ops, by name of the op."""
    specs: dict[str, object] = {}
    for path in sorted(OPS_FOLDER.rglob("*.py")):
        if path.name.startswith("_") or path.name == "conftest.py":
            continue
        name = "tests.ops." + ".".join(path.relative_to(OPS_FOLDER).with_suffix("").parts)
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        for value in list(vars(module).values()):
            for item in value if isinstance(value, (list, tuple)) else (value,):
                if type(item).__name__ == "OpTest":
                    if item.name in specs and specs[item.name] is not item:
                        raise ValueError(f"two OpTests for {item.name}, one in {path}")
                    specs[item.name] = item
    return specs


@functools.cache
def rows() -> dict[str, dict]:
    """lucid.ops.table() by name."""
    return {row["name"]: row for row in lucid.ops.table()}


def function_of(name: str) -> Callable | None:
    """The Python function of an op; None for an internal one."""
    forms = rows()[name]["forms"]
    if "function" in forms:
        return getattr(lucid, name)
    if "network" in forms:
        return getattr(lucid.nn.functional, name)
    if "method" in forms:
        return getattr(lucid.Tensor, name)
    return None


def convert(value, make: Callable[[np.ndarray], "lucid.Tensor"] = tensor):
    """Arrays (also in lists) as tensors; all else as it is."""
    if isinstance(value, (np.ndarray, np.generic)):
        return make(np.asarray(value))
    if isinstance(value, list) and value and all(isinstance(v, np.ndarray) for v in value):
        return [make(v) for v in value]
    return value


def convert_all(args, kwargs, make: Callable[[np.ndarray], "lucid.Tensor"] = tensor):
    return [convert(a, make) for a in args], {k: convert(v, make) for k, v in kwargs.items()}


def widen(value):
    """For references: narrow floating arrays as float64, complex64 as complex128."""
    if isinstance(value, list):
        return [widen(v) for v in value]
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype == BFLOAT16 or value.dtype in (np.float16, np.float32):
        return value.astype(np.float64)
    return value.astype(np.complex128) if value.dtype == np.complex64 else value


def arrays_in(args, kwargs) -> list[np.ndarray]:
    found: list[np.ndarray] = []
    for value in (*args, *kwargs.values()):
        found += [
            v for v in (value if isinstance(value, list) else [value]) if isinstance(v, np.ndarray)
        ]
    return found


def spec_dtypes(spec) -> tuple[str, ...]:
    if spec.dtypes is not None:
        return tuple(spec.dtypes)
    row = rows()[spec.name]
    names = {str(d) for d in row["dtypes"]}
    if row["dtype_rule"] == "PromoteToFloat":
        names |= {"bool", *UNSIGNED, *SIGNED}
    return tuple(d for d in DTYPES if d in names)


def grad_samples(spec, dtype: str) -> list:
    """Small finite samples at which gradients are checked."""
    rng = np.random.default_rng(0)
    chosen = []
    for args, kwargs in (spec.grad_samples or spec.samples)(rng, dtype):
        inexact = [a for a in arrays_in(args, kwargs) if np.issubdtype(a.dtype, np.inexact)]
        if sum(a.size for a in inexact) <= 40 and all(np.isfinite(a).all() for a in inexact):
            chosen.append((args, kwargs))
    return chosen


def has_gradient(spec) -> bool:
    return (
        rows()[spec.name]["gradient"] != "none" and spec.grad and function_of(spec.name) is not None
    )
