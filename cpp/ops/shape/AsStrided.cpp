// as_strided and as_strided_scatter: views and writes given in elements of the whole memory (the
// Box), with an absolute offset. Autograd expresses in-place writes through them
// (autograd/InPlace.h).
//
// Their attributes carry more than the signature: the strides and offset of x, which the gradient
// needs.
#include "lucid/autograd/CoreOps.h"
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

Tensor ones(const Shape& shape, Dtype dtype, Device device) {
    return core_ops().full(shape, Scalar(1), dtype, device);
}

struct AsStridedBackward : ViewKernel<AsStridedBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        check_inside_memory("as_strided", x, attrs.dims(0), attrs.dims(1), attrs.integer(2));
        return x.view(Shape(attrs.dims(0)), Strides(attrs.dims(1)), attrs.integer(2));
    }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("as_strided");
        const Tensor& x = *inputs[0];
        const Attrs with_x = Attrs::of(attrs.dims(0), attrs.dims(1), attrs.scalar(2),
                                       Dims(x.strides()), Scalar(x.storage().offset()));
        return {run_view(id, x, with_x)};
    }
    // Several positions of the view may show one element: their gradients add up. Several positions
    // of x may, too: they share the element's gradient evenly.
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Attrs& attrs = ctx.attrs();
        const Shape& shape = ctx.input_shape(0);
        const Dims& strides = attrs.dims(3);
        const int64_t offset = attrs.integer(4);
        const Tensor sum =
            strided_transfer(grad, attrs.dims(1), attrs.integer(2), shape, strides, offset);
        if (!may_self_overlap(shape, strides)) return sum;
        const Tensor count = strided_transfer(ones(shape, grad.dtype(), grad.device()), strides,
                                              offset, shape, strides, offset);
        return div(sum, count);
    }
    static OpDef op() {
        OpDef def = ViewKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema AsStridedBackward::schema_v1{
    .name = "as_strided",
    .signature = "as_strided(Tensor x, int[] size, int[] stride, int storage_offset=0) -> Tensor",
    .backward_name = "AsStridedBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kFunction | kMethod,
    .doc = R"(Any strided view of the memory behind x.

size, stride and storage_offset count elements of that memory, whatever view of it x is. Positions
may overlap; their gradients add up.

Shapes: x any, result `size`.
Raises ShapeMismatch when size and stride have different lengths or the view leaves the memory.

>>> lucid.arange(5).as_strided((3, 3), (1, 1)).tolist()
[[0, 1, 2], [1, 2, 3], [2, 3, 4]]
)"};

struct AsStridedScatterBackward : NaryKernel<AsStridedScatterBackward> {
    static const OpSchema schema_v1;

    // Element i of the memory is element i of x in the order of its strides.
    static bool covers_memory(const Storage& x) {
        for (int64_t stride : x.strides()) {
            if (stride < 0) return false;
        }
        return x.offset() == 0 && is_dense(x.shape(), x.strides()) &&
               x.numel() == memory_elements(x);
    }
    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Storage& source = *inputs[1];
        check_inside_memory("as_strided_scatter", x, attrs.dims(0), attrs.dims(1),
                            attrs.integer(2));
        auto wrong = [&](const char* what) {
            return ErrorBuilder("as_strided_scatter", what)
                .given("x", describe(x))
                .given("source", describe(source))
                .given("size", to_string(attrs.dims(0)))
                .given("stride", to_string(attrs.dims(1)));
        };
        if (source.dtype() != x.dtype()) wrong("the dtypes differ").raise<DtypeMismatch>();
        if (!(source.shape() == attrs.dims(0))) {
            wrong("source has another shape than size").raise<ShapeMismatch>();
        }
        if (may_self_overlap(attrs.dims(0), attrs.dims(1))) {
            wrong("positions overlap, so the result would depend on their order")
                .raise<InvalidArgument>();
        }
        LUCID_ASSERT(covers_memory(x));
        outputs.push_back({x.dtype(), x.shape(), x.strides()});
    }
    static void kernel(const CpuCall& call) {
        const cpu::View& out = call.outputs[0];
        cpu::copy(call.inputs[0], out);
        auto* start =
            static_cast<std::byte*>(out.data) + call.attrs.integer(2) * size_of(out.dtype);
        cpu::copy(call.inputs[1], {start, out.dtype, call.attrs.dims(0), call.attrs.dims(1)});
    }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("as_strided_scatter");
        const Tensor& x = *inputs[0];
        const Dims& size = attrs.dims(0);
        Tensor source = *inputs[1];
        if (!(source.shape() == size)) {
            if (!(broadcast_shapes("as_strided_scatter", source.shape(), size) == size)) {
                ErrorBuilder("as_strided_scatter", "source does not broadcast to size")
                    .given("source", describe(source))
                    .given("size", to_string(size))
                    .raise<ShapeMismatch>();
            }
            source = expand(source, size);
        }
        const Storage& storage = x.storage();
        if (!covers_memory(storage)) {
            // x shows part of the memory: scatter into all of it, and look at the result as x does.
            const Tensor memory = as_strided(x, Dims{memory_elements(storage)}, Dims{1}, 0);
            const Tensor written =
                as_strided_scatter(memory, source, size, attrs.dims(1), attrs.integer(2));
            return {as_strided(written, x.shape(), x.strides(), storage.offset())};
        }
        const Tensor* operands[] = {&x, &source};
        return {run_op(id, operands,
                       Attrs::of(size, attrs.dims(1), attrs.scalar(2), Dims(x.strides())))};
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        const Attrs& attrs = ctx.attrs();
        const Dims& size = attrs.dims(0);
        const Dims& stride = attrs.dims(1);
        const int64_t offset = attrs.integer(2);
        const Dims& x_strides = attrs.dims(3);
        const Tensor& grad = grads[0];
        if (ctx.needs(0)) {
            const Tensor written = strided_transfer(ones(size, Dtype::Bool, grad.device()), stride,
                                                    offset, ctx.input_shape(0), x_strides, 0);
            const Tensor zero = core_ops().full(Shape(), Scalar(0), grad.dtype(), grad.device());
            out[0] = core_ops().where(written, zero, grad);
        }
        if (ctx.needs(1)) out[1] = strided_transfer(grad, x_strides, 0, size, stride, offset);
    }
    static OpDef op() {
        OpDef def = NaryKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema AsStridedScatterBackward::schema_v1{
    .name = "as_strided_scatter",
    .signature = "as_strided_scatter(Tensor x, Tensor source, int[] size, int[] stride, "
                 "int storage_offset=0) -> Tensor",
    .backward_name = "AsStridedScatterBackward",
    .dtype_rule = DtypeRule::Explicit,
    .python = kFunction | kMethod,
    .doc =
        R"(A copy of x with one strided region of its memory replaced by `source`.

size, stride and storage_offset count elements of the whole memory, as in as_strided.

Shapes: x any, source broadcasts to `size`, result as x.
Raises ShapeMismatch when the region leaves the memory, DtypeMismatch when the dtypes differ,
ValueError when positions of the region overlap.

>>> lucid.as_strided_scatter(lucid.zeros(4), lucid.ones(2), (2,), (2,)).tolist()
[1.0, 0.0, 1.0, 0.0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(AsStrided) {
    static const OpDef defs[] = {AsStridedBackward::op(), AsStridedScatterBackward::op()};
    return defs;
}
