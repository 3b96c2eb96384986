// any and all: every number but 0 counts as true, nan included.
#include "lucid/ops/reduction/ReducedAxes.h"

LUCID_NAMESPACE_BEGIN

namespace {

template <typename Derived>
struct TruthKernel : ReduceKernel<Derived> {
    static const char* name() { return Derived::schema_v1.name; }

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        const Shape& shape = inputs[0]->shape();
        const Dims axes = reduced_axes(name(), attrs, shape.size());
        outputs.push_back(
            OutputSpec::dense(Dtype::Bool, reduced_shape(shape, axes, attrs.flag(1))));
    }
    static void kernel(const CpuCall& call) { run_reduction<Derived::kKind>(name(), call); }
};

struct Any : TruthKernel<Any> {
    static const OpSchema schema_v1;
    static constexpr cpu::ReduceKind kKind = cpu::ReduceKind::Any;
};

const OpSchema Any::schema_v1{
    .name = "any",
    .signature = "any(Tensor x, int[]? dim=None, bool keepdim=False) -> Tensor",
    .python = kFunction | kMethod,
    .no_gradient_reason = "bool result",
    .doc = R"(Whether some element is true (not 0), of all or along dimensions.

Of no elements: False.

Shapes: result as x without the dimensions in dim, or with 1 in their place (keepdim); bool.
Raises IndexOutOfRange when x has no such dimension.

>>> lucid.any(lucid.tensor([[0, 2], [0, 0]]), 1).tolist()
[True, False]
)"};

struct All : TruthKernel<All> {
    static const OpSchema schema_v1;
    static constexpr cpu::ReduceKind kKind = cpu::ReduceKind::All;
};

const OpSchema All::schema_v1{
    .name = "all",
    .signature = "all(Tensor x, int[]? dim=None, bool keepdim=False) -> Tensor",
    .python = kFunction | kMethod,
    .no_gradient_reason = "bool result",
    .doc = R"(Whether every element is true (not 0), of all or along dimensions.

Of no elements: True.

Shapes: result as x without the dimensions in dim, or with 1 in their place (keepdim); bool.
Raises IndexOutOfRange when x has no such dimension.

>>> lucid.all(lucid.tensor([[1, 2], [0, 3]]), 1).tolist()
[True, False]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(AnyAll) {
    static const OpDef defs[] = {Any::op(), All::op()};
    return defs;
}
