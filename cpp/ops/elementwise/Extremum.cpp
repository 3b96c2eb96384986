// maximum and minimum of two tensors. NaN propagates; the gradient of a tie is shared half and
// half.
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kNoOrder = "complex numbers have no order";

// `loses(x, y)`: y is chosen, not x. As PyTorch, both get the gradient where one is nan.
using Loses = Tensor (*)(const Tensor& x, const Tensor& y);

GradientPair split(const VjpContext& ctx, const Tensor& grad, Loses loses) {
    const Tensor a = ctx.input(0), b = ctx.input(1);
    const Tensor shared = where(eq(a, b), mul(grad, weak_scalar(0.5)), grad);
    GradientPair out;
    if (ctx.needs(0)) out.first = where(loses(a, b), weak_scalar(0), shared);
    if (ctx.needs(1)) out.second = where(loses(b, a), weak_scalar(0), shared);
    return out;
}

struct MaximumBackward : BinaryKernel<MaximumBackward> {
    static const OpSchema schema_v1;
    static GradientPair gradient(const VjpContext& ctx, const Tensor& grad) {
        return split(ctx, grad, [](const Tensor& x, const Tensor& y) { return lt(x, y); });
    }
};

const OpSchema MaximumBackward::schema_v1{
    .name = "maximum",
    .signature = "maximum(Tensor a, Tensor b) -> Tensor",
    .backward_name = "MaximumBackward",
    .dtypes = kRealDtypes,
    .dtype_reason = kNoOrder,
    .saves = {.inputs = 0b11},
    .python = kFunction | kMethod,
    .doc = R"(The larger of a and b, elementwise; nan where one is nan.

Shapes: a and b broadcast to the result.
Raises ShapeMismatch when they do not, DtypeMismatch for complex tensors.

>>> lucid.maximum(lucid.tensor([1, 5]), lucid.tensor([3, 2])).tolist()
[3, 5]
)"};

struct MinimumBackward : BinaryKernel<MinimumBackward> {
    static const OpSchema schema_v1;
    static GradientPair gradient(const VjpContext& ctx, const Tensor& grad) {
        return split(ctx, grad, [](const Tensor& x, const Tensor& y) { return gt(x, y); });
    }
};

const OpSchema MinimumBackward::schema_v1{
    .name = "minimum",
    .signature = "minimum(Tensor a, Tensor b) -> Tensor",
    .backward_name = "MinimumBackward",
    .dtypes = kRealDtypes,
    .dtype_reason = kNoOrder,
    .saves = {.inputs = 0b11},
    .python = kFunction | kMethod,
    .doc = R"(The smaller of a and b, elementwise; nan where one is nan.

Shapes: a and b broadcast to the result.
Raises ShapeMismatch when they do not, DtypeMismatch for complex tensors.

>>> lucid.minimum(lucid.tensor([1, 5]), lucid.tensor([3, 2])).tolist()
[1, 2]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Extremum) {
    static const OpDef defs[] = {MaximumBackward::op("maximum"), MinimumBackward::op("minimum")};
    return defs;
}
