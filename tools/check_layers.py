"""Proves the layer rule: bindings -> ops -> kernel -> autograd -> backend -> tensor -> core.

`includes` reads every source: an include of ours is written "lucid/<layer>/X.h", never with a path
that leaves its folder, which would walk around the include roots. `compile` feeds the compiler one
include for every ordered pair of layers: forbidden ones must fail because the file is not there,
allowed ones must compile. `self-test` breaks both rules in a copy and wants to see them caught.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LAYERS = ["bindings", "ops", "kernel", "autograd", "backend", "tensor", "core"]
INCLUDE = re.compile(r'^\s*#\s*include(?:_next)?\s*(["<])([^">]+)[">]')
SOURCES = {".h", ".cpp", ".inc"}


def check_includes(cpp: pathlib.Path) -> list[str]:
    """The faults of all sources below cpp."""
    faults = []
    for path in sorted(p for p in cpp.rglob("*") if p.suffix in SOURCES and p.is_file()):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, name = match.groups()
            where = f"{path.relative_to(cpp.parent)}:{number}"
            if ".." in name.split("/") or name.startswith("/"):
                faults.append(f"{where}: include leaves its folder: {name}")
            elif quote == '"' and (path.parent / name).exists() and "tests" not in path.parts:
                faults.append(f'{where}: write "lucid/<layer>/...": {name}')
    return faults


def sample_header(cpp: pathlib.Path, layer: str) -> str | None:
    """The smallest header of a layer: what the probe includes."""
    headers = list((cpp / layer).glob("*.h"))
    if not headers:
        return None
    return f"lucid/{layer}/{min(headers, key=lambda p: (p.stat().st_size, p.name)).name}"


def compiles(compiler: list[str], includes: list[pathlib.Path], header: str) -> tuple[bool, str]:
    """Whether a file of one include compiles, and what the compiler said."""
    command = [*compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-"]
    command += [f"-I{include}" for include in includes]
    run = subprocess.run(
        command, input=f'#include "{header}"\n', capture_output=True, text=True, check=False
    )
    return run.returncode == 0, run.stderr


def check_compile(
    compiler: list[str], cpp: pathlib.Path, roots: pathlib.Path, generated: pathlib.Path, jobs: int
) -> tuple[list[str], int]:
    """The pairs of layers whose include behaves wrongly, and how many pairs were tried."""
    faults = []
    probes = []
    for j, target in enumerate(LAYERS):
        header = sample_header(cpp, target)
        if header is None:
            faults.append(f"layer {target} has no header to include")
            continue
        for i, source in enumerate(LAYERS):
            # The headers of bindings need Python's own; only that nobody reaches them is tried.
            if target != "bindings" or i > j:
                probes.append((source, target, header, i <= j))

    def probe(item: tuple[str, str, str, bool]) -> str | None:
        source, target, header, allowed = item
        works, said = compiles(compiler, [roots / source, generated], header)
        if allowed:
            return None if works else f"{source} -> {target}: must compile but does not:\n{said}"
        if works:
            return f"{source} -> {target}: is forbidden but compiles ({header})"
        # It has to fail because the file is out of reach, not for some other fault.
        if re.search(f"{re.escape(header)}(' file not found|: No such file)", said):
            return None
        return f"{source} -> {target}: fails, but not as a missing file:\n{said}"

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        faults += [fault for fault in pool.map(probe, probes) if fault]
    return faults, len(probes)


def self_test(compiler: list[str], cpp: pathlib.Path, roots: pathlib.Path, generated: pathlib.Path):
    """Breaks the rules on purpose. Returns what was not caught."""
    missed = []
    with tempfile.TemporaryDirectory() as folder:
        bad = pathlib.Path(folder) / "cpp"
        (bad / "core").mkdir(parents=True)
        (bad / "core" / "A.h").write_text('#pragma once\n#include "../tensor/B.h"\n')
        (bad / "core" / "B.h").write_text('#pragma once\n#include "A.h"\n')
        (bad / "core" / "C.h").write_text("#pragma once\n#  include <lucid/core/../tensor/B.h>\n")
        (bad / "core" / "D.h").write_text('#pragma once\n#include "lucid/core/A.h"\n')
        if [fault.split(":")[0] for fault in check_includes(bad)] != [
            f"cpp/core/{name}.h" for name in "ABC"
        ]:
            missed.append(f"includes: found only {check_includes(bad)}")
        # A root that lets core see tensor, and one that hides core from ops.
        broken = pathlib.Path(folder) / "roots"
        shutil.copytree(roots, broken, symlinks=True)
        (broken / "core" / "lucid" / "tensor").symlink_to(cpp / "tensor")
        (broken / "ops" / "lucid" / "core").unlink()
        faults, _ = check_compile(compiler, cpp, broken, generated, 2)
        for expected in ("core -> tensor: is forbidden", "ops -> core: must compile"):
            if not any(fault.startswith(expected) for fault in faults):
                missed.append(f"compile: not caught: {expected}")
    return missed


def main() -> int:
    """Runs the named check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("check", choices=["includes", "compile", "self-test"])
    parser.add_argument("--cpp", type=pathlib.Path, required=True)
    parser.add_argument("--roots", type=pathlib.Path)
    parser.add_argument("--generated", type=pathlib.Path)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    compiler = args.compiler.split()
    args.cpp = args.cpp.resolve()
    if args.check == "includes":
        faults, what = check_includes(args.cpp), "every include"
    elif args.check == "compile":
        faults, count = check_compile(compiler, args.cpp, args.roots, args.generated, args.jobs)
        what = f"{count} pairs of layers"
    else:
        faults = self_test(compiler, args.cpp, args.roots, args.generated)
        what = "the planted faults are caught"
    print("\n".join(faults) if faults else f"ok: {what}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
