"""Compares what liblucid.so exports with cpp/tests/golden/exported_symbols.txt.

The list holds functions, variables, vtables and typeinfo of lucid. Inline functions and what
templates leave behind (weak symbols) depend on the optimiser and are no part of it. A strong symbol
that is not lucid's fails: something private leaked. `--update` rewrites the golden file.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys

OURS = re.compile(
    r"^(?:(?:vtable|VTT|typeinfo|typeinfo name|construction vtable|guard variable) for |"
    r"(?:non-virtual|virtual|covariant return) thunk to )?lucid::"
)
# What the linker itself adds.
LINKER = {"_init", "_fini", "__bss_start", "_edata", "_end"}


def parse(nm_output: str) -> tuple[list[str], list[str]]:
    """The exported names of lucid, and the strong ones that are not lucid's."""
    ours: set[str] = set()
    foreign: set[str] = set()
    for line in nm_output.splitlines():
        match = re.match(r"^[0-9a-f]*\s+([A-Za-z])\s+(.*)$", line)
        if not match:
            continue
        kind, name = match.groups()
        name = name.strip()
        if OURS.match(name):
            # Typeinfo and vtables are weak by design (merged by name), functions by accident.
            if kind not in "wWu" or "for lucid::" in name:
                ours.add(name)
        elif kind in "TDBR" and name not in LINKER:
            foreign.add(name)
    return sorted(ours), sorted(foreign)


def exported(library: pathlib.Path) -> tuple[list[str], list[str]]:
    """Reads a library with nm."""
    run = subprocess.run(
        ["nm", "-D", "--defined-only", "-C", str(library)],
        capture_output=True,
        text=True,
        check=True,
    )
    return parse(run.stdout)


def self_test() -> list[str]:
    """Planted symbols: each is sorted where it belongs."""
    ours, foreign = parse(
        "0000000000001140 T lucid::v0::f(int)\n"
        "0000000000001150 W lucid::v0::inline_one()\n"
        "0000000000001160 V typeinfo for lucid::v0::Error\n"
        "0000000000001170 W std::vector<lucid::v0::Ref<int>>::~vector()\n"
        "0000000000001180 T cblas_leak\n"
    )
    expected = ["lucid::v0::f(int)", "typeinfo for lucid::v0::Error"]
    return [] if (ours, foreign) == (expected, ["cblas_leak"]) else [f"self-test: {ours} {foreign}"]


def main() -> int:
    """Compares or updates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--golden", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    faults = self_test()
    ours, foreign = exported(args.library)
    faults += [f"exported, but not lucid's: {name}" for name in foreign]
    if args.update:
        args.golden.parent.mkdir(parents=True, exist_ok=True)
        args.golden.write_text("".join(f"{name}\n" for name in ours))
    golden = args.golden.read_text().splitlines() if args.golden.exists() else []
    if golden != ours:
        faults += difflib.unified_diff(golden, ours, "golden", "library", n=0, lineterm="")
        faults.append("if this is meant: make golden")
    print("\n".join(faults) if faults else f"ok: {len(ours)} exported symbols")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
