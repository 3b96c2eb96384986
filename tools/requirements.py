"""Prints what pyproject.toml requires, one a line: `requirements.py build test demo dev`.

`build` is the build system's list and the package's own dependencies; the others are its extras.
"""

import pathlib
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def requirements(groups: list[str]) -> list[str]:
    """The requirements of the named groups, in order, each once."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = config["project"]
    names: list[str] = []
    for group in groups:
        if group == "build":
            names += config["build-system"]["requires"] + project["dependencies"]
        else:
            names += project["optional-dependencies"][group]
    return list(dict.fromkeys(names))


if __name__ == "__main__":
    print("\n".join(requirements(sys.argv[1:])))
