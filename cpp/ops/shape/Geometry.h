// Arithmetic on shapes and strides that the view ops share: which reshape is a view, what a Python
// slice means, which strided region lies inside a memory.
#pragma once

#include <optional>

#include "lucid/backend/cpu/View.h"
#include "lucid/core/Attrs.h"
#include "lucid/tensor/Storage.h"

LUCID_NAMESPACE_BEGIN

// `wanted` with its one -1 worked out. Throws ShapeMismatch when the numbers of elements differ.
Shape resolve_shape(const char* op, const Storage& x, DimSpan wanted);
// The strides that show the same elements under `target`; nullopt when only a copy can.
std::optional<Strides> view_strides(DimSpan shape, DimSpan strides, DimSpan target);

struct SliceRange {
    int64_t start;
    int64_t length;
};
// Python's slice(start, end, step) of an axis of `size` elements. Throws InvalidArgument for step
// 0.
SliceRange resolve_slice(const char* op, int64_t size, std::optional<int64_t> start,
                         std::optional<int64_t> end, int64_t step);
// A sub-range of one axis, without a copy.
Storage slice_storage(const Storage& x, int64_t dim, SliceRange range, int64_t step);

// The axis of an op that needs one: a 0-d tensor has none and raises IndexOutOfRange.
int64_t existing_axis(const char* op, int64_t dim, const Storage& x);

// The lowest and highest element that a region touches; empty regions touch none (nullopt). Throws
// ShapeMismatch when sizes and strides do not pair, a size is negative, or the sum overflows.
struct Extent {
    int64_t low;
    int64_t high;
};
std::optional<Extent> extent_of(const char* op, DimSpan size, DimSpan stride, int64_t offset);
// The number of elements of the whole memory behind `x`.
int64_t memory_elements(const Storage& x);
// Throws ShapeMismatch when the region reaches outside the memory of `x`.
void check_inside_memory(const char* op, const Storage& x, DimSpan size, DimSpan stride,
                         int64_t offset);

std::optional<int64_t> optional_integer(const Attrs& attrs, size_t i);
void fill_zero(cpu::View out);
// The 1-d form of a 0-d view, so that kernels always have an axis.
inline constexpr int64_t kUnit[1] = {1};
template <typename AnyView>
AnyView at_least_1d(AnyView view) {
    if (view.shape.empty()) {
        view.shape = kUnit;
        view.strides = kUnit;
    }
    return view;
}

LUCID_NAMESPACE_END
