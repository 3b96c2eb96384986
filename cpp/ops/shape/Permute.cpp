// transpose (two axes swapped) and permute (all axes in a given order): views.
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct TransposeBackward : ViewKernel<TransposeBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        // A vector has no second last axis: the default leaves it as it is, as NumPy's .T does.
        const bool by_default = attrs.integer(0) == -2 && attrs.integer(1) == -1;
        if (x.ndim() < 2 && by_default) return x;
        const auto a = static_cast<size_t>(normalize_axis("transpose", attrs.integer(0), x.ndim()));
        const auto b = static_cast<size_t>(normalize_axis("transpose", attrs.integer(1), x.ndim()));
        Shape shape = x.shape();
        Strides strides = x.strides();
        if (a != b) {
            std::swap(shape[a], shape[b]);
            std::swap(strides[a], strides[b]);
        }
        return x.view(std::move(shape), std::move(strides), x.offset());
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return transpose(grad, ctx.attrs().integer(0), ctx.attrs().integer(1));
    }
};

const OpSchema TransposeBackward::schema_v1{
    .name = "transpose",
    .signature = "transpose(Tensor x, int dim0=-2, int dim1=-1) -> Tensor",
    .backward_name = "TransposeBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kFunction | kMethod,
    .doc = R"(Two dimensions swapped; a view.

Without arguments the last two; a vector or 0-d tensor then stays as it is.

Shapes: x (..., n, ..., m, ...), result (..., m, ..., n, ...).
Raises IndexOutOfRange when x has no such dimension.

>>> lucid.zeros(2, 3, 4).transpose(0, 1).shape
(3, 2, 4)
)"};

struct PermuteBackward : ViewKernel<PermuteBackward> {
    static const OpSchema schema_v1;

    static Dims order(DimSpan dims, DimSpan shape) {
        const int64_t rank = static_cast<int64_t>(shape.size());
        if (static_cast<int64_t>(dims.size()) != rank) wrong_order(dims, shape);
        Dims normal;
        Dims seen(static_cast<size_t>(rank), 0);
        for (int64_t dim : dims) {
            normal.push_back(normalize_axis("permute", dim, rank));
            if (seen[static_cast<size_t>(normal.back())]++ != 0) wrong_order(dims, shape);
        }
        return normal;
    }
    static Storage view(const Storage& x, const Attrs& attrs) {
        Shape shape;
        Strides strides;
        for (int64_t dim : order(attrs.dims(0), x.shape())) {
            shape.push_back(x.size(dim));
            strides.push_back(x.stride(dim));
        }
        return x.view(std::move(shape), std::move(strides), x.offset());
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Dims forward = order(ctx.attrs().dims(0), grad.shape());
        Dims inverse(forward.size());
        for (size_t i = 0; i < forward.size(); ++i) {
            inverse[static_cast<size_t>(forward[i])] = static_cast<int64_t>(i);
        }
        return permute(grad, inverse);
    }

private:
    [[noreturn]] static void wrong_order(DimSpan dims, DimSpan shape) {
        ErrorBuilder("permute", "not an order of the dimensions")
            .given("dims", to_string(dims))
            .given("x.shape", to_string(shape))
            .rule("each dimension exactly once")
            .raise<ShapeMismatch>();
    }
};

const OpSchema PermuteBackward::schema_v1{.name = "permute",
                                          .signature = "permute(Tensor x, int[] dims) -> Tensor",
                                          .backward_name = "PermuteBackward",
                                          .dtype_rule = DtypeRule::First,
                                          .cost = CostClass::View,
                                          .python = kFunction | kMethod,
                                          .doc = R"(The dimensions in the order `dims`; a view.

Shapes: x (d0, d1, ...), result (d[dims[0]], d[dims[1]], ...).
Raises ShapeMismatch unless `dims` holds every dimension once, IndexOutOfRange for one that x has
not.

>>> lucid.zeros(2, 3, 4).permute(2, 0, 1).shape
(4, 2, 3)
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Permute) {
    static const OpDef defs[] = {TransposeBackward::op(), PermuteBackward::op()};
    return defs;
}
