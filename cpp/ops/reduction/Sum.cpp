// sum and mean.
#include "lucid/ops/ops.h"
#include "lucid/ops/reduction/ReducedAxes.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct SumBackward : ReduceKernel<SumBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Dims axes = reduced_axes("sum", attrs, x.shape().size());
        outputs.push_back(OutputSpec::dense(widened_dtype(x, attrs),
                                            reduced_shape(x.shape(), axes, attrs.flag(1))));
    }
    static void kernel(const CpuCall& call) { run_reduction<cpu::ReduceKind::Sum>("sum", call); }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("sum");
        return reduce_in_dtype(id, inputs, attrs);
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return spread(grad, ctx.input_shape(0), ctx.attrs());
    }
    static OpDef op() {
        OpDef def = ReduceKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema SumBackward::schema_v1{
    .name = "sum",
    .signature = "sum(Tensor x, int[]? dim=None, bool keepdim=False, *, Dtype? dtype=None) -> "
                 "Tensor",
    .backward_name = "SumBackward",
    .amp = AmpPolicy::ForceFP32,
    .python = kFunction | kMethod,
    .doc = R"(The sum of the elements, of all of them or along dimensions.

bool and integers give int64; float16 and bfloat16 add up in float32 and round once. dtype casts x
first. The sum of no elements is 0. The bits depend on shape and values only, not on layout or
threads.

Shapes: result as x without the dimensions in dim, or with 1 in their place (keepdim).
Raises IndexOutOfRange when x has no such dimension.

>>> lucid.sum(lucid.tensor([[1, 2], [3, 4]]), 0).tolist()
[4, 6]
)"};

struct MeanBackward : ReduceKernel<MeanBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Dims axes = reduced_axes("mean", attrs, x.shape().size());
        outputs.push_back(OutputSpec::dense(attrs.has(2) ? attrs.dtype(2) : x.dtype(),
                                            reduced_shape(x.shape(), axes, attrs.flag(1))));
    }
    static void kernel(const CpuCall& call) { run_reduction<cpu::ReduceKind::Mean>("mean", call); }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("mean");
        return reduce_in_dtype(id, inputs, attrs);
    }
    // The count may be larger than any float16, so half gradients are divided in float32.
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Shape& shape = ctx.input_shape(0);
        const int64_t count = reduced_count(shape, reduced_axes("mean", ctx.attrs(), shape.size()));
        const Dtype dtype = grad.dtype();
        const bool half = dtype == Dtype::Float16 || dtype == Dtype::BFloat16;
        const Tensor wide = half ? cast(grad, Dtype::Float32) : grad;
        const Tensor share = div(wide, weak_scalar(static_cast<double>(count)));
        return spread(half ? cast(share, dtype) : share, shape, ctx.attrs());
    }
    static OpDef op() {
        OpDef def = ReduceKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema MeanBackward::schema_v1{
    .name = "mean",
    .signature = "mean(Tensor x, int[]? dim=None, bool keepdim=False, *, Dtype? dtype=None) -> "
                 "Tensor",
    .backward_name = "MeanBackward",
    .dtypes = kInexactDtypes,
    .dtype_reason = "a mean is not an integer; pass dtype=lucid.float32, or cast x first",
    .amp = AmpPolicy::ForceFP32,
    .python = kFunction | kMethod,
    .doc = R"(The mean of the elements, of all of them or along dimensions.

float16 and bfloat16 add up and divide in float32 and round once. dtype casts x first, which
integers need. The mean of no elements is nan.

Shapes: result as x without the dimensions in dim, or with 1 in their place (keepdim).
Raises IndexOutOfRange when x has no such dimension, DtypeMismatch for integers without a dtype.

>>> lucid.mean(lucid.tensor([1.0, 2.0, 6.0])).item()
3.0
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Sum) {
    static const OpDef defs[] = {SumBackward::op(), MeanBackward::op()};
    return defs;
}
