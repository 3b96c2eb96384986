// slice and select: part of one axis, as views. Their gradients are slice_backward: zeros with the
// incoming gradient in the place of the slice.
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct SliceBackward : ViewKernel<SliceBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        const int64_t dim = existing_axis("slice", attrs.integer(0), x);
        const int64_t step = attrs.integer(3);
        const SliceRange range = resolve_slice("slice", x.size(dim), optional_integer(attrs, 1),
                                               optional_integer(attrs, 2), step);
        return slice_storage(x, dim, range, step);
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Attrs& attrs = ctx.attrs();
        return slice_backward(grad, ctx.input_shape(0), attrs.integer(0), attrs.integer(3),
                              optional_integer(attrs, 1), optional_integer(attrs, 2));
    }
};

const OpSchema SliceBackward::schema_v1{
    .name = "slice",
    .signature = "slice(Tensor x, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
    .backward_name = "SliceBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kFunction | kMethod,
    .doc =
        R"(x[start:end:step] along one dimension, as a view.

Python's rules hold, negative steps included.

Shapes: x (..., n, ...), result (..., k, ...) with k = len(range(n)[start:end:step]).
Raises IndexOutOfRange when x has no such dimension, ValueError for a step of zero.

>>> lucid.arange(6).slice(0, None, None, -2).tolist()
[5, 3, 1]
)"};

struct SelectBackward : ViewKernel<SelectBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        const int64_t dim = existing_axis("select", attrs.integer(0), x);
        const int64_t size = x.size(dim);
        int64_t index = attrs.integer(1);
        if (index < -size || index >= size) {
            ErrorBuilder("select", "the index is out of range")
                .given("x", describe(x))
                .given("dim", std::to_string(dim))
                .given("index", std::to_string(index))
                .rule("-" + std::to_string(size) + " <= index < " + std::to_string(size))
                .raise<IndexOutOfRange>();
        }
        if (index < 0) index += size;
        Shape shape = x.shape();
        Strides strides = x.strides();
        shape.erase(shape.begin() + dim);
        strides.erase(strides.begin() + dim);
        return x.view(std::move(shape), std::move(strides), x.offset() + index * x.stride(dim));
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Shape& shape = ctx.input_shape(0);
        const int64_t rank = static_cast<int64_t>(shape.size());
        const int64_t dim = normalize_axis("select", ctx.attrs().integer(0), rank);
        int64_t index = ctx.attrs().integer(1);
        if (index < 0) index += shape[static_cast<size_t>(dim)];
        return slice_backward(unsqueeze(grad, dim), shape, dim, 1, index, index + 1);
    }
};

const OpSchema SelectBackward::schema_v1{
    .name = "select",
    .signature = "select(Tensor x, int dim, int index) -> Tensor",
    .backward_name = "SelectBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kFunction | kMethod,
    .doc = R"(One position of one dimension, which goes away; a view.

Shapes: x (..., n, ...), result (..., ...).
Raises IndexOutOfRange unless -n <= index < n and x has that dimension.

>>> lucid.tensor([[1, 2], [3, 4]]).select(1, -1).tolist()
[2, 4]
)"};

// Zeros of shape `size` with x in the place of the slice.
struct SliceBackwardBackward : NaryKernel<SliceBackwardBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        outputs.push_back(OutputSpec::dense(inputs[0]->dtype(), attrs.dims(0)));
    }
    static void kernel(const CpuCall& call) {
        const cpu::View& out = call.outputs[0];
        const Attrs& attrs = call.attrs;
        const auto rank = static_cast<int64_t>(out.shape.size());
        const auto dim = static_cast<size_t>(normalize_axis("slice", attrs.integer(1), rank));
        const int64_t step = attrs.integer(2);
        const SliceRange range = resolve_slice("slice", out.shape[dim], optional_integer(attrs, 3),
                                               optional_integer(attrs, 4), step);
        fill_zero(out);
        if (range.length == 0) return;
        auto* start =
            static_cast<std::byte*>(out.data) + range.start * out.strides[dim] * size_of(out.dtype);
        Strides strides(out.strides);
        if (range.length > 1) strides[dim] *= step;
        cpu::copy(call.inputs[0], {start, out.dtype, call.inputs[0].shape, strides});
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        const Attrs& attrs = ctx.attrs();
        out[0] = slice(grads[0], attrs.integer(1), optional_integer(attrs, 3),
                       optional_integer(attrs, 4), attrs.integer(2));
    }
};

const OpSchema SliceBackwardBackward::schema_v1{
    .name = "slice_backward",
    .signature = "slice_backward(Tensor x, int[] size, int dim, int step, int? start=None, "
                 "int? end=None) -> Tensor",
    .backward_name = "SliceBackwardBackward",
    .dtype_rule = DtypeRule::First,
    .python = kInternal,
    .doc = "Zeros of shape `size` in which slice(dim, start, end, step) holds x: the gradient of "
           "slice."};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Slice) {
    static const OpDef defs[] = {SliceBackward::op(), SelectBackward::op(),
                                 SliceBackwardBackward::op()};
    return defs;
}
