// index_select reads and index_add adds whole slices of one axis; each is the other's gradient.
#include "lucid/autograd/CoreOps.h"
#include "lucid/backend/cpu/Gather.h"
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/indexing/IndexChecks.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

// A 0-d index is one of a single element.
int64_t check_index_list(const char* op, const Storage& x, const Storage& index) {
    check_index_dtype(op, x, index);
    if (index.ndim() > 1) {
        ErrorBuilder(op, "index must be 1-d or 0-d")
            .given("x", describe(x))
            .given("index", describe(index))
            .raise<ShapeMismatch>();
    }
    return index.numel();
}

struct IndexSelectBackward : NaryKernel<IndexSelectBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const int64_t dim = normalize_axis("index_select", attrs.integer(0), x.ndim());
        const int64_t count = check_index_list("index_select", x, *inputs[1]);
        Shape shape = x.shape();
        if (x.ndim() > 0) {
            shape[static_cast<size_t>(dim)] = count;
        } else if (count != 1) {
            ErrorBuilder("index_select", "a 0-d tensor has one element")
                .given("x", describe(x))
                .given("index", describe(*inputs[1]))
                .raise<ShapeMismatch>();
        }
        outputs.push_back(OutputSpec::dense(x.dtype(), std::move(shape)));
    }
    static void kernel(const CpuCall& call) {
        // x (..., n, ...), index (k,) -> out (..., k, ...)
        const cpu::ConstView x = at_least_1d(call.inputs[0]);
        const auto rank = static_cast<int64_t>(x.shape.size());
        const int64_t dim = normalize_axis("index_select", call.attrs.integer(0), rank);
        cpu::index_select(x, at_least_1d(call.inputs[1]), dim, at_least_1d(call.outputs[0]));
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        if (!ctx.needs(0)) return;
        const Tensor& grad = grads[0];
        const Tensor zeros =
            core_ops().full(ctx.input_shape(0), Scalar(0), grad.dtype(), grad.device());
        out[0] = index_add(zeros, ctx.attrs().integer(0), ctx.input(1), grad);
    }
};

const OpSchema IndexSelectBackward::schema_v1{
    .name = "index_select",
    .signature = "index_select(Tensor x, int dim, Tensor index) -> Tensor",
    .backward_name = "IndexSelectBackward",
    .dtype_rule = DtypeRule::First,
    .saves = {.inputs = 0b10},
    .may_fail_on_data = true,
    .python = kFunction | kMethod,
    .doc = R"(The slices of x at the positions `index` of one dimension, in that order.

Shapes: x (..., n, ...), index (k,) of int64 or int32; result (..., k, ...).
Raises IndexOutOfRange for an index outside 0 <= i < n (on the CPU), DtypeMismatch for another index
dtype, ShapeMismatch for an index of more dimensions.

>>> lucid.tensor([[1, 2], [3, 4], [5, 6]]).index_select(0, lucid.tensor([2, 0])).tolist()
[[5, 6], [1, 2]]
)"};

struct IndexAddBackward : NaryKernel<IndexAddBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Storage& source = *inputs[2];
        const int64_t dim = normalize_axis("index_add", attrs.integer(0), x.ndim());
        const int64_t count = check_index_list("index_add", x, *inputs[1]);
        check_source_dtype("index_add", x, source);
        Shape expected = x.shape();
        if (x.ndim() > 0) expected[static_cast<size_t>(dim)] = count;
        if (!(source.shape() == expected) || (x.ndim() == 0 && count != 1)) {
            ErrorBuilder("index_add", "source does not fit x and index")
                .given("x", describe(x))
                .given("index", describe(*inputs[1]))
                .given("source", describe(source))
                .rule("source.shape is x.shape with index.numel() at dim: " + to_string(expected))
                .raise<ShapeMismatch>();
        }
        outputs.push_back(OutputSpec::dense(x.dtype(), x.shape()));
    }
    static void kernel(const CpuCall& call) {
        // x (..., n, ...), index (k,), source (..., k, ...) -> out (..., n, ...)
        const cpu::View out = at_least_1d(call.outputs[0]);
        cpu::copy(at_least_1d(call.inputs[0]), out);
        const auto rank = static_cast<int64_t>(out.shape.size());
        const int64_t dim = normalize_axis("index_add", call.attrs.integer(0), rank);
        cpu::index_add(out, at_least_1d(call.inputs[1]), dim, at_least_1d(call.inputs[2]));
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        if (ctx.needs(0)) out[0] = grads[0];
        if (ctx.needs(2)) out[2] = index_select(grads[0], ctx.attrs().integer(0), ctx.input(1));
    }
};

const OpSchema IndexAddBackward::schema_v1{
    .name = "index_add",
    .signature = "index_add(Tensor x, int dim, Tensor index, Tensor source) -> Tensor",
    .backward_name = "IndexAddBackward",
    .dtype_rule = DtypeRule::First,
    .saves = {.inputs = 0b10},
    .may_fail_on_data = true,
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(x with the slices of `source` added at the positions `index` of one dimension.

Additions at one position happen in the order of index, so the result is the same in every run.

Shapes: x (..., n, ...), index (k,) of int64 or int32, source (..., k, ...); result as x.
Raises IndexOutOfRange for an index outside 0 <= i < n (on the CPU), DtypeMismatch for other dtypes,
ShapeMismatch when the shapes do not fit.

>>> lucid.zeros(3).index_add(0, lucid.tensor([0, 2, 0]), lucid.ones(3)).tolist()
[2.0, 0.0, 1.0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(IndexSelect) {
    static const OpDef defs[] = {IndexSelectBackward::op(), IndexAddBackward::op()};
    return defs;
}
