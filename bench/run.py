"""`make bench`: our time, the ratio to each peer, and whether each bar is met."""

import argparse
import sys

import harness
import processes
from rows import ROWS


def line(name: str, ours: str, peer: str, ratio: str, bar: str, verdict: str) -> None:
    print(f"{name:38} {ours:>12} {peer:>10} {ratio:>24} {bar:>8} {verdict}")


def verdict(met: bool) -> str:
    return "met" if met else "MISSED"


def compare() -> bool:
    ok = True
    for row in ROWS:
        result = harness.run(row)
        ours = f"{result.seconds['lucid'] * 1e6:.3g} us"
        for peer, (low, median, high) in result.ratios.items():
            bar = result.bars.get(peer)
            met = bar is None or result.met(peer)
            ok = ok and met
            line(
                row.name,
                ours,
                peer,
                f"{median:.3f} [{low:.3f}, {high:.3f}]",
                "" if bar is None else f"{bar:.2f}",
                "" if bar is None else verdict(met),
            )
    return ok


def measure_processes() -> bool:
    ours, ratio = processes.import_ratio()
    growth = processes.loop_growth_bytes()
    size = processes.wheel_bytes()
    line(
        "import",
        f"{ours * 1e3:.0f} ms",
        "numpy",
        f"{ratio:.3f}",
        "1.00",
        verdict(ratio <= 1),
    )
    line(
        "2,000-step loop, growth",
        f"{growth / 2**20:.2f} MiB",
        "",
        "",
        "1 MiB",
        verdict(growth < 2**20),
    )
    line("wheel", f"{size / 1e6:.1f} MB", "", "", "10 MB", verdict(size < 10e6))
    for grad in (False, True):
        count = processes.instructions_per_call(grad)
        name = "a + b, 8 x 8" + (", with grad" if grad else "")
        print(f"{name}: instructions a call: {'no valgrind' if count is None else f'{count:.0f}'}")
    return ratio <= 1 and growth < 2**20 and size < 10e6


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-processes", action="store_true", help="only the rows in this process")
    options = parser.parse_args()
    line("row", "lucid", "peer", "ratio [90 % interval]", "bar", "")
    ok = compare()
    if not options.no_processes:
        ok = measure_processes() and ok
    print("every bar is met" if ok else "a bar is missed")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
