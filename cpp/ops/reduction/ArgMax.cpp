// argmax and argmin: where the extreme element is.
#include "lucid/ops/reduction/ReducedAxes.h"

LUCID_NAMESPACE_BEGIN

namespace {

template <typename Derived>
struct ArgKernel : ReduceKernel<Derived> {
    static const char* name() { return Derived::schema_v1.name; }

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Storage& x = *inputs[0];
        const Dims axes = reduced_axes(name(), attrs, x.shape().size());
        check_not_empty(name(), x, axes);
        outputs.push_back(
            OutputSpec::dense(Dtype::Int64, reduced_shape(x.shape(), axes, attrs.flag(1))));
    }
    static void kernel(const CpuCall& call) {
        const cpu::ConstView& x = call.inputs[0];
        const Dims axes = reduced_axes(name(), call.attrs, x.shape.size());
        cpu::arg_reduce(Derived::kWantMax, x, axes,
                        ReducedView(call.outputs[0], x.shape, axes).get());
    }
};

struct ArgMax : ArgKernel<ArgMax> {
    static const OpSchema schema_v1;
    static constexpr bool kWantMax = true;
};

const OpSchema ArgMax::schema_v1{
    .name = "argmax",
    .signature = "argmax(Tensor x, int? dim=None, bool keepdim=False) -> Tensor",
    .dtypes = kRealDtypes,
    .dtype_reason = "complex numbers have no order; take abs first",
    .python = kFunction | kMethod,
    .no_gradient_reason = "integer result",
    .doc = R"(The index of the first largest element (the first nan, if any), as int64.

Along one dimension, or among all elements in row-major order.

Shapes: result as x without the dimension (without all of them), or with 1 in its place (keepdim).
Raises ShapeMismatch when there is no element to choose, IndexOutOfRange when x has no such
dimension, DtypeMismatch for complex tensors.

>>> lucid.argmax(lucid.tensor([[1, 5], [3, 2]]), 1).tolist()
[1, 0]
)"};

struct ArgMin : ArgKernel<ArgMin> {
    static const OpSchema schema_v1;
    static constexpr bool kWantMax = false;
};

const OpSchema ArgMin::schema_v1{
    .name = "argmin",
    .signature = "argmin(Tensor x, int? dim=None, bool keepdim=False) -> Tensor",
    .dtypes = kRealDtypes,
    .dtype_reason = "complex numbers have no order; take abs first",
    .python = kFunction | kMethod,
    .no_gradient_reason = "integer result",
    .doc = R"(The index of the first smallest element (the first nan, if any), as int64.

Along one dimension, or among all elements in row-major order.

Shapes: result as x without the dimension (without all of them), or with 1 in its place (keepdim).
Raises ShapeMismatch when there is no element to choose, IndexOutOfRange when x has no such
dimension, DtypeMismatch for complex tensors.

>>> lucid.argmin(lucid.tensor([[1, 5], [3, 2]]), 1).tolist()
[0, 1]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(ArgMax) {
    static const OpDef defs[] = {ArgMax::op(), ArgMin::op()};
    return defs;
}
