// expand and broadcast_to: axes of size 1 (or missing ones) repeated through a stride of 0.
#include "lucid/autograd/CoreOps.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

[[noreturn]] void cannot_expand(const char* op, const Storage& x, DimSpan size) {
    ErrorBuilder(op, "x cannot be broadcast to this size")
        .given("x", describe(x))
        .given("size", to_string(size))
        .rule("from the last dimension on, each is equal, or 1 in x, or missing in x; "
              "-1 (expand only) keeps one")
        .raise<ShapeMismatch>();
}

// `op` is whom the error names.
Storage expand_view(const char* op, const Storage& x, const Dims& size) {
    if (size.size() < x.shape().size()) cannot_expand(op, x, size);
    const size_t missing = size.size() - x.shape().size();
    Shape shape(size.begin(), size.end());
    Strides strides(size.size(), 0);
    for (size_t i = 0; i < size.size(); ++i) {
        if (i < missing) {
            if (shape[i] < 0) cannot_expand(op, x, size);
            continue;
        }
        const int64_t old = x.shape()[i - missing];
        if (shape[i] == -1) shape[i] = old;
        if (shape[i] < 0 || (old != 1 && shape[i] != old)) cannot_expand(op, x, size);
        if (shape[i] == old) strides[i] = x.strides()[i - missing];
    }
    numel_of(shape);  // throws when it does not fit
    return x.view(std::move(shape), std::move(strides), x.offset());
}

struct ExpandBackward : ViewKernel<ExpandBackward> {
    static const OpSchema schema_v1;

    static Storage view(const Storage& x, const Attrs& attrs) {
        return expand_view("expand", x, attrs.dims(0));
    }
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return core_ops().sum_to(grad, ctx.input_shape(0));
    }
};

const OpSchema ExpandBackward::schema_v1{
    .name = "expand",
    .signature = "expand(Tensor x, int[] size) -> Tensor",
    .backward_name = "ExpandBackward",
    .dtype_rule = DtypeRule::First,
    .cost = CostClass::View,
    .python = kMethod,
    .doc = R"(Dimensions of size 1 repeated without a copy; new ones may be added in front.

A view in which several positions share one element, so in-place ops on it raise. -1 keeps a size.

Shapes: x broadcasts to the result `size`.
Raises ShapeMismatch when it does not.

>>> lucid.tensor([[1], [2]]).expand(-1, 3).tolist()
[[1, 1, 1], [2, 2, 2]]
)"};

std::vector<Tensor> broadcast_to_entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    const Dims& size = attrs.dims(0);
    for (int64_t n : size) {
        if (n < 0) cannot_expand("broadcast_to", x.storage(), size);
    }
    expand_view("broadcast_to", x.storage(), size);  // throws by our own name
    return {expand(x, size)};
}

const OpSchema kBroadcastTo{.name = "broadcast_to",
                            .signature = "broadcast_to(Tensor x, int[] size) -> Tensor",
                            .dtype_rule = DtypeRule::First,
                            .cost = CostClass::View,
                            .python = kFunction | kMethod,
                            .doc = R"(x broadcast to `size`, as a view.

Shapes: x broadcasts to the result `size`; unlike expand, -1 is an error.
Raises ShapeMismatch when it does not.

>>> lucid.broadcast_to(lucid.tensor([1, 2]), (2, 2)).tolist()
[[1, 2], [1, 2]]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Expand) {
    static const OpDef defs[] = {ExpandBackward::op(),
                                 composition(kBroadcastTo, &broadcast_to_entry)};
    return defs;
}
