"""The rows that need a process of their own: import time, memory of a long loop, size of the wheel,
instructions a call."""

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAIRS = 15


def seconds(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def import_ratio() -> tuple[float, float]:
    """Our seconds, and their ratio to NumPy's: medians of the whole process less an empty one's."""
    ours, theirs = [], []
    empty = statistics.median(seconds("pass") for _ in range(PAIRS))
    for _ in range(PAIRS):
        ours.append(seconds("import lucid") - empty)
        theirs.append(seconds("import numpy") - empty)
    ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
    return statistics.median(ours), ratio


GROWTH = """
import lucid
def rss():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096
total = lucid.zeros(())
x = lucid.rand(64, 64)
for step in range(2000):
    if step == 200:
        before = rss()
    total += (x * 0.5).sum()
print(rss() - before)
"""


def loop_growth_bytes() -> int:
    out = subprocess.run([sys.executable, "-c", GROWTH], check=True, capture_output=True, text=True)
    return int(out.stdout)


def wheel_bytes() -> int:
    subprocess.run(["make", "-s", "-C", str(ROOT), "wheel"], check=True, stdout=subprocess.DEVNULL)
    return sum(path.stat().st_size for path in (ROOT / "dist").glob("*.whl"))


CALLS = """
import sys
import lucid
a = lucid.rand(8, 8, requires_grad=sys.argv[2] == "grad")
b = lucid.rand(8, 8)
for _ in range(int(sys.argv[1])):
    a + b
"""


def instructions_per_call(grad: bool) -> float | None:
    """Counted by callgrind, from the difference of two runs; None without valgrind."""
    if shutil.which("valgrind") is None:
        return None
    totals = []
    for calls in (1000, 3000):
        with tempfile.NamedTemporaryFile() as sink:
            run = subprocess.run(
                [
                    "valgrind",
                    "--tool=callgrind",
                    f"--callgrind-out-file={sink.name}",
                    sys.executable,
                    "-c",
                    CALLS,
                    str(calls),
                    "grad" if grad else "plain",
                ],
                check=True,
                capture_output=True,
                text=True,
            )
        totals.append(int(re.search(r"Collected : (\d+)", run.stderr).group(1)))
    return (totals[1] - totals[0]) / 2000
