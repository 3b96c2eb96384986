"""Random numbers: the Philox stream, moments, bounds, the same whatever runs when and where."""

import math
import threading

import numpy as np
import pytest

import lucid
from tests.support import FLOATING, content, delay, dtype_of


def philox(counter: list[int], key: list[int]) -> list[int]:
    """Philox-4x32-10 of Salmon et al. (SC11), so that the vectors can be checked by hand."""
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [
            (p1 >> 32) ^ c[1] ^ k[0],
            p1 & 0xFFFFFFFF,
            (p0 >> 32) ^ c[3] ^ k[1],
            p0 & 0xFFFFFFFF,
        ]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def test_the_philox_here_gives_the_published_vectors() -> None:
    """kat_vectors of Random123."""
    assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2) == [
        0x408F276D,
        0x41C83B0E,
        0xA20BC7C6,
        0x6D5451FD,
    ]
    assert philox([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0]) == [
        0xD16CFE09,
        0x94FDCCEB,
        0x5001E420,
        0x24126EA1,
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**32 + 5, 2**64 - 1])
def test_words_are_the_philox_stream(seed: int) -> None:
    """Draws over a power of two take bits of the words; block i has counter i and key seed."""
    lucid.manual_seed(seed)
    u = lucid.rand(64).numpy()
    key = [seed & 0xFFFFFFFF, seed >> 32]
    words = np.array([w for i in range(16) for w in philox([i, 0, 0, 0], key)], dtype=np.uint64)
    # float32 in [0, 1) keeps the upper 24 bits of its word.
    assert np.array_equal(
        u, ((words >> np.uint64(8)).astype(np.float64) * 2.0**-24).astype(np.float32)
    )


def test_manual_seed_repeats() -> None:
    def draw() -> list[bytes]:
        return [
            content(x)
            for x in (
                lucid.rand(3, 5),
                lucid.randn(7),
                lucid.randint(0, 100, (11,)),
                lucid.rand(4, dtype=lucid.float64),
                lucid.randn(3, dtype=lucid.float16),
            )
        ]

    lucid.manual_seed(42)
    first = draw()
    second = draw()
    lucid.manual_seed(42)
    assert draw() == first != second
    lucid.manual_seed(43)
    assert draw() != first


def test_the_state_can_be_kept_and_put_back() -> None:
    lucid.rand(5)
    state = lucid.get_rng_state()
    a = lucid.rand(8)
    lucid.set_rng_state(state)
    assert lucid.rand(8).tolist() == a.tolist()
    lucid.manual_seed(77)
    assert lucid.initial_seed() == 77


def test_successive_draws_do_not_overlap() -> None:
    lucid.manual_seed(1)
    seen = np.concatenate(
        [lucid.rand(n, dtype=lucid.float64).numpy() for n in (1, 2, 3, 5, 8, 1000)]
    )
    assert len(np.unique(seen)) == len(seen)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("late", [False, True])
def test_the_same_bytes_at_every_thread_count_delay_and_stream(threads: int, late: bool) -> None:
    def draw() -> list[bytes]:
        lucid.manual_seed(9)
        kept = [
            lucid.randn(300_001),
            lucid.rand(70_001, dtype=lucid.float16),
            lucid.randint(-5, 9, (100_001,)),
        ]
        return [content(x) for x in kept]

    lucid.set_num_threads(1)
    want = draw()
    lucid.set_num_threads(threads)
    with delay(late):
        assert draw() == want
        with lucid.stream(lucid.new_stream(lucid.cpu)):
            assert draw() == want


def test_the_offset_is_reserved_at_the_call() -> None:
    with delay():
        lucid.manual_seed(5)
        a, dead, b = lucid.rand(10), lucid.randn(100), lucid.rand(10)
        del dead
        late_b, late_a = b.tolist(), a.tolist()
    lucid.manual_seed(5)
    a, _, b = lucid.rand(10), lucid.randn(100), lucid.rand(10)
    assert (a.tolist(), b.tolist()) == (late_a, late_b)


def test_a_longer_draw_starts_with_the_shorter() -> None:
    """A pure function of (seed, offset, index)."""
    for fn in (lucid.rand, lucid.randn):
        lucid.manual_seed(3)
        short = fn(1000).tolist()
        lucid.manual_seed(3)
        assert fn(70_000).tolist()[:1000] == short


def test_threads_share_one_generator() -> None:
    lucid.manual_seed(0)
    drawn: list[np.ndarray] = []
    lock = threading.Lock()

    def work() -> None:
        for _ in range(50):
            x = lucid.rand(16, dtype=lucid.float64).numpy()
            with lock:
                drawn.append(x)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    values = np.concatenate(drawn)
    assert len(np.unique(values)) == len(values) == 4 * 50 * 16


# --- distributions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FLOATING)
def test_uniform_is_in_the_half_open_unit_interval(name: str) -> None:
    for seed in range(5):
        lucid.manual_seed(seed)
        x = lucid.rand(1_000_000, dtype=dtype_of(name)).to(lucid.float64).numpy()
        assert x.min() >= 0 and x.max() < 1
        assert abs(x.mean() - 0.5) < 0.004
        assert abs(x.var() - 1 / 12) < 0.002


@pytest.mark.parametrize("name", FLOATING)
def test_normal_moments(name: str) -> None:
    lucid.manual_seed(11)
    x = lucid.randn(1_000_000, dtype=dtype_of(name)).to(lucid.float64).numpy()
    assert np.isfinite(x).all()
    assert abs(x.mean()) < 0.005
    assert abs(x.var() - 1) < 0.01
    assert abs((x**3).mean()) < 0.03
    assert abs((x**4).mean() - 3) < 0.1
    within = (np.abs(x) < 1).mean()
    assert abs(within - math.erf(1 / math.sqrt(2))) < 0.005
    assert np.abs(x).max() > 4  # tails exist


def test_normal_is_normal() -> None:
    from scipy import stats

    lucid.manual_seed(2)
    x = lucid.randn(20_000, dtype=lucid.float64).numpy()
    assert stats.kstest(x, "norm").pvalue > 1e-3
    u = lucid.rand(20_000, dtype=lucid.float64).numpy()
    assert stats.kstest(u, "uniform").pvalue > 1e-3
    pairs = lucid.randn(100_000).numpy()
    assert abs(np.corrcoef(pairs[:-1], pairs[1:])[0, 1]) < 0.02


def test_complex_normals_have_unit_variance() -> None:
    if not any(str(d) == "complex64" for d in row("randn")["dtypes"]):
        return
    z = lucid.randn(100_000, dtype=lucid.complex64).numpy()
    assert abs((np.abs(z) ** 2).mean() - 1) < 0.02
    assert abs(z.real.var() - 0.5) < 0.01


def row(name: str) -> dict:
    return next(r for r in lucid.ops.table() if r["name"] == name)


@pytest.mark.parametrize("low, high", [(0, 10), (-3, 4), (0, 2**40), (-(2**63), 2**63 - 1), (5, 6)])
def test_randint_bounds(low: int, high: int) -> None:
    x = lucid.randint(low, high, (100_000,))
    assert x.dtype == lucid.int64
    a = x.numpy()
    assert a.min() >= low and a.max() < high
    if high - low <= 10:
        counts = np.bincount(a - low, minlength=high - low)
        expected = len(a) / (high - low)
        assert np.all(np.abs(counts - expected) < 6 * math.sqrt(expected) + 1)
    else:
        assert int(a.max()) - int(a.min()) > (high - low) * 0.99


def test_randint_is_unbiased_where_a_plain_modulo_is_not() -> None:
    high = 3 * 2**30  # of 2**32: a modulo would favour the lower third
    a = lucid.randint(0, high, (300_000,)).numpy()
    third = high // 3
    counts = np.bincount(a // third, minlength=3)
    assert np.all(np.abs(counts - 100_000) < 2000)


@pytest.mark.parametrize("name", ["uint8", "int8", "int16", "int32", "int64"])
def test_randint_dtypes(name: str) -> None:
    x = lucid.randint(0, 100, (1000,), dtype=dtype_of(name))
    assert x.dtype == dtype_of(name)
    assert min(x.tolist()) >= 0 and max(x.tolist()) < 100


@pytest.mark.parametrize("args", [(5, 5, (2,)), (5, 4, (2,))])
def test_randint_needs_a_range(args) -> None:
    with pytest.raises((RuntimeError, ValueError), match="randint"):
        lucid.randint(*args)


def test_randint_that_does_not_fit_the_dtype() -> None:
    with pytest.raises((RuntimeError, ValueError, OverflowError)):
        lucid.randint(0, 1000, (2,), dtype=lucid.uint8)


def test_random_of_integers_raises() -> None:
    for fn in (lucid.rand, lucid.randn):
        with pytest.raises(TypeError):
            fn(2, dtype=lucid.int64)


def test_shapes() -> None:
    assert lucid.rand(2, 3).shape == lucid.rand((2, 3)).shape == (2, 3)
    assert lucid.rand(()).shape == () and lucid.randn(0, 3).shape == (0, 3)
    assert lucid.randn(2, requires_grad=True).requires_grad
    assert lucid.randint(5, (2, 2)).shape == (2, 2)


def test_generators_of_their_own() -> None:
    a, b = lucid.Generator(), lucid.Generator()
    a.manual_seed(1)
    b.manual_seed(1)
    assert a.initial_seed() == b.initial_seed() == 1
    assert a.get_state() == b.get_state()


def test_bad_seeds_raise() -> None:
    for bad in ("seed", 1.5, None):
        with pytest.raises(TypeError):
            lucid.manual_seed(bad)
    lucid.manual_seed(-1)  # PyTorch: negative seeds count from 2**64
    assert lucid.initial_seed() in (-1, 2**64 - 1)
    with pytest.raises((OverflowError, ValueError, RuntimeError)):
        lucid.manual_seed(2**64)
