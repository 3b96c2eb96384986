"""The layers of this version."""

import math

from lucid._C import engine as _c
from lucid.nn import functional as F
from lucid.nn.module import Module, Parameter

_ops = _c._functions


def _uniform(*size, bound, dtype):
    kwargs = {} if dtype is None else {"dtype": dtype}
    return (_ops["rand"](*size, **kwargs) * 2 - 1) * bound


class Linear(Module):
    """x @ W.T + b; W (out, in) and b (out,) start uniform within 1 / sqrt(in)."""

    def __init__(self, in_features, out_features, bias=True, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        bound = 1 / math.sqrt(in_features) if in_features > 0 else 0.0
        self.weight = Parameter(_uniform(out_features, in_features, bound=bound, dtype=dtype))
        if bias:
            self.bias = Parameter(_uniform(out_features, bound=bound, dtype=dtype))
        else:
            self.register_parameter("bias", None)

    def forward(self, x):
        return F.linear(x, self.weight, self.bias)

    def extra_repr(self):
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class ReLU(Module):
    """max(x, 0)."""

    def forward(self, x):
        return _ops["relu"](x)


class Tanh(Module):
    """tanh(x)."""

    def forward(self, x):
        return _ops["tanh"](x)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, x):
        return _ops["sigmoid"](x)


class Softmax(Module):
    """softmax over one dimension."""

    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return F.softmax(x, self.dim)


class LogSoftmax(Softmax):
    """log_softmax over one dimension."""

    def forward(self, x):
        return F.log_softmax(x, self.dim)


class Sequential(Module):
    """One module after the other."""

    def __init__(self, *modules):
        super().__init__()
        for i, module in enumerate(modules):
            setattr(self, str(i), module)

    def __len__(self):
        return len(self._modules)

    def __getitem__(self, index):
        modules = list(self._modules.values())[index]
        return Sequential(*modules) if isinstance(index, slice) else modules

    def __iter__(self):
        return iter(self._modules.values())

    def forward(self, x):
        for module in self._modules.values():
            x = module(x)
        return x
