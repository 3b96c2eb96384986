// Matrix products of every dtype.
#pragma once

#include "lucid/backend/cpu/View.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// a (B..., M, K), b (B..., K, N) -> c (B..., M, N) row-major, all of one dtype. Batch axes are
// equal or expanded (stride 0). Rows and columns may have any strides: row-major and transposed
// matrices are used where they are, others are packed first.
//
// float32, float64 and complex come from OpenBLAS on one thread, on tiles of M, N and batch whose
// borders are a function of shape and layout alone; K is never split. Half types are computed in
// float32 and rounded once; integers in their own dtype, wrapping. bool is the caller's to refuse.
// K == 0 gives zeros.
void gemm_batched(ConstView a, ConstView b, View c);

}  // namespace cpu
LUCID_NAMESPACE_END
