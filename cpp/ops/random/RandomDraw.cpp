#include "lucid/ops/random/RandomDraw.h"

#include "lucid/backend/Engine.h"
#include "lucid/backend/cpu/Random.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

PhiloxState reserve(Dtype dtype, const Dims& size, Device device) {
    const int64_t blocks = cpu::random_blocks_needed(dtype, numel_of(size));
    return backend::Engine::instance().default_generator(device).reserve(
        static_cast<uint64_t>(blocks));
}

}  // namespace

PhiloxState reserve_draws(const char* op, const Dims& size, const TensorOptions& options) {
    if (!is_inexact(options.dtype)) {
        ErrorBuilder(op, std::string("not defined for ") + name_of(options.dtype))
            .rule("the dtype is floating or complex; use randint for integers")
            .raise<DtypeMismatch>();
    }
    return reserve(options.dtype, size, options.device);
}

PhiloxState reserve_integers(const Dims& size, const TensorOptions& options) {
    return reserve(Dtype::Int64, size, options.device);
}

LUCID_NAMESPACE_END
