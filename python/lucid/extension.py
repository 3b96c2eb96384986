"""Where an extension finds this lucid: for CMake, or for a compiler called by hand."""

from pathlib import Path

_ROOT = Path(__file__).parent
if not (_ROOT / "include").is_dir():  # a file linked into a staged package
    from lucid import _C

    _ROOT = Path(_C.engine.__file__).parent.parent


def cmake_dir():
    """For -DLucid_DIR=...: the folder of LucidConfig.cmake."""
    return str(_ROOT / "share" / "cmake" / "Lucid")


def include_dir():
    """The folder that holds lucid/lucid.h."""
    return str(_ROOT / "include")


def library_dir():
    """The folder that holds liblucid.so."""
    return str(_ROOT / "lib")
