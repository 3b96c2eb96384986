// OpDef: the five slots of an op in one constant (the fifth, reference and samples, is the op's
// test). An op file ends with
//     LUCID_REGISTER_OPS(Exponential) {
//         static const OpDef defs[] = {unary_op<ExpBackward>("exp"), ...};
//         return defs;
//     }
// and the build collects these lists; nothing else names the op.
#pragma once

#include <span>
#include <vector>

#include "lucid/autograd/RuleTable.h"
#include "lucid/backend/KernelTable.h"
#include "lucid/core/OpSchema.h"

LUCID_NAMESPACE_BEGIN

// The body of an op that does not take the generic path (views, compositions, FuncOps). Tensor
// arguments in the order of the signature (a Tensor[] last, spread out; an absent optional one is
// undefined).
using EntryFn = std::vector<Tensor> (*)(std::span<const Tensor* const> inputs, const Attrs& attrs);

struct OpDef {
    const OpSchema* schema = nullptr;
    // Forward: the shape rule (nullptr: elementwise) for the generic path, or an entry of its own.
    InferFn infer = nullptr;
    EntryFn entry = nullptr;
    ResultDtype result = ResultDtype::Same;
    ViewFn view = nullptr;
    // Gradient.
    VjpFn vjp = nullptr;
    DecomposeFn decompose = nullptr;
    bool is_func_op = false;  // its node is a FuncOp that its entry attaches
    // Kernels.
    Kernel cpu = {};
    Kernel cuda = {};
};

// Fills the registry and the tables. Throws InvalidArgument, naming the op and the slot, when one
// is missing: no forward, no kernel, a backward name without a rule, no gradient without a reason.
LUCID_API void register_op_defs(std::span<const OpDef> defs, const char* library = "lucid");

// Entry functions by id, for the generic call.
LUCID_API const OpDef& op_def(OpId op) noexcept;

LUCID_NAMESPACE_END

#define LUCID_REGISTER_OPS(Stem)                      \
    namespace lucid {                                 \
    inline namespace v0 {                             \
    namespace ops {                                   \
    std::span<const ::lucid::OpDef> Stem##_op_defs(); \
    }                                                 \
    }                                                 \
    }                                                 \
    std::span<const ::lucid::OpDef> lucid::v0::ops::Stem##_op_defs()
