// gather reads and scatter_add adds at index positions along one axis; each is the other's
// gradient.
#include "lucid/backend/cpu/Gather.h"

#include "lucid/autograd/CoreOps.h"
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/indexing/IndexChecks.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct GatherBackward : NaryKernel<GatherBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Storage& index = *inputs[1];
        const int64_t dim = normalize_axis("gather", attrs.integer(0), x.ndim());
        check_index_dtype("gather", x, index);
        check_index_shape("gather", "x", x, index, dim);
        outputs.push_back(OutputSpec::dense(x.dtype(), index.shape()));
    }
    static void kernel(const CpuCall& call) {
        // x (..., n, ...), index (..., k, ...) -> out (..., k, ...)
        const cpu::View out = at_least_1d(call.outputs[0]);
        if (numel_of(out.shape) == 0) return;
        const cpu::ConstView x = at_least_1d(call.inputs[0]);
        const auto rank = static_cast<int64_t>(x.shape.size());
        const int64_t dim = normalize_axis("gather", call.attrs.integer(0), rank);
        cpu::gather(x, at_least_1d(call.inputs[1]), dim, out);
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        if (!ctx.needs(0)) return;
        const Tensor& grad = grads[0];
        const Tensor zeros =
            core_ops().full(ctx.input_shape(0), Scalar(0), grad.dtype(), grad.device());
        out[0] = scatter_add(zeros, ctx.attrs().integer(0), ctx.input(1), grad);
    }
};

const OpSchema GatherBackward::schema_v1{
    .name = "gather",
    .signature = "gather(Tensor x, int dim, Tensor index) -> Tensor",
    .backward_name = "GatherBackward",
    .dtype_rule = DtypeRule::First,
    .saves = {.inputs = 0b10},
    .may_fail_on_data = true,
    .python = kFunction | kMethod,
    .doc = R"(The elements of x at `index` along one dimension.

For dim = 0: result[i, j] = x[index[i, j], j].

Shapes: x (..., n, ...), index (..., k, ...) no larger than x outside dim; result as index. index is
int64 or int32.
Raises IndexOutOfRange for an index outside 0 <= i < n (on the CPU), DtypeMismatch for another index
dtype, ShapeMismatch when the shapes do not fit.

>>> x = lucid.tensor([[1, 2], [3, 4]])
>>> x.gather(1, lucid.tensor([[0, 0], [1, 0]])).tolist()
[[1, 1], [4, 3]]
)"};

struct ScatterAddBackward : NaryKernel<ScatterAddBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Storage& index = *inputs[1];
        const Storage& source = *inputs[2];
        const int64_t dim = normalize_axis("scatter_add", attrs.integer(0), x.ndim());
        check_index_dtype("scatter_add", x, index);
        check_source_dtype("scatter_add", x, source);
        check_index_shape("scatter_add", "x", x, index, dim);
        check_index_shape("scatter_add", "source", source, index, -1);
        outputs.push_back(OutputSpec::dense(x.dtype(), x.shape()));
    }
    static void kernel(const CpuCall& call) {
        // x (..., n, ...), index (..., k, ...), source (..., k, ...) -> out (..., n, ...)
        const cpu::View out = at_least_1d(call.outputs[0]);
        cpu::copy(at_least_1d(call.inputs[0]), out);
        const cpu::ConstView index = at_least_1d(call.inputs[1]);
        if (numel_of(index.shape) == 0) return;
        const auto rank = static_cast<int64_t>(out.shape.size());
        const int64_t dim = normalize_axis("scatter_add", call.attrs.integer(0), rank);
        cpu::scatter_add(out, index, dim, at_least_1d(call.inputs[2]));
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        if (ctx.needs(0)) out[0] = grads[0];
        if (!ctx.needs(2)) return;
        const Shape& shape = ctx.input_shape(2);
        const Tensor index = ctx.input(1);
        if (index.numel() == 0) {
            out[2] = core_ops().full(shape, Scalar(0), grads[0].dtype(), grads[0].device());
            return;
        }
        Tensor grad = gather(grads[0], ctx.attrs().integer(0), index);
        // Elements of source that no index position meets have no gradient.
        Shape padded = grad.shape();
        for (size_t axis = 0; axis < shape.size(); ++axis) {
            if (padded[axis] == shape[axis]) continue;
            const int64_t end = padded[axis];
            padded[axis] = shape[axis];
            grad = slice_backward(grad, padded, static_cast<int64_t>(axis), 1, 0, end);
        }
        out[2] = grad;
    }
};

const OpSchema ScatterAddBackward::schema_v1{
    .name = "scatter_add",
    .signature = "scatter_add(Tensor x, int dim, Tensor index, Tensor source) -> Tensor",
    .backward_name = "ScatterAddBackward",
    .dtype_rule = DtypeRule::First,
    .saves = {.inputs = 0b10},
    .may_fail_on_data = true,
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(x with the elements of `source` added at `index` along one dimension.

For dim = 0: result[index[i, j], j] += source[i, j]. Additions at one place happen in the row-major
order of index, so the result is the same in every run.

Shapes: x (..., n, ...), index (..., k, ...) no larger than source, nor than x outside dim; result
as x. index is int64 or int32; source has the dtype of x.
Raises IndexOutOfRange for an index outside 0 <= i < n (on the CPU), DtypeMismatch for other dtypes,
ShapeMismatch when the shapes do not fit.

>>> lucid.zeros(3).scatter_add(0, lucid.tensor([0, 0, 2]), lucid.ones(3)).tolist()
[2.0, 0.0, 1.0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Gather) {
    static const OpDef defs[] = {GatherBackward::op(), ScatterAddBackward::op()};
    return defs;
}
