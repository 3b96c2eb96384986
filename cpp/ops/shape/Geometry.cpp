#include "lucid/ops/shape/Geometry.h"

#include <algorithm>
#include <limits>

#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

namespace {

int64_t checked_add(const char* op, int64_t a, int64_t b) {
    int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        throw ShapeMismatch(std::string(op) + ": the offset does not fit in 64 bits");
    }
    return sum;
}

int64_t checked_mul(const char* op, int64_t a, int64_t b) {
    int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product)) {
        throw ShapeMismatch(std::string(op) + ": the offset does not fit in 64 bits");
    }
    return product;
}

[[noreturn]] void bad_reshape(const char* op, const Storage& x, DimSpan wanted, const char* what) {
    ErrorBuilder(op, what)
        .given("x", describe(x))
        .given("size", to_string(wanted))
        .rule("the number of elements stays; at most one -1 is worked out from the others")
        .raise<ShapeMismatch>();
}

}  // namespace

Shape resolve_shape(const char* op, const Storage& x, DimSpan wanted) {
    Shape shape(wanted);
    int64_t known = 1;
    int64_t* open = nullptr;
    for (int64_t& size : shape) {
        if (size == -1 && open == nullptr) {
            open = &size;
        } else if (size < 0) {
            bad_reshape(op, x, wanted, size == -1 ? "more than one -1" : "a negative size");
        } else if (__builtin_mul_overflow(known, size, &known)) {
            bad_reshape(op, x, wanted, "the sizes do not fit in 64 bits");
        }
    }
    const int64_t numel = x.numel();
    if (open != nullptr) {
        if (known == 0) bad_reshape(op, x, wanted, "-1 is ambiguous beside a size of 0");
        if (numel % known != 0) bad_reshape(op, x, wanted, "the sizes do not divide the elements");
        *open = numel / known;
    } else if (known != numel) {
        const std::string what = "the numbers of elements differ: " + std::to_string(numel) +
                                 " and " + std::to_string(known);
        bad_reshape(op, x, wanted, what.c_str());
    }
    return shape;
}

// Walks both shapes from the back, one chunk of axes that lie evenly in memory at a time; each
// chunk must be covered by whole target axes (the rule of PyTorch's computeStride).
std::optional<Strides> view_strides(DimSpan shape, DimSpan strides, DimSpan target) {
    if (numel_of(shape) == 0) {
        if (std::equal(shape.begin(), shape.end(), target.begin(), target.end())) {
            return Strides(strides);
        }
        return contiguous_strides(target);
    }
    Strides result(target.size(), 1);
    if (shape.empty()) return result;
    int64_t view_dim = static_cast<int64_t>(target.size()) - 1;
    int64_t chunk_stride = strides.back();
    int64_t chunk_numel = 1;
    int64_t view_numel = 1;
    for (size_t dim = shape.size(); dim-- > 0;) {
        chunk_numel *= shape[dim];
        const bool ends =
            dim == 0 || (shape[dim - 1] != 1 && strides[dim - 1] != chunk_numel * chunk_stride);
        if (!ends) continue;
        while (view_dim >= 0) {
            const int64_t size = target[static_cast<size_t>(view_dim)];
            if (view_numel >= chunk_numel && size != 1) break;
            result[static_cast<size_t>(view_dim)] = view_numel * chunk_stride;
            view_numel *= size;
            --view_dim;
        }
        if (view_numel != chunk_numel) return std::nullopt;
        if (dim > 0) {
            chunk_stride = strides[dim - 1];
            chunk_numel = 1;
            view_numel = 1;
        }
    }
    if (view_dim != -1) return std::nullopt;
    return result;
}

SliceRange resolve_slice(const char* op, int64_t size, std::optional<int64_t> start,
                         std::optional<int64_t> end, int64_t step) {
    if (step == 0) throw InvalidArgument(std::string(op) + ": the step of a slice cannot be zero");
    const int64_t low = step > 0 ? 0 : -1;
    const int64_t high = step > 0 ? size : size - 1;
    auto clamp = [&](int64_t at) {
        if (at < 0) at += size;
        return std::clamp(at, low, std::max(low, high));
    };
    const int64_t first = start ? clamp(*start) : (step > 0 ? low : high);
    const int64_t last = end ? clamp(*end) : (step > 0 ? high : low);
    const int64_t span = step > 0 ? last - first : first - last;
    if (span <= 0) return {0, 0};
    const int64_t stride = step > 0 ? step : -std::max(step, -std::numeric_limits<int64_t>::max());
    return {first, (span - 1) / stride + 1};
}

Storage slice_storage(const Storage& x, int64_t dim, SliceRange range, int64_t step) {
    const auto axis = static_cast<size_t>(dim);
    Shape shape = x.shape();
    Strides strides = x.strides();
    const int64_t offset = x.offset() + range.start * strides[axis];
    shape[axis] = range.length;
    if (range.length > 1) strides[axis] *= step;
    return x.view(std::move(shape), std::move(strides), offset);
}

int64_t existing_axis(const char* op, int64_t dim, const Storage& x) {
    if (x.ndim() == 0) {
        ErrorBuilder(op, "a 0-d tensor has no dimension to index")
            .given("dim", std::to_string(dim))
            .raise<IndexOutOfRange>();
    }
    return normalize_axis(op, dim, x.ndim());
}

std::optional<Extent> extent_of(const char* op, DimSpan size, DimSpan stride, int64_t offset) {
    if (size.size() != stride.size()) {
        ErrorBuilder(op, "size and stride have different lengths")
            .given("size", to_string(size))
            .given("stride", to_string(stride))
            .raise<ShapeMismatch>();
    }
    Extent extent{offset, offset};
    bool empty = false;
    for (size_t i = 0; i < size.size(); ++i) {
        if (size[i] < 0) {
            ErrorBuilder(op, "a negative size")
                .given("size", to_string(size))
                .raise<ShapeMismatch>();
        }
        if (size[i] == 0) {
            empty = true;
            continue;
        }
        int64_t& bound = stride[i] < 0 ? extent.low : extent.high;
        bound = checked_add(op, bound, checked_mul(op, size[i] - 1, stride[i]));
    }
    if (empty) return std::nullopt;
    return extent;
}

int64_t memory_elements(const Storage& x) {
    const Value value = x.box()->value();
    if (value.kind() == Value::Kind::Failed) value.force();  // throws what made it fail
    return static_cast<int64_t>(value.nbytes()) / x.itemsize();
}

void check_inside_memory(const char* op, const Storage& x, DimSpan size, DimSpan stride,
                         int64_t offset) {
    const std::optional<Extent> extent = extent_of(op, size, stride, offset);
    const int64_t elements = memory_elements(x);
    const bool inside =
        extent ? extent->low >= 0 && extent->high < elements : offset >= 0 && offset <= elements;
    if (inside) return;
    ErrorBuilder(op, "the view reaches outside the memory")
        .given("size", to_string(size))
        .given("stride", to_string(stride))
        .given("storage_offset", std::to_string(offset))
        .given("memory", std::to_string(elements) + " elements of " + name_of(x.dtype()))
        .raise<ShapeMismatch>();
}

std::optional<int64_t> optional_integer(const Attrs& attrs, size_t i) {
    if (!attrs.has(i)) return std::nullopt;
    return attrs.integer(i);
}

void fill_zero(cpu::View out) {
    static constexpr std::byte kZero[16] = {};  // zero in every dtype
    const Strides still(out.shape.size(), 0);
    cpu::copy({kZero, out.dtype, out.shape, still}, out);
}

LUCID_NAMESPACE_END
