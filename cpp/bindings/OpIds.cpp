#include "lucid/bindings/OpIds.h"

#include <string>

#include "lucid/bindings/OpDefaults.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

std::array<OperatorOp, kNumOperators> operator_ops{};

namespace {

// In the order of the enum.
constexpr std::array<const char*, kNumOperators> kNames = {
    "add",         "sub",        "mul",         "div",         "floor_divide", "remainder",
    "pow",         "matmul",     "bitwise_and", "bitwise_or",  "bitwise_xor",  "bitwise_not",
    "logical_and", "logical_or", "logical_xor", "logical_not", "neg",          "abs",
    "eq",          "ne",         "lt",          "le",          "gt",           "ge",
    "select",      "slice",      "unsqueeze",   "squeeze",     "index_select", "permute",
    "transpose",   "cast",       "clone",       "contiguous",  "where",        "expand",
    "reshape",
};

}  // namespace

void init_operator_ids() {
    for (size_t i = 0; i < kNumOperators; ++i) {
        const OpId id = OpRegistry::find(kNames[i]);
        if (id != kNoOp) operator_ops[i] = {id, default_attrs(OpRegistry::signature(id))};
    }
}

void missing_operator(Operator which) {
    throw NotImplementedOp(std::string("the op '") + kNames[static_cast<size_t>(which)] +
                           "', which this operator needs, is not in this version");
}

}  // namespace bindings
LUCID_NAMESPACE_END
