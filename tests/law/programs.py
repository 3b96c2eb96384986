"""Random programs for the law: delay, threads and caches change speed, never bits.

A program is a seed. `run(seed, mode)` draws its steps from the seed and from the shapes and dtypes
of the values made so far, never from their contents, so every mode runs the same steps. It returns
the bytes of every value and gradient at the end, and the errors on the way.
"""

import contextlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

import lucid

STEPS = 28
MAX_ELEMENTS = 1 << 20
SMALL_DIMS = (1, 2, 3, 7, 16, 17, 33)
# Past every threshold: 16,384 (inline), 65,536 (threads), several chunks of 4,096 in one reduction.
BIG_SHAPES = ((300, 401), (70_001,), (257, 513), (3, 130, 257), (5, 16_411))
BIG_SHARE = 0.2


@dataclass(frozen=True)
class Mode:
    delay: bool = False
    threads: int = 1

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        threads = lucid.get_num_threads()
        lucid.set_num_threads(self.threads)
        lucid.engine._set_always_delay(self.delay)
        try:
            yield
        finally:
            lucid.engine._set_always_delay(False)
            lucid.set_num_threads(threads)


MODES = tuple(Mode(delay, threads) for delay in (False, True) for threads in (1, 2, 5))

UNARY = ("neg", "abs", "exp", "tanh", "sigmoid", "relu", "sqrt", "log")
BINARY = ("add", "sub", "mul", "div", "maximum")
COMPARISONS = ("eq", "lt", "ge")
REDUCTIONS = ("sum", "mean", "amax")
DTYPES = ("float32", "float32", "float32", "float64", "float16", "bfloat16", "int64", "int32")
# A fault for the test of this checker: (mode, value) -> value, applied to one of the results.
Fault = Callable[[Mode, "lucid.Tensor"], "lucid.Tensor"]


class Run:
    def __init__(self, seed: int, mode: Mode, fault: Fault | None) -> None:
        self.rng = random.Random(seed)
        self.mode = mode
        self.fault = fault
        self.pool: list[lucid.Tensor] = []
        self.leaves: list[lucid.Tensor] = []
        self.log: list[bytes] = []
        self.big = self.rng.random() < BIG_SHARE
        lucid.manual_seed(seed)

    # What a step may pick.
    def shape(self) -> tuple[int, ...]:
        if self.big:
            return self.rng.choice(BIG_SHAPES)
        return tuple(self.rng.choice(SMALL_DIMS) for _ in range(self.rng.randrange(0, 4)))

    def any(self, floating: bool = False) -> lucid.Tensor:
        choices = [t for t in self.pool if not floating or t.dtype.is_floating_point]
        return self.rng.choice(choices or [self.create()])

    def partner(self, x: lucid.Tensor) -> lucid.Tensor:
        """Something that broadcasts with x."""
        same = [t for t in self.pool if t.shape == x.shape or t.ndim == 0]
        return self.rng.choice(same)

    def keep(self, x: lucid.Tensor) -> None:
        if x.numel() <= MAX_ELEMENTS:
            self.pool.append(x)
        if len(self.pool) > 12:  # handles die while their values may be pending
            self.pool.pop(self.rng.randrange(len(self.pool)))

    # The steps.
    def create(self) -> lucid.Tensor:
        shape, dtype = self.shape(), self.rng.choice(DTYPES)
        values = np.random.default_rng(self.rng.randrange(1 << 30)).integers(-40, 40, shape) / 8
        x = lucid.tensor(values).to(getattr(lucid, dtype))
        if dtype in ("float32", "float64") and self.rng.random() < 0.5:
            x = x.detach().requires_grad_()
            self.leaves.append(x)
        self.pool.append(x)
        return x

    def random_numbers(self) -> None:
        self.keep(self.rng.choice((lucid.rand, lucid.randn))(*self.shape()))

    def unary(self) -> None:
        self.keep(getattr(lucid, self.rng.choice(UNARY))(self.any()))

    def binary(self) -> None:
        x = self.any()
        self.keep(getattr(lucid, self.rng.choice(BINARY))(x, self.partner(x)))

    def scalar(self) -> None:
        self.keep(self.any() * self.rng.choice((2, -3, 0.5)) + 1)

    def compare(self) -> None:
        x = self.any()
        y = self.partner(x)
        mask = getattr(lucid, self.rng.choice(COMPARISONS))(x, y)
        self.keep(lucid.where(mask, x, y))

    def reduce(self) -> None:
        x = self.any(floating=True)
        name, keepdim = self.rng.choice(REDUCTIONS), self.rng.random() < 0.5
        dim = self.rng.randrange(-x.ndim, x.ndim) if x.ndim and self.rng.random() < 0.7 else None
        self.keep(getattr(lucid, name)(x, dim=dim, keepdim=keepdim))

    def view(self) -> None:
        x = self.any()
        kind = self.rng.randrange(5)
        if x.ndim == 0 or kind == 0:
            self.keep(x.unsqueeze(0))
        elif kind == 1:
            self.keep(x.transpose(0, -1))
        elif kind == 2:
            dim, start = self.rng.randrange(x.ndim), self.rng.randrange(3)
            self.keep(x.slice(dim, start, None, self.rng.choice((1, 2, -1))))
        elif kind == 3:
            self.keep(x.reshape(-1))
        else:
            self.keep(x.select(0, self.rng.randrange(x.shape[0])) if x.shape[0] else x)

    def softmax(self) -> None:
        x = self.any(floating=True)
        if x.ndim:
            fn = self.rng.choice((lucid.softmax, lucid.log_softmax))
            self.keep(fn(x, self.rng.randrange(-x.ndim, x.ndim)))

    def matmul(self) -> None:
        x = self.any(floating=True)
        if x.ndim >= 2 and x.shape[-2] * x.shape[-2] <= MAX_ELEMENTS:
            self.keep(x @ x.transpose(-1, -2))

    def index(self) -> None:
        x = self.any()
        if x.ndim and x.shape[0]:
            rows = [self.rng.randrange(x.shape[0]) for _ in range(5)]
            self.keep(x.index_select(0, lucid.tensor(rows)))

    def join(self) -> None:
        x = self.any()
        if x.ndim:
            self.keep(lucid.cat([x, x], self.rng.randrange(x.ndim)))

    def in_place(self) -> None:
        x = self.any(floating=True)
        target = x
        if x.ndim and x.shape[0] and self.rng.random() < 0.6:
            target = x.slice(0, 0, None, 2) if self.rng.random() < 0.5 else x.select(0, 0)
        kind = self.rng.randrange(3)
        if kind == 0:
            target.mul_(0.5)
        elif kind == 1:
            target.add_(1)
        else:
            target.tanh_()

    def numpy_write(self) -> None:
        """Somebody else writes the memory, between two ops that read it."""
        x = self.any()
        if x.requires_grad or x.dtype == lucid.bfloat16:
            return
        before = x + 1
        array = x.numpy()
        if array.ndim:
            array[..., :1] = 3
        else:
            array[()] = 3
        self.keep(before)
        self.keep(x + 1)

    def read(self) -> None:
        x = self.any()
        self.log.append(content(x.sum()))

    def backward(self) -> None:
        x = self.any(floating=True)
        if x.requires_grad:
            (x * x).sum().backward(retain_graph=self.rng.random() < 0.5)

    WEIGHTS = (
        (create, 2),
        (random_numbers, 1),
        (unary, 4),
        (binary, 5),
        (scalar, 3),
        (compare, 2),
        (reduce, 4),
        (view, 5),
        (softmax, 1),
        (matmul, 1),
        (index, 1),
        (join, 1),
        (in_place, 3),
        (numpy_write, 2),
        (read, 1),
        (backward, 2),
    )

    def step(self) -> None:
        (action,) = self.rng.choices(
            [a for a, _ in self.WEIGHTS], weights=[w for _, w in self.WEIGHTS]
        )
        try:
            action(self)
        except (lucid.LucidError, ValueError, TypeError) as error:
            self.log.append(f"{action.__name__}: {type(error).__name__}: {error}".encode())

    def finish(self) -> list[bytes]:
        if self.fault is not None:
            self.pool[-1] = self.fault(self.mode, self.pool[-1])
        self.log += [content(x) for x in self.pool]
        self.log += [content(x.grad) for x in self.leaves if x.grad is not None]
        return self.log


def content(x: "lucid.Tensor") -> bytes:
    """Dtype, shape and bits. bfloat16 has no NumPy type; float32 holds it exactly."""
    x = x.detach()
    exact = x.to(lucid.float32) if x.dtype == lucid.bfloat16 else x
    return f"{x.dtype}{tuple(x.shape)}".encode() + exact.numpy().tobytes()


def run(seed: int, mode: Mode, fault: Fault | None = None) -> list[bytes]:
    with mode.active():
        program = Run(seed, mode, fault)
        program.create()
        for _ in range(STEPS):
            program.step()
        return program.finish()


def first_difference(a: list[bytes], b: list[bytes]) -> str | None:
    """None when equal, otherwise a line that says where."""
    if len(a) != len(b):
        return f"{len(a)} results against {len(b)}"
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if x != y:
            at = next((k for k, (p, q) in enumerate(zip(x, y, strict=False)) if p != q), len(x))
            return f"result {i} differs at byte {at}: {x[:60]!r}... against {y[:60]!r}..."
    return None


def check(seed: int, fault: Fault | None = None) -> str | None:
    """None when every mode gives the bytes of the first, otherwise what differs."""
    reference = run(seed, MODES[0], fault)
    for mode in MODES[1:]:
        difference = first_difference(reference, run(seed, mode, fault))
        if difference is not None:
            return f"seed {seed}, {mode} against {MODES[0]}: {difference}"
    return None
