"""The environment of the peers that `make bench` measures against.

`peers.py install bench/peers.txt` fills the environment of the Python that runs it; lines below
`# no-deps` are installed without their dependencies (torch otherwise pulls in gigabytes of wheels).
`peers.py run script ...` runs a script there, with the CUDA libraries of the wheels and of the
toolkit in reach of the loader, which a torch that was installed that way needs.
"""

import os
import pathlib
import site
import subprocess
import sys


def parse(text: str) -> tuple[list[str], list[str]]:
    """The requirements with and without dependencies."""
    parts: tuple[list[str], list[str]] = ([], [])
    part = parts[0]
    for line in text.splitlines():
        if line.strip() == "# no-deps":
            part = parts[1]
        elif line.strip() and not line.startswith("#"):
            part.append(line.strip())
    return parts


def library_folders() -> list[str]:
    """Where CUDA's libraries may be: the wheels' folders, then the toolkit's."""
    folders = [
        path
        for packages in site.getsitepackages()
        for path in sorted(pathlib.Path(packages).glob("nvidia/*/lib"))
    ]
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    for root in filter(None, [home, "/usr/local/cuda"]):
        folders += [p for p in (pathlib.Path(root) / "lib64",) if p.is_dir()]
    return [str(folder) for folder in folders]


def install(path: str) -> None:
    """Fills this Python's environment."""
    plain, no_deps = parse(pathlib.Path(path).read_text())
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, *plain], check=True)
    if no_deps:
        subprocess.run([*pip, "--no-deps", *no_deps], check=True)


def run(args: list[str]) -> None:
    """Becomes the script, since the loader reads its path at the start of a process."""
    paths = [*library_folders(), os.environ.get("LD_LIBRARY_PATH", "")]
    os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, paths))
    os.execv(sys.executable, [sys.executable, *args])


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "install":
        install(rest[0])
    else:
        run(rest)
