// The plan of a product: normalise both operands to matrices that BLAS can read (packing or
// widening where needed), cut M, N and the batch into tiles by shape, and run the tiles on the
// pool.
#include "lucid/backend/cpu/Gemm.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/GemmBlas.h"
#include "lucid/backend/cpu/ReduceLoad.h"
#include "lucid/backend/cpu/ReducePlan.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

constexpr int64_t kUnitElems = 32768;
// Products below this many multiply-adds are not worth a second tile; batches are grouped up to it.
constexpr int64_t kTileWork = int64_t{1} << 21;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// One operand: batch walk plus the strides of its matrices.
struct Operand {
    const void* data;
    StridedSpace batch;
    int64_t row_stride;
    int64_t column_stride;
    Ref<Buffer> owned;  // set when it was packed
};

Operand operand_of(ConstView view) {
    const size_t rank = view.shape.size();
    Operand operand{view.data, {}, view.strides[rank - 2], view.strides[rank - 1], {}};
    for (size_t i = 0; i + 2 < rank; ++i) operand.batch.push(view.shape[i], view.strides[i]);
    return operand;
}

// Whether BLAS can read (rows, columns) with these strides in place, and how.
bool blas_layout(int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride,
                 BlasMatrix* matrix) {
    if (columns == 1) column_stride = 1;
    if (rows == 1 && column_stride == 1) row_stride = std::max<int64_t>(1, columns);
    if (column_stride == 1 && row_stride >= columns && row_stride <= kMaxBlasInt) {
        matrix->leading = row_stride;
        matrix->transposed = false;
        return true;
    }
    if (rows == 1) row_stride = 1;
    if (row_stride == 1 && column_stride >= rows && column_stride <= kMaxBlasInt) {
        matrix->leading = column_stride;
        matrix->transposed = true;
        return true;
    }
    return false;
}

// Copies (and widens half types of) every distinct matrix into row-major memory of dtype `to`.
// Expanded batch axes stay expanded.
Operand pack(ConstView view, Dtype to) {
    const size_t rank = view.shape.size();
    Shape shape(view.shape);
    for (size_t i = 0; i + 2 < rank; ++i) {
        if (view.strides[i] == 0) shape[i] = 1;
    }
    const Strides packed = contiguous_strides(shape);
    StridedSpace space;
    for (size_t i = 0; i < rank; ++i) space.push(shape[i], view.strides[i]);
    Operand operand;
    operand.owned = allocate_cpu(static_cast<size_t>(space.size * size_of(to)));
    operand.data = operand.owned->data();
    operand.row_stride = packed[rank - 2];
    operand.column_stride = packed[rank - 1];
    for (size_t i = 0; i + 2 < rank; ++i) {
        operand.batch.push(view.shape[i], view.strides[i] == 0 ? 0 : packed[i]);
    }
    const LoadFn load = load_function(view.dtype, to);
    parallel_for(ceil_div(space.size, kUnitElems), [&](int64_t unit) {
        const int64_t end = std::min(space.size, (unit + 1) * kUnitElems);
        char* out = static_cast<char*>(operand.owned->data()) + unit * kUnitElems * size_of(to);
        space.for_runs(unit * kUnitElems, end, [&](int64_t offset, int64_t stride, int64_t n) {
            load(static_cast<const char*>(view.data) + offset * size_of(view.dtype), stride, n,
                 out);
            out += n * size_of(to);
        });
    });
    return operand;
}

struct Tiles {
    int64_t rows;
    int64_t columns;
    int64_t batch;  // matrices in one unit of work
};

// Squares of 256 keep OpenBLAS near its full speed on one core (512 when there are many); thin
// products are cut along their long side only. A function of the shape alone: the borders are part
// of the bits.
Tiles choose_tiles(int64_t m, int64_t n, int64_t k) {
    if (m * n <= kTileWork / k) return {m, n, std::max<int64_t>(1, kTileWork / (m * n * k))};
    const int64_t side = m * n >= 16 * 512 * 512 ? 512 : 256;
    // The long side of a tile whose other side is `thin`.
    const auto along = [k, side](int64_t thin) {
        return std::max(side, ceil_div(kTileWork / (thin * k), 64) * 64);
    };
    if (m < side) return {m, std::min(n, along(m)), 1};
    if (n < side) return {std::min(m, along(n)), n, 1};
    return {side, side, 1};
}

void run_blas(Dtype dtype, Operand a, Operand b, int64_t batch, int64_t m, int64_t n, int64_t k,
              void* c) {
    const int64_t item = size_of(dtype);
    BlasMatrix a_matrix{};
    BlasMatrix b_matrix{};
    const bool readable = blas_layout(m, k, a.row_stride, a.column_stride, &a_matrix) &&
                          blas_layout(k, n, b.row_stride, b.column_stride, &b_matrix);
    LUCID_ASSERT(readable);
    const Tiles tiles = choose_tiles(m, n, k);
    const int64_t row_tiles = ceil_div(m, tiles.rows);
    const int64_t column_tiles = ceil_div(n, tiles.columns);
    const int64_t tiles_per_matrix = row_tiles * column_tiles;
    const int64_t per_unit = tiles_per_matrix == 1 ? tiles.batch : 1;
    const int64_t units = batch * tiles_per_matrix;
    parallel_for(ceil_div(units, per_unit), [&](int64_t unit) {
        const int64_t end = std::min(units, (unit + 1) * per_unit);
        for (int64_t tile = unit * per_unit; tile < end; ++tile) {
            const int64_t matrix = tile / tiles_per_matrix;
            const int64_t row = tile % tiles_per_matrix / column_tiles * tiles.rows;
            const int64_t column = tile % column_tiles * tiles.columns;
            const auto at = [item](const void* data, int64_t offset) {
                return static_cast<const char*>(data) + offset * item;
            };
            const BlasMatrix a_tile{
                at(a.data,
                   a.batch.offset_of(matrix) + row * (a_matrix.transposed ? 1 : a_matrix.leading)),
                a_matrix.leading, a_matrix.transposed};
            const BlasMatrix b_tile{
                at(b.data, b.batch.offset_of(matrix) +
                               column * (b_matrix.transposed ? b_matrix.leading : 1)),
                b_matrix.leading, b_matrix.transposed};
            blas_gemm(dtype, std::min(tiles.rows, m - row), std::min(tiles.columns, n - column), k,
                      a_tile, b_tile,
                      static_cast<char*>(c) + (matrix * m * n + row * n + column) * item, n);
        }
    });
}

void gemm_blas(ConstView a, ConstView b, Dtype dtype, int64_t batch, int64_t m, int64_t n,
               int64_t k, void* c) {
    if (m > kMaxBlasInt || n > kMaxBlasInt || k > kMaxBlasInt) {
        ErrorBuilder("matmul(a, b)", "a matrix is too large for the BLAS library")
            .given("a", to_string(a.shape))
            .given("b", to_string(b.shape))
            .rule("each of the last two sizes < 2^31")
            .raise<InvalidArgument>();
    }
    Operand left = operand_of(a);
    Operand right = operand_of(b);
    BlasMatrix unused{};
    if (a.dtype != dtype || !blas_layout(m, k, left.row_stride, left.column_stride, &unused)) {
        left = pack(a, dtype);
    }
    if (b.dtype != dtype || !blas_layout(k, n, right.row_stride, right.column_stride, &unused)) {
        right = pack(b, dtype);
    }
    // One right matrix for the whole batch, and left matrices that follow each other: one tall
    // product.
    const bool one_right =
        batch > 1 && right.batch.shape.size() == 1 && right.batch.strides[0] == 0;
    const bool tall_left = left.batch.shape.size() == 1 && left.column_stride == 1 &&
                           left.row_stride >= k && left.batch.strides[0] == m * left.row_stride;
    if (one_right && tall_left && batch * m <= kMaxBlasInt) {
        m *= batch;
        batch = 1;
        left.batch = {};
        right.batch = {};
    }
    run_blas(dtype, std::move(left), std::move(right), batch, m, n, k, c);
}

// Half types: the whole product in float32, then one rounding.
void gemm_half(ConstView a, ConstView b, View c, int64_t batch, int64_t m, int64_t n, int64_t k) {
    const int64_t size = batch * m * n;
    const Ref<Buffer> wide = allocate_cpu(static_cast<size_t>(size) * sizeof(float));
    gemm_blas(a, b, Dtype::Float32, batch, m, n, k, wide->data());
    const StoreFn store = store_function(Dtype::Float32, c.dtype);
    parallel_for(ceil_div(size, kUnitElems), [&](int64_t unit) {
        const int64_t first = unit * kUnitElems;
        store(static_cast<const float*>(wide->data()) + first, std::min(kUnitElems, size - first),
              c.as<uint16_t>() + first, 1);
    });
}

// Integers, in unsigned arithmetic of at least 32 bits: the low bits are those of the dtype's own.
template <typename T>
void gemm_integer(ConstView a, ConstView b, View c, int64_t batch, int64_t m, int64_t n,
                  int64_t k) {
    using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    const Operand left = operand_of(a);
    const Operand right = operand_of(b);
    constexpr int64_t kColumns = 256;
    const int64_t work = std::max<int64_t>(1, n * k);
    const int64_t rows_per_unit = std::clamp<int64_t>(kTileWork / work, 1, batch * m);
    parallel_for(ceil_div(batch * m, rows_per_unit), [&](int64_t unit) {
        Wide sums[kColumns];
        const int64_t end = std::min(batch * m, (unit + 1) * rows_per_unit);
        for (int64_t row = unit * rows_per_unit; row < end; ++row) {
            const T* a_row = static_cast<const T*>(left.data) + left.batch.offset_of(row / m) +
                             row % m * left.row_stride;
            const T* b_matrix = static_cast<const T*>(right.data) + right.batch.offset_of(row / m);
            for (int64_t first = 0; first < n; first += kColumns) {
                const int64_t count = std::min(kColumns, n - first);
                std::fill_n(sums, count, Wide{0});
                for (int64_t i = 0; i < k; ++i) {
                    const Wide factor = static_cast<Wide>(a_row[i * left.column_stride]);
                    const T* b_row = b_matrix + i * right.row_stride + first * right.column_stride;
                    for (int64_t j = 0; j < count; ++j) {
                        sums[j] += factor * static_cast<Wide>(b_row[j * right.column_stride]);
                    }
                }
                T* out = c.as<T>() + row * n + first;
                for (int64_t j = 0; j < count; ++j) out[j] = static_cast<T>(sums[j]);
            }
        }
    });
}

}  // namespace

void gemm_batched(ConstView a, ConstView b, View c) {
    const size_t rank = c.shape.size();
    LUCID_ASSERT(rank >= 2 && a.shape.size() == rank && b.shape.size() == rank);
    LUCID_ASSERT(a.dtype == c.dtype && b.dtype == c.dtype && is_contiguous(c.shape, c.strides));
    const int64_t m = c.shape[rank - 2];
    const int64_t n = c.shape[rank - 1];
    const int64_t k = a.shape[rank - 1];
    LUCID_ASSERT(a.shape[rank - 2] == m && b.shape[rank - 2] == k && b.shape[rank - 1] == n);
    const int64_t size = numel_of(c.shape);
    if (size == 0) return;
    if (k == 0) {
        std::memset(c.data, 0, static_cast<size_t>(size * size_of(c.dtype)));
        return;
    }
    const int64_t batch = size / (m * n);
    if (c.dtype == Dtype::Float16 || c.dtype == Dtype::BFloat16) {
        gemm_half(a, b, c, batch, m, n, k);
    } else if (is_inexact(c.dtype)) {
        gemm_blas(a, b, c.dtype, batch, m, n, k, c.data);
    } else {
        LUCID_ASSERT(c.dtype != Dtype::Bool);
        dispatch_dtype(c.dtype, [&]<typename T>() {
            if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
                gemm_integer<T>(a, b, c, batch, m, n, k);
            }
        });
    }
}

}  // namespace cpu
LUCID_NAMESPACE_END
