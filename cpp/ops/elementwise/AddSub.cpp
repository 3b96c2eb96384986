// add, sub and neg.
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct AddBackward : BinaryKernel<AddBackward> {
    static const OpSchema schema_v1;
    static GradientPair gradient(const VjpContext&, const Tensor& grad) { return {grad, grad}; }
};

const OpSchema AddBackward::schema_v1{.name = "add",
                                      .signature = "add(Tensor a, Tensor b) -> Tensor",
                                      .backward_name = "AddBackward",
                                      .python = kFunction | kMethod | kInPlace,
                                      .doc = R"(a + b, elementwise; of bools, a or b.

Shapes: a and b broadcast to the result.
Raises ShapeMismatch when they do not.

>>> lucid.add(lucid.tensor([1.0, 2.0]), 2).tolist()
[3.0, 4.0]
)"};

struct SubBackward : BinaryKernel<SubBackward> {
    static const OpSchema schema_v1;
    static GradientPair gradient(const VjpContext& ctx, const Tensor& grad) {
        return {grad, ctx.needs(1) ? neg(grad) : Tensor()};
    }
};

const OpSchema SubBackward::schema_v1{
    .name = "sub",
    .signature = "sub(Tensor a, Tensor b) -> Tensor",
    .backward_name = "SubBackward",
    .dtypes = kNumberDtypes,
    .dtype_reason = "bool has no subtraction; use a ^ b (logical_xor), or ~a (logical_not)",
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(a - b, elementwise.

Shapes: a and b broadcast to the result.
Raises ShapeMismatch when they do not, DtypeMismatch for two bools.

>>> lucid.sub(lucid.tensor([1.0, 2.0]), 2).tolist()
[-1.0, 0.0]
)"};

struct NegBackward : UnaryKernel<NegBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext&, const Tensor& grad) { return neg(grad); }
};

const OpSchema NegBackward::schema_v1{.name = "neg",
                                      .signature = "neg(Tensor x) -> Tensor",
                                      .backward_name = "NegBackward",
                                      .dtypes = kNumberDtypes,
                                      .dtype_reason = "bool has no negative; use ~x (logical_not)",
                                      .python = kFunction | kMethod | kInPlace,
                                      .doc = R"(-x, elementwise; integers wrap.

Shapes: result as x.
Raises DtypeMismatch for bool.

>>> lucid.neg(lucid.tensor([1, -2])).tolist()
[-1, 2]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(AddSub) {
    static const OpDef defs[] = {AddBackward::op("add"), SubBackward::op("sub"),
                                 NegBackward::op("neg")};
    return defs;
}
