"""Promotion as PyTorch, casts, finfo and iinfo, categories, the default dtype."""

import math

import ml_dtypes
import numpy as np
import pytest

import lucid
from tests.support import (
    BFLOAT16,
    COMPLEX,
    DTYPES,
    FLOATING,
    SIGNED,
    UNSIGNED,
    array,
    dtype_of,
    np_dtype,
    tensor,
)

# torch.promote_types by row, columns as the header. For unsigned 16-64 with signed PyTorch has no
# rule: there numerics.md asks for the array API's, or a clear error where it has none.
TABLE = """
           bool       uint8      int8       int16      int32      int64      float16    bfloat16   float32    float64    complex64  complex128
bool       bool       uint8      int8       int16      int32      int64      float16    bfloat16   float32    float64    complex64  complex128
uint8      uint8      uint8      int16      int16      int32      int64      float16    bfloat16   float32    float64    complex64  complex128
int8       int8       int16      int8       int16      int32      int64      float16    bfloat16   float32    float64    complex64  complex128
int16      int16      int16      int16      int16      int32      int64      float16    bfloat16   float32    float64    complex64  complex128
int32      int32      int32      int32      int32      int32      int64      float16    bfloat16   float32    float64    complex64  complex128
int64      int64      int64      int64      int64      int64      int64      float16    bfloat16   float32    float64    complex64  complex128
float16    float16    float16    float16    float16    float16    float16    float16    float32    float32    float64    complex64  complex128
bfloat16   bfloat16   bfloat16   bfloat16   bfloat16   bfloat16   bfloat16   float32    bfloat16   float32    float64    complex64  complex128
float32    float32    float32    float32    float32    float32    float32    float32    float32    float32    float64    complex64  complex128
float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    float64    complex128 complex128
complex64  complex64  complex64  complex64  complex64  complex64  complex64  complex64  complex64  complex64  complex128 complex64  complex128
complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128 complex128
"""  # noqa: E501
# The array API standard, for what PyTorch lacks.
UNSIGNED_WITH = {
    ("uint16", "int8"): "int32",
    ("uint16", "int16"): "int32",
    ("uint16", "int32"): "int32",
    ("uint16", "int64"): "int64",
    ("uint32", "int8"): "int64",
    ("uint32", "int16"): "int64",
    ("uint32", "int32"): "int64",
    ("uint32", "int64"): "int64",
}


def entries() -> list[tuple[str, str, str]]:
    lines = TABLE.strip("\n").split("\n")
    columns = lines[0].split()
    found = []
    for line in lines[1:]:
        name, *cells = line.split()
        found += [(name, column, cell) for column, cell in zip(columns, cells, strict=True)]
    return found


@pytest.mark.parametrize("a, b, want", entries())
def test_promotion_is_pytorchs(a: str, b: str, want: str) -> None:
    assert lucid.promote_types(dtype_of(a), dtype_of(b)) == dtype_of(want)
    out = lucid.ones(2, dtype=dtype_of(a)) * lucid.ones(2, dtype=dtype_of(b))
    assert str(out.dtype) == want


def test_promotion_of_unsigned_integers() -> None:
    sizes = {name: i for i, name in enumerate(UNSIGNED)}
    for a in UNSIGNED:
        for b in UNSIGNED:
            want = max(a, b, key=sizes.get)
            assert str(lucid.promote_types(dtype_of(a), dtype_of(b))) == want
        for b in (*FLOATING, *COMPLEX):
            assert str(lucid.promote_types(dtype_of(a), dtype_of(b))) == b
        assert str(lucid.promote_types(dtype_of(a), lucid.bool)) == a
    for (a, b), want in UNSIGNED_WITH.items():
        assert str(lucid.promote_types(dtype_of(a), dtype_of(b))) == want
        assert str(lucid.promote_types(dtype_of(b), dtype_of(a))) == want
    for b in SIGNED:
        with pytest.raises(TypeError, match="uint64"):
            lucid.promote_types(lucid.uint64, dtype_of(b))
        with pytest.raises(TypeError, match="uint64"):
            lucid.ones(2, dtype=lucid.uint64) + lucid.ones(2, dtype=dtype_of(b))


def test_promotion_is_commutative() -> None:
    for a in DTYPES:
        for b in DTYPES:
            try:
                assert lucid.promote_types(dtype_of(a), dtype_of(b)) == lucid.promote_types(
                    dtype_of(b), dtype_of(a)
                )
            except TypeError:
                with pytest.raises(TypeError):
                    lucid.promote_types(dtype_of(b), dtype_of(a))


# --- scalars and 0-d tensors ----------------------------------------------------------------------


def scalar_result(dtype: str, scalar) -> str:
    """PyTorch: a Python number raises the category, never the width."""
    if isinstance(scalar, bool):
        return dtype
    if isinstance(scalar, int):
        return "int64" if dtype == "bool" else dtype
    if isinstance(scalar, float):
        return dtype if dtype in (*FLOATING, *COMPLEX) else "float32"
    if dtype in COMPLEX:
        return dtype
    return {"float64": "complex128"}.get(dtype, "complex64")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scalar", [True, 2, 2.0, 2j], ids=repr)
def test_python_scalars_are_weak(dtype: str, scalar) -> None:
    x = lucid.ones(3, dtype=dtype_of(dtype))
    want = scalar_result(dtype, scalar)
    assert str((x * scalar).dtype) == want
    assert str((scalar * x).dtype) == want
    if not (dtype == "bool" and scalar is True):
        assert str((x + scalar).dtype) == want


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_0d_tensor_does_not_widen_its_category(dtype: str) -> None:
    x = lucid.ones(3, dtype=dtype_of(dtype))
    groups = [("bool",), (*UNSIGNED, *SIGNED), FLOATING, COMPLEX]
    category = next(i for i, g in enumerate(groups) if dtype in g)
    for other in DTYPES:
        zero = lucid.ones((), dtype=dtype_of(other))
        theirs = next(i for i, g in enumerate(groups) if other in g)
        if theirs <= category:
            assert str((x * zero).dtype) == dtype, other
        elif theirs == 3 and category == 2:
            # A complex 0-d tensor on real ones: complex of the width that promotion gives.
            assert (x * zero).dtype.is_complex
        else:
            assert str((x * zero).dtype) == other


def test_two_0d_tensors_promote_as_usual() -> None:
    a, b = lucid.tensor(1.0), lucid.tensor(1.0, dtype=lucid.float64)
    assert (a * b).dtype == lucid.float64
    assert (lucid.tensor(1, dtype=lucid.int8) * lucid.tensor(1)).dtype == lucid.int64


def test_division_and_float_functions_of_integers_give_the_default_dtype() -> None:
    i = lucid.arange(1, 4)
    for out in (
        i / i,
        i / 2,
        i.exp(),
        i.sqrt(),
        i.log(),
        i.tanh(),
        i.sigmoid(),
        lucid.ones(2, dtype=lucid.bool) / 1,
    ):
        assert out.dtype == lucid.float32
    assert (i / i.to(lucid.float16)).dtype == lucid.float16
    lucid.set_default_dtype(lucid.float64)
    assert (i / i).dtype == lucid.float64 and i.exp().dtype == lucid.float64


def test_bool_arithmetic() -> None:
    t, f = lucid.tensor([True, True]), lucid.tensor([True, False])
    assert (t + f).tolist() == [True, True] and (t + f).dtype == lucid.bool
    assert (t * f).tolist() == [True, False]
    assert t.sum().item() == 2 and t.sum().dtype == lucid.int64
    with pytest.raises(TypeError, match="bool"):
        t - f
    with pytest.raises(TypeError, match="bool"):
        -t


def test_comparisons_of_integers_with_floats_are_exact() -> None:
    big = 2**53
    i = lucid.tensor([big, big + 1, big + 2])
    assert (i == float(big)).tolist() == [True, False, False]
    assert (i > float(big)).tolist() == [False, True, True]
    assert (lucid.tensor([2**24 + 1]) == float(2**24)).tolist() == [False]
    assert (lucid.tensor([255], dtype=lucid.uint8) == 256).tolist() == [False]
    assert (lucid.tensor([1], dtype=lucid.uint8) > -1).tolist() == [True]
    assert (lucid.tensor([2**63], dtype=lucid.uint64) > lucid.tensor(2**62)).tolist() == [True]


# --- overflow -------------------------------------------------------------------------------------


def test_integer_arithmetic_wraps() -> None:
    for name in (*UNSIGNED, *SIGNED):
        info = lucid.iinfo(dtype_of(name))
        x = lucid.tensor([info.max], dtype=dtype_of(name))
        assert (x + 1).tolist() == [info.min]
        assert (lucid.tensor([info.min], dtype=dtype_of(name)) - 1).tolist() == [info.max]
    low = lucid.tensor([-128], dtype=lucid.int8)
    assert (-low).tolist() == [-128] and abs(low).tolist() == [-128]


@pytest.mark.parametrize("name", [*UNSIGNED, *SIGNED])
def test_a_python_int_that_does_not_fit_raises_overflow(name: str) -> None:
    info = lucid.iinfo(dtype_of(name))
    x = lucid.ones(2, dtype=dtype_of(name))
    for bad in (info.max + 1, info.min - 1, 2**100, -(2**100)):
        for call in (
            lambda bad=bad: lucid.tensor([bad], dtype=dtype_of(name)),
            lambda bad=bad: lucid.full((2,), bad, dtype=dtype_of(name)),
            lambda bad=bad: x + bad,
            lambda bad=bad: x.__setitem__(0, bad),
            lambda bad=bad: x.fill_(bad),
        ):
            with pytest.raises(OverflowError, match=str(abs(bad))):
                call()
    assert x.tolist() == [1, 1]
    assert lucid.tensor([info.max, info.min], dtype=dtype_of(name)).tolist() == [info.max, info.min]


def test_large_ints_stay_exact() -> None:
    big = 2**62
    assert lucid.arange(big, big + 3).tolist() == [big, big + 1, big + 2]
    assert lucid.full((2,), big + 1).tolist() == [big + 1] * 2
    assert (lucid.tensor([big + 1]) + 1).tolist() == [big + 2]
    assert lucid.tensor([big + 1, 0]).sum().item() == big + 1
    assert lucid.tensor([big, big + 1]).amax().item() == big + 1
    assert lucid.tensor([big, big + 1]).argmax().item() == 1
    assert lucid.tensor([2**63], dtype=lucid.uint64).amax().item() == 2**63


def test_large_ints_without_a_dtype() -> None:
    assert lucid.tensor(2**63).dtype == lucid.uint64
    assert lucid.tensor(2**63 - 1).dtype == lucid.int64
    with pytest.raises(OverflowError):
        lucid.tensor(2**64)


# --- casts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", DTYPES)
def test_casts(source: str, target: str) -> None:
    base = np.array([0, 1, 2, 3, 100, 127, 7, 64, 31])
    a = (base * (1 + 1j) if source in COMPLEX else base).astype(np_dtype(source))
    if source in (*SIGNED, *FLOATING):
        negative = a * np_dtype(source).type(-1) if source in FLOATING else -a
        # Negative floating values to unsigned integers have no defined value.
        if not (source in FLOATING and target in UNSIGNED):
            a = np.concatenate([a, negative])
    with np.errstate(all="ignore"):
        plain = a.astype(np.complex128).real if source in COMPLEX and target not in COMPLEX else a
        if target == "bool":
            want = a.astype(np.complex128) != 0 if source in COMPLEX else a.astype(np.float64) != 0
        elif target == "bfloat16":
            want = np.asarray(plain).astype(np.float32).astype(BFLOAT16)
        else:
            wide = plain.astype(np.float64) if plain.dtype == BFLOAT16 else plain
            want = wide.astype(np_dtype(target))
    got = tensor(a).to(dtype_of(target))
    assert str(got.dtype) == target
    assert array(got).tolist() == want.tolist()


def test_casts_to_narrow_floats_round_to_even() -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 20000, dtype=np.uint32)
    a = bits.view(np.float32)
    a = np.where(np.isnan(a), np.float32(np.nan), a)
    with np.errstate(all="ignore"):
        for name in ("float16", "bfloat16"):
            want = a.astype(np_dtype(name))
            got = array(tensor(a).to(dtype_of(name)))
            assert np.array_equal(got.astype(np.float32), want.astype(np.float32), equal_nan=True)
        ties = np.array(
            [1 + 2**-11, 1 + 3 * 2**-11, 65519.99, 65520, 2**-25, 2**-25 * 1.0001, -(2**-24)],
            np.float64,
        )
        want = ties.astype(np.float16)
        assert array(tensor(ties).to(lucid.float16)).tolist() == want.tolist()
        # From float64 through float32, as PyTorch 2.15 does: 1.0 for both (NumPy rounds once).
        twice = np.array([1 + 2**-11 + 2**-40, 1 + 2**-8 + 2**-40])
        assert array(tensor(twice[:1]).to(lucid.float16)).tolist() == [1]
        assert array(tensor(twice[1:]).to(lucid.bfloat16)).astype(float).tolist() == [1]


def test_every_half_survives_the_trip_to_float32() -> None:
    bits = np.arange(65536, dtype=np.uint16)
    halves = bits.view(np.float16)
    x = lucid.from_numpy(halves)
    assert np.array_equal(array(x.to(lucid.float32)), halves.astype(np.float32), equal_nan=True)
    finite = halves[~np.isnan(halves)]
    back = lucid.from_numpy(finite).to(lucid.float32).to(lucid.float16)
    assert array(back).tobytes() == finite.tobytes()
    brain = bits.view(BFLOAT16)
    y = lucid.from_numpy(brain).to(lucid.float32)
    assert np.array_equal(array(y), brain.astype(np.float32), equal_nan=True)


def test_subnormals_are_kept() -> None:
    tiny = lucid.tensor([1e-45, 1e-40], dtype=lucid.float32)
    assert (tiny * 1).tolist() == tiny.tolist() != [0, 0]
    assert (lucid.tensor([2.0**-149] * 40000) + 0).sum().item() > 0
    assert (lucid.tensor([5e-324], dtype=lucid.float64) * 1).item() == 5e-324
    assert (lucid.tensor([2.0**-126]) / 2).item() == 2.0**-127


def test_method_casts() -> None:
    x = lucid.tensor([1.5, -2.5])
    for name, want in (
        ("half", "float16"),
        ("float", "float32"),
        ("double", "float64"),
        ("bfloat16", "bfloat16"),
        ("int", "int32"),
        ("long", "int64"),
        ("short", "int16"),
        ("bool", "bool"),
    ):
        assert str(getattr(x, name)().dtype) == want
    assert x.long().tolist() == [1, -2]
    assert x.to(lucid.float32) is x
    assert x.type_as(x.double()).dtype == lucid.float64
    with pytest.raises(TypeError):
        x.to(3)


# --- facts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FLOATING)
def test_finfo(name: str) -> None:
    ours, theirs = lucid.finfo(dtype_of(name)), ml_dtypes.finfo(np_dtype(name))
    for field in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "smallest_subnormal"):
        assert float(getattr(ours, field)) == float(getattr(theirs, field)), field
    with pytest.raises(TypeError):
        lucid.finfo(lucid.int32)


def test_finfo_of_the_default_and_of_complex() -> None:
    assert lucid.finfo().bits == 32
    assert lucid.finfo(lucid.complex128).eps == 2.0**-52


@pytest.mark.parametrize("name", [*UNSIGNED, *SIGNED])
def test_iinfo(name: str) -> None:
    ours, theirs = lucid.iinfo(dtype_of(name)), np.iinfo(name)
    assert (ours.min, ours.max, ours.bits) == (theirs.min, theirs.max, theirs.bits)
    with pytest.raises(TypeError):
        lucid.iinfo(lucid.float32)


def test_issubdtype() -> None:
    for name in DTYPES:
        d = dtype_of(name)
        assert lucid.issubdtype(d, "floating") == (name in FLOATING)
        assert lucid.issubdtype(d, "complex") == (name in COMPLEX)
        assert lucid.issubdtype(d, "inexact") == (name in (*FLOATING, *COMPLEX))
        assert lucid.issubdtype(d, "signed") == (name in SIGNED)
        assert lucid.issubdtype(d, "unsigned") == (name in UNSIGNED)
        assert lucid.issubdtype(d, "integral") == (name in (*UNSIGNED, *SIGNED))
        assert lucid.issubdtype(d, "number") == (name != "bool")
        assert lucid.issubdtype(d, d)
    with pytest.raises((TypeError, ValueError)):
        lucid.issubdtype(lucid.float32, "no category")


def test_can_cast() -> None:
    """PyTorch's: within and up the categories."""
    assert lucid.can_cast(lucid.float64, lucid.float16)
    assert lucid.can_cast(lucid.int64, lucid.int8)
    assert lucid.can_cast(lucid.int64, lucid.float16)
    assert not lucid.can_cast(lucid.float32, lucid.int64)
    assert not lucid.can_cast(lucid.complex64, lucid.float64)
    assert not lucid.can_cast(lucid.int8, lucid.bool)


# --- the default dtype ----------------------------------------------------------------------------


def test_dtypes_of_literals() -> None:
    assert lucid.tensor([1.0]).dtype == lucid.float32
    assert lucid.tensor([1]).dtype == lucid.int64
    assert lucid.tensor([True]).dtype == lucid.bool
    assert lucid.tensor([1j]).dtype == lucid.complex64
    assert lucid.tensor([1, 2.5]).dtype == lucid.float32
    assert lucid.tensor([True, 2]).dtype == lucid.int64
    assert lucid.tensor([]).dtype == lucid.float32
    assert lucid.tensor(np.float64(1)).dtype == lucid.float64
    assert lucid.tensor([np.float64(1)]).dtype == lucid.float64
    assert lucid.tensor(np.ones(2, np.int16)).dtype == lucid.int16
    assert lucid.zeros(2).dtype == lucid.float32 and lucid.arange(3).dtype == lucid.int64
    assert lucid.arange(3.0).dtype == lucid.float32 and lucid.full((2,), 3).dtype == lucid.int64
    assert (
        lucid.full((2,), 3.0).dtype == lucid.float32 and lucid.full((2,), True).dtype == lucid.bool
    )
    assert lucid.randint(0, 5, (2,)).dtype == lucid.int64


def test_set_default_dtype() -> None:
    lucid.set_default_dtype(lucid.float64)
    assert lucid.get_default_dtype() == lucid.float64
    assert lucid.tensor([1.0]).dtype == lucid.float64
    assert lucid.tensor([1j]).dtype == lucid.complex128
    for made in (
        lucid.zeros(2),
        lucid.ones(2),
        lucid.rand(2),
        lucid.randn(2),
        lucid.arange(2.0),
        lucid.eye(2),
    ):
        assert made.dtype == lucid.float64
    assert (lucid.arange(3) * 0.5).dtype == lucid.float64
    assert repr(lucid.tensor([1.0])) == "tensor([1.])"
    for bad in (lucid.int64, lucid.bool, lucid.complex64):
        with pytest.raises(TypeError):
            lucid.set_default_dtype(bad)
    assert lucid.get_default_dtype() == lucid.float64


def test_python_types_as_dtypes() -> None:
    assert lucid.zeros(1, dtype=float).dtype == lucid.float32
    assert lucid.zeros(1, dtype=int).dtype == lucid.int64
    assert lucid.zeros(1, dtype=bool).dtype == lucid.bool
    assert lucid.zeros(1, dtype=complex).dtype == lucid.complex64
    for bad in ("float32", 32, str, np.float32):
        with pytest.raises(TypeError):
            lucid.zeros(1, dtype=bad)


def test_complex_parts_of_special_values() -> None:
    z = lucid.tensor([complex(math.inf, math.nan), complex(-0.0, 0.0)])
    assert math.isinf(z.tolist()[0].real) and math.isnan(z.tolist()[0].imag)
    assert math.copysign(1, z.tolist()[1].real) == -1
