// Small things that the gradients of elementwise ops share.
#pragma once

#include <utility>

#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

// The gradients of a and of b; undefined where the context does not need one.
using GradientPair = std::pair<Tensor, Tensor>;

// PyTorch's convention: the gradient of f is grad * conj(f').
inline Tensor conj_if_complex(const Tensor& x) { return is_complex(x.dtype()) ? conj(x) : x; }

LUCID_NAMESPACE_END
