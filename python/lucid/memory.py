"""The caching allocator: statistics, a limit, and giving memory back."""

from lucid._C import engine as _c


def stats():
    """Bytes live, cached and at the peak, the limit, and counts of allocations."""
    return _c._memory_stats()


def reset_peak():
    """The peak starts again from what is live now."""
    _c._reset_peak_memory()


def set_limit(limit_bytes):
    """Live and cached memory may not pass it; None: no limit."""
    _c._set_memory_limit(limit_bytes)


def empty_cache():
    """Gives cached blocks back to the system."""
    _c._empty_cache()
