# Written by tools/gen_stubs.py from the op table. Do not edit.
from typing import Any

from lucid import autograd as autograd
from lucid import engine as engine
from lucid import memory as memory
from lucid import nn as nn
from lucid import ops as ops
from lucid import optim as optim
from lucid import random as random
from lucid._C.engine import (
    DeviceMismatch as DeviceMismatch,
)
from lucid._C.engine import (
    DtypeMismatch as DtypeMismatch,
)
from lucid._C.engine import (
    Event as Event,
)
from lucid._C.engine import (
    Generator as Generator,
)
from lucid._C.engine import (
    IndexOutOfRange as IndexOutOfRange,
)
from lucid._C.engine import (
    LucidError as LucidError,
)
from lucid._C.engine import (
    NotImplementedOp as NotImplementedOp,
)
from lucid._C.engine import (
    OutOfMemory as OutOfMemory,
)
from lucid._C.engine import (
    ShapeMismatch as ShapeMismatch,
)
from lucid._C.engine import (
    Stream as Stream,
)
from lucid._C.engine import (
    Tensor as Tensor,
)
from lucid._C.engine import (
    VersionMismatch as VersionMismatch,
)
from lucid._C.engine import (
    __version__ as __version__,
)
from lucid._C.engine import (
    abs as abs,
)
from lucid._C.engine import (
    add as add,
)
from lucid._C.engine import (
    all as all,
)
from lucid._C.engine import (
    amax as amax,
)
from lucid._C.engine import (
    amin as amin,
)
from lucid._C.engine import (
    any as any,
)
from lucid._C.engine import (
    arange as arange,
)
from lucid._C.engine import (
    argmax as argmax,
)
from lucid._C.engine import (
    argmin as argmin,
)
from lucid._C.engine import (
    as_strided as as_strided,
)
from lucid._C.engine import (
    as_strided_scatter as as_strided_scatter,
)
from lucid._C.engine import (
    async_eval as async_eval,
)
from lucid._C.engine import (
    bfloat16 as bfloat16,
)
from lucid._C.engine import (
    bool as bool,
)
from lucid._C.engine import (
    broadcast_to as broadcast_to,
)
from lucid._C.engine import (
    can_cast as can_cast,
)
from lucid._C.engine import (
    cast as cast,
)
from lucid._C.engine import (
    cat as cat,
)
from lucid._C.engine import (
    clone as clone,
)
from lucid._C.engine import (
    complex64 as complex64,
)
from lucid._C.engine import (
    complex128 as complex128,
)
from lucid._C.engine import (
    conj as conj,
)
from lucid._C.engine import (
    default_device as default_device,
)
from lucid._C.engine import (
    default_stream as default_stream,
)
from lucid._C.engine import (
    device as device,
)
from lucid._C.engine import (
    div as div,
)
from lucid._C.engine import (
    dtype as dtype,
)
from lucid._C.engine import (
    eq as eq,
)
from lucid._C.engine import (
    eval as eval,
)
from lucid._C.engine import (
    exp as exp,
)
from lucid._C.engine import (
    eye as eye,
)
from lucid._C.engine import (
    flatten as flatten,
)
from lucid._C.engine import (
    float16 as float16,
)
from lucid._C.engine import (
    float32 as float32,
)
from lucid._C.engine import (
    float64 as float64,
)
from lucid._C.engine import (
    from_dlpack as from_dlpack,
)
from lucid._C.engine import (
    from_numpy as from_numpy,
)
from lucid._C.engine import (
    full as full,
)
from lucid._C.engine import (
    full_like as full_like,
)
from lucid._C.engine import (
    gather as gather,
)
from lucid._C.engine import (
    ge as ge,
)
from lucid._C.engine import (
    get_default_dtype as get_default_dtype,
)
from lucid._C.engine import (
    get_num_threads as get_num_threads,
)
from lucid._C.engine import (
    gt as gt,
)
from lucid._C.engine import (
    index_add as index_add,
)
from lucid._C.engine import (
    index_select as index_select,
)
from lucid._C.engine import (
    int8 as int8,
)
from lucid._C.engine import (
    int16 as int16,
)
from lucid._C.engine import (
    int32 as int32,
)
from lucid._C.engine import (
    int64 as int64,
)
from lucid._C.engine import (
    is_deterministic as is_deterministic,
)
from lucid._C.engine import (
    is_grad_enabled as is_grad_enabled,
)
from lucid._C.engine import (
    is_inference_mode_enabled as is_inference_mode_enabled,
)
from lucid._C.engine import (
    le as le,
)
from lucid._C.engine import (
    log as log,
)
from lucid._C.engine import (
    log_softmax as log_softmax,
)
from lucid._C.engine import (
    logical_and as logical_and,
)
from lucid._C.engine import (
    logical_not as logical_not,
)
from lucid._C.engine import (
    logical_or as logical_or,
)
from lucid._C.engine import (
    logical_xor as logical_xor,
)
from lucid._C.engine import (
    lt as lt,
)
from lucid._C.engine import (
    matmul as matmul,
)
from lucid._C.engine import (
    maximum as maximum,
)
from lucid._C.engine import (
    mean as mean,
)
from lucid._C.engine import (
    minimum as minimum,
)
from lucid._C.engine import (
    mul as mul,
)
from lucid._C.engine import (
    ne as ne,
)
from lucid._C.engine import (
    neg as neg,
)
from lucid._C.engine import (
    new_stream as new_stream,
)
from lucid._C.engine import (
    ones as ones,
)
from lucid._C.engine import (
    ones_like as ones_like,
)
from lucid._C.engine import (
    permute as permute,
)
from lucid._C.engine import (
    pow as pow,
)
from lucid._C.engine import (
    prod as prod,
)
from lucid._C.engine import (
    promote_types as promote_types,
)
from lucid._C.engine import (
    rand as rand,
)
from lucid._C.engine import (
    rand_like as rand_like,
)
from lucid._C.engine import (
    randn as randn,
)
from lucid._C.engine import (
    randn_like as randn_like,
)
from lucid._C.engine import (
    reciprocal as reciprocal,
)
from lucid._C.engine import (
    relu as relu,
)
from lucid._C.engine import (
    reshape as reshape,
)
from lucid._C.engine import (
    scatter_add as scatter_add,
)
from lucid._C.engine import (
    select as select,
)
from lucid._C.engine import (
    set_default_device as set_default_device,
)
from lucid._C.engine import (
    set_default_dtype as set_default_dtype,
)
from lucid._C.engine import (
    set_default_stream as set_default_stream,
)
from lucid._C.engine import (
    set_deterministic as set_deterministic,
)
from lucid._C.engine import (
    set_num_threads as set_num_threads,
)
from lucid._C.engine import (
    sigmoid as sigmoid,
)
from lucid._C.engine import (
    sign as sign,
)
from lucid._C.engine import (
    slice as slice,
)
from lucid._C.engine import (
    softmax as softmax,
)
from lucid._C.engine import (
    sqrt as sqrt,
)
from lucid._C.engine import (
    square as square,
)
from lucid._C.engine import (
    squeeze as squeeze,
)
from lucid._C.engine import (
    stack as stack,
)
from lucid._C.engine import (
    sub as sub,
)
from lucid._C.engine import (
    sum as sum,
)
from lucid._C.engine import (
    synchronize as synchronize,
)
from lucid._C.engine import (
    tanh as tanh,
)
from lucid._C.engine import (
    transpose as transpose,
)
from lucid._C.engine import (
    uint8 as uint8,
)
from lucid._C.engine import (
    uint16 as uint16,
)
from lucid._C.engine import (
    uint32 as uint32,
)
from lucid._C.engine import (
    uint64 as uint64,
)
from lucid._C.engine import (
    unsqueeze as unsqueeze,
)
from lucid._C.engine import (
    where as where,
)
from lucid._C.engine import (
    zeros as zeros,
)
from lucid._C.engine import (
    zeros_like as zeros_like,
)

cdouble: dtype
cfloat: dtype
cpu: device
default_generator: Generator
double: dtype
float: dtype
gpu: device
half: dtype
int: dtype
long: dtype
short: dtype

def allclose(a, b, rtol=..., atol=..., equal_nan=...) -> Any: ...

from lucid._modes import enable_grad as enable_grad

def equal(a, b) -> Any: ...

from lucid._dtypes import finfo as finfo

def get_rng_state() -> Any: ...

from lucid._dtypes import iinfo as iinfo
from lucid._modes import inference_mode as inference_mode

def initial_seed() -> Any: ...
def is_tensor(object) -> Any: ...
def issubdtype(dtype, category) -> Any: ...
def manual_seed(seed) -> Any: ...
def max(x, dim=..., keepdim=...) -> Any: ...
def min(x, dim=..., keepdim=...) -> Any: ...

from lucid._modes import no_grad as no_grad

def numel(x) -> Any: ...
def randint(
    low, high=..., size=..., dtype=..., device=..., requires_grad=..., stream=...
) -> Any: ...
def seed() -> Any: ...

from lucid._modes import set_grad_enabled as set_grad_enabled

def set_rng_state(state) -> Any: ...
def stream(stream) -> Any: ...
def t(x) -> Any: ...
def tensor(data, dtype=..., device=..., requires_grad=...) -> Any: ...
