"""Runs clang over every source of compile_commands.json.

`syntax` is clang++ -fsyntax-only with warnings as errors, `tidy` is clang-tidy with .clang-tidy:
`clang_check.py syntax build/dev [path ...]`; paths limit the run to sources below them.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

# g++ only, or about code generation.
DROP = (
    "-Wno-restrict",
    "-Wno-error=maybe-uninitialized",
    "-Wno-error=stringop-overflow",
    "-mtls-dialect=",
)


def clang_command(entry: dict[str, str], clang: str) -> list[str]:
    """The entry's command, for clang, without output and code generation."""
    words = shlex.split(entry["command"])
    command = [clang]
    skip = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word in ("-o", "-MF", "-MT"):
            skip = True
        elif word not in ("-c", "-MD") and not word.startswith(DROP):
            command.append(word)
    return command


def main() -> int:
    """Checks all sources, prints what clang says and the count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("check", choices=["syntax", "tidy"])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("paths", nargs="*", type=pathlib.Path)
    parser.add_argument("--clang", default="clang++")
    parser.add_argument("--tidy", default=str(pathlib.Path(sys.executable).parent / "clang-tidy"))
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    args = parser.parse_args()

    root = pathlib.Path(__file__).resolve().parent.parent
    limits = [path.resolve() for path in args.paths] or [root / "cpp", args.build.resolve()]
    entries = {
        entry["file"]: entry
        for entry in json.loads((args.build / "compile_commands.json").read_text())
        if any(pathlib.Path(entry["file"]).is_relative_to(limit) for limit in limits)
    }

    printed = subprocess.run(
        [args.clang, "-print-resource-dir"], capture_output=True, text=True, check=True
    )
    resources = ["-resource-dir", printed.stdout.strip()]

    def run(entry: dict[str, str]) -> str | None:
        command = clang_command(entry, args.clang)
        if args.check == "syntax":
            command.append("-fsyntax-only")
        else:
            # The wheel of clang-tidy has no headers of its own: clang's serve.
            command = [args.tidy, "--quiet", entry["file"], "--", *command[1:], *resources]
        result = subprocess.run(
            command, cwd=entry["directory"], capture_output=True, text=True, check=False
        )
        return (result.stdout + result.stderr) if result.returncode else None

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        faults = [text for text in pool.map(run, entries.values()) if text]
    print("\n".join(faults) if faults else f"ok: clang {args.check}, {len(entries)} sources")
    return 1 if faults or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
