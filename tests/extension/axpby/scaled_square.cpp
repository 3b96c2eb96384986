#include "axpby/scaled_square.h"

namespace sample {

namespace lc = lucid;

const lc::OpSchema ScaledSquareBackward::schema_v1{
    .name = "sample_scaled_square",
    .signature = "sample_scaled_square(Tensor x, Tensor scale) -> Tensor",
    .backward_name = "ScaledSquareBackward",
    .dtypes = lc::kFloatingDtypes,
    .dtype_reason = "the sample is for real numbers",
    .saves = {.inputs = 3},
    .doc = "scale * x ** 2; x of any shape, scale 0-d.",
};

lc::TensorImplPtr ScaledSquareBackward::forward(const lc::TensorImplPtr& x,
                                                const lc::TensorImplPtr& scale) {
    auto* be = lc::Dispatcher::for_device(x->storage().device());
    const lc::Storage square = be->mul(x->storage(), x->storage());
    return attach({x, scale}, be->mul(square, scale->storage()));
}

std::vector<lc::Storage> ScaledSquareBackward::apply(lc::Storage grad_out) {
    auto* be = lc::Dispatcher::for_device(grad_out.device());
    const lc::Storage x = saved(0);
    const lc::Storage xg = be->mul(x, grad_out);
    const lc::Storage scaled = be->mul(xg, saved(1));
    return {be->add(scaled, scaled), be->sum(be->mul(x, xg))};
}

void register_ops() {
    static const lc::OpDef defs[] = {lc::func_op<ScaledSquareBackward>()};
    lc::register_op_defs(defs, "lucid_sample_extensions");
}

}  // namespace sample
