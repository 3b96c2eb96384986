// Moving elements by index. Indices are int32 or int64 in any layout and are not wrapped: one
// outside [0, size) throws IndexOutOfRange, naming the op, its position, value and the size, before
// anything is written. Shapes are the caller's to check.
#pragma once

#include "lucid/backend/cpu/View.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// out and index have one shape; src may be larger off `dim`:
// out[i][j][k] = src[index[i][j][k]][j][k] for dim 0, and likewise.
void gather(ConstView src, ConstView index, int64_t dim, View out);

// index (n,) or (): out has src's shape with n at `dim`: out[.., i, ..] = src[.., index[i], ..].
void index_select(ConstView src, ConstView index, int64_t dim, View out);

// index (n,) or (): dst[.., index[i], ..] += src[.., i, ..] for i = 0, 1, ... in this order.
void index_add(View dst, ConstView index, int64_t dim, ConstView src);

// index's shape is at most src's, and dst's off `dim`: dst[index[i][j][k]][j][k] += src[i][j][k]
// for dim 0. Additions to one element come in the row-major order of index. In both adds, bool is
// `or`, integers wrap, and half types are added in float32 with one rounding of each element at the
// end. src.dtype is dst.dtype; dst must not overlap itself, index or src.
void scatter_add(View dst, ConstView index, int64_t dim, ConstView src);

}  // namespace cpu
LUCID_NAMESPACE_END
