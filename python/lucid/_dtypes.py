"""finfo, iinfo, issubdtype: what a dtype can hold."""

from lucid._C import engine as _c

# name -> (bits, mantissa bits, smallest exponent of a normal number, largest exponent)
_FLOATS = {
    "float16": (16, 10, -14, 15),
    "bfloat16": (16, 7, -126, 127),
    "float32": (32, 23, -126, 127),
    "float64": (64, 52, -1022, 1023),
    "complex64": (32, 23, -126, 127),
    "complex128": (64, 52, -1022, 1023),
}


class finfo:
    """The limits of a floating dtype (of the parts of a complex one)."""

    def __init__(self, dtype=None):
        dtype = dtype if dtype is not None else _c.get_default_dtype()
        if str(dtype) not in _FLOATS:
            raise TypeError(f"finfo() needs a floating dtype, not {dtype!r}; use iinfo()")
        self.bits, mantissa, lowest, highest = _FLOATS[str(dtype)]
        self.dtype = str(dtype)
        self.eps = 2.0**-mantissa
        self.max = (2.0 - 2.0**-mantissa) * 2.0**highest
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0**lowest
        self.smallest_subnormal = 2.0 ** (lowest - mantissa) if lowest > -1022 else 5e-324
        digits = int(mantissa * 0.3010299956639812)
        self.resolution = 10.0**-digits

    def __repr__(self):
        return (
            f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, eps={self.eps}, "
            f"smallest_normal={self.smallest_normal}, tiny={self.tiny}, dtype={self.dtype})"
        )


class iinfo:
    """The limits of an integer dtype."""

    def __init__(self, dtype):
        if dtype.is_floating_point or dtype.is_complex or str(dtype) == "bool":
            raise TypeError(f"iinfo() needs an integer dtype, not {dtype!r}; use finfo()")
        self.bits = dtype.itemsize * 8
        self.dtype = str(dtype)
        self.min = -(1 << (self.bits - 1)) if dtype.is_signed else 0
        self.max = (1 << (self.bits - 1)) - 1 if dtype.is_signed else (1 << self.bits) - 1

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


def issubdtype(dtype, category):
    """Whether a dtype is of a category or is that dtype.

    Categories: floating, complex, inexact, signed, unsigned, integral, number, bool.
    """
    if not isinstance(category, str):
        return dtype == category
    is_bool = str(dtype) == "bool"
    real = dtype.is_floating_point
    inexact = real or dtype.is_complex
    integral = not inexact and not is_bool
    known = {
        "bool": is_bool,
        "floating": real,
        "complex": dtype.is_complex,
        "inexact": inexact,
        "integral": integral,
        "signed": integral and dtype.is_signed,
        "unsigned": integral and not dtype.is_signed,
        "number": not is_bool,
    }
    if category not in known:
        raise ValueError(f"issubdtype(): unknown category {category!r}; one of {', '.join(known)}")
    return known[category]
