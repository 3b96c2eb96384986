// Softmax and log-softmax along one axis, and their input gradients. float16, bfloat16 (computed in
// float32 and rounded once), float32, float64; any layouts; out may be in. Maxima and sums follow
// the fixed tree of ReduceKernels.h, exp and log are the ops' own, each step rounds to the
// computing dtype: the bits are those of the same formula written in ops. A row of -inf gives nan,
// as a row with inf or nan does.
#pragma once

#include "lucid/backend/cpu/View.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// e / sum(e), e = exp(x - max(x))
void softmax(ConstView in, int64_t dim, View out);
// (x - max(x)) - log(sum(exp(x - max(x))))
void log_softmax(ConstView in, int64_t dim, View out);
// out is softmax's result: (grad - sum(grad * out)) * out
void softmax_backward(ConstView grad, ConstView out, int64_t dim, View grad_in);
// out is log_softmax's result: grad - exp(out) * sum(grad)
void log_softmax_backward(ConstView grad, ConstView out, int64_t dim, View grad_in);

}  // namespace cpu
LUCID_NAMESPACE_END
