"""repr(tensor), in PyTorch's form: precision 4, at most 1000 elements, lines of 80 characters."""

import math

from lucid._C import engine as _c

PRECISION = 4
THRESHOLD = 1000
EDGE_ITEMS = 3
LINE_WIDTH = 80


class _Formatter:
    """One format for all elements: the width and kind of number that suits every one."""

    def __init__(self, values, floating):
        self.floating = floating
        self.int_mode = True
        self.sci_mode = False
        if not floating:
            self.width = max((len(str(v)) for v in values), default=1)
            return
        finite = [v for v in values if math.isfinite(v) and v != 0]
        self.width = 1
        if not finite:
            self.width = max((len(self._special(v)) for v in values), default=1)
            return
        self.int_mode = all(v == math.ceil(v) for v in finite)
        largest = max(abs(v) for v in finite)
        smallest = min(abs(v) for v in finite)
        if self.int_mode:
            self.sci_mode = largest / smallest > 1000.0 or largest > 1e8
        else:
            self.sci_mode = largest / smallest > 1000.0 or largest > 1e8 or smallest < 1e-4
        if self.int_mode and not self.sci_mode:
            # Zero, inf and nan count for the width too; a dot is added to finite numbers.
            self.width = max(len(f"{v:.0f}") for v in finite) + 1
        else:
            self.width = max(len(self._number(v)) for v in finite)
        if self.int_mode and self.sci_mode:
            self.width = max(len(self._number(v)) for v in finite)

    def _special(self, value):
        return f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"

    def _number(self, value):
        if self.sci_mode:
            return f"{value:.{PRECISION}e}"
        if self.int_mode:
            return f"{value:.0f}." if math.isfinite(value) else f"{value:.0f}"
        return f"{value:.{PRECISION}f}"

    def __call__(self, value):
        text = self._number(value) if self.floating else str(value)
        return text.rjust(self.width)


class _ComplexFormatter:
    def __init__(self, values):
        self.real = _Formatter([v.real for v in values], True)
        self.imag = _Formatter([v.imag for v in values], True)
        self.width = self.real.width + self.imag.width + 1

    def __call__(self, value):
        imag = self.imag(value.imag).lstrip()
        sign = "" if imag.startswith("-") else "+"
        return self.real(value.real) + sign + imag + "j"


def _summarized(x):
    """The parts of a large tensor that are shown, nested lists with None for what is not."""
    if x.ndim == 0:
        return x.item()
    if x.shape[0] > 2 * EDGE_ITEMS:
        head = [_summarized(x[i]) for i in range(EDGE_ITEMS)]
        tail = [_summarized(x[i]) for i in range(x.shape[0] - EDGE_ITEMS, x.shape[0])]
        return [*head, None, *tail]
    return [_summarized(x[i]) for i in range(x.shape[0])]


def _flat(nested, out):
    if isinstance(nested, list):
        for item in nested:
            _flat(item, out)
    elif nested is not None:
        out.append(nested)
    return out


def _lines(nested, indent, depth, fmt):
    if depth == 0:
        return fmt(nested).lstrip() if not isinstance(nested, list) else "[]"
    if depth == 1:
        per_line = max(1, (LINE_WIDTH - indent) // (fmt.width + 2))
        items = [" ..." if v is None else fmt(v) for v in nested]
        rows = [items[i : i + per_line] for i in range(0, len(items), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(", ".join(row) for row in rows) + "]"
    parts = ["..." if part is None else _lines(part, indent + 1, depth - 1, fmt) for part in nested]
    return "[" + ("," + "\n" * (depth - 1) + " " * (indent + 1)).join(parts) + "]"


def _body(x, indent):
    x = x.detach()
    nested = _summarized(x) if x.numel() > THRESHOLD else x.tolist()
    values = _flat(nested, [])
    if x.dtype.is_complex:
        fmt = _ComplexFormatter(values)
    else:
        fmt = _Formatter(values, x.dtype.is_floating_point)
    if x.ndim == 0:
        return fmt(nested)
    return _lines(nested, indent, x.ndim, fmt)


def _is_default(dtype):
    default = _c.get_default_dtype()
    if str(dtype) in ("bool", "int64"):
        return True
    return dtype == default or (str(dtype), str(default)) in {
        ("complex64", "float32"),
        ("complex128", "float64"),
    }


def tensor_repr(x):
    prefix = type(x).__name__.replace("Tensor", "tensor", 1) + "("
    if type(x) is not _c.Tensor:
        prefix = type(x).__name__ + "("
    suffixes = []
    if x.device.type != "cpu":
        suffixes.append(f"device='{x.device}'")
    if x.numel() == 0:
        body = "[]"
        if x.ndim != 1:
            suffixes.append(f"size={tuple(x.shape)}")
        if x.dtype != _c.get_default_dtype():
            suffixes.append(f"dtype={x.dtype!r}")
    else:
        body = _body(x, len(prefix))
        if not _is_default(x.dtype):
            suffixes.append(f"dtype={x.dtype!r}")
    if x.grad_fn is not None:
        suffixes.append(f"grad_fn=<{x.grad_fn.name()}>")
    elif x.requires_grad:
        suffixes.append("requires_grad=True")
    text = prefix + body
    last = len(text) - text.rfind("\n") - 1 if "\n" in text else len(text)
    for suffix in suffixes:
        if last + len(suffix) + 2 > LINE_WIDTH:
            text += ",\n" + " " * len(prefix) + suffix
            last = len(prefix) + len(suffix)
        else:
            text += ", " + suffix
            last += len(suffix) + 2
    return text + ")"
