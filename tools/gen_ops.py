#!/usr/bin/env python3
"""Write the C++ functions of every op from the signatures in the op files.

Reads each `.signature = "..."` under cpp/ops and writes three checked-in files:
cpp/ops/ops.h and cpp/ops/ops.cpp (free functions on Tensors) and cpp/backend/BackendOps.inc
(members of IBackend on Storages). `--check` writes nothing and fails when one of them is stale.
"""

import argparse
import pathlib
import re
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPS_DIR = ROOT / "cpp" / "ops"

SIGNATURE = re.compile(r"\.signature\s*=\s*((?:\"(?:[^\"\\]|\\.)*\"\s*)+)")
LITERAL = re.compile(r"\"((?:[^\"\\]|\\.)*)\"")

# signature type -> (parameter type, attribute expression with {} for the name)
TENSOR_TYPES = {
    "Tensor": "const Tensor&",
    "Tensor?": "const Tensor&",
    "Tensor[]": "const std::vector<Tensor>&",
}
VALUE_TYPES = {
    "Scalar": ("Scalar", "{}"),
    "Scalar?": ("std::optional<Scalar>", "optional_attr({})"),
    "int": ("int64_t", "Scalar({})"),
    "int?": ("std::optional<int64_t>", "optional_attr({})"),
    "int[]": ("const Dims&", "{}"),
    "int[]?": ("const std::optional<Dims>&", "optional_attr({})"),
    "float": ("double", "Scalar({})"),
    "float?": ("std::optional<double>", "optional_attr({})"),
    "bool": ("bool", "Scalar({})"),
    "str": ("const std::string&", "{}"),
    "Dtype": ("Dtype", "{}"),
    "Dtype?": ("std::optional<Dtype>", "optional_attr({})"),
    "Device": ("Device", "to_string({})"),
    "Device?": ("std::optional<Device>", "optional_attr({})"),
}


@dataclass
class Arg:
    type: str
    name: str
    default: str | None

    @property
    def is_tensor(self) -> bool:
        return self.type in TENSOR_TYPES


@dataclass
class Op:
    name: str
    args: list[Arg]
    outputs: str  # "Tensor", "Tensor[]" or "(Tensor, ...)"

    @property
    def single(self) -> bool:
        return self.outputs == "Tensor"


def split_args(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [p for p in parts if p]


def parse_signature(text: str) -> Op:
    head, outputs = text.rsplit("->", 1)
    name, rest = head.split("(", 1)
    args = []
    for part in split_args(rest.rstrip().removesuffix(")")):
        if part == "*":
            continue
        declared, _, default = part.partition("=")
        type_, arg_name = declared.strip().rsplit(" ", 1)
        type_ = type_.strip()
        if type_ not in TENSOR_TYPES and type_ not in VALUE_TYPES:
            raise SystemExit(f"gen_ops: unknown type {type_!r} in {text!r}")
        args.append(Arg(type_, arg_name, default.strip() or None))
    return Op(name.strip(), args, outputs.strip())


def read_ops() -> list[Op]:
    ops = {}
    for path in sorted(OPS_DIR.rglob("*.cpp")):
        for match in SIGNATURE.finditer(path.read_text()):
            op = parse_signature("".join(LITERAL.findall(match.group(1))))
            if op.name in ops:
                raise SystemExit(f"gen_ops: {op.name} is declared twice")
            ops[op.name] = op
    return [ops[name] for name in sorted(ops)]


# C++ keywords and library names that an op may be called.
CPP_NAMES = {"where": "where", "not": "not_", "and": "and_", "or": "or_"}


def cpp_name(name: str) -> str:
    return CPP_NAMES.get(name, name)


def default_of(arg: Arg) -> str | None:
    if arg.default is None:
        return None
    if arg.default == "None":
        return "{}"
    if arg.default in ("True", "False"):
        return arg.default.lower()
    if arg.default.startswith(("'", '"')):
        return '"' + arg.default[1:-1] + '"'
    if arg.default.startswith(("(", "[")):
        return "{" + arg.default[1:-1] + "}" if arg.type.startswith("int[]") else arg.default
    if arg.type.startswith("int[]"):
        return "{" + arg.default + "}"
    if arg.type == "Scalar":
        return f"Scalar({arg.default})"
    return arg.default


def parameters(op: Op, tensor: str, defaults: bool, stream: bool) -> str:
    """C++ needs required parameters first: keyword-only ones move before defaulted ones."""
    required = [a for a in op.args if a.default is None]
    optional = [a for a in op.args if a.default is not None]
    parts = []
    for arg in required + optional:
        type_ = TENSOR_TYPES.get(arg.type) or VALUE_TYPES[arg.type][0]
        text = f"{type_.replace('Tensor', tensor)} {arg.name}"
        if defaults and arg.default is not None:
            text += f" = {default_of(arg)}"
        parts.append(text)
    if stream:
        parts.append("StreamOrDevice s = {}" if defaults else "StreamOrDevice s")
    return ", ".join(parts)


def inputs_code(op: Op, tensor: str) -> list[str]:
    tensors = [a for a in op.args if a.is_tensor]
    if any(a.type == "Tensor[]" for a in tensors):
        lines = [f"    std::vector<const {tensor}*> inputs;"]
        for arg in tensors:
            if arg.type == "Tensor[]":
                lines.append(
                    f"    for (const {tensor}& each : {arg.name}) inputs.push_back(&each);"
                )
            else:
                lines.append(f"    inputs.push_back(&{arg.name});")
        return lines
    if not tensors:
        return [f"    const std::span<const {tensor}* const> inputs;"]
    names = ", ".join(f"&{a.name}" for a in tensors)
    return [f"    const {tensor}* const inputs[] = {{{names}}};"]


def attrs_code(op: Op) -> str:
    values = [VALUE_TYPES[a.type][1].format(a.name) for a in op.args if not a.is_tensor]
    return f"Attrs::of({', '.join(values)})" if values else "kNoAttrs"


def ops_header(ops: list[Op]) -> str:
    lines = [
        "// Written by tools/gen_ops.py from the signatures of the ops. Do not edit.",
        "// Every op as a free function; the last argument picks a stream.",
        "#pragma once",
        "",
        "#include <optional>",
        "#include <string>",
        "#include <vector>",
        "",
        '#include "lucid/backend/StreamOrDevice.h"',
        '#include "lucid/tensor/TensorImpl.h"',
        "",
        "LUCID_NAMESPACE_BEGIN",
        "",
        "// clang-format off",
    ]
    for op in ops:
        result = "Tensor" if op.single else "std::vector<Tensor>"
        lines.append(
            f"LUCID_API {result} {cpp_name(op.name)}({parameters(op, 'Tensor', True, True)});"
        )
    lines += ["// clang-format on", "", "LUCID_NAMESPACE_END", ""]
    return "\n".join(lines)


HELPER = """namespace {

const Attrs kNoAttrs;

template <typename T>
AttrValue optional_attr(const std::optional<T>& value) {
    if (!value) return std::monostate();
    if constexpr (std::is_constructible_v<AttrValue, T> && !std::is_arithmetic_v<T>) {
        return *value;
    } else if constexpr (std::is_same_v<T, Device>) {
        return to_string(*value);
    } else {
        return Scalar(*value);
    }
}

}  // namespace
"""


# In this file, so that whoever links an op, statically too, links the registration.
INSTALL = """namespace ops {
void register_all_ops();
}

namespace {

// An incomplete op ends the process here, and so the build, which loads the library once.
[[gnu::constructor]] void install_ops() {
    try {
        ops::register_all_ops();
        install_core_ops();
    } catch (const Error& error) {
        std::fprintf(stderr, "lucid: the op table is incomplete: %s\\n", error.what());
        std::abort();
    }
}

}  // namespace
"""


def ops_source(ops: list[Op]) -> str:
    lines = [
        "// Written by tools/gen_ops.py from the signatures of the ops. Do not edit.",
        '#include "lucid/ops/ops.h"',
        "",
        "#include <cstdio>",
        "#include <cstdlib>",
        "",
        '#include "lucid/core/Attrs.h"',
        '#include "lucid/core/Error.h"',
        '#include "lucid/kernel/Run.h"',
        '#include "lucid/ops/Install.h"',
        "",
        "LUCID_NAMESPACE_BEGIN",
        "",
        HELPER,
        INSTALL,
        "// clang-format off",
    ]
    for op in ops:
        result = "Tensor" if op.single else "std::vector<Tensor>"
        call = "call_op_one" if op.single else "call_op"
        lines.append(f"{result} {cpp_name(op.name)}({parameters(op, 'Tensor', False, True)}) {{")
        lines.append(f'    static const OpId id = OpRegistry::require("{op.name}");')
        lines += inputs_code(op, "Tensor")
        lines.append(f"    return {call}(id, inputs, {attrs_code(op)}, s);")
        lines += ["}", ""]
    lines += ["// clang-format on", "LUCID_NAMESPACE_END", ""]
    return "\n".join(lines)


def is_backend_op(op: Op) -> bool:
    return any(a.is_tensor for a in op.args) and op.name in backend_names()


_backend_names: set[str] | None = None


def backend_names() -> set[str]:
    """Ops with a kernel or a view of their own; compositions have no meaning on raw Storages."""
    global _backend_names
    if _backend_names is None:
        _backend_names = set()
        for path in sorted(OPS_DIR.rglob("*.cpp")):
            text = path.read_text()
            composed = set(re.findall(r"composition\(\s*([A-Za-z0-9_:]+)", text))
            composed |= {c + "::schema_v1" for c in re.findall(r"func_op<([A-Za-z0-9_:]+)>", text)}
            for match in re.finditer(
                r"OpSchema\s+([A-Za-z0-9_:]+)\s*(?:=\s*(?:OpSchema)?)?\s*\{(.*?)\};", text, re.S
            ):
                found = SIGNATURE.search(match.group(2))
                if found and match.group(1) not in composed:
                    text_ = "".join(LITERAL.findall(found.group(1)))
                    _backend_names.add(parse_signature(text_).name)
    return _backend_names


def backend_members(ops: list[Op]) -> str:
    lines = [
        "// Written by tools/gen_ops.py from the signatures of the ops. Do not edit.",
        "// clang-format off",
    ]
    for op in filter(is_backend_op, ops):
        result = "Storage" if op.single else "std::vector<Storage>"
        lines.append(f"{result} {cpp_name(op.name)}({parameters(op, 'Storage', True, False)});")
    lines += ["// clang-format on", ""]
    return "\n".join(lines)


def backend_source(ops: list[Op]) -> str:
    lines = [
        "// Written by tools/gen_ops.py from the signatures of the ops. Do not edit.",
        '#include "lucid/backend/IBackend.h"',
        "",
        "LUCID_NAMESPACE_BEGIN",
        "",
        HELPER,
        "// clang-format off",
    ]
    for op in filter(is_backend_op, ops):
        result = "Storage" if op.single else "std::vector<Storage>"
        call = "call_one" if op.single else "call"
        lines.append(
            f"{result} IBackend::{cpp_name(op.name)}({parameters(op, 'Storage', False, False)}) {{"
        )
        lines.append(f'    static const OpId id = OpRegistry::require("{op.name}");')
        lines += inputs_code(op, "Storage")
        lines.append(f"    return {call}(id, inputs, {attrs_code(op)});")
        lines += ["}", ""]
    lines += ["// clang-format on", "LUCID_NAMESPACE_END", ""]
    return "\n".join(lines)


def generated() -> dict[pathlib.Path, str]:
    ops = read_ops()
    backend = ROOT / "cpp" / "backend"
    return {
        OPS_DIR / "ops.h": ops_header(ops),
        OPS_DIR / "ops.cpp": ops_source(ops),
        backend / "BackendOps.inc": backend_members(ops),
        backend / "BackendOps.cpp": backend_source(ops),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a generated file is stale")
    check = parser.parse_args().check
    stale = []
    for path, text in generated().items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.relative_to(ROOT))
        if not check:
            path.write_text(text)
    if check and stale:
        print("stale, run tools/gen_ops.py:", *stale)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
