// squeeze and unsqueeze: axes of size 1 removed and added, as views.
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct SqueezeBackward : ViewKernel<SqueezeBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        Dims asked;
        const bool every = !attrs.has(0);
        // An empty list means no axis here, while normalize_axes takes it for all of them.
        if (!every && !attrs.dims(0).empty())
            asked = normalize_axes("squeeze", attrs.dims(0), x.ndim());
        Shape shape;
        Strides strides;
        for (int64_t dim = 0; dim < x.ndim(); ++dim) {
            const bool named = every || std::find(asked.begin(), asked.end(), dim) != asked.end();
            if (named && x.size(dim) == 1) continue;
            shape.push_back(x.size(dim));
            strides.push_back(x.stride(dim));
        }
        return x.view(std::move(shape), std::move(strides), x.offset());
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return reshape(grad, ctx.input_shape(0));
    }
};

const OpSchema SqueezeBackward::schema_v1{
    .name = "squeeze",
    .signature = "squeeze(Tensor x, int[]? dim=None) -> Tensor",
    .backward_name = "SqueezeBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kFunction | kMethod,
    .doc = R"(Dimensions of size 1 removed: all of them, or those in `dim`; a view.

A dimension in `dim` of another size stays.

Shapes: x (..., 1, ...), result (..., ...).
Raises IndexOutOfRange when x has no such dimension, ShapeMismatch for one that is named twice.

>>> lucid.zeros(1, 3, 1).squeeze(0).shape
(3, 1)
)"};

struct UnsqueezeBackward : ViewKernel<UnsqueezeBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        const int64_t dim = normalize_axis("unsqueeze", attrs.integer(0), x.ndim() + 1);
        Shape shape = x.shape();
        Strides strides = x.strides();
        const int64_t stride = dim < x.ndim() ? x.size(dim) * x.stride(dim) : 1;
        shape.insert(shape.begin() + dim, 1);
        strides.insert(strides.begin() + dim, stride);
        return x.view(std::move(shape), std::move(strides), x.offset());
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return squeeze(grad, Dims{ctx.attrs().integer(0)});
    }
};

const OpSchema UnsqueezeBackward::schema_v1{
    .name = "unsqueeze",
    .signature = "unsqueeze(Tensor x, int dim) -> Tensor",
    .backward_name = "UnsqueezeBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kFunction | kMethod,
    .doc = R"(A new dimension of size 1 at position `dim` of the result; a view.

Shapes: x (..., n, ...), result (..., 1, n, ...).
Raises IndexOutOfRange unless -x.ndim - 1 <= dim <= x.ndim.

>>> lucid.zeros(2, 3).unsqueeze(-1).shape
(2, 3, 1)
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Squeeze) {
    static const OpDef defs[] = {SqueezeBackward::op(), UnsqueezeBackward::op()};
    return defs;
}
