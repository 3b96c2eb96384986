// mse_loss: the mean squared difference, composed.
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/kernel/Promotion.h"
#include "lucid/ops/nn/Reduction.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

const OpSchema kMseLoss{
    .name = "mse_loss",
    .signature = "mse_loss(Tensor input, Tensor target, *, str reduction='mean') -> Tensor",
    .dtype_rule = DtypeRule::Promote,
    .dtypes = kFloatingDtypes,
    .dtype_reason = "a loss is a real number with a gradient; cast integers to a floating dtype",
    .python = kNetwork,
    .doc = R"((input - target) ** 2, averaged or summed over all elements, or as it is.

Shapes: input and target broadcast; result () or, for reduction 'none', their common shape.
Raises ShapeMismatch when they do not broadcast, ValueError for an unknown reduction.

>>> lucid.nn.functional.mse_loss(lucid.tensor([1.0, 3.0]), lucid.tensor([1.0, 1.0])).item()
2.0
)"};

std::vector<Tensor> mse_loss_entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
    const PreparedInputs prepared(kMseLoss, inputs);  // dtypes, devices and shapes by our own name
    broadcast_inputs("mse_loss", prepared.storages());
    const Tensor difference = sub(*prepared.tensors()[0], *prepared.tensors()[1]);
    const Tensor squares = mul(difference, difference);
    switch (parse_reduction("mse_loss", attrs.text(0))) {
        case Reduction::None: return {squares};
        case Reduction::Mean: return {mean(squares)};
        case Reduction::Sum: return {sum(squares)};
    }
    return {};
}

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(MseLoss) {
    static const OpDef defs[] = {composition(kMseLoss, &mse_loss_entry)};
    return defs;
}
