#!/usr/bin/env python3
"""Write the type stubs of the package from the op table and the module that is built.

Needs `lucid` on the path. Writes python/lucid/_C/engine.pyi (types, and each op as a function and
as a method) and python/lucid/__init__.pyi (what `import lucid` gives). `--check` writes nothing and
fails when one of them is stale.
"""

import argparse
import inspect
import pathlib
import sys
import types

import lucid
from lucid._C import engine

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "lucid"

# Plain `int` and its like are dtypes, or methods of Tensor, in these scopes.
INT, FLOAT, BOOL = "builtins.int", "builtins.float", "builtins.bool"
TYPES = {
    "Tensor": "TensorLike",
    "Tensor?": "TensorLike | None",
    "Tensor[]": "Sequence[Tensor]",
    "Scalar": "Number",
    "Scalar?": "Number | None",
    "int": INT,
    "int?": f"{INT} | None",
    "int[]": f"{INT} | Sequence[{INT}]",
    "int[]?": f"{INT} | Sequence[{INT}] | None",
    "float": FLOAT,
    "float?": f"{FLOAT} | None",
    "bool": BOOL,
    "str": "builtins.str",
    "Dtype": "_dtype",
    "Dtype?": "_dtype | None",
    "Device": "DeviceLike",
    "Device?": "DeviceLike | None",
}

HEADER = """# Written by tools/gen_stubs.py from the op table. Do not edit.
import builtins
from collections.abc import Sequence
from typing import Any

"""

ALIASES = f"""_dtype = dtype
Number = {BOOL} | {INT} | {FLOAT} | builtins.complex
TensorLike = Tensor | Number
DeviceLike = device | builtins.str
StreamLike = Stream | DeviceLike | None

"""


def parameters(args: list[dict], skip_first: bool) -> str:
    """The parameter list of an op, `stream` last."""
    parts, keyword_only = [], False
    for arg in args[1:] if skip_first else args:
        if arg["keyword_only"] and not keyword_only:
            parts.append("*")
            keyword_only = True
        text = f"{arg['name']}: {TYPES[arg['type']]}"
        if arg["default"] is not None:
            text += f" = {arg['default']}"
        parts.append(text)
    if not keyword_only:
        parts.append("*")
    parts.append("stream: StreamLike = None")
    return ", ".join(parts)


def result(signature: str) -> str:
    returned = signature.rsplit("->", 1)[1].strip()
    if returned == "Tensor":
        return "Tensor"
    if returned == "Tensor[]":
        return "list[Tensor]"
    return f"tuple[{returned.strip('()')}]"


def op_function(row: dict) -> str:
    arguments = parameters(row["arguments"], False)
    return f"def {row['name']}({arguments}) -> {result(row['signature'])}: ..."


def op_method(row: dict, name: str) -> str:
    rest = parameters(row["arguments"], True)
    return f"    def {name}(self, {rest}) -> {result(row['signature'])}: ..."


def python_function(name: str, function: object, indent: str = "", method: bool = False) -> str:
    """Of a function that is not in the op table: what inspect knows, without types."""
    try:
        found = inspect.signature(function)
        parts = [
            str(p.replace(annotation=inspect.Parameter.empty, default=inspect.Parameter.empty))
            + ("" if p.default is inspect.Parameter.empty else "=...")
            for p in found.parameters.values()
        ]
        text = ", ".join(parts)
        if any(p.kind is inspect.Parameter.POSITIONAL_ONLY for p in found.parameters.values()):
            raise ValueError
    except (TypeError, ValueError):
        text = "self, *args: Any, **kwargs: Any" if method else "*args: Any, **kwargs: Any"
    return f"{indent}def {name}({text}) -> Any: ..."


SKIPPED_MEMBERS = {
    "__class__",
    "__doc__",
    "__new__",
    "__weakref__",
    "__dict__",
    "__hash__",
    "__init__",
}


def class_stub(cls: type, rows: dict[str, dict]) -> list[str]:
    bases = ", ".join(b.__name__ for b in cls.__bases__ if b is not object)
    lines = [f"class {cls.__name__}({bases}):" if bases else f"class {cls.__name__}:"]
    for name in sorted(vars(cls)):
        member = inspect.getattr_static(cls, name)
        if name.startswith("_") and not (name.startswith("__") and callable(member)):
            continue
        if name in SKIPPED_MEMBERS:
            continue
        if cls is engine.Tensor and name in rows and "method" in rows[name]["forms"]:
            lines.append(op_method(rows[name], name))
        elif cls is engine.Tensor and name[:-1] in rows and name.endswith("_"):
            lines.append(op_method(rows[name[:-1]], name))
        elif isinstance(member, (types.GetSetDescriptorType, types.MemberDescriptorType, property)):
            lines.append(f"    {name}: Any")
        elif isinstance(member, staticmethod):
            lines.append("    @staticmethod")
            lines.append(python_function(name, member.__func__, "    "))
        elif isinstance(member, (classmethod, types.ClassMethodDescriptorType)):
            lines.append("    @classmethod")
            lines.append(f"    def {name}(cls, *args: Any, **kwargs: Any) -> Any: ...")
        elif callable(member):
            lines.append(python_function(name, member, "    ", method=True))
        else:
            lines.append(f"    {name}: Any")
    if len(lines) == 1:
        lines[0] += " ..."
    return lines


def table_rows() -> dict[str, dict]:
    return {row["name"]: row for row in lucid.ops.table() if row["library"] == "lucid"}


def public(module: types.ModuleType) -> list[str]:
    return sorted(n for n in vars(module) if not n.startswith("_") or n == "__version__")


def engine_stub() -> str:
    rows = table_rows()
    classes, functions, constants = [], [], []
    for name in sorted(n for n in vars(engine) if not n.startswith("__") or n == "__version__"):
        value = getattr(engine, name)
        if isinstance(value, type):
            classes.append("\n".join(class_stub(value, rows)))
        elif callable(value) and not isinstance(value, engine.dtype):
            functions.append(python_function(name, value))
        else:
            constants.append(
                f"{name}: {type(value).__name__ if isinstance(value, engine.dtype) else 'Any'}"
            )
    ops = [op_function(row) for _, row in sorted(rows.items()) if "function" in row["forms"]]
    return (
        HEADER
        + "\n\n".join(classes)
        + "\n\n"
        + ALIASES
        + "\n".join([*constants, *functions])
        + "\n\n# The ops; at run time they are in lucid, not here.\n"
        + "\n".join(ops)
        + "\n"
    )


def package_stub() -> str:
    rows = table_rows()
    from_engine, modules, functions, constants = [], [], [], []
    for name in public(lucid):
        value = getattr(lucid, name)
        if (name in rows and value is engine._functions.get(name)) or getattr(
            engine, name, None
        ) is value:
            from_engine.append(name)
        elif isinstance(value, types.ModuleType):
            modules.append(name)
        elif isinstance(value, engine.dtype):
            constants.append(f"{name}: dtype")
        elif isinstance(value, type):
            module = value.__module__
            home = module if module != "lucid._C.engine" else "lucid._C.engine"
            functions.append(f"from {home} import {value.__name__} as {name}")
        elif callable(value):
            functions.append(python_function(name, value))
        else:
            constants.append(f"{name}: {type(value).__name__ if value is not None else None}")
    lines = [
        "# Written by tools/gen_stubs.py from the op table. Do not edit.",
        "from typing import Any",
        "",
    ]
    lines += [f"from lucid import {name} as {name}" for name in modules]
    lines.append("from lucid._C.engine import (")
    lines += [f"    {name} as {name}," for name in from_engine]
    lines += [")", "", *constants, *functions]
    return "\n".join(lines) + "\n"


def generated() -> dict[pathlib.Path, str]:
    return {PACKAGE / "_C" / "engine.pyi": engine_stub(), PACKAGE / "__init__.pyi": package_stub()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a stub is stale")
    check = parser.parse_args().check
    stale = []
    for path, text in generated().items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.write_text(text)
    if check and stale:
        print("stale, run tools/gen_stubs.py:", *stale)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
