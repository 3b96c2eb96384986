"""Sample extension: one Primitive and one FuncOp, built against the installed lucid."""

import lucid  # noqa: F401  (loads liblucid.so, which _ext needs)

from ._ext import axpby, scaled_square

__all__ = ["axpby", "scaled_square"]
