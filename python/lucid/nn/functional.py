"""Functions on tensors that networks are made of, one for each op of the table that says so."""

from lucid._C import engine as _c

globals().update(_c._network_functions)
