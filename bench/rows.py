"""The rows of stage 1: what is timed against which peer, and the bar."""

import jax
import jax.numpy as jnp
import numpy as np
import torch
from harness import Row

import lucid

torch.set_num_threads(lucid.get_num_threads())


def small_add() -> dict:
    a, b = lucid.rand(8, 8), lucid.rand(8, 8)
    na, nb = a.numpy().copy(), b.numpy().copy()
    ta, tb = torch.from_numpy(na), torch.from_numpy(nb)
    ja, jb = jnp.asarray(na), jnp.asarray(nb)
    return {
        "lucid": lambda: a + b,
        "numpy": lambda: na + nb,
        "torch": lambda: ta + tb,
        "jax": lambda: ja + jb,
    }


def small_add_with_grad() -> dict:
    sides = small_add()
    a = lucid.rand(8, 8, requires_grad=True)
    b = lucid.rand(8, 8)
    ta = torch.rand(8, 8, requires_grad=True)
    tb = torch.rand(8, 8)
    return {"lucid": lambda: a + b, "numpy": sides["numpy"], "torch": lambda: ta + tb}


CHAIN = 100


def chained_multiplies() -> dict:
    """100 multiplies of 8 x 8 matrices, forward and backward."""

    def ours():
        y = x
        for _ in range(CHAIN):
            y = y * w
        y.sum().backward()

    def theirs():
        y = tx
        for _ in range(CHAIN):
            y = y * tw
        y.sum().backward()

    def chain(jx):
        y = jx
        for _ in range(CHAIN):
            y = y * jw
        return y.sum()

    x, w = lucid.ones(8, 8, requires_grad=True), lucid.full((8, 8), 0.999)
    tx, tw = torch.ones(8, 8, requires_grad=True), torch.full((8, 8), 0.999)
    jw = jnp.full((8, 8), 0.999)
    jitted = jax.jit(jax.grad(chain))
    jx = jnp.ones((8, 8))
    return {
        "lucid": ours,
        "torch": theirs,
        "jax-jit": lambda: jitted(jx).block_until_ready(),
    }


def matmul_1024() -> dict:
    na = np.random.default_rng(0).standard_normal((1024, 1024), dtype=np.float32)
    a, ta = lucid.tensor(na), torch.from_numpy(na)
    return {"lucid": lambda: a @ a, "numpy": lambda: na @ na, "torch": lambda: ta @ ta}


def digits_step() -> dict:
    """One training step of the demo's network, batch 64."""
    from lucid import nn
    from lucid.nn import functional as F

    images = np.random.default_rng(0).random((64, 64), dtype=np.float32)
    labels = np.arange(64) % 10
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = lucid.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x, y = lucid.tensor(images), lucid.tensor(labels)

    def ours():
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    tmodel = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
    toptimizer = torch.optim.SGD(tmodel.parameters(), lr=0.1, momentum=0.9)
    tx, ty = torch.from_numpy(images), torch.from_numpy(labels)

    def theirs():
        loss = torch.nn.functional.cross_entropy(tmodel(tx), ty)
        toptimizer.zero_grad()
        loss.backward()
        toptimizer.step()

    return {"lucid": ours, "torch": theirs}


ROWS = [
    Row("a + b, 8 x 8", {"numpy": 0.5}, small_add),
    Row("a + b, 8 x 8, with grad", {"numpy": 0.8}, small_add_with_grad),
    Row("100 multiplies, forward + backward", {"torch": 0.15}, chained_multiplies),
    Row("matmul 1024 x 1024", {}, matmul_1024),
    Row("digits step, batch 64", {}, digits_step),
]
