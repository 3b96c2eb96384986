"""Sample extension: one Primitive and one FuncOp, built against the installed lucid."""

from ._ext import axpby, scaled_square

__all__ = ["axpby", "scaled_square"]
