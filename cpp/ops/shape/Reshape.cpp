// reshape (a view where possible, else a copy), view (a view or an error) and flatten.
#include "lucid/backend/Dispatcher.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct ReshapeBackward : ViewKernel<ReshapeBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        Shape shape = resolve_shape("reshape", x, attrs.dims(0));
        if (auto strides = view_strides(x.shape(), x.strides(), shape)) {
            return x.view(std::move(shape), std::move(*strides), x.offset());
        }
        const Storage copy = Dispatcher::for_device(x.device())->contiguous(x);
        Strides strides = contiguous_strides(shape);
        return copy.view(std::move(shape), std::move(strides), copy.offset());
    }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("reshape");
        const Tensor& x = *inputs[0];
        const Shape shape = resolve_shape("reshape", x.storage(), attrs.dims(0));
        if (view_strides(x.shape(), x.strides(), shape)) return {run_view(id, x, attrs)};
        return {run_view(id, contiguous(x), attrs)};
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return reshape(grad, ctx.input_shape(0));
    }
    static OpDef op() {
        OpDef def = ViewKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema ReshapeBackward::schema_v1{
    .name = "reshape",
    .signature = "reshape(Tensor x, int[] size) -> Tensor",
    .backward_name = "ReshapeBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kFunction | kMethod,
    .doc = R"(The same elements, in row-major order, under another shape.

A view of x where its strides allow it, otherwise a copy. One size may be -1: it is worked out from
the others.

Shapes: x any, result `size`.
Raises ShapeMismatch when the numbers of elements differ.

>>> lucid.arange(6).reshape(2, -1).tolist()
[[0, 1, 2], [3, 4, 5]]
)"};

struct ViewBackward : ViewKernel<ViewBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        Shape shape = resolve_shape("view", x, attrs.dims(0));
        auto strides = view_strides(x.shape(), x.strides(), shape);
        if (!strides) {
            ErrorBuilder("view", "this shape needs a copy")
                .given("x", describe(x))
                .given("strides", to_string(x.strides()))
                .given("size", to_string(shape))
                .rule("use reshape, which copies where it must")
                .raise<ShapeMismatch>();
        }
        return x.view(std::move(shape), std::move(*strides), x.offset());
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return reshape(grad, ctx.input_shape(0));
    }
};

const OpSchema ViewBackward::schema_v1{.name = "view",
                                       .signature = "view(Tensor x, int[] size) -> Tensor",
                                       .backward_name = "ViewBackward",
                                       .dtype_rule = DtypeRule::First,
                                       .cost = CostClass::View,
                                       .python = kMethod,
                                       .doc = R"(The same memory under another shape, never a copy.

Shapes: x any, result `size`; one size may be -1.
Raises ShapeMismatch when the numbers of elements differ or the strides of x do not allow a view.

>>> lucid.arange(6).view(3, 2).tolist()
[[0, 1], [2, 3], [4, 5]]
)"};

std::vector<Tensor> flatten_entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    if (x.ndim() == 0) return {reshape(x, Dims{1})};
    const int64_t first = normalize_axis("flatten", attrs.integer(0), x.ndim());
    const int64_t last = normalize_axis("flatten", attrs.integer(1), x.ndim());
    if (first > last) {
        ErrorBuilder("flatten", "start_dim comes after end_dim")
            .given("start_dim", std::to_string(first))
            .given("end_dim", std::to_string(last))
            .raise<InvalidArgument>();
    }
    if (first == last) return {x};
    Dims size(x.shape().begin(), x.shape().begin() + first);
    size.push_back(numel_of(x.shape().span().subspan(static_cast<size_t>(first),
                                                     static_cast<size_t>(last - first + 1))));
    for (int64_t dim = last + 1; dim < x.ndim(); ++dim) size.push_back(x.size(dim));
    return {reshape(x, size)};
}

const OpSchema kFlatten{.name = "flatten",
                        .signature = "flatten(Tensor x, int start_dim=0, int end_dim=-1) -> Tensor",
                        .dtype_rule = DtypeRule::First,
                        .cost = CostClass::View,
                        .python = kFunction | kMethod,
                        .doc = R"(The dimensions from start_dim to end_dim, both included, made one.

A view where the strides of x allow it, otherwise a copy. A 0-d tensor becomes 1-d.

Shapes: x (..., d1, ..., dk, ...), result (..., d1 * ... * dk, ...).
Raises IndexOutOfRange when x has no such dimension, ValueError when start_dim comes after end_dim.

>>> lucid.zeros(2, 3, 4).flatten(1).shape
(2, 12)
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Reshape) {
    static const OpDef defs[] = {ReshapeBackward::op(), ViewBackward::op(),
                                 composition(kFlatten, &flatten_entry)};
    return defs;
}
