"""Module and Parameter."""

from lucid._C import engine as _c
from lucid._modes import no_grad

Tensor = _c.Tensor


class Parameter(Tensor):
    """A tensor that its Module knows and trains."""

    def __new__(cls, data, requires_grad=True):
        return Tensor._make_subclass(cls, data, requires_grad)

    def __repr__(self):
        return (
            "Parameter containing:\n"
            + repr(self.data)[: -len(")")]
            + (", requires_grad=True)" if self.requires_grad else ")")
        )


class Module:
    """A part of a network: parameters, submodules and `forward`."""

    training = True

    def __init__(self):
        self.__dict__["_parameters"] = {}
        self.__dict__["_modules"] = {}
        self.__dict__["_buffers"] = {}
        self.__dict__["training"] = True

    def __setattr__(self, name, value):
        tables = self.__dict__
        if "_parameters" not in tables:
            if isinstance(value, (Parameter, Module)):
                raise AttributeError("call super().__init__() before parts are assigned")
            return object.__setattr__(self, name, value)
        for kind, table in (
            (Parameter, "_parameters"),
            (Module, "_modules"),
        ):
            if isinstance(value, kind):
                self._forget(name)
                tables[table][name] = value
                return None
        for table in ("_parameters", "_modules", "_buffers"):
            if name in tables[table] and (value is None or table == "_buffers"):
                tables[table][name] = value
                return None
        self._forget(name)
        return object.__setattr__(self, name, value)

    def _forget(self, name):
        for table in ("_parameters", "_modules", "_buffers"):
            self.__dict__[table].pop(name, None)
        self.__dict__.pop(name, None)

    def __getattr__(self, name):
        for table in ("_parameters", "_modules", "_buffers"):
            found = self.__dict__.get(table, {})
            if name in found:
                return found[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __delattr__(self, name):
        for table in ("_parameters", "_modules", "_buffers"):
            if self.__dict__[table].pop(name, self) is not self:
                return
        object.__delattr__(self, name)

    def register_parameter(self, name, parameter):
        self._parameters[name] = parameter

    def register_buffer(self, name, tensor):
        self._buffers[name] = tensor

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__} has no forward()")

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def named_modules(self, prefix="", memo=None):
        """(name, module) of this and every part, each once."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(prefix + "." * bool(prefix) + name, memo)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def children(self):
        for module in self._modules.values():
            if module is not None:
                yield module

    def _named(self, table):
        seen = set()
        for prefix, module in self.named_modules():
            for name, tensor in module.__dict__[table].items():
                if tensor is not None and tensor not in seen:
                    seen.add(tensor)
                    yield prefix + "." * bool(prefix) + name, tensor

    def named_parameters(self):
        """(name, parameter) of this and every part, each once."""
        yield from self._named("_parameters")

    def parameters(self):
        for _, parameter in self.named_parameters():
            yield parameter

    def named_buffers(self):
        yield from self._named("_buffers")

    def state_dict(self):
        """Names to the tensors themselves, outside the graph."""
        named = [*self.named_parameters(), *self.named_buffers()]
        return {name: tensor.detach() for name, tensor in named}

    def load_state_dict(self, state):
        """Copies the tensors of a state_dict() into this module; names must agree."""
        own = dict([*self.named_parameters(), *self.named_buffers()])
        missing, extra = own.keys() - state.keys(), state.keys() - own.keys()
        if missing or extra:
            raise _c.LucidError(
                f"load_state_dict(): missing {sorted(missing)}, unexpected {sorted(extra)}"
            )
        for name, tensor in own.items():
            if tuple(tensor.shape) != tuple(state[name].shape):
                raise _c.ShapeMismatch(
                    f"load_state_dict(): {name} is {tensor.shape} here, {state[name].shape} there"
                )
        with no_grad():
            for name, tensor in own.items():
                tensor.copy_(state[name])

    def train(self, mode=True):
        for module in self.modules():
            module.__dict__["training"] = mode
        return self

    def eval(self):
        return self.train(False)

    def zero_grad(self):
        for parameter in self.parameters():
            parameter.grad = None

    def requires_grad_(self, requires_grad=True):
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def to(self, *args, **kwargs):
        """Casts floating parameters and buffers in place; returns self."""
        for tensor in [*self.parameters(), *(b for _, b in self.named_buffers())]:
            if tensor.is_floating_point():
                tensor.data = tensor.detach().to(*args, **kwargs)
        return self

    def extra_repr(self):
        return ""

    def __repr__(self):
        lines = []
        for name, module in self._modules.items():
            lines.append(f"({name}): " + repr(module).replace("\n", "\n  "))
        extra = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({extra})"
        body = "\n  ".join(([extra] if extra else []) + lines)
        return f"{type(self).__name__}(\n  {body}\n)"
