// randn and randn_like: draws from the standard normal distribution.
#include "lucid/backend/cpu/Random.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/random/RandomDraw.h"

LUCID_NAMESPACE_BEGIN

namespace {

using Inputs = std::span<const Tensor* const>;

struct Normal : CreationKernel<Normal> {
    static const OpSchema schema_v1;
    static void kernel(const CpuCall& call) {
        cpu::random_normal(call.outputs[0], philox_state(call.attrs), 0, 1);
    }
};

const OpSchema Normal::schema_v1{
    .name = "_normal",
    .signature = "_normal(int[] size, Dtype dtype, Scalar seed, Scalar offset) -> Tensor",
    .dtype_rule = DtypeRule::Explicit,
    .python = kInternal,
    .no_gradient_reason = kNoTensorInput,
    .doc = "Standard normal draws of the Philox stream (seed, offset)."};

std::vector<Tensor> draw(const char* op, const Dims& size, const TensorOptions& options) {
    checked_size(op, size);
    const PhiloxState state = reserve_draws(op, size, options);
    return make_tensor(op, options, [&] {
        return _normal(size, options.dtype, Scalar(state.seed), Scalar(state.offset));
    });
}

std::vector<Tensor> randn_entry(Inputs, const Attrs& attrs) {
    return draw("randn", attrs.dims(0),
                TensorOptions::from(attrs, 1, TensorOptions::default_dtype()));
}
std::vector<Tensor> randn_like_entry(Inputs inputs, const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    return draw("randn_like", Dims(x.shape()), TensorOptions::like(x, attrs, 0));
}

constexpr const char* kInexactOnly = "normal draws are floating or complex; use randint";

const OpSchema kRandn{.name = "randn",
                      .signature = "randn(int[] size, *, Dtype? dtype=None, Device? device=None, "
                                   "bool requires_grad=False) -> Tensor",
                      .dtypes = kInexactDtypes,
                      .dtype_reason = kInexactOnly,
                      .doc = R"(Numbers from the normal distribution with mean 0 and variance 1.

A complex number has variance 1/2 in each part. Finite for every draw. Reproducible after
lucid.manual_seed, whatever the number of threads.

Shapes: result `size`.
Raises ShapeMismatch for a negative size, DtypeMismatch for an integer dtype.

>>> lucid.randn(2, 3).shape
(2, 3)
)"};

const OpSchema kRandnLike{
    .name = "randn_like",
    .signature = "randn_like(Tensor x, *, Dtype? dtype=None, Device? device=None, "
                 "bool requires_grad=False) -> Tensor",
    .dtype_rule = DtypeRule::First,
    .dtypes = kInexactDtypes,
    .dtype_reason = kInexactOnly,
    .doc = R"(lucid.randn with the shape and, unless given, the dtype and device of x.

Shapes: result as x.
Raises DtypeMismatch for an integer dtype.

>>> lucid.randn_like(lucid.zeros(2, 3)).shape
(2, 3)
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Normal) {
    static const OpDef defs[] = {Normal::op(), composition(kRandn, &randn_entry),
                                 composition(kRandnLike, &randn_like_entry)};
    return defs;
}
