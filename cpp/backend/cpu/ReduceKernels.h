// The fixed reduction tree, and the two SIMD loops that every reduction of the CPU is made of.
//
// The definition (it is part of the law: engine.md section 4). A reduction of n values x[0..n),
// taken in the row-major order of the reduced axes, with an operation op and its identity e:
//   1. Value r belongs to chunk r / 4096. In its chunk it goes to lane r % 16; a lane starts as e
//   and
//      takes its values in increasing r: lane = op(lane, x[r]). Lanes without values stay e.
//   2. The lanes of a chunk: for h = 8, 4, 2, 1: lane[i] = op(lane[i], lane[i + h]) for i < h. Lane
//   0 is
//      the chunk's partial.
//   3. The partials p[0..m): while m > 1: p[i] = op(p[2i], p[2i + 1]) for i < m / 2; an odd last
//   one
//      moves to the end as it is; m = ceil(m / 2). p[0] is the result.
// Sum adds, Prod multiplies, Max is `b > a || b != b ? b : a` and Min likewise with <, so NaN stays
// and the first of equal values (-0 and 0) wins. Complex numbers are added and multiplied by the
// plain formulas. Nothing else enters: not strides, threads or instruction sets.
#pragma once

#include <cstdint>

#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

inline constexpr int64_t kReduceChunk = 4096;
inline constexpr int64_t kReduceLanes = 16;

enum class LaneOp : uint8_t { Sum, Prod, Max, Min };

template <typename T>
struct LaneKernels {
    // Steps 1 and 2 for one chunk of consecutive values, 0 < n <= 4096.
    T (*chunk)(const T* x, int64_t n);
    // acc[i] = op(acc[i], x[i]) for i < n: step 1 over columns, and steps 2 and 3 over many at
    // once.
    void (*accumulate)(T* acc, const T* x, int64_t n);
    // The same for x, x + stride, x + 2 * stride, x + 3 * stride, in this order: a quarter of the
    // traffic.
    void (*accumulate4)(T* acc, const T* x, int64_t stride, int64_t n);
    T identity;
};

// T is float, double, int64_t, uint64_t, complex64_t or complex128_t (Sum and Prod), or uint8_t
// (Max and Min of truth values).
template <typename T>
const LaneKernels<T>& lane_kernels(LaneOp op);

// All three steps over consecutive values; the identity when n is 0.
template <typename T>
T reduce_contiguous(const LaneKernels<T>& kernels, const T* x, int64_t n) {
    if (n <= 0) return kernels.identity;
    if (n <= kReduceChunk) return kernels.chunk(x, n);
    // Step 3 on the fly: partial i closes one pair for each trailing one bit of i, and what is left
    // at the end is folded from the right, which is the same tree.
    T stack[64];
    int depth = 0;
    for (int64_t i = 0; i * kReduceChunk < n; ++i) {
        const int64_t left = n - i * kReduceChunk;
        stack[depth++] =
            kernels.chunk(x + i * kReduceChunk, left < kReduceChunk ? left : kReduceChunk);
        for (int64_t bits = i; (bits & 1) != 0; bits >>= 1) {
            --depth;
            kernels.accumulate(&stack[depth - 1], &stack[depth], 1);
        }
    }
    for (; depth > 1; --depth) kernels.accumulate(&stack[depth - 2], &stack[depth - 1], 1);
    return stack[0];
}

}  // namespace cpu
LUCID_NAMESPACE_END
