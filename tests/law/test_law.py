"""The law: the same bits with and without delay, at every thread count, with writes between ops."""

import os

import pytest

import lucid

from .programs import MODES, Mode, Run, check, run

PROGRAMS = int(os.environ.get("LUCID_LAW_PROGRAMS", "150"))


@pytest.mark.parametrize("block", range(10))
def test_random_programs_agree_in_every_mode(block: int) -> None:
    for seed in range(block, PROGRAMS, 10):
        assert check(seed) is None


def test_a_fifth_of_the_programs_is_past_every_threshold() -> None:
    big = sum(Run(seed, MODES[0], None).big for seed in range(500))
    assert 70 <= big <= 130


def test_programs_do_what_they_say() -> None:
    """Most steps run; the programs have gradients and values of several dtypes."""
    logs = [b"".join(run(seed, MODES[0])) for seed in range(40)]
    assert sum(b"Error" in log for log in logs) < 35
    for dtype in (b"float32", b"float16", b"int64", b"float64"):
        assert any(dtype in log for log in logs)


def nudge(x: "lucid.Tensor") -> "lucid.Tensor":
    """The smallest change that a fault could make: one element, one bit."""
    y = x.detach().clone()
    flat = y.reshape(-1)
    if y.numel():
        flat[0] = flat[0] + 1
    return flat.reshape(x.shape) if x.ndim else flat[0]


@pytest.mark.parametrize(
    "axis",
    [lambda mode: mode.delay, lambda mode: mode.threads > 1, lambda mode: mode.threads == 5],
    ids=["delay", "threads", "many threads"],
)
def test_a_planted_fault_is_caught(axis) -> None:
    def fault(mode: Mode, x: "lucid.Tensor") -> "lucid.Tensor":
        return nudge(x) if axis(mode) else x

    assert any(check(seed, fault) is not None for seed in range(5))


def test_a_write_that_a_pending_op_misses_is_caught() -> None:
    """The fault of an engine that reads memory late: the value after the write, not before."""

    def fault(mode: Mode, x: "lucid.Tensor") -> "lucid.Tensor":
        base = lucid.zeros(3)
        before = base + 1
        base.numpy()[:] = 7
        return base + 1 if mode.delay else before

    assert check(0, fault) is not None
