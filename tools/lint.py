"""Formatters and linters, each at the version pinned in pyproject.toml. Runs all and reports each.

`lint.py` checks; `--fix` rewrites instead; `--only NAME ...` runs some: configure format ruff lines
types syntax tidy. clang-tidy is slow and runs on request only (`make tidy`).
"""

import argparse
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = pathlib.Path(sys.executable).parent
CPP_SUFFIXES = {".h", ".cpp", ".inc"}
PYTHON_FOLDERS = ["python", "tests", "tools", "bench", "examples"]
MAX_LINES = 800
GENERATED = ("cpp/ops/ops.h", "cpp/ops/ops.cpp", "cpp/backend/BackendOps.inc")


def cpp_files() -> list[str]:
    """Sources in the tree that people write, in order."""
    files = [p for top in ("cpp", "tests") for p in (ROOT / top).rglob("*")]
    names = [str(p.relative_to(ROOT)) for p in sorted(files) if p.suffix in CPP_SUFFIXES]
    return [name for name in names if name not in GENERATED]


def python_folders() -> list[str]:
    """The folders that hold Python."""
    return [folder for folder in PYTHON_FOLDERS if (ROOT / folder).is_dir()]


def call(*command: object) -> int:
    """Runs one command in the root."""
    return subprocess.run([str(word) for word in command], cwd=ROOT, check=False).returncode


def check_lines() -> int:
    """Files hold one idea: a cap on their length (generated and golden files excepted)."""
    too_long = []
    paths = [ROOT / name for name in cpp_files()]
    paths += [p for folder in python_folders() for p in (ROOT / folder).rglob("*.py")]
    for path in paths:
        name = str(path.relative_to(ROOT))
        lines = len(path.read_text().splitlines())
        if lines > MAX_LINES and "/golden/" not in name:
            too_long.append(f"{name}: {lines} lines, the cap is {MAX_LINES}")
    print("\n".join(too_long), end="\n" if too_long else "")
    return bool(too_long)


def steps(fix: bool) -> dict[str, object]:
    """What can be run, by name, in order."""
    ruff = BIN / "ruff"
    if fix:
        return {
            "format": lambda: call(BIN / "clang-format", "-i", *cpp_files()),
            "ruff": lambda: (
                call(ruff, "check", "--fix", "-q", *python_folders())
                | call(ruff, "format", "-q", *python_folders())
            ),
        }
    stubs = sorted((ROOT / "python/lucid").rglob("*.pyi"))
    return {
        "configure": lambda: (
            subprocess.run(
                ["cmake", "--preset", "dev"], cwd=ROOT, check=False, stdout=subprocess.DEVNULL
            ).returncode
        ),
        "format": lambda: call(BIN / "clang-format", "--dry-run", "-Werror", *cpp_files()),
        "ruff": lambda: (
            call(ruff, "check", "-q", *python_folders())
            | call(ruff, "format", "--check", "-q", *python_folders())
        ),
        "lines": check_lines,
        "types": lambda: call(BIN / "mypy", "--no-error-summary", *stubs) if stubs else 0,
        "syntax": lambda: call(sys.executable, "tools/clang_check.py", "syntax", "build/dev"),
        "tidy": lambda: call(sys.executable, "tools/clang_check.py", "tidy", "build/dev"),
    }


def main() -> int:
    """Runs the chosen steps and says which failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fix", action="store_true")
    parser.add_argument("--only", nargs="+")
    args = parser.parse_args()
    chosen = steps(args.fix)
    names = args.only or [name for name in chosen if name != "tidy"]
    failed = []
    for name in names:
        begin = time.monotonic()
        code = chosen[name]()
        print(
            f"lint {name}: {'FAILED' if code else 'ok'} ({time.monotonic() - begin:.1f} s)",
            flush=True,
        )
        if code:
            failed.append(name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
