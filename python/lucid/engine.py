"""Controls of the execution: counters, the window, and the switches of the tests."""

from lucid._C import engine as _c


def stats():
    """{"kernels_run": ..., "calls_pending": ...}."""
    return _c._engine_stats()


def set_window(n):
    """The length of the window. This version runs every op at its call: only 0 is there."""
    if n != 0:
        raise _c.NotImplementedOp(f"set_window({n}): this version has a window of length 0 only")


def _set_always_delay(on):
    """For tests: every result stays pending until its memory is read."""
    _c._set_always_delay(on)
