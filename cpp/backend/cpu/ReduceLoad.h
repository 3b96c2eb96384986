// Elements on their way into and out of the reductions' accumulators: widening loads from a strided
// run into consecutive values, and narrowing stores with one rounding.
#pragma once

#include <cstdint>

#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// What values of `in` accumulate in: int64 or uint64 for integers and bool, float32 for the half
// types, otherwise the dtype itself.
Dtype accumulator_dtype(Dtype in) noexcept;

// acc[i] = in[i * stride] for i < n. `acc` is the accumulator's dtype, or Bool for truth values
// (uint8_t 0 or 1; NaN is true).
using LoadFn = void (*)(const void* in, int64_t stride, int64_t n, void* acc);
LoadFn load_function(Dtype in, Dtype acc);

// out[i * stride] = acc[i] for i < n; rounds to nearest-even, integers wrap.
using StoreFn = void (*)(const void* acc, int64_t n, void* out, int64_t stride);
StoreFn store_function(Dtype acc, Dtype out);

}  // namespace cpu
LUCID_NAMESPACE_END
