// The gradient rules of the ops, keyed by OpId. jvp and vmap are derived where they can be; an op
// that brings none gets an error that names the op and the rule.
#pragma once

#include "lucid/autograd/Node.h"

LUCID_NAMESPACE_BEGIN

// The op in terms of other ops: gives jvp, vmap, double backward and the reference of a fused op.
using DecomposeFn = std::vector<Tensor> (*)(std::span<const Tensor* const> inputs,
                                            const Attrs& attrs);

struct GradientRules {
    VjpFn vjp = nullptr;
    DecomposeFn decompose = nullptr;
};

class LUCID_API RuleTable {
public:
    static void set(OpId op, GradientRules rules);
    static const GradientRules& get(OpId op) noexcept;
};

LUCID_NAMESPACE_END
