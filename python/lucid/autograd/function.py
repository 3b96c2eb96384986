"""autograd.Function: an op whose forward and backward are written in Python."""

import functools

from lucid._C import engine as _c
from lucid._modes import no_grad

Tensor = _c.Tensor


class FunctionCtx:
    """What forward leaves for backward: saved tensors, and anything else as attributes."""

    def __init__(self, function, needs_input_grad):
        self._function = function
        self.needs_input_grad = needs_input_grad
        self._to_save = ()
        self._saved = None
        self._dirty = ()
        self._non_differentiable = ()
        self._materialize = True

    def save_for_backward(self, *tensors):
        """Keeps inputs and outputs of forward; a change in place before backward is found out."""
        for tensor in tensors:
            if tensor is not None and not isinstance(tensor, Tensor):
                raise TypeError(
                    f"save_for_backward() takes Tensors and None, not {type(tensor).__name__}"
                )
        self._to_save = tensors

    def mark_dirty(self, *tensors):
        """These inputs were changed in place; they must be returned."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        """No gradient flows into these outputs."""
        self._non_differentiable = tensors

    def set_materialize_grads(self, value):
        """False: an output that nothing flowed into gives None instead of zeros."""
        self._materialize = bool(value)

    @property
    def saved_tensors(self):
        """What save_for_backward() kept; in backward."""
        return self._to_save if self._saved is None else self._saved

    def _backward(self, saved, grads):
        """Called by the node: a tuple with one gradient (or None) for each argument of forward."""
        self._saved = saved
        try:
            function = self._function
            result = function.backward(self, *grads)
        finally:
            self._saved = None
        if not isinstance(result, tuple):
            result = (result,)
        count = len(self.needs_input_grad)
        if len(result) > count and all(extra is None for extra in result[count:]):
            result = result[:count]
        return result


class Function:
    """Subclass it with static methods forward(ctx, ...) and backward(ctx, *grads); call `apply`."""

    def __init__(self):
        raise TypeError(
            f"{type(self).__name__} has no instances: call {type(self).__name__}.apply(...)"
        )

    @staticmethod
    def forward(ctx, *args):
        raise NotImplementedError("an autograd.Function needs a static method forward()")

    @staticmethod
    def backward(ctx, *grads):
        raise NotImplementedError("this autograd.Function has no static method backward()")

    vjp = backward
    # Optional: setup_context(ctx, inputs, output); then forward takes no ctx.
    setup_context = None

    @classmethod
    def apply(cls, *args):
        """Runs forward without recording, then puts one node on the tape."""
        records = _c.is_grad_enabled()
        needs = tuple(isinstance(a, Tensor) and a.requires_grad and records for a in args)
        ctx = FunctionCtx(cls, needs)
        with no_grad():
            if cls.setup_context is None:
                outputs = cls.forward(ctx, *args)
            else:
                outputs = cls.forward(*args)
                cls.setup_context(ctx, args, outputs)
        if not any(needs):
            ctx._to_save = ()
            return outputs
        single = not isinstance(outputs, tuple)
        results = list((outputs,) if single else outputs)
        dirty, plain = _ids(ctx._dirty), _ids(ctx._non_differentiable)
        inputs = _ids(args)
        flows, changed, saved = [], [], list(ctx._to_save)
        for i, out in enumerate(results):
            if not isinstance(out, Tensor):
                flows.append(False)
                changed.append(False)
                continue
            if id(out) in inputs and id(out) not in dirty:
                # An input returned as it is becomes an output of its own.
                results[i] = alias = out.detach()
                saved = [alias if s is out else s for s in saved]
                out = alias
            takes_grad = out.dtype.is_floating_point or out.dtype.is_complex
            flows.append(takes_grad and id(out) not in plain)
            changed.append(id(out) in dirty)
        attached = [out if isinstance(out, Tensor) else None for out in results]
        name = cls.__name__ + "Backward"
        _c._attach_function(
            ctx, name, list(args), attached, flows, changed, saved, ctx._materialize
        )
        ctx._to_save = ()
        return results[0] if single else tuple(results)


def _ids(objects):
    return {id(o) for o in objects if isinstance(o, Tensor)}


class _NotTwice(Function):
    """Passes its inputs on; its own backward raises."""

    @staticmethod
    def forward(ctx, *tensors):
        return tuple(t.detach() for t in tensors)

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(backward):
    """Decorates backward: it runs without recording, and differentiating its result raises."""

    @functools.wraps(backward)
    def wrapper(ctx, *grads):
        with no_grad():
            result = backward(ctx, *grads)
        if not _c.is_grad_enabled():
            return result
        results = list(result) if isinstance(result, tuple) else [result]
        places = [i for i, r in enumerate(results) if isinstance(r, Tensor)]
        guarded = _NotTwice.apply(*(results[i].detach().requires_grad_() for i in places))
        for i, tensor in zip(places, guarded):
            results[i] = tensor
        return tuple(results) if isinstance(result, tuple) else results[0]

    return wrapper
