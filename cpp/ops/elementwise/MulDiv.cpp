// mul, div, reciprocal and square.
#include "lucid/core/Error.h"
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kComputedInFloat =
    "bool and integers are cast to the default floating dtype first";

struct MulBackward : BinaryKernel<MulBackward> {
    static const OpSchema schema_v1;
    static GradientPair gradient(const VjpContext& ctx, const Tensor& grad) {
        GradientPair out;
        if (ctx.needs(0)) out.first = mul(grad, conj_if_complex(ctx.input(1)));
        if (ctx.needs(1)) out.second = mul(grad, conj_if_complex(ctx.input(0)));
        return out;
    }
};

const OpSchema MulBackward::schema_v1{.name = "mul",
                                      .signature = "mul(Tensor a, Tensor b) -> Tensor",
                                      .backward_name = "MulBackward",
                                      .saves = {.inputs = 0b11},
                                      .python = kFunction | kMethod | kInPlace,
                                      .doc = R"(a * b, elementwise; of bools, a and b.

Shapes: a and b broadcast to the result.
Raises ShapeMismatch when they do not.

>>> lucid.mul(lucid.tensor([1.0, 2.0]), 3).tolist()
[3.0, 6.0]
)"};

struct DivBackward : BinaryKernel<DivBackward> {
    static const OpSchema schema_v1;
    static GradientPair gradient(const VjpContext& ctx, const Tensor& grad) {
        const Tensor b = ctx.input(1);
        GradientPair out;
        if (ctx.needs(0)) out.first = div(grad, conj_if_complex(b));
        if (ctx.needs(1)) {
            const Tensor slope = div(div(ctx.input(0), b), b);
            out.second = neg(mul(grad, conj_if_complex(slope)));
        }
        return out;
    }
};

const OpSchema DivBackward::schema_v1{
    .name = "div",
    .signature = "div(Tensor a, Tensor b) -> Tensor",
    .backward_name = "DivBackward",
    .dtype_rule = DtypeRule::PromoteToFloat,
    .dtypes = kInexactDtypes,
    .dtype_reason = kComputedInFloat,
    .saves = {.inputs = 0b11},
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(a / b, elementwise; integers give the default floating dtype.

Shapes: a and b broadcast to the result.
Raises ShapeMismatch when they do not.

>>> lucid.div(lucid.tensor([1, 2]), 2).tolist()
[0.5, 1.0]
)"};

struct ReciprocalBackward : UnaryKernel<ReciprocalBackward> {
    static const OpSchema schema_v1;
    // d(1/x)/dx = -(1/x)^2
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Tensor y = ctx.output(0);
        return neg(mul(grad, conj_if_complex(mul(y, y))));
    }
};

const OpSchema ReciprocalBackward::schema_v1{
    .name = "reciprocal",
    .signature = "reciprocal(Tensor x) -> Tensor",
    .backward_name = "ReciprocalBackward",
    .dtype_rule = DtypeRule::PromoteToFloat,
    .dtypes = kInexactDtypes,
    .dtype_reason = kComputedInFloat,
    .amp = AmpPolicy::ForceFP32,
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(1 / x, elementwise; integers give the default floating dtype.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.reciprocal(lucid.tensor([2.0, 4.0])).tolist()
[0.5, 0.25]
)"};

constexpr const char* kNoPower = "bool has no power; cast it to an integer first";

std::vector<Tensor> square_entry(std::span<const Tensor* const> inputs, const Attrs&) {
    if (inputs[0]->defined() && inputs[0]->dtype() == Dtype::Bool) {
        ErrorBuilder("square", "not defined for bool")
            .given("x", describe(*inputs[0]))
            .rule(kNoPower)
            .raise<DtypeMismatch>();
    }
    return {mul(*inputs[0], *inputs[0])};
}

const OpSchema kSquare{.name = "square",
                       .signature = "square(Tensor x) -> Tensor",
                       .dtypes = kNumberDtypes,
                       .dtype_reason = kNoPower,
                       .python = kFunction | kMethod | kInPlace,
                       .doc = R"(x * x, elementwise; integers wrap.

Shapes: result as x.
Raises DtypeMismatch for bool.

>>> lucid.square(lucid.tensor([1.0, -3.0])).tolist()
[1.0, 9.0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(MulDiv) {
    static const OpDef defs[] = {MulBackward::op("mul"), DivBackward::op("div"),
                                 ReciprocalBackward::op("reciprocal"),
                                 composition(kSquare, &square_entry)};
    return defs;
}
