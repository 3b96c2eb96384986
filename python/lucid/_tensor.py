"""Methods of Tensor that Python adds to those of the table and of C++."""

import weakref

from lucid import _functions
from lucid._C import engine as _c

Tensor = _c.Tensor
_ops = _c._functions


class RemovableHandle:
    """What registering a hook returns; `remove()`, or the end of a with block, removes it."""

    def __init__(self, tensor, id):
        self._tensor = weakref.ref(tensor)
        self.id = id

    def remove(self):
        tensor = self._tensor()
        if tensor is not None:
            tensor._remove_hook(self.id)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.remove()


def _register_hook(self, hook):
    """Runs `hook(grad)` when a gradient reaches this tensor; a result replaces the gradient."""
    return RemovableHandle(self, self._register_hook(hook))


def _register_post(self, hook):
    """Runs `hook(tensor)` after a gradient was added to `.grad` of this leaf."""
    return RemovableHandle(self, self._register_post_accumulate_grad_hook(hook))


def _backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradients of this tensor into `.grad` of the leaves (or of `inputs` only)."""
    if isinstance(inputs, Tensor):
        inputs = [inputs]
    elif inputs is not None and len(inputs) == 0:
        raise ValueError("backward(): inputs is an empty list; leave it out to reach every leaf")
    _c._backward([self], [gradient], retain_graph, create_graph, list(inputs or ()))


_backward.__name__ = "backward"


# --- conversions


def _to(self, *args, dtype=None, device=None, copy=False, non_blocking=False):
    """This tensor with another dtype or on another device; itself when nothing changes."""
    for arg in args:
        if isinstance(arg, Tensor):
            dtype, device = arg.dtype, arg.device
        elif isinstance(arg, _c.dtype) or arg in (float, int, bool, complex):
            dtype = arg
        elif isinstance(arg, (_c.device, str)):
            device = arg
        else:
            raise TypeError(f"to(): needs a dtype, a device or a Tensor, not {type(arg).__name__}")
    if device is not None and _c.device(device) != self.device:
        raise _c.DeviceMismatch(f"to(): this version has no device {_c.device(device)}")
    if dtype is None or dtype == self.dtype:
        return self.clone() if copy else self
    return _ops["cast"](self, dtype)


def _caster(name, dtype):
    def method(self):
        return self if self.dtype == dtype else _ops["cast"](self, dtype)

    method.__name__ = name
    method.__doc__ = f"As {dtype}; itself when it is that already."
    return method


def _type_as(self, other):
    """With the dtype of another tensor."""
    return _to(self, other.dtype)


def _type(self, dtype=None):
    """The dtype, or this tensor cast to one."""
    return self.dtype if dtype is None else _to(self, dtype)


def _cpu(self):
    """On the CPU; itself when it is there."""
    return _to(self, device="cpu")


# --- shapes


def _expand_as(self, other):
    """Expanded to the shape of another tensor."""
    return self.expand(other.shape)


def _view_as(self, other):
    """Viewed with the shape of another tensor."""
    return self.view(other.shape)


def _reshape_as(self, other):
    """Reshaped to the shape of another tensor."""
    return self.reshape(other.shape)


def _new(name):
    def method(self, *size, dtype=None, device=None, requires_grad=False):
        dtype = self.dtype if dtype is None else dtype
        return _ops[name](*size, dtype=dtype, device=device, requires_grad=requires_grad)

    method.__name__ = "new_" + name
    method.__doc__ = f"lucid.{name}() with this tensor's dtype."
    return method


def _new_tensor(self, data, dtype=None, device=None, requires_grad=False):
    """lucid.tensor() with this tensor's dtype."""
    return _c._tensor(data, self.dtype if dtype is None else dtype, device, requires_grad)


def _new_full(self, size, value, dtype=None, device=None, requires_grad=False):
    """lucid.full() with this tensor's dtype."""
    dtype = self.dtype if dtype is None else dtype
    return _ops["full"](size, value, dtype=dtype, device=device, requires_grad=requires_grad)


# --- Python's protocols


def _repr(self):
    from lucid._repr import tensor_repr

    return tensor_repr(self)


def _format(self, spec):
    if self.ndim == 0 and type(self) is Tensor:
        return format(self.item(), spec)
    return object.__format__(self, spec)


def _array(self, dtype=None, copy=None):
    """For numpy.asarray: the same memory unless a dtype or a copy is asked for."""
    array = self.numpy()
    if dtype is not None and array.dtype != dtype:
        if copy is False:
            raise ValueError(f"__array__(copy=False): {self.dtype} to {dtype} needs a copy")
        return array.astype(dtype)
    return array.copy() if copy else array


def _dlpack(self, *, stream=None, max_version=None, dl_device=None, copy=None):
    """A DLPack capsule over this memory; versioned when the consumer takes version 1."""
    if dl_device is not None and tuple(dl_device) != (1, 0):
        raise BufferError(f"__dlpack__: cannot move to device {dl_device}")
    source = self.detach().clone() if copy else self
    return source._to_dlpack(max_version is not None and max_version[0] >= 1)


def _dlpack_device(self):
    """(kDLCPU, 0)."""
    return (1, 0)


def _rebuild(cls, data, dtype, shape, requires_grad):
    tensor = _c._from_bytes(data, dtype, list(shape))
    if cls is not Tensor:
        return Tensor._make_subclass(cls, tensor, requires_grad)
    return tensor.requires_grad_() if requires_grad else tensor


def _reduce_ex(self, protocol):
    if not self.is_leaf:
        raise RuntimeError("only leaf tensors can be pickled; use x.detach()")
    args = (type(self), self.detach()._to_bytes(), self.dtype, self.shape, self.requires_grad)
    return _rebuild, args, self.__dict__ or None


def _deepcopy(self, memo):
    if id(self) in memo:
        return memo[id(self)]
    if not self.is_leaf:
        raise RuntimeError("only leaf tensors can be deep-copied; use x.detach()")
    import copy

    data = self.detach().clone()
    if type(self) is Tensor:
        made = data.requires_grad_(self.requires_grad)
    else:
        made = Tensor._make_subclass(type(self), data, self.requires_grad)
    memo[id(self)] = made
    if self.grad is not None:
        made.grad = copy.deepcopy(self.grad, memo)
    if self.__dict__:
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
    return made


def _copy(self):
    """copy.copy(x): another object over the same memory."""
    made = Tensor._make_subclass(type(self), self, self.requires_grad)
    made.__dict__.update(self.__dict__)
    return made


_METHODS = {
    "backward": _backward,
    "register_hook": _register_hook,
    "register_post_accumulate_grad_hook": _register_post,
    "to": _to,
    "type": _type,
    "type_as": _type_as,
    "cpu": _cpu,
    "t": _functions.t,
    "expand_as": _expand_as,
    "view_as": _view_as,
    "reshape_as": _reshape_as,
    "new_tensor": _new_tensor,
    "new_full": _new_full,
    "new_zeros": _new("zeros"),
    "new_ones": _new("ones"),
    "new_empty": _new("empty" if "empty" in _ops else "zeros"),
    "max": _functions.max,
    "min": _functions.min,
    "equal": _functions.equal,
    "allclose": _functions.allclose,
    "astype": _to,
    "nelement": Tensor.numel,
    "ndimension": Tensor.dim,
    "__repr__": _repr,
    "__format__": _format,
    "__array__": _array,
    "__array_ufunc__": None,
    "__array_priority__": 1000,
    "__dlpack__": _dlpack,
    "__dlpack_device__": _dlpack_device,
    "__reduce_ex__": _reduce_ex,
    "__copy__": _copy,
    "__deepcopy__": _deepcopy,
}
for _name, _dtype in {
    "half": _c.float16,
    "float": _c.float32,
    "double": _c.float64,
    "bfloat16": _c.bfloat16,
    "short": _c.int16,
    "int": _c.int32,
    "long": _c.int64,
    "bool": _c.bool,
    "cfloat": _c.complex64,
    "cdouble": _c.complex128,
}.items():
    _METHODS[_name] = _caster(_name, _dtype)
for _name, _method in _METHODS.items():
    setattr(Tensor, _name, _method)
