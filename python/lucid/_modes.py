"""Grad modes: context managers that are decorators too."""

import functools

from lucid._C import engine as _c


class _Mode:
    """Enters (grad_enabled, inference); nests. `@no_grad()` and `@no_grad` decorate."""

    def __new__(cls, *args, **kwargs):
        # @no_grad without parentheses.
        if len(args) == 1 and not kwargs and callable(args[0]):
            return cls()(args[0])
        return super().__new__(cls)

    def __init__(self):
        self._before = []

    def _modes(self):
        raise NotImplementedError

    def __enter__(self):
        self._before.append(_c._set_modes(*self._modes()))
        return self

    def __exit__(self, *exc):
        _c._set_modes(*self._before.pop())
        return False

    def _again(self):
        return type(self)()

    def __call__(self, function):
        if _is_generator(function):
            return _wrap_generator(self._again, function)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with self._again():
                return function(*args, **kwargs)

        return wrapper


def _is_generator(function):
    code = getattr(function, "__code__", None)
    return code is not None and bool(code.co_flags & 0x20)


def _wrap_generator(mode, function):
    """The mode is on while the generator runs, not while its consumer does."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        generator = function(*args, **kwargs)
        sent = None
        try:
            while True:
                try:
                    with mode():
                        item = generator.send(sent)
                except StopIteration as stop:
                    return stop.value
                try:
                    sent = yield item
                except GeneratorExit:
                    raise
                except BaseException as error:
                    with mode():
                        item = generator.throw(error)
                    sent = yield item
        finally:
            with mode():
                generator.close()

    return wrapper


class no_grad(_Mode):
    """Nothing is recorded."""

    def _modes(self):
        return False, _c.is_inference_mode_enabled()


class enable_grad(_Mode):
    """Recording is on again inside no_grad."""

    def _modes(self):
        return True, _c.is_inference_mode_enabled()


class inference_mode(_Mode):
    """As no_grad, and what is made can never enter a graph."""

    def __init__(self, mode=True):
        super().__init__()
        self._mode = mode

    def _modes(self):
        return (False, True) if self._mode else (True, False)

    def _again(self):
        return type(self)(self._mode)


class set_grad_enabled(_Mode):
    """Takes effect at once; as a context manager, ends with it."""

    def __new__(cls, mode):
        return object.__new__(cls)

    def __init__(self, mode):
        super().__init__()
        self._mode = bool(mode)
        self._first = _c._set_modes(self._mode, _c.is_inference_mode_enabled())

    def _modes(self):
        return self._mode, _c.is_inference_mode_enabled()

    def __enter__(self):
        super().__enter__()
        if self._first is not None:
            self._before[-1], self._first = self._first, None
        return self

    def __call__(self, function):
        if self._first is not None:  # it was meant as a decorator: undo
            _c._set_modes(*self._first)
            self._first = None
        return super().__call__(function)

    def _again(self):
        mode = object.__new__(type(self))
        mode._before, mode._mode, mode._first = [], self._mode, None
        return mode
