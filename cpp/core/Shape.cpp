#include "lucid/core/Shape.h"

#include <limits>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();

// The axes that matter for where elements lie: size above 1, ordered by the stride's magnitude.
struct Axis {
    int64_t size;
    int64_t stride;
};
using Axes = SmallVector<Axis, 6>;

bool has_no_elements(DimSpan shape) noexcept {
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

Axes sorted_axes(DimSpan shape, DimSpan strides) {
    Axes axes;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        const int64_t stride = strides[i];
        axes.push_back({shape[i], stride < 0 ? -stride : stride});
    }
    std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
        return a.stride != b.stride ? a.stride < b.stride : a.size < b.size;
    });
    return axes;
}

int64_t saturating_product(int64_t a, int64_t b) noexcept {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? kInt64Max : product;
}

int64_t saturating_sum(int64_t a, int64_t b) noexcept {
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? kInt64Max : sum;
}

std::string shape_with_size(const char* name, DimSpan shape, size_t from_end) {
    return to_string(shape) + "   " + name + ".shape[-" + std::to_string(from_end) +
           "] = " + std::to_string(shape[shape.size() - from_end]);
}

}  // namespace

int64_t numel_of(DimSpan shape) {
    int64_t numel = 1;
    bool overflow = false;
    for (const int64_t size : shape) {
        if (size < 0) {
            ErrorBuilder("shape", "a size is negative")
                .given("shape", to_string(shape))
                .rule("every size is 0 or more")
                .raise<ShapeMismatch>();
        }
        overflow = overflow || __builtin_mul_overflow(numel, size, &numel);
    }
    if (!overflow) return numel;
    // A zero after the overflow still makes it empty.
    if (has_no_elements(shape)) return 0;
    ErrorBuilder("shape", "too many elements")
        .given("shape", to_string(shape))
        .rule("the number of elements must be below 2**63")
        .raise<ShapeMismatch>();
}

Strides contiguous_strides(DimSpan shape) {
    Strides strides(shape.size());
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        // Saturates only for an empty shape, whose strides are never used: numel_of refuses the
        // rest.
        stride = saturating_product(stride, std::max<int64_t>(shape[i], 1));
    }
    return strides;
}

bool is_contiguous(DimSpan shape, DimSpan strides) noexcept {
    if (has_no_elements(shape)) return true;
    int64_t expected = 1;
    for (size_t i = shape.size(); i-- > 0;) {
        if (shape[i] == 1) continue;
        if (strides[i] != expected) return false;
        expected = saturating_product(expected, shape[i]);
    }
    return true;
}

bool is_dense(DimSpan shape, DimSpan strides) noexcept {
    if (is_contiguous(shape, strides)) return true;
    // A negative stride is no axis order: the first element is not the lowest in memory.
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] != 1 && strides[i] <= 0) return false;
    }
    int64_t expected = 1;
    for (const Axis& axis : sorted_axes(shape, strides)) {
        if (axis.stride != expected) return false;
        expected = saturating_product(expected, axis.size);
    }
    return true;
}

bool may_self_overlap(DimSpan shape, DimSpan strides) noexcept {
    if (is_contiguous(shape, strides)) return false;
    // The lower axes reach over `span` elements; a stride below that may step into them.
    int64_t span = 1;
    for (const Axis& axis : sorted_axes(shape, strides)) {
        if (axis.stride < span) return true;
        span = saturating_sum(span, saturating_product(axis.size - 1, axis.stride));
    }
    return false;
}

Shape broadcast_shapes(const char* op, DimSpan a, DimSpan b) {
    Shape out(std::max(a.size(), b.size()));
    for (size_t i = 1; i <= out.size(); ++i) {
        const int64_t size_a = i <= a.size() ? a[a.size() - i] : 1;
        const int64_t size_b = i <= b.size() ? b[b.size() - i] : 1;
        if (size_a != size_b && size_a != 1 && size_b != 1) {
            ErrorBuilder(op, "shapes do not broadcast")
                .given("a", shape_with_size("a", a, i))
                .given("b", shape_with_size("b", b, i))
                .rule("counted from the last axis, two sizes must be equal or one of them 1")
                .raise<ShapeMismatch>();
        }
        out[out.size() - i] = size_a == 1 ? size_b : size_a;
    }
    return out;
}

int64_t normalize_axis(const char* op, int64_t axis, int64_t rank) {
    const int64_t bound = std::max<int64_t>(rank, 1);
    if (axis < -bound || axis >= bound) {
        const std::string range =
            std::to_string(-bound) + " to " + std::to_string(bound - 1) + " at this rank";
        ErrorBuilder(op, "axis is out of range")
            .given("axis", std::to_string(axis))
            .given("rank", std::to_string(rank))
            .rule(range)
            .raise<IndexOutOfRange>();
    }
    return axis < 0 ? axis + bound : axis;
}

Dims normalize_axes(const char* op, DimSpan axes, int64_t rank) {
    Dims out;
    for (const int64_t axis : axes) out.push_back(normalize_axis(op, axis, rank));
    std::sort(out.begin(), out.end());
    const int64_t* repeated = std::adjacent_find(out.begin(), out.end());
    if (repeated != out.end()) {
        ErrorBuilder(op, "an axis is given twice")
            .given("axes", to_string(axes))
            .given("rank", std::to_string(rank))
            .rule("each axis at most once; here " + std::to_string(*repeated) + " is repeated")
            .raise<ShapeMismatch>();
    }
    // A 0-d tensor accepts 0 and -1 but has no axis: each one returned indexes the shape.
    if (rank == 0) out.clear();
    if (axes.empty()) {
        for (int64_t axis = 0; axis < rank; ++axis) out.push_back(axis);
    }
    return out;
}

std::string to_string(DimSpan shape) {
    std::string text = "(";
    for (size_t i = 0; i < shape.size(); ++i) {
        if (i > 0) text += ", ";
        text += std::to_string(shape[i]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

LUCID_NAMESPACE_END
