// All four ops are one walk: rows along the last axis of the index's (or the result's) shape, and
// in a row a loop with one stride per operand. Adds that may meet in one element stay on one thread
// in index order; the axes off `dim` never meet and are what is cut for the pool.
#include "lucid/backend/cpu/Gather.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/ReduceLoad.h"
#include "lucid/backend/cpu/ReducePlan.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

constexpr int64_t kUnitElems = 16384;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

StridedSpace space_of(DimSpan shape, DimSpan strides) {
    StridedSpace space;
    for (size_t i = 0; i < shape.size(); ++i) space.push(shape[i], strides[i]);
    return space;
}

int64_t read_index(ConstView index, int64_t offset) {
    return index.dtype == Dtype::Int32 ? index.as<int32_t>()[offset] : index.as<int64_t>()[offset];
}

[[noreturn]] void raise_out_of_range(const char* op, ConstView index, int64_t flat, int64_t value,
                                     int64_t dim, int64_t size) {
    Shape position(index.shape.size());
    for (size_t i = index.shape.size(); i-- > 0;) {
        position[i] = flat % index.shape[i];
        flat /= index.shape[i];
    }
    ErrorBuilder(op, "an index is out of range")
        .given("index", std::string(name_of(index.dtype)) + " " + to_string(index.shape))
        .given("at", to_string(position))
        .given("value", std::to_string(value))
        .given("size", std::to_string(size) + " (dim " + std::to_string(dim) + ")")
        .rule("0 <= value < size")
        .raise<IndexOutOfRange>();
}

// Names the first offender in row-major order.
template <typename I>
void check_typed(const char* op, ConstView index, int64_t dim, int64_t size) {
    const StridedSpace space = space_of(index.shape, index.strides);
    const I* data = index.as<I>();
    const auto is_bad = [size](I value) {
        return static_cast<uint64_t>(static_cast<int64_t>(value)) >= static_cast<uint64_t>(size);
    };
    int64_t flat = 0;
    space.for_runs(0, space.size, [&](int64_t offset, int64_t stride, int64_t n) {
        bool any = false;
        for (int64_t i = 0; i < n; ++i) any |= is_bad(data[offset + i * stride]);
        for (int64_t i = 0; any && i < n; ++i) {
            const I value = data[offset + i * stride];
            if (is_bad(value)) raise_out_of_range(op, index, flat + i, value, dim, size);
        }
        flat += n;
    });
}

void check_indices(const char* op, ConstView index, int64_t dim, int64_t size) {
    LUCID_ASSERT(index.dtype == Dtype::Int32 || index.dtype == Dtype::Int64);
    if (index.dtype == Dtype::Int32) {
        check_typed<int32_t>(op, index, dim, size);
    } else {
        check_typed<int64_t>(op, index, dim, size);
    }
}

// Strides with the one of `dim` set to zero: the index replaces it.
Strides without(DimSpan strides, int64_t dim) {
    Strides result(strides);
    if (!result.empty()) result[static_cast<size_t>(dim)] = 0;
    return result;
}

// Offsets of several operands by one multi-index over `shape` without its last axis.
template <size_t kOperands>
struct RowOffsets {
    DimSpan shape;
    DimSpan strides[kOperands];

    void at(int64_t row, int64_t (&offsets)[kOperands]) const {
        for (int64_t& offset : offsets) offset = 0;
        for (size_t axis = shape.size(); axis-- > 1;) {
            const int64_t extent = shape[axis - 1];
            const int64_t i = row % extent;
            row /= extent;
            for (size_t k = 0; k < kOperands; ++k) offsets[k] += i * strides[k][axis - 1];
        }
    }
};

int64_t last_stride(DimSpan strides) { return strides.empty() ? 0 : strides[strides.size() - 1]; }

template <int64_t kBytes>
struct alignas(kBytes < 8 ? kBytes : 8) Element {
    unsigned char bytes[kBytes];
};

template <typename F>
void dispatch_size(Dtype dtype, F&& f) {
    switch (size_of(dtype)) {
        case 1: return f.template operator()<Element<1>>();
        case 2: return f.template operator()<Element<2>>();
        case 4: return f.template operator()<Element<4>>();
        case 8: return f.template operator()<Element<8>>();
        default: return f.template operator()<Element<16>>();
    }
}

// --- Adds
// -------------------------------------------------------------------------------------------

template <typename T>
void add_to(T& to, const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
        to = to || value;
    } else if constexpr (std::is_integral_v<T>) {
        to = static_cast<T>(static_cast<uint64_t>(to) + static_cast<uint64_t>(value));
    } else {
        to += value;
    }
}

template <typename T>
void scatter_add_typed(View dst, ConstView index, int64_t dim, ConstView src) {
    const size_t rank = index.shape.size();
    const int64_t dst_dim_stride = rank == 0 ? 0 : dst.strides[static_cast<size_t>(dim)];
    const Strides dst_strides = without(dst.strides, dim);
    T* to = dst.as<T>();
    const T* from = src.as<T>();
    const int64_t columns = rank == 0 ? 1 : index.shape[rank - 1];
    const int64_t rows = columns == 0 ? 0 : numel_of(index.shape) / columns;
    const RowOffsets<3> walk{index.shape, {dst_strides, index.strides, src.strides}};
    const int64_t steps[3] = {last_stride(dst_strides), last_stride(index.strides),
                              last_stride(src.strides)};
    const auto add_run = [&](int64_t row, int64_t begin, int64_t end) {
        int64_t at[3];
        walk.at(row, at);
        for (int64_t j = begin; j < end; ++j) {
            const int64_t i = read_index(index, at[1] + j * steps[1]);
            add_to(to[at[0] + i * dst_dim_stride + j * steps[0]], from[at[2] + j * steps[2]]);
        }
    };
    if (dim == 0 && rank > 1) {
        // Columns never meet: each unit takes some of them through all rows.
        const int64_t width = std::max<int64_t>(16, kUnitElems / std::max<int64_t>(1, rows));
        parallel_for(ceil_div(columns, width), [&](int64_t unit) {
            const int64_t end = std::min(columns, (unit + 1) * width);
            for (int64_t row = 0; row < rows; ++row) add_run(row, unit * width, end);
        });
        return;
    }
    // dim > 0: slices of axis 0 never meet. A vector, or dim == 0 of one axis: one unit.
    const int64_t slices = rank > 1 ? index.shape[0] : 1;
    const int64_t rows_per_slice = slices == 0 ? 0 : rows / slices;
    const int64_t per_unit =
        std::max<int64_t>(1, kUnitElems / std::max<int64_t>(1, rows_per_slice * columns));
    parallel_for(ceil_div(slices, per_unit), [&](int64_t unit) {
        const int64_t end = std::min(slices, (unit + 1) * per_unit) * rows_per_slice;
        for (int64_t row = unit * per_unit * rows_per_slice; row < end; ++row)
            add_run(row, 0, columns);
    });
}

// Runs add(float view of dst, float view of src) and rounds back once.
template <typename Add>
void add_in_float32(View dst, ConstView src, Add&& add) {
    const auto widen = [](ConstView view) {
        const StridedSpace space = space_of(view.shape, view.strides);
        Ref<Buffer> buffer = allocate_cpu(static_cast<size_t>(space.size) * sizeof(float));
        const LoadFn load = load_function(view.dtype, Dtype::Float32);
        float* to = static_cast<float*>(buffer->data());
        space.for_runs(0, space.size, [&](int64_t offset, int64_t stride, int64_t n) {
            load(view.as<uint16_t>() + offset, stride, n, to);
            to += n;
        });
        return buffer;
    };
    const Ref<Buffer> dst_buffer = widen(dst);
    const Ref<Buffer> src_buffer = widen(src);
    const Strides dst_strides = contiguous_strides(dst.shape);
    const Strides src_strides = contiguous_strides(src.shape);
    add(View{dst_buffer->data(), Dtype::Float32, dst.shape, dst_strides},
        ConstView{src_buffer->data(), Dtype::Float32, src.shape, src_strides});
    const StridedSpace space = space_of(dst.shape, dst.strides);
    const StoreFn store = store_function(Dtype::Float32, dst.dtype);
    const float* from = static_cast<const float*>(dst_buffer->data());
    space.for_runs(0, space.size, [&](int64_t offset, int64_t stride, int64_t n) {
        store(from, n, dst.as<uint16_t>() + offset, stride);
        from += n;
    });
}

void scatter_add_checked(View dst, ConstView index, int64_t dim, ConstView src) {
    if (size_of(dst.dtype) == 2 && is_floating(dst.dtype)) {
        add_in_float32(dst, src, [&](View to, ConstView from) {
            scatter_add_typed<float>(to, index, dim, from);
        });
        return;
    }
    dispatch_dtype(dst.dtype, [&]<typename T>() {
        if constexpr (!std::is_same_v<T, float16_t> && !std::is_same_v<T, bfloat16_t>) {
            scatter_add_typed<T>(dst, index, dim, src);
        }
    });
}

}  // namespace

void gather(ConstView src, ConstView index, int64_t dim, View out) {
    const size_t rank = index.shape.size();
    check_indices("gather", index, dim, rank == 0 ? 1 : src.shape[static_cast<size_t>(dim)]);
    const int64_t columns = rank == 0 ? 1 : index.shape[rank - 1];
    const int64_t rows = columns == 0 ? 0 : numel_of(index.shape) / columns;
    const int64_t dim_stride = rank == 0 ? 0 : src.strides[static_cast<size_t>(dim)];
    const Strides src_strides = without(src.strides, dim);
    const RowOffsets<3> walk{index.shape, {out.strides, index.strides, src_strides}};
    const int64_t steps[3] = {last_stride(out.strides), last_stride(index.strides),
                              last_stride(src_strides)};
    const int64_t width = std::min<int64_t>(std::max<int64_t>(columns, 1), kUnitElems);
    const int64_t parts = ceil_div(std::max<int64_t>(columns, 1), width);
    const int64_t per_unit = std::max<int64_t>(1, kUnitElems / width);
    dispatch_size(src.dtype, [&]<typename E>() {
        parallel_for(ceil_div(rows * parts, per_unit), [&](int64_t unit) {
            const int64_t last = std::min(rows * parts, (unit + 1) * per_unit);
            for (int64_t part = unit * per_unit; part < last; ++part) {
                int64_t at[3];
                walk.at(part / parts, at);
                const int64_t end = std::min(columns, (part % parts + 1) * width);
                for (int64_t j = part % parts * width; j < end; ++j) {
                    const int64_t i = read_index(index, at[1] + j * steps[1]);
                    out.as<E>()[at[0] + j * steps[0]] =
                        src.as<E>()[at[2] + i * dim_stride + j * steps[2]];
                }
            }
        });
    });
}

void index_select(ConstView src, ConstView index, int64_t dim, View out) {
    const size_t axis = static_cast<size_t>(dim);
    const int64_t index_stride = index.shape.empty() ? 0 : index.strides[0];
    check_indices("index_select", index, dim, src.shape.empty() ? 1 : src.shape[axis]);
    const int64_t n = index.shape.empty() ? 1 : index.shape[0];
    // out = (outer, n, inner): the inner block is one walk shared by both sides.
    const size_t rank = src.shape.size();
    const size_t tail = rank == 0 ? 0 : axis + 1;
    const int64_t src_stride = rank == 0 ? 0 : src.strides[axis];
    const int64_t out_stride = rank == 0 ? 0 : out.strides[axis];
    const int64_t outer = rank == 0 ? 1 : numel_of(src.shape.first(axis));
    const int64_t inner = numel_of(src.shape.subspan(tail));
    if (outer == 0 || inner == 0 || n == 0) return;
    const StridedSpace src_inner = space_of(src.shape.subspan(tail), src.strides.subspan(tail));
    const StridedSpace out_inner = space_of(src.shape.subspan(tail), out.strides.subspan(tail));
    const StridedSpace src_outer =
        space_of(src.shape.first(rank == 0 ? 0 : axis), src.strides.first(rank == 0 ? 0 : axis));
    const StridedSpace out_outer =
        space_of(src.shape.first(rank == 0 ? 0 : axis), out.strides.first(rank == 0 ? 0 : axis));
    const bool blocks = src_inner.shape.size() <= 1 && src_inner.inner_stride() == 1 &&
                        out_inner.shape.size() <= 1 && out_inner.inner_stride() == 1;
    const int64_t per_unit = std::max<int64_t>(1, kUnitElems / inner);
    dispatch_size(src.dtype, [&]<typename E>() {
        parallel_for(ceil_div(outer * n, per_unit), [&](int64_t unit) {
            const int64_t last = std::min(outer * n, (unit + 1) * per_unit);
            for (int64_t slice = unit * per_unit; slice < last; ++slice) {
                const int64_t i = slice % n;
                const int64_t chosen = read_index(index, i * index_stride);
                const E* from = src.as<E>() + src_outer.offset_of(slice / n) + chosen * src_stride;
                E* to = out.as<E>() + out_outer.offset_of(slice / n) + i * out_stride;
                if (blocks) {
                    std::memcpy(static_cast<void*>(to), from,
                                static_cast<size_t>(inner) * sizeof(E));
                    continue;
                }
                for (int64_t k = 0; k < inner; ++k) {
                    to[out_inner.offset_of(k)] = from[src_inner.offset_of(k)];
                }
            }
        });
    });
}

void scatter_add(View dst, ConstView index, int64_t dim, ConstView src) {
    check_indices("scatter_add", index, dim,
                  dst.shape.empty() ? 1 : dst.shape[static_cast<size_t>(dim)]);
    scatter_add_checked(dst, index, dim, src);
}

void index_add(View dst, ConstView index, int64_t dim, ConstView src) {
    check_indices("index_add", index, dim,
                  dst.shape.empty() ? 1 : dst.shape[static_cast<size_t>(dim)]);
    // The same walk with the index seen in src's shape: its own stride on `dim`, zero elsewhere.
    Strides strides(src.shape.size(), 0);
    if (!strides.empty()) {
        strides[static_cast<size_t>(dim)] = index.shape.empty() ? 0 : index.strides[0];
    }
    scatter_add_checked(dst, ConstView{index.data, index.dtype, src.shape, strides}, dim, src);
}

}  // namespace cpu
LUCID_NAMESPACE_END
