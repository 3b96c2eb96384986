// The names of ops that code in the style of MLX uses, and two helpers that it expects.
#pragma once

#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

inline Tensor multiply(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return mul(a, b, s);
}
inline Tensor divide(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return div(a, b, s);
}
inline Tensor subtract(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return sub(a, b, s);
}
inline Tensor negative(const Tensor& x, StreamOrDevice s = {}) { return neg(x, s); }
inline Tensor power(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return pow(a, b, s);
}
inline Tensor equal(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) { return eq(a, b, s); }
inline Tensor not_equal(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return ne(a, b, s);
}
inline Tensor less(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) { return lt(a, b, s); }
inline Tensor less_equal(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return le(a, b, s);
}
inline Tensor greater(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return gt(a, b, s);
}
inline Tensor greater_equal(const Tensor& a, const Tensor& b, StreamOrDevice s = {}) {
    return ge(a, b, s);
}
inline Tensor expand_dims(const Tensor& x, int64_t axis, StreamOrDevice s = {}) {
    return unsqueeze(x, axis, s);
}
inline Tensor concatenate(const std::vector<Tensor>& tensors, int64_t axis = 0,
                          StreamOrDevice s = {}) {
    return cat(tensors, axis, s);
}
// The tensor itself when it has the dtype already.
inline Tensor astype(const Tensor& x, Dtype dtype, StreamOrDevice s = {}) {
    return x.dtype() == dtype ? x : cast(x, dtype, s);
}
// All at their common shape, as views. Throws ShapeMismatch.
LUCID_API std::vector<Tensor> broadcast_arrays(const std::vector<Tensor>& inputs,
                                               StreamOrDevice s = {});

LUCID_NAMESPACE_END
