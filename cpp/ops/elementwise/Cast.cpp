// cast: the same values in another dtype.
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct CastBackward {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        static const OpId id = OpRegistry::require("cast");
        outputs.push_back(elementwise_spec(id, inputs, attrs.dtype(0)));
    }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("cast");
        const Tensor& x = *inputs[0];
        if (x.defined() && x.dtype() == attrs.dtype(0)) return {x};
        return {run_op(id, inputs, attrs)};
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        out[0] = cast(grads[0], ctx.input_dtype(0));
    }
    static OpDef op() {
        return {.schema = &schema_v1,
                .infer = &infer,
                .entry = &entry,
                .vjp = &vjp,
                .cpu = Kernel::of_instruction("cast")};
    }
};

const OpSchema CastBackward::schema_v1{
    .name = "cast",
    .signature = "cast(Tensor x, Dtype dtype) -> Tensor",
    .backward_name = "CastBackward",
    .dtype_rule = DtypeRule::Explicit,
    .python = kFunction | kMethod,
    .doc = R"(x in another dtype; x itself when it has the dtype already.

Floats round to nearest and truncate towards 0 to integers; integers wrap; what is not 0 becomes
True; complex numbers lose their imaginary part. The gradient is cast back.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.cast(lucid.tensor([1.5, -2.5]), lucid.int32).tolist()
[1, -2]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Cast) {
    static const OpDef defs[] = {CastBackward::op()};
    return defs;
}
