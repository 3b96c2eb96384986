// rand and rand_like: uniform draws from [0, 1).
#include "lucid/backend/cpu/Random.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/random/RandomDraw.h"

LUCID_NAMESPACE_BEGIN

namespace {

using Inputs = std::span<const Tensor* const>;

struct Uniform : CreationKernel<Uniform> {
    static const OpSchema schema_v1;
    static void kernel(const CpuCall& call) {
        cpu::random_uniform(call.outputs[0], philox_state(call.attrs), 0, 1);
    }
};

const OpSchema Uniform::schema_v1{
    .name = "_uniform",
    .signature = "_uniform(int[] size, Dtype dtype, Scalar seed, Scalar offset) -> Tensor",
    .dtype_rule = DtypeRule::Explicit,
    .python = kInternal,
    .no_gradient_reason = kNoTensorInput,
    .doc = "Uniform draws from [0, 1) of the Philox stream (seed, offset)."};

std::vector<Tensor> draw(const char* op, const Dims& size, const TensorOptions& options) {
    checked_size(op, size);
    const PhiloxState state = reserve_draws(op, size, options);
    return make_tensor(op, options, [&] {
        return _uniform(size, options.dtype, Scalar(state.seed), Scalar(state.offset));
    });
}

std::vector<Tensor> rand_entry(Inputs, const Attrs& attrs) {
    return draw("rand", attrs.dims(0),
                TensorOptions::from(attrs, 1, TensorOptions::default_dtype()));
}
std::vector<Tensor> rand_like_entry(Inputs inputs, const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    return draw("rand_like", Dims(x.shape()), TensorOptions::like(x, attrs, 0));
}

constexpr const char* kInexactOnly = "uniform draws are floating or complex; use randint";

const OpSchema kRand{.name = "rand",
                     .signature = "rand(int[] size, *, Dtype? dtype=None, Device? device=None, "
                                  "bool requires_grad=False) -> Tensor",
                     .dtypes = kInexactDtypes,
                     .dtype_reason = kInexactOnly,
                     .doc = R"(Numbers drawn evenly from [0, 1); both parts of a complex one are.

Reproducible after lucid.manual_seed, whatever the number of threads. 1 is never drawn, also not
after rounding to a half dtype.

Shapes: result `size`.
Raises ShapeMismatch for a negative size, DtypeMismatch for an integer dtype.

>>> lucid.rand(2, 3).shape
(2, 3)
)"};

const OpSchema kRandLike{
    .name = "rand_like",
    .signature = "rand_like(Tensor x, *, Dtype? dtype=None, Device? device=None, "
                 "bool requires_grad=False) -> Tensor",
    .dtype_rule = DtypeRule::First,
    .dtypes = kInexactDtypes,
    .dtype_reason = kInexactOnly,
    .doc = R"(lucid.rand with the shape and, unless given, the dtype and device of x.

Shapes: result as x.
Raises DtypeMismatch for an integer dtype.

>>> lucid.rand_like(lucid.zeros(2, 3)).shape
(2, 3)
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Uniform) {
    static const OpDef defs[] = {Uniform::op(), composition(kRand, &rand_entry),
                                 composition(kRandLike, &rand_like_entry)};
    return defs;
}
