// The handful of tensor ops that autograd itself needs (declared inversion: ops fills the table at
// start-up). All of them record graph when grad mode is on.
#pragma once

#include <optional>

#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

struct CoreOps {
    Tensor (*add)(const Tensor& a, const Tensor& b);
    // Sums broadcast axes away until the shape is `shape`.
    Tensor (*sum_to)(const Tensor& x, const Shape& shape);
    Tensor (*broadcast_to)(const Tensor& x, const Shape& shape);
    Tensor (*reshape)(const Tensor& x, const Shape& shape);
    Tensor (*cast)(const Tensor& x, Dtype dtype);
    Tensor (*full)(const Shape& shape, Scalar value, Dtype dtype, Device device);
    Tensor (*where)(const Tensor& condition, const Tensor& a, const Tensor& b);
    Tensor (*clone)(const Tensor& x);
    // Memory-level views (InPlace.h): `x` is dense over its whole Box.
    Tensor (*as_strided)(const Tensor& x, const Shape& shape, const Strides& strides,
                         int64_t offset);
    // `x` with the elements of that view replaced by `source`, as a fresh value.
    Tensor (*as_strided_scatter)(const Tensor& x, const Tensor& source, const Shape& shape,
                                 const Strides& strides, int64_t offset);
    Tensor (*isnan_any)(const Tensor& x);  // 0-d bool
    // Writes `source` (same dtype, broadcast) into target's region of its Box: in place when the
    // memory is pinned or held by nobody else, otherwise into a copy that the Box is rebound to. No
    // graph, no version.
    void (*write_memory)(const Storage& target, const Storage& source);
};

LUCID_API CoreOps& core_ops() noexcept;

LUCID_NAMESPACE_END
