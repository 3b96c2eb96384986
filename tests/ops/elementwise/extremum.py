import numpy as np

from tests.ops._samples import binary
from tests.ops._spec import ErrorInput, OpTest

MISMATCH = ErrorInput((np.zeros((2, 3)), np.zeros(2)), exception="ShapeMismatch", match="broadcast")

MAXIMUM = OpTest(name="maximum", samples=binary(), reference=np.maximum, errors=(MISMATCH,))
MINIMUM = OpTest(name="minimum", samples=binary(), reference=np.minimum, errors=(MISMATCH,))
