// All four ops are one walk over rows: bring one or two rows into consecutive memory of the
// computing dtype (or use them where they are), run the row's formula, bring the result out.
#include "lucid/backend/cpu/Softmax.h"

#include <algorithm>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/InstructionTable.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/ReduceKernels.h"
#include "lucid/backend/cpu/ReduceLoad.h"
#include "lucid/backend/cpu/ReducePlan.h"
#include "lucid/backend/cpu/SoftmaxKernels.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

constexpr int64_t kUnitElems = 32768;
constexpr int64_t kGroup =
    16;  // neighbouring rows that are loaded together when `dim` is not inner

// The one place where softmax meets exp and log: the rows of the ops' own instructions.
template <typename T>
RowFn row_function(const char* name) {
    const Instruction* instruction = find_instruction(name);
    LUCID_ASSERT(instruction != nullptr);
    const int dtype = static_cast<int>(DtypeOf<T>::value);
    const RowFn function = instruction->fns[dtype][dtype];
    LUCID_ASSERT(function != nullptr);
    return function;
}
template <typename T>
void exp_row(T* x, int64_t n) {
    static const RowFn function = row_function<T>("exp");
    const void* const in[1] = {x};
    const int64_t strides[1] = {1};
    function(static_cast<size_t>(n), x, in, strides);
}
template <typename T>
T log_value(T x) {
    static const RowFn function = row_function<T>("log");
    const void* const in[1] = {&x};
    const int64_t strides[1] = {1};
    T result;
    function(1, &result, in, strides);
    return result;
}

// One operand: where row `k` starts, and the stride along it.
struct Rows {
    const void* data;
    Dtype dtype;
    StridedSpace outer;
    int64_t stride;
};

Rows rows_of(ConstView view, int64_t dim) {
    Rows rows{view.data, view.dtype, {}, 1};
    for (size_t i = 0; i < view.shape.size(); ++i) {
        if (static_cast<int64_t>(i) == dim) {
            rows.stride = view.strides[i];
        } else {
            rows.outer.push(view.shape[i], view.strides[i]);
        }
    }
    return rows;
}

template <typename T>
T* at(const Rows& rows, int64_t row) {
    char* data = const_cast<char*>(static_cast<const char*>(rows.data));
    return reinterpret_cast<T*>(data + rows.outer.offset_of(row) * size_of(rows.dtype));
}

// Rows [first, first + count) -> buffer (count, n). When neighbouring rows are neighbours in
// memory, each read takes one element of all of them.
template <typename T>
void load_rows(const Rows& rows, int64_t first, int64_t count, int64_t n, T* buffer) {
    const LoadFn load = load_function(rows.dtype, DtypeOf<T>::value);
    const bool across = count > 1 && rows.outer.inner_stride() == 1 && rows.stride != 1 &&
                        first % rows.outer.inner_size() + count <= rows.outer.inner_size();
    if (!across) {
        for (int64_t k = 0; k < count; ++k) {
            load(at<char>(rows, first + k), rows.stride, n, buffer + k * n);
        }
        return;
    }
    const char* from = at<char>(rows, first);
    T line[kGroup];
    for (int64_t i = 0; i < n; ++i) {
        load(from + i * rows.stride * size_of(rows.dtype), 1, count, line);
        for (int64_t k = 0; k < count; ++k) buffer[k * n + i] = line[k];
    }
}

template <typename T>
void store_rows(const Rows& rows, int64_t first, int64_t count, int64_t n, const T* buffer) {
    const StoreFn store = store_function(DtypeOf<T>::value, rows.dtype);
    const bool across = count > 1 && rows.outer.inner_stride() == 1 && rows.stride != 1 &&
                        first % rows.outer.inner_size() + count <= rows.outer.inner_size();
    if (!across) {
        for (int64_t k = 0; k < count; ++k) {
            store(buffer + k * n, n, at<char>(rows, first + k), rows.stride);
        }
        return;
    }
    char* to = at<char>(rows, first);
    T line[kGroup];
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = 0; k < count; ++k) line[k] = buffer[k * n + i];
        store(line, count, to + i * rows.stride * size_of(rows.dtype), 1);
    }
}

// Runs row(inputs..., out, scratch) for each row; scratch has n values.
template <typename T, size_t kInputs, typename RowFn>
void for_rows(const ConstView (&in)[kInputs], int64_t dim, View out, RowFn&& row) {
    const int64_t n = out.shape.empty() ? 1 : out.shape[static_cast<size_t>(dim)];
    Rows inputs[kInputs];
    for (size_t i = 0; i < kInputs; ++i) inputs[i] = rows_of(in[i], dim);
    const Rows outputs = rows_of(out, dim);
    const int64_t num_rows = outputs.outer.size;
    if (num_rows == 0 || n == 0) return;
    const auto is_direct = [n](const Rows& rows) {
        return rows.dtype == DtypeOf<T>::value && (rows.stride == 1 || n == 1);
    };
    // Long rows come one by one: a group must fit the cache.
    const int64_t group =
        is_direct(outputs) ? 1 : std::clamp<int64_t>((int64_t{1} << 17) / n, 1, kGroup);
    const int64_t rows_per_unit = std::max(group, kUnitElems / n / group * group);
    parallel_for((num_rows + rows_per_unit - 1) / rows_per_unit, [&](int64_t unit) {
        const Ref<Buffer> scratch = allocate_cpu(
            static_cast<size_t>(n * (1 + group * static_cast<int64_t>(kInputs + 1))) * sizeof(T));
        T* spare = static_cast<T*>(scratch->data());
        T* buffers[kInputs + 1];
        for (size_t i = 0; i <= kInputs; ++i) {
            buffers[i] = spare + n * (1 + group * static_cast<int64_t>(i));
        }
        const int64_t end = std::min(num_rows, (unit + 1) * rows_per_unit);
        for (int64_t first = unit * rows_per_unit; first < end; first += group) {
            const int64_t count = std::min(group, end - first);
            for (size_t i = 0; i < kInputs; ++i) {
                if (!is_direct(inputs[i])) load_rows(inputs[i], first, count, n, buffers[i]);
            }
            for (int64_t k = 0; k < count; ++k) {
                const T* x[kInputs];
                for (size_t i = 0; i < kInputs; ++i) {
                    x[i] = is_direct(inputs[i]) ? at<T>(inputs[i], first + k) : buffers[i] + k * n;
                }
                T* y = is_direct(outputs) ? at<T>(outputs, first + k) : buffers[kInputs] + k * n;
                row(x, y, spare, n);
            }
            if (!is_direct(outputs)) store_rows(outputs, first, count, n, buffers[kInputs]);
        }
    });
}

template <typename F>
void dispatch_computing(Dtype dtype, F&& f) {
    if (dtype == Dtype::Float64) {
        f.template operator()<double>();
    } else {
        LUCID_ASSERT(accumulator_dtype(dtype) == Dtype::Float32);
        f.template operator()<float>();
    }
}

}  // namespace

void softmax(ConstView in, int64_t dim, View out) {
    dispatch_computing(out.dtype, [&]<typename T>() {
        const LaneKernels<T>& max = lane_kernels<T>(LaneOp::Max);
        const LaneKernels<T>& sum = lane_kernels<T>(LaneOp::Sum);
        const RowKernels<T>& row = row_kernels<T>();
        for_rows<T>({in}, dim, out, [&](const T* const* x, T* y, T*, int64_t n) {
            row.subtract(x[0], reduce_contiguous(max, x[0], n), n, y);
            exp_row(y, n);
            row.divide(y, reduce_contiguous(sum, y, n), n, y);
        });
    });
}

void log_softmax(ConstView in, int64_t dim, View out) {
    dispatch_computing(out.dtype, [&]<typename T>() {
        const LaneKernels<T>& max = lane_kernels<T>(LaneOp::Max);
        const LaneKernels<T>& sum = lane_kernels<T>(LaneOp::Sum);
        const RowKernels<T>& row = row_kernels<T>();
        for_rows<T>({in}, dim, out, [&](const T* const* x, T* y, T* spare, int64_t n) {
            row.subtract(x[0], reduce_contiguous(max, x[0], n), n, y);
            std::copy_n(y, n, spare);
            exp_row(spare, n);
            row.subtract(y, log_value(reduce_contiguous(sum, spare, n)), n, y);
        });
    });
}

void softmax_backward(ConstView grad, ConstView out, int64_t dim, View grad_in) {
    dispatch_computing(grad_in.dtype, [&]<typename T>() {
        const LaneKernels<T>& sum = lane_kernels<T>(LaneOp::Sum);
        const RowKernels<T>& row = row_kernels<T>();
        for_rows<T>({grad, out}, dim, grad_in, [&](const T* const* x, T* y, T* spare, int64_t n) {
            row.multiply(x[0], x[1], n, spare);
            row.subtract_multiply(x[0], reduce_contiguous(sum, spare, n), x[1], n, y);
        });
    });
}

void log_softmax_backward(ConstView grad, ConstView out, int64_t dim, View grad_in) {
    dispatch_computing(grad_in.dtype, [&]<typename T>() {
        const LaneKernels<T>& sum = lane_kernels<T>(LaneOp::Sum);
        const RowKernels<T>& row = row_kernels<T>();
        for_rows<T>({grad, out}, dim, grad_in, [&](const T* const* x, T* y, T* spare, int64_t n) {
            const T total = reduce_contiguous(sum, x[0], n);
            std::copy_n(x[1], n, spare);
            exp_row(spare, n);
            row.multiply_subtract(x[0], spare, total, n, y);
        });
    });
}

}  // namespace cpu
LUCID_NAMESPACE_END
