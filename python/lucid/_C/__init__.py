"""The compiled module, lucid._C.engine."""
