// where: a choice between two tensors, element by element.
#include "lucid/core/Error.h"
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct WhereBackward {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs&,
                      std::vector<OutputSpec>& outputs) {
        static const OpId id = OpRegistry::require("where");
        if (inputs[0]->dtype() != Dtype::Bool) {
            ErrorBuilder("where", "the condition is not bool")
                .given("condition", describe(*inputs[0]))
                .rule("compare it: condition != 0")
                .raise<DtypeMismatch>();
        }
        outputs.push_back(elementwise_spec(id, inputs, inputs[1]->dtype()));
    }
    // A chosen 0, not a product with 0: nothing of the branch that was not taken can leak.
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        const Tensor condition = ctx.input(0);
        const Tensor zero = weak_scalar(0);
        if (ctx.needs(1)) out[1] = where(condition, grads[0], zero);
        if (ctx.needs(2)) out[2] = where(condition, zero, grads[0]);
    }
    static OpDef op() {
        return {.schema = &schema_v1,
                .infer = &infer,
                .vjp = &vjp,
                .cpu = Kernel::of_instruction("where")};
    }
};

const OpSchema WhereBackward::schema_v1{
    .name = "where",
    .signature = "where(Tensor condition, Tensor a, Tensor b) -> Tensor",
    .backward_name = "WhereBackward",
    .dtype_rule = DtypeRule::PromoteTail,
    .saves = {.inputs = 0b001},
    .python = kFunction,
    .doc = R"(a where the condition is true, b elsewhere.

The gradient is 0 where the other one was taken, whatever its values are.

Shapes: condition, a and b broadcast to the result.
Raises ShapeMismatch when they do not, DtypeMismatch unless the condition is bool.

>>> lucid.where(lucid.tensor([True, False]), lucid.tensor([1, 2]), 0).tolist()
[1, 0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Where) {
    static const OpDef defs[] = {WhereBackward::op()};
    return defs;
}
