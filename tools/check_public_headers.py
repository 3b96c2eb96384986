"""Compiles each installed header alone: a public header is self-contained.

`check_public_headers.py --include <prefix>/include`. The headers for bindings are left out
unless the library that they cast for is named by --extra (an include folder).
"""

import argparse
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
CASTERS = {
    "lucid/nanobind.h": "nanobind/nanobind.h",
    "lucid/pybind11.h": "pybind11/pybind11.h",
    "lucid/python_api.h": "Python.h",
}


def find_headers(include: pathlib.Path, extra: list[pathlib.Path]) -> list[str]:
    """The headers to try, as a user would write them."""
    names = sorted(str(p.relative_to(include)) for p in include.glob("lucid/**/*.h"))
    return [
        name
        for name in names
        if name not in CASTERS or any((folder / CASTERS[name]).exists() for folder in extra)
    ]


def check(
    compiler: list[str], include: pathlib.Path, extra: list[pathlib.Path], jobs: int
) -> tuple[list[str], int]:
    """The headers that do not compile alone, with the compiler's words, and how many were tried."""
    command = [*compiler, *FLAGS, f"-I{include}", *(f"-isystem{folder}" for folder in extra)]

    def fault(name: str) -> str | None:
        run = subprocess.run(
            [*command, "-x", "c++", "-"],
            input=f"#include <{name}>\n#include <{name}>\n",
            capture_output=True,
            text=True,
            check=False,
        )
        return f"{name}\n{run.stderr}" if run.returncode else None

    names = find_headers(include, extra)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return [text for text in pool.map(fault, names) if text], len(names)


def self_test(compiler: list[str]) -> list[str]:
    """A header that needs another, but does not include it, must be caught."""
    with tempfile.TemporaryDirectory() as folder:
        include = pathlib.Path(folder)
        (include / "lucid").mkdir()
        (include / "lucid" / "bad.h").write_text("#pragma once\ninline std::string f();\n")
        (include / "lucid" / "good.h").write_text("#pragma once\n#include <string>\n")
        faults, _ = check(compiler, include, [], 1)
        caught = [fault.split("\n")[0] for fault in faults]
        return [] if caught == ["lucid/bad.h"] else [f"self-test: caught {caught}"]


def main() -> int:
    """Checks the tree, after the checker itself."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--include", type=pathlib.Path, required=True)
    parser.add_argument("--extra", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    compiler = args.compiler.split()
    faults = self_test(compiler)
    found, count = check(compiler, args.include, args.extra, args.jobs)
    faults += found
    if count == 0:
        faults.append(f"no headers below {args.include}")
    print("\n".join(faults) if faults else f"ok: {count} public headers compile alone")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
