import numpy as np

from tests.ops._samples import unary
from tests.ops._spec import OpTest

CLONE = OpTest(name="clone", samples=unary(), reference=np.copy)
CONJ = OpTest(
    name="conj", samples=unary(), reference=lambda x: x if x.dtype == bool else np.conj(x)
)
