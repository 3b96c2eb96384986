// The second derivative of a FuncOp. Its first-order gradient is what apply() computes; the graph
// behind that value is a node which, when it is walked, records decompose() and differentiates it
// twice.
#pragma once

#include "lucid/autograd/RuleTable.h"

LUCID_NAMESPACE_BEGIN

struct FirstBackward {
    const OpSchema* schema;
    DecomposeFn decompose;
    const Attrs* attrs;
    std::vector<Tensor> inputs;     // with their graph
    std::span<const Tensor> grads;  // of the outputs; undefined where nothing flowed
};

// Makes `gradients`, one per input and undefined where there is none, outputs of such a node.
void attach_double_backward(const FirstBackward& first, std::span<Tensor> gradients);

LUCID_NAMESPACE_END
