// scaled_square(x, scale) = scale * x^2 as a FuncOp: a hand-written backward over Storages.
#pragma once

#include "lucid/lucid.h"

namespace sample {

class ScaledSquareBackward : public lucid::FuncOp<ScaledSquareBackward, 2> {
public:
    static const lucid::OpSchema schema_v1;
    static lucid::TensorImplPtr forward(const lucid::TensorImplPtr& x,
                                        const lucid::TensorImplPtr& scale);
    // dx = 2 scale x g, dscale = sum(x^2 g); scale is 0-d.
    std::vector<lucid::Storage> apply(lucid::Storage grad_out) override;
};

void register_ops();

}  // namespace sample
