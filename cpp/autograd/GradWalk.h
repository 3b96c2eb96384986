// The walk over the tape: in the calling thread, iterative, nodes in decreasing sequence number, so
// gradients of one tensor add up in a fixed order.
#pragma once

#include "lucid/autograd/Graph.h"

LUCID_NAMESPACE_BEGIN

struct BackwardOptions {
    bool retain_graph = false;
    bool create_graph = false;  // implies retain_graph unless it was said otherwise
    bool allow_unused = false;
};

// Adds into `.grad` of the leaves (only of `inputs`, when given). `gradients` pairs with `outputs`;
// an undefined one means 1 and needs a one-element real output.
LUCID_API void backward(std::span<const Tensor> outputs, std::span<const Tensor> gradients,
                        const BackwardOptions& options, std::span<const Tensor> inputs = {});
// Returns the gradients of `inputs` and leaves `.grad` alone. An input that is not reached raises
// unless allow_unused (then undefined).
LUCID_API std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                                   std::span<const Tensor> gradients,
                                   const BackwardOptions& options);

LUCID_NAMESPACE_END
