import numpy as np

from tests.ops._samples import binary, unary
from tests.ops._spec import ErrorInput, OpTest

MISMATCH = ErrorInput(
    (np.zeros((2, 3)), np.zeros((2, 2))), exception="ShapeMismatch", match="broadcast"
)

ADD = OpTest(name="add", samples=binary(), reference=np.add, errors=(MISMATCH,))
SUB = OpTest(
    name="sub",
    samples=binary(),
    reference=np.subtract,
    errors=(
        MISMATCH,
        ErrorInput((np.ones(2, bool), np.ones(2, bool)), exception=TypeError, match="logical_xor"),
    ),
)
NEG = OpTest(
    name="neg",
    samples=unary(),
    reference=np.negative,
    errors=(ErrorInput((np.ones(2, bool),), exception=TypeError, match="logical_not"),),
)
