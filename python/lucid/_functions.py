"""Functions that are more than one op of the table: PyTorch's sugar."""

import collections
from contextlib import contextmanager as _contextmanager

from lucid._C import engine as _c

_ops = _c._functions
Tensor = _c.Tensor

_values_indices = {
    name: collections.namedtuple(name, ("values", "indices")) for name in ("max", "min")
}


def tensor(data, *, dtype=None, device=None, requires_grad=False):
    """A new tensor with a copy of the data: numbers, nested sequences, arrays, tensors."""
    return _c._tensor(data, dtype, device, requires_grad)


def is_tensor(object):
    """Whether it is a lucid.Tensor."""
    return isinstance(object, Tensor)


def numel(x):
    """The number of elements."""
    return x.numel()


def t(x):
    """The transpose of a matrix; a vector stays as it is."""
    if x.ndim > 2:
        raise _c.ShapeMismatch(f"t(): needs at most two dimensions, got {x.ndim}")
    return x.transpose(0, 1) if x.ndim == 2 else x


def randint(
    low, high=None, size=None, *, dtype=None, device=None, requires_grad=False, stream=None
):
    """Integers drawn evenly from [low, high): randint(high, size) or randint(low, high, size)."""
    if size is None:
        if high is None:
            raise TypeError("randint() missing required argument: 'size'")
        low, high, size = 0, low, high
    kwargs = {"device": device, "stream": stream}
    if dtype is not None:
        kwargs["dtype"] = dtype
    out = _ops["randint"](low, high, size, **kwargs)
    return out.requires_grad_() if requires_grad else out


def _extreme(name, x, dim, keepdim):
    reduce, arg = _ops["a" + name], _ops["arg" + name]
    if isinstance(dim, Tensor):
        return _ops[name + "imum"](x, dim)
    if dim is None:
        return reduce(x)
    indices = arg(x, dim, True)
    if x.ndim == 0:
        return _values_indices[name](x.clone(), indices)
    values = _ops["gather"](x, dim, indices)
    if not keepdim:
        values, indices = values.squeeze(dim), indices.squeeze(dim)
    return _values_indices[name](values, indices)


def max(x, dim=None, keepdim=False):
    """The largest element; along `dim`, a pair (values, indices); of two tensors, maximum."""
    return _extreme("max", x, dim, keepdim)


def min(x, dim=None, keepdim=False):
    """The smallest element; along `dim`, a pair (values, indices); of two tensors, minimum."""
    return _extreme("min", x, dim, keepdim)


any, all = _ops["any"], _ops["all"]


def equal(a, b):
    """Whether two tensors have the same shape and the same elements."""
    from lucid._modes import no_grad

    with no_grad():
        return a.shape == b.shape and all(a == b).item()


def allclose(a, b, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether |a - b| <= atol + rtol * |b| everywhere; infinities must agree."""
    from lucid._modes import no_grad

    with no_grad():
        a, b = a.detach(), b.detach()
        close = (a == b) | ((a - b).abs() <= atol + rtol * b.abs()) & (b.abs() < float("inf"))
        if equal_nan:
            close = close | ((a != a) & (b != b))
        return all(close).item()


@_contextmanager
def stream(stream):
    """Ops of this thread use a stream inside the with block; None changes nothing."""
    if stream is None:
        yield None
        return
    before, had = _c._swap_stream(stream)
    try:
        yield stream
    finally:
        _c._restore_stream(before, had)
