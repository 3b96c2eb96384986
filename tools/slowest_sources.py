"""Prints the sources that took longest to compile, from a build folder's .ninja_log."""

import pathlib
import sys


def slowest(log: str, count: int) -> list[tuple[float, str]]:
    """(seconds, object) of the slowest objects; the last build of each counts."""
    seconds: dict[str, float] = {}
    for line in log.splitlines():
        fields = line.split("\t")
        if len(fields) == 5 and fields[3].endswith(".o"):
            seconds[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return sorted(((s, name) for name, s in seconds.items()), reverse=True)[:count]


if __name__ == "__main__":
    build = pathlib.Path(sys.argv[1])
    rows = slowest((build / ".ninja_log").read_text(), 10)
    print(f"ten slowest sources of {build}")
    for spent, name in rows:
        short = name.split(".dir/", 1)[-1].removesuffix(".o")
        print(f"  {spent:6.1f} s  {short}")
