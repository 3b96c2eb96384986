// LinearBackward: y = x W^T + b with a hand-written backward over Storages; the canonical FuncOp.
#pragma once

#include "lucid/autograd/FuncOp.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API LinearBackward : public FuncOp<LinearBackward, 3> {
public:
    static const OpSchema schema_v1;

    // x (..., in), W (out, in), b (out,) or null -> y (..., out). Saves x, W, b (b only for
    // decompose, under create_graph); attaches itself as grad_fn of the output.
    static TensorImplPtr forward(const TensorImplPtr& x, const TensorImplPtr& W,
                                 const TensorImplPtr& b);

    // dx = grad_out @ W; dW = grad_out^T @ x; db = grad_out summed over all leading dimensions.
    std::vector<Storage> apply(Storage grad_out) override;
};

LUCID_NAMESPACE_END
