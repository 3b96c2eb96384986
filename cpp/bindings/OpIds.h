// The ops behind Python's operators and indexing, looked up by name once at import. These are the
// only op names that the bindings know.
#pragma once

#include <array>

#include "lucid/core/Attrs.h"
#include "lucid/core/OpRegistry.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

enum class Operator : uint8_t {
    Add,
    Sub,
    Mul,
    Div,
    FloorDivide,
    Remainder,
    Pow,
    Matmul,
    And,
    Or,
    Xor,
    Invert,
    LogicalAnd,
    LogicalOr,
    LogicalXor,
    LogicalNot,
    Neg,
    Abs,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Select,
    Slice,
    Unsqueeze,
    Squeeze,
    IndexSelect,
    Permute,
    Transpose,
    Cast,
    Clone,
    Contiguous,
    Where,
    Expand,
    Reshape,
    Count,
};
inline constexpr size_t kNumOperators = static_cast<size_t>(Operator::Count);

struct OperatorOp {
    OpId id = kNoOp;
    Attrs defaults;  // what the op takes besides tensors, by default
};
extern std::array<OperatorOp, kNumOperators> operator_ops;
void init_operator_ids();
[[noreturn]] void missing_operator(Operator which);

inline const OperatorOp& operator_op(Operator which) {
    const OperatorOp& op = operator_ops[static_cast<size_t>(which)];
    if (op.id == kNoOp) [[unlikely]]
        missing_operator(which);
    return op;
}
inline OpId require_op(Operator which) { return operator_op(which).id; }

}  // namespace bindings
LUCID_NAMESPACE_END
