"""Gradients: grad, backward, Function, gradcheck, anomaly mode."""

from lucid._C import engine as _c
from lucid._modes import enable_grad, inference_mode, no_grad, set_grad_enabled
from lucid.autograd import function
from lucid.autograd.function import Function


def _listed(value):
    return [value] if value is None or isinstance(value, _c.Tensor) else list(value)


def _paired(gradients, outputs, who):
    if gradients is None:
        return [None] * len(outputs)
    gradients = _listed(gradients)
    if len(gradients) != len(outputs):
        raise ValueError(f"{who}: {len(outputs)} outputs but {len(gradients)} gradients")
    return gradients


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradients of `tensors` into `.grad` of the leaves (of `inputs` only, when given)."""
    tensors = _listed(tensors)
    if inputs is not None:
        inputs = _listed(inputs)
        if not inputs:
            raise ValueError("backward(): inputs is empty; leave it out to reach every leaf")
    gradients = _paired(grad_tensors, tensors, "backward()")
    _c._backward(tensors, gradients, retain_graph, create_graph, inputs or [])


def grad(
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, allow_unused=False
):
    """The gradients of `outputs` with respect to `inputs`, as a tuple; `.grad` stays as it is."""
    outputs = _listed(outputs)
    gradients = _paired(grad_outputs, outputs, "grad()")
    return _c._grad(outputs, _listed(inputs), gradients, retain_graph, create_graph, allow_unused)


class set_detect_anomaly:
    """Keeps where each node was made and raises when a gradient is nan; takes effect at once."""

    def __init__(self, mode, check_nan=True):
        self._before = _c._set_anomaly(bool(mode), bool(check_nan))

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        _c._set_anomaly(*self._before)
        return False


class detect_anomaly:
    """set_detect_anomaly(True) for a with block."""

    def __init__(self, check_nan=True):
        self._check_nan = check_nan

    def __enter__(self):
        self._mode = set_detect_anomaly(True, self._check_nan)
        return self

    def __exit__(self, *exc):
        return self._mode.__exit__(*exc)


def is_anomaly_enabled():
    """Whether anomaly mode is on on this thread."""
    return _c._is_anomaly_enabled()


def __getattr__(name):
    if name in ("gradcheck", "gradgradcheck"):
        from lucid.autograd import _gradcheck

        return getattr(_gradcheck, name)
    raise AttributeError(f"module 'lucid.autograd' has no attribute {name!r}")
