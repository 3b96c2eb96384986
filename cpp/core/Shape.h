// Shapes and strides: int64, in elements, row-major by default. A stride may be zero (expanded) or
// negative (a slice with a negative step).
#pragma once

#include <cstdint>
#include <string>

#include "lucid/core/SmallVector.h"

LUCID_NAMESPACE_BEGIN

using Shape = SmallVector<int64_t, 6>;
using Strides = SmallVector<int64_t, 6>;
using Dims = SmallVector<int64_t, 6>;
using DimSpan = std::span<const int64_t>;

// The number of elements, 1 for rank 0. Throws ShapeMismatch when it does not fit in int64.
LUCID_API int64_t numel_of(DimSpan shape);
LUCID_API Strides contiguous_strides(DimSpan shape);
// Row-major and dense; axes of size 1 and empty tensors do not matter.
LUCID_API bool is_contiguous(DimSpan shape, DimSpan strides) noexcept;
// Dense in some axis order: it covers numel consecutive elements, each once.
LUCID_API bool is_dense(DimSpan shape, DimSpan strides) noexcept;
// Two index tuples may address one element (a zero stride with size > 1, or overlapping windows).
LUCID_API bool may_self_overlap(DimSpan shape, DimSpan strides) noexcept;
// NumPy's rule. Throws ShapeMismatch naming `op` and both shapes.
LUCID_API Shape broadcast_shapes(const char* op, DimSpan a, DimSpan b);
// Wraps a negative axis; throws IndexOutOfRange naming `op`, the axis and the rank. A 0-d tensor
// takes 0 and -1.
LUCID_API int64_t normalize_axis(const char* op, int64_t axis, int64_t rank);
// Normalised, sorted, each at most once (a repeated one throws ShapeMismatch); empty means every
// axis.
LUCID_API Dims normalize_axes(const char* op, DimSpan axes, int64_t rank);
// "(2, 3)", "(3,)", "()".
LUCID_API std::string to_string(DimSpan shape);

LUCID_NAMESPACE_END
