"""lucid: a tensor engine. Eager to use, fused underneath.

The names here come from lucid._C.engine: one function for each op of the table, and the types.
Python adds sugar on top (`_tensor`, `_functions`) and the subpackages.
"""

import atexit as _atexit

from lucid._C import engine as _engine_module
from lucid._C.engine import (
    DeviceMismatch,
    DtypeMismatch,
    Event,
    Generator,
    IndexOutOfRange,
    LucidError,
    NotImplementedOp,
    OutOfMemory,
    ShapeMismatch,
    Stream,
    Tensor,
    VersionMismatch,
    async_eval,
    bfloat16,
    bool,
    can_cast,
    complex64,
    complex128,
    default_device,
    default_stream,
    device,
    dtype,
    eval,
    float16,
    float32,
    float64,
    from_dlpack,
    from_numpy,
    get_default_dtype,
    get_num_threads,
    int8,
    int16,
    int32,
    int64,
    is_deterministic,
    is_grad_enabled,
    is_inference_mode_enabled,
    new_stream,
    promote_types,
    set_default_device,
    set_default_dtype,
    set_default_stream,
    set_deterministic,
    set_num_threads,
    synchronize,
    uint8,
    uint16,
    uint32,
    uint64,
)

_atexit.register(_engine_module._shut_down)

__version__ = _engine_module.__version__

# PyTorch's other names.
half, float, double = float16, float32, float64
short, int, long = int16, int32, int64
cfloat, cdouble = complex64, complex128

cpu = device("cpu")
gpu = device("gpu")
array = Tensor

globals().update(_engine_module._functions)

# After the ops, which these build on and sometimes replace.
from lucid import (  # noqa: E402
    _tensor,
    autograd,
    engine,
    memory,
    nn,
    ops,
    optim,
    random,
)
from lucid._dtypes import finfo, iinfo, issubdtype  # noqa: E402
from lucid._functions import (  # noqa: E402
    all,
    allclose,
    any,
    equal,
    is_tensor,
    max,
    min,
    numel,
    randint,
    stream,
    t,
    tensor,
)
from lucid._modes import (  # noqa: E402
    enable_grad,
    inference_mode,
    no_grad,
    set_grad_enabled,
)
from lucid.random import (  # noqa: E402
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)


def __getattr__(name):
    if name == "extension":  # needs pathlib, which nobody else does
        import importlib

        return importlib.import_module("lucid.extension")
    raise AttributeError(f"module 'lucid' has no attribute {name!r}")
