"""Optimizers."""

from lucid.optim.sgd import SGD
