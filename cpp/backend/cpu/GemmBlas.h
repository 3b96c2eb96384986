// The one door to OpenBLAS's matrix product: one thread, row-major, C = op(A) op(B) with C
// overwritten.
#pragma once

#include <cstdint>

#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// A matrix in memory: row-major with `leading` elements from row to row, or that transposed.
struct BlasMatrix {
    const void* data;
    int64_t leading;
    bool transposed;
};

// The largest size and leading dimension that fit the library's 32-bit integers.
inline constexpr int64_t kMaxBlasInt = 0x7fffffff;

// Matrix times vector (n == 1) and vector times matrix (m == 1) go to BLAS's gemv for the real
// dtypes: both read the matrix once, which gemm's packing does twice. dtype is float32, float64,
// complex64 or complex128; m, n, k > 0.
void blas_gemm(Dtype dtype, int64_t m, int64_t n, int64_t k, BlasMatrix a, BlasMatrix b, void* c,
               int64_t c_leading);

}  // namespace cpu
LUCID_NAMESPACE_END
