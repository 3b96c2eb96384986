// abs and sign.
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

// x / |x|, and 0 at 0 with every derivative: PyTorch's sgn.
Tensor direction(const Tensor& x) {
    const Tensor modulus = abs(x);
    const Tensor is_zero = eq(modulus, weak_scalar(0));
    return div(where(is_zero, weak_scalar(0), x), where(is_zero, weak_scalar(1), modulus));
}

struct AbsBackward : UnaryKernel<AbsBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Tensor x = ctx.input(0);
        return mul(grad, is_complex(x.dtype()) ? direction(x) : sign(x));
    }
};

const OpSchema AbsBackward::schema_v1{
    .name = "abs",
    .signature = "abs(Tensor x) -> Tensor",
    .backward_name = "AbsBackward",
    .dtypes = kNumberDtypes,
    .dtype_reason = "a bool is its own absolute value; cast it to an integer first",
    .saves = {.inputs = 0b1},
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(The absolute value of x, elementwise; of complex numbers the modulus, which is real.

The smallest integer of a signed dtype stays as it is. The gradient at 0 is 0.

Shapes: result as x.
Raises DtypeMismatch for bool.

>>> lucid.abs(lucid.tensor([-1.5, 2.0])).tolist()
[1.5, 2.0]
)"};

struct SignBackward : UnaryKernel<SignBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext&, const Tensor& grad) { return zeros_like(grad); }
};

const OpSchema SignBackward::schema_v1{
    .name = "sign",
    .signature = "sign(Tensor x) -> Tensor",
    .backward_name = "SignBackward",
    .dtypes = kRealDtypes,
    .dtype_reason = "complex numbers have no sign; x / abs(x) is their direction",
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(-1, 0 or 1 by the sign of x, elementwise; 0 for nan, as in PyTorch. Its gradient is 0.

Shapes: result as x.
Raises DtypeMismatch for complex tensors.

>>> lucid.sign(lucid.tensor([-1.5, 0.0, 2.0])).tolist()
[-1.0, 0.0, 1.0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(AbsSign) {
    static const OpDef defs[] = {AbsBackward::op("abs", ResultDtype::Real),
                                 SignBackward::op("sign")};
    return defs;
}
