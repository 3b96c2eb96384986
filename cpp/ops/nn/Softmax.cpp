// softmax and log_softmax along one dimension. Their gradients are ops of their own, from the
// result, and differentiable again.
#include "lucid/backend/cpu/Softmax.h"

#include "lucid/autograd/CoreOps.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

int64_t row_dim(const CpuCall& call, const char* op) {
    const auto rank = static_cast<int64_t>(call.outputs[0].shape.size());
    return normalize_axis(op, call.attrs.integer(0), rank);
}

// Derived writes `row(x, dim, out)`. Attributes: dim, then the dtype that the entry has already
// cast to.
template <typename Derived>
struct SoftmaxKernel : NaryKernel<Derived> {
    static const char* name() { return Derived::schema_v1.name; }

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        normalize_axis(name(), attrs.integer(0), x.ndim());
        if (attrs.has(1) && attrs.dtype(1) != x.dtype()) {
            throw DtypeMismatch(std::string(name()) + ": cast x to the dtype first");
        }
        outputs.push_back(OutputSpec::dense(x.dtype(), x.shape()));
    }
    static void kernel(const CpuCall& call) {
        Derived::row(at_least_1d(call.inputs[0]), row_dim(call, name()),
                     at_least_1d(call.outputs[0]));
    }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require(name());
        const Tensor& x = *inputs[0];
        const Attrs dim_only = Attrs::of(attrs.scalar(0));
        if (!attrs.has(1) || !x.defined() || x.dtype() == attrs.dtype(1)) {
            return {run_op(id, inputs, dim_only)};
        }
        const Tensor cast = core_ops().cast(x, attrs.dtype(1));
        const Tensor* operands[] = {&cast};
        return {run_op(id, operands, dim_only)};
    }
    static OpDef op() {
        OpDef def = NaryKernel<Derived>::op();
        def.entry = &entry;
        return def;
    }
};

// grad, result (..., n, ...) -> the gradient of x. Derived writes `row(grad, result, dim, out)`.
template <typename Derived>
struct SoftmaxGradKernel : NaryKernel<Derived> {
    static void infer(std::span<const Storage* const> inputs, const Attrs&,
                      std::vector<OutputSpec>& outputs) {
        LUCID_ASSERT(inputs[0]->shape() == inputs[1]->shape());
        outputs.push_back(OutputSpec::dense(inputs[1]->dtype(), inputs[1]->shape()));
    }
    static void kernel(const CpuCall& call) {
        Derived::row(at_least_1d(call.inputs[0]), at_least_1d(call.inputs[1]),
                     row_dim(call, Derived::schema_v1.name), at_least_1d(call.outputs[0]));
    }
};

Tensor sum_along(const Tensor& x, int64_t dim) { return sum(x, Dims{dim}, /*keepdim=*/true); }

struct SoftmaxBackward : SoftmaxKernel<SoftmaxBackward> {
    static const OpSchema schema_v1;

    static void row(const cpu::ConstView& x, int64_t dim, const cpu::View& out) {
        cpu::softmax(x, dim, out);
    }

    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        out[0] = softmax_backward(grads[0], ctx.output(0), ctx.attrs().integer(0));
    }
};

constexpr const char* kFloatsOnly = "softmax is of floating numbers; pass dtype=lucid.float32";

const OpSchema SoftmaxBackward::schema_v1{
    .name = "softmax",
    .signature = "softmax(Tensor x, int dim, *, Dtype? dtype=None) -> Tensor",
    .backward_name = "SoftmaxBackward",
    .dtype_rule = DtypeRule::First,
    .dtypes = kFloatingDtypes,
    .dtype_reason = kFloatsOnly,
    .amp = AmpPolicy::ForceFP32,
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kNetwork,
    .doc = R"(exp(x - max) / sum(exp(x - max)) along one dimension.

float16 and bfloat16 are computed in float32. dtype casts x first. A row that holds nan or inf, or
only -inf, becomes nan.

Shapes: x (..., n, ...), result as x.
Raises IndexOutOfRange when x has no such dimension, DtypeMismatch unless the dtype is floating.

>>> lucid.softmax(lucid.zeros(4), 0).tolist()
[0.25, 0.25, 0.25, 0.25]
)"};

// With y the result and g its gradient: y * (g - sum(g * y)).
struct SoftmaxBackwardBackward : SoftmaxGradKernel<SoftmaxBackwardBackward> {
    static const OpSchema schema_v1;

    static void row(const cpu::ConstView& grad, const cpu::ConstView& result, int64_t dim,
                    const cpu::View& out) {
        cpu::softmax_backward(grad, result, dim, out);
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        const int64_t dim = ctx.attrs().integer(0);
        const Tensor& v = grads[0];
        const Tensor y = ctx.input(1);
        if (ctx.needs(0)) out[0] = softmax_backward(v, y, dim);  // the map is symmetric
        if (!ctx.needs(1)) return;
        const Tensor g = ctx.input(0);
        const Tensor through_sum = mul(g, sum_along(mul(v, y), dim));
        out[1] = sub(mul(v, sub(g, sum_along(mul(g, y), dim))), through_sum);
    }
};

const OpSchema SoftmaxBackwardBackward::schema_v1{
    .name = "softmax_backward",
    .signature = "softmax_backward(Tensor grad, Tensor result, int dim) -> Tensor",
    .backward_name = "SoftmaxBackwardBackward",
    .dtype_rule = DtypeRule::Explicit,
    .saves = {.inputs = 0b11},
    .python = kInternal,
    .doc = "result * (grad - sum(grad * result, dim)): the gradient of softmax from its result."};

struct LogSoftmaxBackward : SoftmaxKernel<LogSoftmaxBackward> {
    static const OpSchema schema_v1;

    static void row(const cpu::ConstView& x, int64_t dim, const cpu::View& out) {
        cpu::log_softmax(x, dim, out);
    }

    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        out[0] = log_softmax_backward(grads[0], ctx.output(0), ctx.attrs().integer(0));
    }
};

const OpSchema LogSoftmaxBackward::schema_v1{
    .name = "log_softmax",
    .signature = "log_softmax(Tensor x, int dim, *, Dtype? dtype=None) -> Tensor",
    .backward_name = "LogSoftmaxBackward",
    .dtype_rule = DtypeRule::First,
    .dtypes = kFloatingDtypes,
    .dtype_reason = kFloatsOnly,
    .amp = AmpPolicy::ForceFP32,
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kNetwork,
    .doc = R"(x - max - log(sum(exp(x - max))) along one dimension.

float16 and bfloat16 are computed in float32. dtype casts x first. A row that holds nan or inf, or
only -inf, becomes nan where the formula does.

Shapes: x (..., n, ...), result as x.
Raises IndexOutOfRange when x has no such dimension, DtypeMismatch unless the dtype is floating.

>>> lucid.log_softmax(lucid.tensor([0.0]), 0).tolist()
[0.0]
)"};

// With y the result and g its gradient: g - exp(y) * sum(g).
struct LogSoftmaxBackwardBackward : SoftmaxGradKernel<LogSoftmaxBackwardBackward> {
    static const OpSchema schema_v1;

    static void row(const cpu::ConstView& grad, const cpu::ConstView& result, int64_t dim,
                    const cpu::View& out) {
        cpu::log_softmax_backward(grad, result, dim, out);
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        const int64_t dim = ctx.attrs().integer(0);
        const Tensor& v = grads[0];
        const Tensor weighted = mul(v, exp(ctx.input(1)));
        if (ctx.needs(0)) out[0] = sub(v, sum_along(weighted, dim));
        if (ctx.needs(1)) out[1] = neg(mul(weighted, sum_along(ctx.input(0), dim)));
    }
};

const OpSchema LogSoftmaxBackwardBackward::schema_v1{
    .name = "log_softmax_backward",
    .signature = "log_softmax_backward(Tensor grad, Tensor result, int dim) -> Tensor",
    .backward_name = "LogSoftmaxBackwardBackward",
    .dtype_rule = DtypeRule::Explicit,
    .saves = {.inputs = 0b11},
    .python = kInternal,
    .doc = "grad - exp(result) * sum(grad, dim): the gradient of log_softmax from its result."};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Softmax) {
    static const OpDef defs[] = {SoftmaxBackward::op(), SoftmaxBackwardBackward::op(),
                                 LogSoftmaxBackward::op(), LogSoftmaxBackwardBackward::op()};
    return defs;
}
