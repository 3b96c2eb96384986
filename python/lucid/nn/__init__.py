"""Networks: Module, Parameter and the layers of this version."""

from lucid.nn import functional
from lucid.nn.layers import Linear, LogSoftmax, ReLU, Sequential, Sigmoid, Softmax, Tanh
from lucid.nn.module import Module, Parameter
