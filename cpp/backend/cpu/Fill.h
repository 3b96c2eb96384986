// Tensors made from numbers: constants, ranges, identity matrices.
#pragma once

#include "lucid/backend/cpu/View.h"
#include "lucid/core/Scalar.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// out (any layout) = value. Throws Overflow when an integer does not fit.
void fill(View out, const Scalar& value);

// out (n,): out[i] = start + i * step, each computed from i alone (no running sum): in int64,
// wrapping, for integer dtypes, otherwise in double with one rounding to out.dtype at the end.
void arange(View out, const Scalar& start, const Scalar& step);

// out (n, m): one on the main diagonal, zero elsewhere.
void eye(View out);

}  // namespace cpu
LUCID_NAMESPACE_END
