"""Exit, fork, threads, Ctrl-C: each in a process of its own where it could take this one down."""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import lucid

TIMEOUT = 60


def run(code: str, **kwargs) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        **kwargs,
    )


def check(code: str) -> str:
    done = run(code)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("delay", [False, True])
def test_exit_with_work_in_flight(delay: bool) -> None:
    check(f"""
        import lucid
        lucid.engine._set_always_delay({delay})
        s = lucid.new_stream(lucid.cpu)
        with lucid.stream(s):
            kept = [lucid.rand(300, 300) @ lucid.rand(300, 300) for _ in range(50)]
        x = lucid.rand(3, requires_grad=True)
        y = (x * 2).sum()
    """)


def test_exit_hook_that_uses_tensors_runs_before_the_engine_stops() -> None:
    out = check("""
        import atexit, lucid
        atexit.register(lambda: print((lucid.ones(3) + 1).sum().item()))
    """)
    assert out == "6.0\n"


@pytest.mark.parametrize("delay", [False, True])
def test_fork_child_computes_and_reads_what_was_pending(delay: bool) -> None:
    out = check(f"""
        import os, lucid
        lucid.set_num_threads(2)
        lucid.engine._set_always_delay({delay})
        big = lucid.ones(1000, 1000)
        s = lucid.new_stream(lucid.cpu)
        with lucid.stream(s):
            pending = (big * 2).sum()
        before = (big + 1).sum()
        pid = os.fork()
        ok = (before.item(), pending.item(), (big * 3).sum().item()) == (2e6, 2e6, 3e6)
        with lucid.stream(s):
            ok = ok and (big + big).sum().item() == 2e6
        if pid == 0:
            os._exit(0 if ok else 1)
        _, status = os.waitpid(pid, 0)
        print(ok, status)
    """)
    assert out == "True 0\n"


def test_ctrl_c_while_waiting_for_a_stream() -> None:
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            textwrap.dedent("""
                import lucid, time
                a = lucid.rand(1500, 1500)
                s = lucid.new_stream(lucid.cpu)
                with lucid.stream(s):
                    x = a
                    for _ in range(200):
                        x = (x @ a) * 1e-3
                print("ready", flush=True)
                try:
                    x.sum().item()
                    print("finished")
                except KeyboardInterrupt:
                    print("interrupted", flush=True)
                    import os
                    os._exit(0)
            """),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    started = time.monotonic()
    out, _ = child.communicate(timeout=TIMEOUT)
    assert out == "interrupted\n"
    assert time.monotonic() - started < 5


def test_a_delayed_value_survives_an_interrupt() -> None:
    """What had not run stays pending and can be read again."""
    out = check("""
        import _thread, lucid, threading, time
        lucid.engine._set_always_delay(True)
        x = lucid.rand(700, 700)
        y = x
        for _ in range(60):
            y = (y @ x) * 0.01
        threading.Timer(0.1, _thread.interrupt_main).start()
        try:
            y.sum().item()
            print("too fast")
        except KeyboardInterrupt:
            print("interrupted")
        value = y.sum().item()
        print(value == value)
    """)
    assert out.splitlines()[-1] == "True"


def test_a_tensor_made_in_one_thread_is_usable_in_another() -> None:
    made: list[lucid.Tensor] = []

    def make() -> None:
        lucid.engine._set_always_delay(True)
        made.append(lucid.arange(10) * 2)

    try:
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        assert made[0].sum().item() == 90
    finally:
        lucid.engine._set_always_delay(False)


@pytest.mark.parametrize("delay", [False, True])
def test_many_threads_at_once(delay: bool) -> None:
    shared = lucid.rand(64, 64)
    expected = (shared @ shared).sum().item()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                x = lucid.ones(64, 64, requires_grad=True)
                ((x * shared) @ shared).sum().backward()
                assert x.grad.shape == (64, 64)
                assert (shared @ shared).sum().item() == expected
        except BaseException as error:
            failures.append(error)

    lucid.engine._set_always_delay(delay)
    try:
        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        lucid.engine._set_always_delay(False)
    assert not failures


def test_threads_accumulate_into_one_leaf() -> None:
    x = lucid.zeros(1000, requires_grad=True)

    def work() -> None:
        for _ in range(100):
            (x * 1.0).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (x.grad == 400).all().item()


def test_two_streams_overlap() -> None:
    """Each stream waits for the other amid its work: one after the other, neither would end."""
    a, b = (lucid.new_stream(lucid.cpu) for _ in range(2))
    events = {s: lucid.Event() for s in (a, b)}
    results = []
    for stream in (a, b):
        with lucid.stream(stream):
            results.append(lucid.ones(300, 300) @ lucid.ones(300, 300))
        events[stream].record(stream)
    events[b].wait(a)
    events[a].wait(b)
    for stream in (a, b):
        with lucid.stream(stream):
            results.append(results[0] + results[1])
    lucid.synchronize()
    assert all((r == 600).all().item() for r in results[2:])


def test_async_eval_returns_before_the_work_ends() -> None:
    lucid.engine._set_always_delay(True)
    try:
        a = lucid.rand(900, 900)
        x = a
        for _ in range(20):
            x = (x @ a) * 0.01
        start = time.perf_counter()
        lucid.async_eval(x)
        returned = time.perf_counter() - start
        lucid.eval(x)
        finished = time.perf_counter() - start
    finally:
        lucid.engine._set_always_delay(False)
    assert returned < finished / 4


def test_events_order_streams() -> None:
    a, b = (lucid.new_stream(lucid.cpu) for _ in range(2))
    with lucid.stream(a):
        x = lucid.rand(400, 400)
        for _ in range(10):
            x = x @ x * 1e-3
    event = lucid.Event()
    event.record(a)
    event.wait(b)
    with lucid.stream(b):
        y = x + 1
    event.synchronize()
    assert event.query()
    assert np.array_equal(y.numpy(), x.numpy() + 1)


def test_out_of_memory_is_an_exception_and_the_engine_works_on() -> None:
    x = lucid.ones(3)
    with pytest.raises(MemoryError) as caught:
        lucid.zeros(1 << 45)
    assert isinstance(caught.value, lucid.OutOfMemory)
    assert (x + 1).tolist() == [2, 2, 2]


def test_a_callback_that_raises_inside_backward_loses_nothing() -> None:
    x = lucid.ones(3, requires_grad=True)
    y = x * 2

    def hook(grad):
        raise KeyError("from the hook")

    handle = y.register_hook(hook)
    with pytest.raises(KeyError, match="from the hook"):
        y.sum().backward(retain_graph=True)
    handle.remove()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3, 3, 3]


def test_exit_with_a_daemon_thread_inside_an_op() -> None:
    for _ in range(3):
        out = check("""
            import threading, time, lucid
            x = lucid.ones(1000, 1000)
            def work():
                while True:
                    x + x
            threading.Thread(target=work, daemon=True).start()
            time.sleep(0.1)
            print("end")
        """)
        assert out == "end\n"


def test_hooks_come_and_go_while_other_threads_walk() -> None:
    w = lucid.ones(1000, requires_grad=True)
    end = time.monotonic() + 1

    def work() -> None:
        while time.monotonic() < end:
            (w * w).sum().backward()
            w.register_hook(lambda g: g * 1).remove()
            w.register_post_accumulate_grad_hook(lambda t: None).remove()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert w.grad.shape == (1000,)
