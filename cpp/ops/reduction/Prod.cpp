// prod: the product of elements. Its gradient multiplies the other elements instead of dividing by
// this one, so zeros are no special case, also in second gradients.
#include <algorithm>

#include "lucid/ops/elementwise/Gradients.h"
#include "lucid/ops/reduction/ReducedAxes.h"

LUCID_NAMESPACE_BEGIN

namespace {

// x (m, n) -> (m, n): the products of the elements before each one, by doubling: log2(n)
// multiplications.
Tensor products_before(const Tensor& x) {
    const int64_t rows = x.size(0), n = x.size(1);
    const Tensor ones_column = ones(Dims{rows, 1}, x.dtype(), x.device());
    Tensor products = cat({ones_column, slice(x, 1, 0, n - 1)}, 1);
    for (int64_t step = 1; step < n; step *= 2) {
        const Tensor head = slice(products, 1, 0, step);
        const Tensor tail = mul(slice(products, 1, step, n), slice(products, 1, 0, n - step));
        products = cat({head, tail}, 1);
    }
    return products;
}

Tensor reversed(const Tensor& x) { return slice(x, 1, {}, {}, -1); }

// x (..., kept) with the reduced axes anywhere -> the same shape: the product of the other
// elements.
Tensor products_of_others(const Tensor& x, DimSpan axes) {
    const auto rank = static_cast<size_t>(x.ndim());
    Dims order, back(rank);
    for (size_t i = 0; i < rank; ++i) {
        const auto axis = static_cast<int64_t>(i);
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) order.push_back(axis);
    }
    order.reserve(rank);
    for (const int64_t axis : axes) order.push_back(axis);
    for (size_t i = 0; i < rank; ++i) {
        back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    }
    const Tensor moved = permute(x, order);
    const int64_t n = reduced_count(x.shape(), axes);
    const Tensor rows = reshape(moved, Dims{x.numel() / n, n});
    const Tensor others = mul(products_before(rows), reversed(products_before(reversed(rows))));
    return permute(reshape(others, Dims(moved.shape())), back);
}

struct ProdBackward : ReduceKernel<ProdBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Dims axes = reduced_axes("prod", attrs, x.shape().size());
        outputs.push_back(OutputSpec::dense(widened_dtype(x, attrs),
                                            reduced_shape(x.shape(), axes, attrs.flag(1))));
    }
    static void kernel(const CpuCall& call) { run_reduction<cpu::ReduceKind::Prod>("prod", call); }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("prod");
        return reduce_in_dtype(id, inputs, attrs);
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Tensor x = ctx.input(0);
        const Dims axes = reduced_axes("prod", ctx.attrs(), x.shape().size());
        const Tensor spread_grad = spread(grad, x.shape(), ctx.attrs());
        if (x.numel() == 0 || axes.empty()) return spread_grad;
        return mul(spread_grad, conj_if_complex(products_of_others(x, axes)));
    }
    static OpDef op() {
        OpDef def = ReduceKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema ProdBackward::schema_v1{
    .name = "prod",
    .signature = "prod(Tensor x, int[]? dim=None, bool keepdim=False, *, Dtype? dtype=None) -> "
                 "Tensor",
    .backward_name = "ProdBackward",
    .amp = AmpPolicy::ForceFP32,
    .saves = {.inputs = 0b1},
    .python = kFunction | kMethod,
    .doc = R"(The product of the elements, of all of them or along dimensions.

bool and integers give int64, which wraps; float16 and bfloat16 multiply in float32 and round once.
dtype casts x first. The product of no elements is 1. Gradients are right at zeros too.

Shapes: result as x without the dimensions in dim, or with 1 in their place (keepdim).
Raises IndexOutOfRange when x has no such dimension.

>>> lucid.prod(lucid.tensor([[1, 2], [3, 4]]), 0).tolist()
[3, 8]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Prod) {
    static const OpDef defs[] = {ProdBackward::op()};
    return defs;
}
