"""How a figure is made: interleaved pairs, medians, a 90 % interval, a bar.

Both sides of a row run in this process, in turn, so that noise of the machine meets both alike. A
row is met when the lower end of the interval of its ratio (ours / peer) meets the bar.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

PAIRS = 25
SAMPLE_SECONDS = 0.02


@dataclass
class Row:
    """One comparison. `make` returns {"lucid": fn, peer: fn, ...}; each fn runs the work once."""

    name: str
    bars: dict[str, float]  # peer -> the largest allowed ratio
    make: Callable[[], dict[str, Callable[[], object]]]


@dataclass
class Result:
    name: str
    seconds: dict[str, float] = field(default_factory=dict)  # median a call
    ratios: dict[str, tuple[float, float, float]] = field(default_factory=dict)  # low, median, high
    bars: dict[str, float] = field(default_factory=dict)

    def met(self, peer: str) -> bool:
        return self.ratios[peer][0] <= self.bars[peer]


def calls_per_sample(fn: Callable[[], object]) -> int:
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            fn()
        seconds = time.perf_counter() - start
        if seconds > SAMPLE_SECONDS / 4:
            return max(1, int(count * SAMPLE_SECONDS / seconds))
        count *= 4


def sample(fn: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        fn()
    return (time.perf_counter() - start) / count


def interval(values: list[float], rng: random.Random) -> tuple[float, float, float]:
    """The median with a 90 % bootstrap interval."""
    medians = sorted(statistics.median(rng.choices(values, k=len(values))) for _ in range(400))
    return medians[20], statistics.median(values), medians[379]


def run(row: Row, pairs: int = PAIRS) -> Result:
    sides = row.make()
    counts = {side: calls_per_sample(fn) for side, fn in sides.items()}
    times: dict[str, list[float]] = {side: [] for side in sides}
    order = list(sides)
    rng = random.Random(0)
    for _ in range(pairs):
        rng.shuffle(order)
        for side in order:
            times[side].append(sample(sides[side], counts[side]))
    result = Result(row.name, bars=row.bars)
    for side, values in times.items():
        result.seconds[side] = statistics.median(values)
        if side != "lucid":
            ratios = [ours / theirs for ours, theirs in zip(times["lucid"], values, strict=True)]
            result.ratios[side] = interval(ratios, rng)
    return result
