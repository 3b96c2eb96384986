// logical_and, logical_or, logical_xor, logical_not: every number but 0 counts as true.
#include "lucid/kernel/Kernels.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct LogicalAnd : BinaryKernel<LogicalAnd> {
    static const OpSchema schema_v1;
};

const OpSchema LogicalAnd::schema_v1{.name = "logical_and",
                                     .signature = "logical_and(Tensor a, Tensor b) -> Tensor",
                                     .python = kFunction | kMethod | kInPlace,
                                     .no_gradient_reason = "bool result",
                                     .doc = R"(Whether a and b are both true (not 0), elementwise.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not.

>>> lucid.logical_and(lucid.tensor([1, 2]), lucid.tensor([0, 3])).tolist()
[False, True]
)"};

struct LogicalOr : BinaryKernel<LogicalOr> {
    static const OpSchema schema_v1;
};

const OpSchema LogicalOr::schema_v1{.name = "logical_or",
                                    .signature = "logical_or(Tensor a, Tensor b) -> Tensor",
                                    .python = kFunction | kMethod | kInPlace,
                                    .no_gradient_reason = "bool result",
                                    .doc = R"(Whether a or b is true (not 0), elementwise.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not.

>>> lucid.logical_or(lucid.tensor([0, 2]), lucid.tensor([0, 3])).tolist()
[False, True]
)"};

struct LogicalXor : BinaryKernel<LogicalXor> {
    static const OpSchema schema_v1;
};

const OpSchema LogicalXor::schema_v1{
    .name = "logical_xor",
    .signature = "logical_xor(Tensor a, Tensor b) -> Tensor",
    .python = kFunction | kMethod | kInPlace,
    .no_gradient_reason = "bool result",
    .doc = R"(Whether exactly one of a and b is true (not 0), elementwise.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not.

>>> lucid.logical_xor(lucid.tensor([1, 2]), lucid.tensor([0, 3])).tolist()
[True, False]
)"};

struct LogicalNot : UnaryKernel<LogicalNot> {
    static const OpSchema schema_v1;
};

const OpSchema LogicalNot::schema_v1{.name = "logical_not",
                                     .signature = "logical_not(Tensor x) -> Tensor",
                                     .python = kFunction | kMethod | kInPlace,
                                     .no_gradient_reason = "bool result",
                                     .doc = R"(Whether x is 0 (or False), elementwise.

Shapes: result as x, bool.
Raises nothing of its own.

>>> lucid.logical_not(lucid.tensor([0, 2])).tolist()
[True, False]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Logical) {
    static const OpDef defs[] = {LogicalAnd::op("logical_and", ResultDtype::Bool),
                                 LogicalOr::op("logical_or", ResultDtype::Bool),
                                 LogicalXor::op("logical_xor", ResultDtype::Bool),
                                 LogicalNot::op("logical_not", ResultDtype::Bool)};
    return defs;
}
