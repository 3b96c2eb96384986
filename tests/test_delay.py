"""The always-delay backend: nothing runs before somebody reads; everything comes out the same."""

import numpy as np
import pytest

import lucid


@pytest.fixture
def delayed():
    lucid.engine._set_always_delay(True)
    yield
    lucid.engine._set_always_delay(False)


def kernels_run() -> int:
    return lucid.engine.stats()["kernels_run"]


def test_no_kernel_runs_before_the_first_read(delayed) -> None:
    x = lucid.rand(4, 4)
    before = kernels_run()
    y = ((x + 1) * 2).exp().sum(0).transpose(0, 0)
    z = lucid.cat([y, y]).reshape(2, 4) @ x
    assert kernels_run() == before
    z.tolist()
    assert kernels_run() > before


def test_what_nobody_reads_never_runs(delayed) -> None:
    x = lucid.ones(4)
    x.tolist()
    before = kernels_run()
    for _ in range(100):
        x + 1
    assert kernels_run() == before
    assert lucid.engine.stats()["calls_pending"] == 0


def test_in_place_after_a_pending_read(delayed) -> None:
    x = lucid.zeros(5)
    y = x + 1
    x.add_(10)
    x[1:3] = 7
    assert y.tolist() == [1] * 5
    assert x.tolist() == [10, 7, 7, 10, 10]


def test_a_numpy_write_is_seen_by_later_ops_only(delayed) -> None:
    x = lucid.zeros(3) + 0
    y = x + 1
    array = x.numpy()
    array[:] = 5
    z = x + 1
    array[:] = 9
    assert y.tolist() == [1, 1, 1]
    assert z.tolist() == [6, 6, 6]
    assert x.tolist() == [9, 9, 9]


def test_a_long_chain_is_forced_without_a_deep_stack(delayed) -> None:
    x = lucid.zeros(2)
    for _ in range(100_000):
        x = x + 1
    assert x.tolist() == [100_000, 100_000]


def test_a_long_chain_that_nobody_reads_dies_without_a_deep_stack(delayed) -> None:
    x = lucid.zeros(2)
    for _ in range(100_000):
        x = x + 1
    del x


def test_a_shared_node_is_run_once(delayed) -> None:
    p = lucid.tensor(1.0, dtype=lucid.float64)
    before = kernels_run()
    for _ in range(60):
        p = p + p
    assert p.item() == 2.0**60
    assert kernels_run() - before == 60


def test_an_index_out_of_range_raises_at_the_call(delayed) -> None:
    with pytest.raises(IndexError):
        lucid.zeros(2, 3).index_select(0, lucid.tensor([0, 2]))


def test_gradients_are_the_same(delayed) -> None:
    def gradient():
        x = lucid.tensor(np.linspace(-2, 2, 60).reshape(6, 10)).requires_grad_()
        ((x @ x.transpose(0, 1)).tanh().softmax(0) * x.sum()).sum().backward()
        return x.grad.numpy().tobytes()

    late = gradient()
    lucid.engine._set_always_delay(False)
    assert late == gradient()
