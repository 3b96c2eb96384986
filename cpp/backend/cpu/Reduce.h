// Reductions over any axes of any layout. The result is a function of the logical values, the
// reduced axes and the dtype alone, to the bit: the tree is defined in ReduceKernels.h.
#pragma once

#include "lucid/backend/cpu/View.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

enum class ReduceKind : uint8_t { Sum, Mean, Prod, AMax, AMin, Any, All };

// in (any layout), axes sorted and unique -> out (the kept axes), row-major. Integers and bool
// accumulate in int64 or uint64 and wrap, half types in float32, other dtypes in themselves; the
// result is rounded to out.dtype once, after the division by the count for Mean (in double when the
// input is integral). AMax and AMin give a quiet NaN when there is a NaN, and need at least one
// value unless out is empty.
void reduce(ReduceKind kind, ConstView in, DimSpan axes, View out);

// axes is one axis or all of them; out is int64, row-major: the flat index among the reduced axes
// of the first NaN, else of the first largest (smallest) value.
void arg_reduce(bool want_max, ConstView in, DimSpan axes, View out);

}  // namespace cpu
LUCID_NAMESPACE_END
