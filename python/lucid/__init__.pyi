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
    DtypeMismatch as DtypeMismatch,
    Event as Event,
    Generator as Generator,
    IndexOutOfRange as IndexOutOfRange,
    LucidError as LucidError,
    NotImplementedOp as NotImplementedOp,
    OutOfMemory as OutOfMemory,
    ShapeMismatch as ShapeMismatch,
    Stream as Stream,
    Tensor as Tensor,
    VersionMismatch as VersionMismatch,
    __version__ as __version__,
    abs as abs,
    add as add,
    all as all,
    amax as amax,
    amin as amin,
    any as any,
    arange as arange,
    argmax as argmax,
    argmin as argmin,
    as_strided as as_strided,
    as_strided_scatter as as_strided_scatter,
    async_eval as async_eval,
    bfloat16 as bfloat16,
    bool as bool,
    broadcast_to as broadcast_to,
    can_cast as can_cast,
    cast as cast,
    cat as cat,
    clone as clone,
    complex128 as complex128,
    complex64 as complex64,
    conj as conj,
    default_device as default_device,
    default_stream as default_stream,
    device as device,
    div as div,
    dtype as dtype,
    eq as eq,
    eval as eval,
    exp as exp,
    eye as eye,
    flatten as flatten,
    float16 as float16,
    float32 as float32,
    float64 as float64,
    from_dlpack as from_dlpack,
    from_numpy as from_numpy,
    full as full,
    full_like as full_like,
    gather as gather,
    ge as ge,
    get_default_dtype as get_default_dtype,
    get_num_threads as get_num_threads,
    gt as gt,
    index_add as index_add,
    index_select as index_select,
    int16 as int16,
    int32 as int32,
    int64 as int64,
    int8 as int8,
    is_deterministic as is_deterministic,
    is_grad_enabled as is_grad_enabled,
    is_inference_mode_enabled as is_inference_mode_enabled,
    le as le,
    log as log,
    log_softmax as log_softmax,
    logical_and as logical_and,
    logical_not as logical_not,
    logical_or as logical_or,
    logical_xor as logical_xor,
    lt as lt,
    matmul as matmul,
    maximum as maximum,
    mean as mean,
    minimum as minimum,
    mul as mul,
    ne as ne,
    neg as neg,
    new_stream as new_stream,
    ones as ones,
    ones_like as ones_like,
    permute as permute,
    pow as pow,
    prod as prod,
    promote_types as promote_types,
    rand as rand,
    rand_like as rand_like,
    randn as randn,
    randn_like as randn_like,
    reciprocal as reciprocal,
    relu as relu,
    reshape as reshape,
    scatter_add as scatter_add,
    select as select,
    set_default_device as set_default_device,
    set_default_dtype as set_default_dtype,
    set_default_stream as set_default_stream,
    set_deterministic as set_deterministic,
    set_num_threads as set_num_threads,
    sigmoid as sigmoid,
    sign as sign,
    slice as slice,
    softmax as softmax,
    sqrt as sqrt,
    square as square,
    squeeze as squeeze,
    stack as stack,
    sub as sub,
    sum as sum,
    synchronize as synchronize,
    tanh as tanh,
    transpose as transpose,
    uint16 as uint16,
    uint32 as uint32,
    uint64 as uint64,
    uint8 as uint8,
    unsqueeze as unsqueeze,
    where as where,
    zeros as zeros,
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
from lucid import Tensor as array
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
def randint(low, high=..., size=..., dtype=..., device=..., requires_grad=..., stream=...) -> Any: ...
def seed() -> Any: ...
from lucid._modes import set_grad_enabled as set_grad_enabled
def set_rng_state(state) -> Any: ...
def stream(stream) -> Any: ...
def t(x) -> Any: ...
def tensor(data, dtype=..., device=..., requires_grad=...) -> Any: ...
