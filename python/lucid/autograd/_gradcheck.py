"""gradcheck and gradgradcheck: gradients against central differences, in float64."""

from lucid import autograd
from lucid._C import engine as _c
from lucid._functions import tensor
from lucid._modes import no_grad


class GradcheckError(RuntimeError):
    """A gradient that does not agree with differences."""


def _tensors(value):
    values = value if isinstance(value, (tuple, list)) else (value,)
    return [v for v in values if isinstance(v, _c.Tensor)]


def _differentiable(outputs):
    return [o for o in outputs if o.dtype.is_floating_point or o.dtype.is_complex]


def _flat(x):
    return x.detach().reshape(-1).tolist()


def _real_inner(grad, difference):
    """Re <grad, difference>, with the gradient of PyTorch's complex convention."""
    total = 0.0
    for g, d in zip(grad, difference):
        total += (
            (g.conjugate() * d).real if isinstance(g, complex) or isinstance(d, complex) else g * d
        )
    return total


def _perturbed(x, index, step):
    values = _flat(x)
    values[index] += step
    return tensor(values, dtype=x.dtype).reshape(x.shape)


def _directions(x):
    return (1.0, 1j) if x.dtype.is_complex else (1.0,)


def _numerical(function, inputs, which, index, step):
    """d outputs / d inputs[which][index] by central differences: one flat list for each output."""
    results = []
    for sign in (1, -1):
        args = list(inputs)
        args[which] = _perturbed(inputs[which], index, sign * step)
        with no_grad():
            results.append([_flat(o) for o in _differentiable(_tensors(function(*args)))])
    size = 2 * abs(step)
    return [[(a - b) / size for a, b in zip(plus, minus)] for plus, minus in zip(*results)]


def _check(function, inputs, eps, atol, rtol):
    checked = [i for i, x in enumerate(inputs) if isinstance(x, _c.Tensor) and x.requires_grad]
    if not checked:
        raise ValueError("gradcheck(): no input requires grad")
    for i in checked:
        if str(inputs[i].dtype) not in ("float64", "complex128"):
            raise ValueError(
                f"gradcheck(): input {i} is {inputs[i].dtype}; it needs float64 or complex128"
            )
    outputs = _differentiable(_tensors(function(*inputs)))
    if not outputs:
        raise ValueError("gradcheck(): no output is differentiable")
    plain = [x.detach() if isinstance(x, _c.Tensor) else x for x in inputs]
    # The whole numerical Jacobian, once: [input][element][direction][output] -> flat list.
    jacobian = {
        (i, e, d): _numerical(function, plain, i, e, eps * d)
        for i in checked
        for e in range(plain[i].numel())
        for d in _directions(plain[i])
    }
    for o, output in enumerate(outputs):
        if not output.requires_grad:
            for key, columns in jacobian.items():
                if any(abs(v) > atol for v in columns[o]):
                    raise GradcheckError(f"output {o} depends on input {key[0]} but has no grad_fn")
            continue
        for e in range(output.numel()):
            for seed in _directions(output):
                unit = [0.0] * output.numel()
                unit[e] = seed
                v = tensor(unit, dtype=output.dtype).reshape(output.shape)
                grads = autograd.grad(
                    [output],
                    [inputs[i] for i in checked],
                    [v],
                    retain_graph=True,
                    allow_unused=True,
                )
                _compare(grads, jacobian, checked, plain, o, e, seed, atol, rtol)
    return True


def _compare(grads, jacobian, checked, plain, o, e, seed, atol, rtol):
    for i, g in zip(checked, grads):
        flat = [0.0] * plain[i].numel() if g is None else _flat(g)
        for k, value in enumerate(flat):
            for d in _directions(plain[i]):
                want = _real_inner([complex(seed)], [complex(jacobian[i, k, d][o][e])])
                got = _real_inner([complex(value)], [complex(d)])
                if not abs(got - want) <= atol + rtol * abs(want):
                    raise GradcheckError(
                        f"gradcheck: the gradient of output {o} element {e} with respect to "
                        f"input {i} element {k} is {got}, differences give {want}"
                    )


def gradcheck(function, inputs, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True):
    """Compares the gradients of `function(*inputs)` with central differences; True if equal."""
    inputs = [inputs] if isinstance(inputs, _c.Tensor) else list(inputs)
    try:
        return _check(function, inputs, eps, atol, rtol)
    except GradcheckError:
        if raise_exception:
            raise
        return False


def gradgradcheck(
    function, inputs, grad_outputs=None, eps=1e-6, atol=1e-5, rtol=1e-3, raise_exception=True
):
    """gradcheck of the gradient, so that the second derivative is checked."""
    inputs = [inputs] if isinstance(inputs, _c.Tensor) else list(inputs)
    outputs = _differentiable(_tensors(function(*inputs)))
    outputs = [o for o in outputs if o.requires_grad]
    if grad_outputs is None:
        grad_outputs = [
            tensor([0.5 + 0.25 * (k % 5) for k in range(o.numel())], dtype=o.dtype)
            .reshape(o.shape)
            .requires_grad_()
            for o in outputs
        ]
    grad_outputs = [grad_outputs] if isinstance(grad_outputs, _c.Tensor) else list(grad_outputs)
    count = len(inputs)

    def gradient(*args):
        ins, seeds = args[:count], args[count:]
        # Fresh leaves in the differences, which pass detached values.
        ins = tuple(
            x.requires_grad_() if isinstance(x, _c.Tensor) and inputs[k].requires_grad else x
            for k, x in enumerate(ins)
        )
        with autograd.enable_grad():
            outs = _differentiable(_tensors(function(*ins)))
            outs = [o for o in outs if o.requires_grad]
            wanted = [x for x in ins if isinstance(x, _c.Tensor) and x.requires_grad]
            grads = autograd.grad(outs, wanted, seeds, create_graph=True, allow_unused=True)
        return tuple(g for g in grads if g is not None)

    return gradcheck(gradient, inputs + grad_outputs, eps, atol, rtol, raise_exception)
