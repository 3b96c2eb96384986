// relu, tanh and sigmoid. Their gradients are ops of their own, from the result, and differentiable
// again.
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kComputedInFloat =
    "bool and integers are cast to the default floating dtype first";

struct ReluBackward : UnaryKernel<ReluBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return relu_backward(grad, ctx.output(0));
    }
};

const OpSchema ReluBackward::schema_v1{
    .name = "relu",
    .signature = "relu(Tensor x) -> Tensor",
    .backward_name = "ReluBackward",
    .dtypes = kIntegralDtypes | kFloatingDtypes,
    .dtype_reason = "relu compares with 0: complex numbers have no order, bool has no negatives",
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kInPlace | kNetwork,
    .doc = R"(max(x, 0), elementwise; nan stays nan. The gradient at 0 is 0.

Shapes: result as x.
Raises DtypeMismatch for complex and bool.

>>> lucid.relu(lucid.tensor([-1.0, 2.0])).tolist()
[0.0, 2.0]
)"};

struct ReluBackwardBackward : BinaryKernel<ReluBackwardBackward> {
    static const OpSchema schema_v1;
    static GradientPair gradient(const VjpContext& ctx, const Tensor& v) {
        GradientPair out;
        if (ctx.needs(0)) out.first = relu_backward(v, ctx.input(1));
        if (ctx.needs(1)) out.second = zeros_like(v);
        return out;
    }
};

const OpSchema ReluBackwardBackward::schema_v1{
    .name = "relu_backward",
    .signature = "relu_backward(Tensor grad, Tensor result) -> Tensor",
    .backward_name = "ReluBackwardBackward",
    .dtypes = kIntegralDtypes | kFloatingDtypes,
    .dtype_reason = "as relu",
    .saves = {.inputs = 0b10},
    .python = kInternal,
    .doc = "grad where result > 0, else 0: the gradient of relu from its result."};

struct TanhBackward : UnaryKernel<TanhBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return tanh_backward(grad, conj_if_complex(ctx.output(0)));
    }
};

const OpSchema TanhBackward::schema_v1{
    .name = "tanh",
    .signature = "tanh(Tensor x) -> Tensor",
    .backward_name = "TanhBackward",
    .dtype_rule = DtypeRule::PromoteToFloat,
    .dtypes = kInexactDtypes,
    .dtype_reason = kComputedInFloat,
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(The hyperbolic tangent of x, elementwise; integers give the default floating dtype.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.tanh(lucid.tensor([0.0])).tolist()
[0.0]
)"};

struct TanhBackwardBackward : BinaryKernel<TanhBackwardBackward> {
    static const OpSchema schema_v1;
    // grad (1 - y^2) is linear in grad; its slope in y is -2 grad y.
    static GradientPair gradient(const VjpContext& ctx, const Tensor& v) {
        const Tensor y = conj_if_complex(ctx.input(1));
        GradientPair out;
        if (ctx.needs(0)) out.first = tanh_backward(v, y);
        if (ctx.needs(1)) {
            const Tensor slope = mul(mul(conj_if_complex(ctx.input(0)), y), weak_scalar(-2));
            out.second = mul(v, slope);
        }
        return out;
    }
};

const OpSchema TanhBackwardBackward::schema_v1{
    .name = "tanh_backward",
    .signature = "tanh_backward(Tensor grad, Tensor result) -> Tensor",
    .backward_name = "TanhBackwardBackward",
    .dtypes = kInexactDtypes,
    .dtype_reason = "as tanh",
    .saves = {.inputs = 0b11},
    .python = kInternal,
    .doc = "grad * (1 - result * result): the gradient of tanh from its result."};

struct SigmoidBackward : UnaryKernel<SigmoidBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return sigmoid_backward(grad, conj_if_complex(ctx.output(0)));
    }
};

const OpSchema SigmoidBackward::schema_v1{
    .name = "sigmoid",
    .signature = "sigmoid(Tensor x) -> Tensor",
    .backward_name = "SigmoidBackward",
    .dtype_rule = DtypeRule::PromoteToFloat,
    .dtypes = kInexactDtypes,
    .dtype_reason = kComputedInFloat,
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kInPlace | kNetwork,
    .doc = R"(1 / (1 + exp(-x)), elementwise; integers give the default floating dtype.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.sigmoid(lucid.tensor([0.0])).tolist()
[0.5]
)"};

struct SigmoidBackwardBackward : BinaryKernel<SigmoidBackwardBackward> {
    static const OpSchema schema_v1;
    // grad y (1 - y) is linear in grad; its slope in y is grad (1 - 2 y).
    static GradientPair gradient(const VjpContext& ctx, const Tensor& v) {
        const Tensor y = conj_if_complex(ctx.input(1));
        GradientPair out;
        if (ctx.needs(0)) out.first = sigmoid_backward(v, y);
        if (ctx.needs(1)) {
            const Tensor slope = sub(weak_scalar(1), mul(y, weak_scalar(2)));
            out.second = mul(v, mul(conj_if_complex(ctx.input(0)), slope));
        }
        return out;
    }
};

const OpSchema SigmoidBackwardBackward::schema_v1{
    .name = "sigmoid_backward",
    .signature = "sigmoid_backward(Tensor grad, Tensor result) -> Tensor",
    .backward_name = "SigmoidBackwardBackward",
    .dtypes = kInexactDtypes,
    .dtype_reason = "as sigmoid",
    .saves = {.inputs = 0b11},
    .python = kInternal,
    .doc = "grad * result * (1 - result): the gradient of sigmoid from its result."};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Activation) {
    static const OpDef defs[] = {
        ReluBackward::op("relu"),       ReluBackwardBackward::op("relu_backward"),
        TanhBackward::op("tanh"),       TanhBackwardBackward::op("tanh_backward"),
        SigmoidBackward::op("sigmoid"), SigmoidBackwardBackward::op("sigmoid_backward")};
    return defs;
}
