"""SGD: parameter groups around the C++ class."""

from lucid._C import engine as _c

_OPTIONS = ("lr", "momentum", "dampening", "weight_decay", "nesterov", "maximize")


class SGD:
    """Stochastic gradient descent with momentum, in PyTorch's formula and option names."""

    def __init__(
        self,
        params,
        lr=1e-3,
        momentum=0.0,
        dampening=0.0,
        weight_decay=0.0,
        *,
        nesterov=False,
        maximize=False,
    ):
        self.defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
        }
        self.param_groups = []
        self._engine = None
        self._given = []  # the options that C++ has, by group
        params = list(params)
        if not params:
            raise ValueError("SGD(): there are no parameters")
        groups = params if isinstance(params[0], dict) else [{"params": params}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, group):
        """Adds {"params": ..., and options that differ from the defaults}."""
        params = group["params"]
        params = [params] if isinstance(params, _c.Tensor) else list(params)
        unknown = group.keys() - {"params", *_OPTIONS}
        if unknown:
            raise TypeError(f"SGD: unknown options {sorted(unknown)}")
        full = {
            "params": params,
            **self.defaults,
            **{k: v for k, v in group.items() if k != "params"},
        }
        options = self._options(full)
        if self._engine is None:
            self._engine = _c._SGD(params, _c._SGDOptions(*options))
        else:
            self._engine.add_group(params, _c._SGDOptions(*options))
        self.param_groups.append(full)
        self._given.append(options)

    @staticmethod
    def _options(group):
        return tuple(group[name] for name in _OPTIONS)

    def step(self, closure=None):
        """One update; `closure`, when given, computes the loss again first."""
        loss = None
        if closure is not None:
            from lucid._modes import enable_grad

            with enable_grad():
                loss = closure()
        for i, group in enumerate(self.param_groups):
            options = self._options(group)
            if options != self._given[i]:
                self._engine.set_options(i, _c._SGDOptions(*options))
                self._given[i] = options
        self._engine.step()
        return loss

    def zero_grad(self, set_to_none=True):
        """Forgets the gradients, or fills them with zeros."""
        self._engine.zero_grad(set_to_none)

    def state_dict(self):
        """The options and the momentum buffers, by position."""
        buffers = [None if b is None else b.clone() for b in self._engine.momentum_buffers()]
        return {"options": [self._options(g) for g in self.param_groups], "momentum": buffers}

    def load_state_dict(self, state):
        """Takes what state_dict() gave."""
        for group, options in zip(self.param_groups, state["options"], strict=True):
            group.update(zip(_OPTIONS, options))
        self._engine.set_momentum_buffers(list(state["momentum"]))
