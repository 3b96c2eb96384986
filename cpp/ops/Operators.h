// + - * / and unary minus on Tensors and numbers. Comparisons are functions (lucid::eq ...): `==`
// asks whether two handles are the same tensor.
#pragma once

#include "lucid/kernel/Run.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

inline Tensor operator-(const Tensor& x) { return neg(x); }

#define LUCID_BINARY_OPERATOR(symbol, function)                                                \
    inline Tensor operator symbol(const Tensor& a, const Tensor& b) { return function(a, b); } \
    inline Tensor operator symbol(const Tensor& a, Scalar b) {                                 \
        return function(a, weak_scalar(b));                                                    \
    }                                                                                          \
    inline Tensor operator symbol(Scalar a, const Tensor& b) { return function(weak_scalar(a), b); }
LUCID_BINARY_OPERATOR(+, add)
LUCID_BINARY_OPERATOR(-, sub)
LUCID_BINARY_OPERATOR(*, mul)
LUCID_BINARY_OPERATOR(/, div)
#undef LUCID_BINARY_OPERATOR

LUCID_NAMESPACE_END
