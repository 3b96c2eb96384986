"""The table of ops, as data."""

from lucid._C import engine as _c


def table():
    """One dictionary for each op: name, version, signature, dtypes, kernels, gradient, doc ..."""
    return _c._op_table()


def bind_new():
    """Makes functions and methods of the ops that an extension has registered since import."""
    import lucid
    from lucid.nn import functional

    _c._bind_new_ops()
    for target, source in (
        (lucid, _c._functions),
        (functional, _c._network_functions),
    ):
        for name, function in source.items():
            target.__dict__.setdefault(name, function)
