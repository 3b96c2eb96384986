// amax and amin: the extreme elements. NaN propagates; equal extremes share the gradient evenly.
#include "lucid/ops/ops.h"
#include "lucid/ops/reduction/ReducedAxes.h"

LUCID_NAMESPACE_BEGIN

namespace {

template <typename Derived>
struct ExtremeKernel : ReduceKernel<Derived> {
    static const char* name() { return Derived::schema_v1.name; }

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Dims axes = reduced_axes(name(), attrs, x.shape().size());
        check_not_empty(name(), x, axes);
        outputs.push_back(
            OutputSpec::dense(x.dtype(), reduced_shape(x.shape(), axes, attrs.flag(1))));
    }
    static void kernel(const CpuCall& call) { run_reduction<Derived::kKind>(name(), call); }

    // grad / (the number of equal extremes), where x is one. In float32 for half types: 70,000 ties
    // are more than float16 can count.
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Attrs& attrs = ctx.attrs();
        const Tensor x = ctx.input(0);
        const Tensor chosen = eq(x, spread(ctx.output(0), x.shape(), attrs));
        const Dims axes = reduced_axes(name(), attrs, x.shape().size());
        const Tensor ties = sum(chosen, axes, attrs.flag(1));
        const Dtype dtype = grad.dtype();
        const Dtype wide = dtype == Dtype::Float64 ? Dtype::Float64 : Dtype::Float32;
        const Tensor share = div(cast(grad, wide), cast(ties, wide));
        return where(chosen, spread(cast(share, dtype), x.shape(), attrs), weak_scalar(0));
    }
};

struct AmaxBackward : ExtremeKernel<AmaxBackward> {
    static const OpSchema schema_v1;
    static constexpr cpu::ReduceKind kKind = cpu::ReduceKind::AMax;
};

const OpSchema AmaxBackward::schema_v1{
    .name = "amax",
    .signature = "amax(Tensor x, int[]? dim=None, bool keepdim=False) -> Tensor",
    .backward_name = "AmaxBackward",
    .dtypes = kRealDtypes,
    .dtype_reason = "complex numbers have no order; take abs first",
    .saves = {.inputs = 0b1, .outputs = 0b1},
    .python = kFunction | kMethod,
    .doc = R"(The largest element, of all or along dimensions; nan when one is nan.

Elements that are equally large share the gradient evenly.

Shapes: result as x without the dimensions in dim, or with 1 in their place (keepdim).
Raises ShapeMismatch when a reduced dimension is empty, IndexOutOfRange when x has no such
dimension, DtypeMismatch for complex tensors.

>>> lucid.amax(lucid.tensor([[1, 5], [3, 2]]), 1).tolist()
[5, 3]
)"};

struct AminBackward : ExtremeKernel<AminBackward> {
    static const OpSchema schema_v1;
    static constexpr cpu::ReduceKind kKind = cpu::ReduceKind::AMin;
};

const OpSchema AminBackward::schema_v1{
    .name = "amin",
    .signature = "amin(Tensor x, int[]? dim=None, bool keepdim=False) -> Tensor",
    .backward_name = "AminBackward",
    .dtypes = kRealDtypes,
    .dtype_reason = "complex numbers have no order; take abs first",
    .saves = {.inputs = 0b1, .outputs = 0b1},
    .python = kFunction | kMethod,
    .doc = R"(The smallest element, of all or along dimensions; nan when one is nan.

Elements that are equally small share the gradient evenly.

Shapes: result as x without the dimensions in dim, or with 1 in their place (keepdim).
Raises ShapeMismatch when a reduced dimension is empty, IndexOutOfRange when x has no such
dimension, DtypeMismatch for complex tensors.

>>> lucid.amin(lucid.tensor([[1, 5], [3, 2]]), 1).tolist()
[1, 2]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(AMax) {
    static const OpDef defs[] = {AmaxBackward::op(), AminBackward::op()};
    return defs;
}
