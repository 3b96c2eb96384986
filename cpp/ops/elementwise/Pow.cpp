// pow: a ** b. Its gradients are finite wherever the mathematics is: no 0 * inf is formed at a = 0.
#include <limits>

#include "lucid/core/Error.h"
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

Tensor real_part(const Tensor& x) {
    return is_complex(x.dtype()) ? cast(x, real_dtype(x.dtype())) : x;
}

struct PowBackward : BinaryKernel<PowBackward> {
    static const OpSchema schema_v1;

    // b a^(b-1). Where b = 0 and a^(b-1) is not finite the slope is 0; the power is taken at a
    // harmless exponent there, so that neither the value nor its derivatives hold 0 * inf. When b
    // is a constant its zeros are all masked, which saves the power: only the mixed second
    // derivative tells the difference.
    static Tensor base_slope(const Tensor& a, const Tensor& b, bool b_is_constant) {
        const Tensor exponent = sub(b, weak_scalar(1));
        Tensor masked = eq(b, weak_scalar(0));
        if (!b_is_constant) {
            const Tensor finite =
                lt(abs(pow(a, exponent)), weak_scalar(std::numeric_limits<double>::infinity()));
            masked = logical_and(masked, logical_not(finite));
        }
        return mul(b, pow(a, where(masked, weak_scalar(0), exponent)));
    }
    // a^b log a, and its limit 0 where a = 0 and b >= 0.
    static Tensor exponent_slope(const Tensor& a, const Tensor& b) {
        const Tensor masked = logical_and(eq(a, weak_scalar(0)), ge(real_part(b), weak_scalar(0)));
        return mul(pow(a, b), log(where(masked, weak_scalar(1), a)));
    }
    static GradientPair gradient(const VjpContext& ctx, const Tensor& grad) {
        const Tensor a = ctx.input(0), b = ctx.input(1);
        GradientPair out;
        if (ctx.needs(0)) out.first = mul(grad, conj_if_complex(base_slope(a, b, !ctx.needs(1))));
        if (ctx.needs(1)) out.second = mul(grad, conj_if_complex(exponent_slope(a, b)));
        return out;
    }

    // PyTorch: a negative Python number as the exponent of integers raises; in a tensor, a ** b is
    // the integer part of the power (0, or 1 and -1 of those bases).
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("pow");
        const Tensor& a = *inputs[0];
        const Tensor& b = *inputs[1];
        if (a.defined() && b.defined() && b->is_weak() && b.dtype() == Dtype::Int64 &&
            !is_inexact(a.dtype()) && b.item().to_int() < 0) {
            ErrorBuilder("pow", "an integer to a negative power")
                .given("a", describe(a))
                .given("b", b.item().to_string())
                .rule("cast the base to a floating dtype first")
                .raise<InvalidArgument>();
        }
        return {run_op(id, inputs, attrs)};
    }
    static OpDef op() {
        OpDef def = BinaryKernel::op("pow");
        def.entry = &entry;
        return def;
    }
};

const OpSchema PowBackward::schema_v1{.name = "pow",
                                      .signature = "pow(Tensor a, Tensor b) -> Tensor",
                                      .backward_name = "PowBackward",
                                      .dtypes = kNumberDtypes,
                                      .dtype_reason = "bool has no power; use logical_or(a, ~b)",
                                      .amp = AmpPolicy::ForceFP32,
                                      .saves = {.inputs = 0b11},
                                      .python = kFunction | kMethod | kInPlace,
                                      .doc = R"(a ** b, elementwise.

A negative integer power of an integer in a tensor is the power's integer part. The gradients are
finite wherever the mathematics is: at a = 0 that of b is 0 for b >= 0.

Shapes: a and b broadcast to the result.
Raises ShapeMismatch when they do not, DtypeMismatch for bool, ValueError for integers to a negative
Python int.

>>> lucid.pow(lucid.tensor([2.0, 3.0]), 2).tolist()
[4.0, 9.0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Pow) {
    static const OpDef defs[] = {PowBackward::op()};
    return defs;
}
