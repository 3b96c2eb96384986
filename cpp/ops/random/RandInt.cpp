// randint: integers drawn evenly from [low, high).
#include "lucid/backend/cpu/Random.h"
#include "lucid/core/Error.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/random/RandomDraw.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct RandInt : CreationKernel<RandInt> {
    static const OpSchema schema_v1;
    static void kernel(const CpuCall& call) {
        const auto range = static_cast<uint64_t>(call.attrs.integer(5));
        cpu::random_integers(call.outputs[0], philox_state(call.attrs), call.attrs.integer(4),
                             range);
    }
};

const OpSchema RandInt::schema_v1{
    .name = "_randint",
    .signature = "_randint(int[] size, Dtype dtype, Scalar seed, Scalar offset, Scalar low, "
                 "Scalar range) -> Tensor",
    .dtype_rule = DtypeRule::Explicit,
    .python = kInternal,
    .no_gradient_reason = kNoTensorInput,
    .doc = "Even draws from [low, low + range) of the Philox stream (seed, offset)."};

std::vector<Tensor> randint_entry(std::span<const Tensor* const>, const Attrs& attrs) {
    const int64_t low = attrs.integer(0);
    const int64_t high = attrs.integer(1);
    const Dims& size = checked_size("randint", attrs.dims(2));
    const TensorOptions options = TensorOptions::from(attrs, 3, Dtype::Int64);
    if (low >= high) {
        ErrorBuilder("randint", "there is no integer to draw")
            .given("low", std::to_string(low))
            .given("high", std::to_string(high))
            .rule("low is below high")
            .raise<InvalidArgument>();
    }
    if (is_complex(options.dtype)) {
        ErrorBuilder("randint", std::string("not defined for ") + name_of(options.dtype))
            .rule("the dtype is a real one")
            .raise<DtypeMismatch>();
    }
    check_fits("randint", Scalar(low), options.dtype);
    check_fits("randint", Scalar(high - 1), options.dtype);
    const PhiloxState state = reserve_integers(size, options);
    const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    return make_tensor("randint", options, [&] {
        return _randint(size, options.dtype, Scalar(state.seed), Scalar(state.offset), Scalar(low),
                        Scalar(range));
    });
}

const OpSchema kRandint{
    .name = "randint",
    .signature = "randint(int low, int high, int[] size, *, Dtype? dtype=None, "
                 "Device? device=None) -> Tensor",
    .dtypes = kRealDtypes,
    .dtype_reason = "integers are drawn along a line; complex numbers have no order",
    .doc = R"(Integers drawn evenly from [low, high), int64 unless a dtype is given.

Every integer is equally likely, whatever the range. Reproducible after lucid.manual_seed.

Shapes: result `size`.
Raises ValueError unless low < high, OverflowError when the range does not fit the dtype,
ShapeMismatch for a negative size.

>>> lucid.randint(3, 4, (2,)).tolist()
[3, 3]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(RandInt) {
    static const OpDef defs[] = {RandInt::op(), composition(kRandint, &randint_entry)};
    return defs;
}
