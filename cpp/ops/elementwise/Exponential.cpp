// exp, log and sqrt.
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kComputedInFloat =
    "bool and integers are cast to the default floating dtype first";

struct ExpBackward : UnaryKernel<ExpBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return mul(grad, conj_if_complex(ctx.output(0)));
    }
};

const OpSchema ExpBackward::schema_v1{
    .name = "exp",
    .signature = "exp(Tensor x) -> Tensor",
    .backward_name = "ExpBackward",
    .dtype_rule = DtypeRule::PromoteToFloat,
    .dtypes = kInexactDtypes,
    .dtype_reason = kComputedInFloat,
    .amp = AmpPolicy::ForceFP32,
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(The exponential of x, elementwise; integers give the default floating dtype.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.exp(lucid.tensor([0.0])).tolist()
[1.0]
)"};

struct LogBackward : UnaryKernel<LogBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        return div(grad, conj_if_complex(ctx.input(0)));
    }
};

const OpSchema LogBackward::schema_v1{
    .name = "log",
    .signature = "log(Tensor x) -> Tensor",
    .backward_name = "LogBackward",
    .dtype_rule = DtypeRule::PromoteToFloat,
    .dtypes = kInexactDtypes,
    .dtype_reason = kComputedInFloat,
    .amp = AmpPolicy::ForceFP32,
    .saves = {.inputs = 0b1},
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(The natural logarithm of x, elementwise; -inf at 0, nan below.

Integers give the default floating dtype. Of a complex x, the branch with the imaginary part in
[-pi, pi].

Shapes: result as x.
Raises nothing of its own.

>>> lucid.log(lucid.tensor([1.0, 0.0])).tolist()
[0.0, -inf]
)"};

struct SqrtBackward : UnaryKernel<SqrtBackward> {
    static const OpSchema schema_v1;
    // grad / (2 sqrt(x)): inf at 0, as PyTorch, but a grad of 0 (a masked branch) stays 0 there.
    static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
        const Tensor y = conj_if_complex(ctx.output(0));
        const Tensor masked = logical_and(eq(y, weak_scalar(0)), eq(grad, weak_scalar(0)));
        return div(grad, mul(where(masked, weak_scalar(1), y), weak_scalar(2)));
    }
};

const OpSchema SqrtBackward::schema_v1{
    .name = "sqrt",
    .signature = "sqrt(Tensor x) -> Tensor",
    .backward_name = "SqrtBackward",
    .dtype_rule = DtypeRule::PromoteToFloat,
    .dtypes = kInexactDtypes,
    .dtype_reason = kComputedInFloat,
    .saves = {.outputs = 0b1},
    .python = kFunction | kMethod | kInPlace,
    .doc = R"(The square root of x, elementwise; nan below 0. Its gradient at 0 is inf,
or 0 where nothing flows back.

Integers give the default floating dtype. Of a complex x, the root with a real part of 0 or more.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.sqrt(lucid.tensor([4.0, 9.0])).tolist()
[2.0, 3.0]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Exponential) {
    static const OpDef defs[] = {ExpBackward::op("exp"), LogBackward::op("log"),
                                 SqrtBackward::op("sqrt")};
    return defs;
}
