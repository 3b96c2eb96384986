// cat: tensors joined along one axis, one copy per input. stack: cat along a new axis.
#include "lucid/autograd/CoreOps.h"
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

// A 1-d tensor without elements joins with anything and adds nothing (PyTorch's legacy rule).
bool is_skipped(DimSpan shape) { return shape.size() == 1 && shape[0] == 0; }

// The first input that has a say, or the first of all.
size_t leading(std::span<const Storage* const> inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (!is_skipped(inputs[i]->shape())) return i;
    }
    return 0;
}

[[noreturn]] void cannot_join(const Storage& first, size_t first_at, const Storage& other,
                              size_t at, int64_t dim) {
    ErrorBuilder("cat(tensors)", "the shapes differ outside dim " + std::to_string(dim))
        .given("tensors[" + std::to_string(first_at) + "]", describe(first))
        .given("tensors[" + std::to_string(at) + "]", describe(other))
        .rule("equal sizes in every dimension but dim")
        .raise<ShapeMismatch>();
}

struct CatBackward : NaryKernel<CatBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const size_t first_at = leading(inputs);
        const Storage& first = *inputs[first_at];
        for (size_t i = 0; i < inputs.size(); ++i) {
            if (inputs[i]->ndim() > 0) continue;
            ErrorBuilder("cat(tensors)", "a 0-d tensor has no dimension to join")
                .given("tensors[" + std::to_string(i) + "]", describe(*inputs[i]))
                .rule("use stack")
                .raise<ShapeMismatch>();
        }
        const int64_t dim = normalize_axis("cat", attrs.integer(0), first.ndim());
        Shape shape = first.shape();
        int64_t& joined = shape[static_cast<size_t>(dim)];
        joined = 0;
        for (size_t i = 0; i < inputs.size(); ++i) {
            const Storage& input = *inputs[i];
            if (is_skipped(input.shape())) continue;
            bool fits = input.ndim() == first.ndim();
            for (int64_t axis = 0; fits && axis < first.ndim(); ++axis) {
                fits = axis == dim || input.size(axis) == first.size(axis);
            }
            if (!fits) cannot_join(first, first_at, input, i, dim);
            joined += input.size(dim);
        }
        outputs.push_back(OutputSpec::dense(first.dtype(), std::move(shape)));
    }
    static void kernel(const CpuCall& call) {
        // tensors (..., n_i, ...) -> out (..., sum n_i, ...)
        const cpu::View& out = call.outputs[0];
        const auto rank = static_cast<int64_t>(out.shape.size());
        const auto dim = static_cast<size_t>(normalize_axis("cat", call.attrs.integer(0), rank));
        auto* start = static_cast<std::byte*>(out.data);
        for (const cpu::ConstView& input : call.inputs) {
            if (is_skipped(input.shape)) continue;
            cpu::copy(input, {start, out.dtype, input.shape, out.strides});
            start += input.shape[dim] * out.strides[dim] * size_of(out.dtype);
        }
    }
    // The attributes also carry the inputs' sizes along dim, -1 for a skipped one: the gradient of
    // one input needs those of the others.
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("cat");
        if (inputs.empty()) throw InvalidArgument("cat(tensors): the list of tensors is empty");
        int64_t rank = 1;
        for (const Tensor* input : inputs) {
            if (!input->defined()) throw InvalidArgument("cat(tensors): a tensor is missing");
            if (!is_skipped(input->shape())) rank = std::max(rank, input->ndim());
        }
        const int64_t dim = normalize_axis("cat", attrs.integer(0), rank);
        Dims sizes;
        sizes.reserve(inputs.size());
        for (const Tensor* input : inputs) {
            const bool counts = !is_skipped(input->shape()) && input->ndim() == rank;
            sizes.push_back(counts ? input->size(dim) : -1);
        }
        return {run_op(id, inputs, Attrs::of(Scalar(dim), std::move(sizes)))};
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        const int64_t dim = ctx.attrs().integer(0);
        const Dims& sizes = ctx.attrs().dims(1);
        int64_t start = 0;
        for (size_t i = 0; i < sizes.size(); ++i) {
            const int64_t end = start + std::max<int64_t>(sizes[i], 0);
            if (ctx.needs(i)) {
                out[i] = sizes[i] >= 0 ? slice(grads[0], dim, start, end)
                                       : core_ops().full(ctx.input_shape(i), Scalar(0),
                                                         grads[0].dtype(), grads[0].device());
            }
            start = end;
        }
    }
    static OpDef op() {
        OpDef def = NaryKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema CatBackward::schema_v1{
    .name = "cat",
    .signature = "cat(Tensor[] tensors, int dim=0) -> Tensor",
    .backward_name = "CatBackward",
    .dtype_rule = DtypeRule::Promote,
    .python = kFunction,
    .doc = R"(Tensors joined along one of their dimensions, in their common dtype.

1-d tensors without elements are skipped.

Shapes: tensors (..., n_i, ...), equal outside dim; result (..., sum of n_i, ...).
Raises ShapeMismatch when they do not fit or one is 0-d, IndexOutOfRange for a dimension that they
lack, ValueError for an empty list.

>>> lucid.cat([lucid.zeros(1, 2), lucid.ones(2, 2)]).tolist()
[[0.0, 0.0], [1.0, 1.0], [1.0, 1.0]]
)"};

std::vector<Tensor> stack_entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
    if (inputs.empty()) throw InvalidArgument("stack(tensors): the list of tensors is empty");
    const Tensor& first = *inputs[0];
    const int64_t dim = normalize_axis("stack", attrs.integer(0), first.ndim() + 1);
    std::vector<Tensor> rows;
    rows.reserve(inputs.size());
    for (const Tensor* input : inputs) {
        if (!(input->shape() == first.shape())) {
            ErrorBuilder("stack(tensors)", "the shapes differ")
                .given("tensors[0]", describe(first))
                .given("tensors[" + std::to_string(rows.size()) + "]", describe(*input))
                .rule("equal shapes")
                .raise<ShapeMismatch>();
        }
        rows.push_back(unsqueeze(*input, dim));
    }
    return {cat(rows, dim)};
}

const OpSchema kStack{
    .name = "stack",
    .signature = "stack(Tensor[] tensors, int dim=0) -> Tensor",
    .dtype_rule = DtypeRule::Promote,
    .python = kFunction,
    .doc = R"(Tensors of one shape joined along a new dimension, in their common dtype.

Shapes: k tensors (..., ...), result (..., k, ...) with the new dimension at `dim`.
Raises ShapeMismatch when the shapes differ, IndexOutOfRange for a bad dim, ValueError for an empty
list.

>>> lucid.stack([lucid.tensor([1, 2]), lucid.tensor([3, 4])], 1).tolist()
[[1, 3], [2, 4]]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Cat) {
    static const OpDef defs[] = {CatBackward::op(), composition(kStack, &stack_entry)};
    return defs;
}
