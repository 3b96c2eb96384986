#include "lucid/backend/cpu/MapLoop.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lucid/backend/ThreadPool.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

void MapLoop::add(const void* address, Dtype dtype, DimSpan element_strides, DimSpan shape) {
    LUCID_ASSERT(operands < kMaxMapOperands && shape.size() <= kMaxMapRank);
    const size_t k = operands++;
    data[k] = static_cast<char*>(const_cast<void*>(address));
    item[k] = size_of(dtype);
    rank = shape.size();
    for (size_t i = 0; i < rank; ++i) {
        dims[i] = shape[rank - 1 - i];
        strides[k][i] = element_strides[rank - 1 - i] * item[k];
    }
}

namespace {

void swap_axes(MapLoop& loop, size_t i, size_t j) {
    std::swap(loop.dims[i], loop.dims[j]);
    for (size_t k = 0; k < loop.operands; ++k) std::swap(loop.strides[k][i], loop.strides[k][j]);
}

bool can_merge(const MapLoop& loop, size_t inner, size_t outer) {
    for (size_t k = 0; k < loop.operands; ++k) {
        if (loop.strides[k][outer] != loop.strides[k][inner] * loop.dims[inner]) return false;
    }
    return true;
}

}  // namespace

void MapLoop::collapse() {
    numel = 1;
    size_t kept = 0;
    for (size_t i = 0; i < rank; ++i) {
        numel *= dims[i];
        if (dims[i] == 1) continue;
        if (kept != i) swap_axes(*this, kept, i);
        ++kept;
    }
    rank = kept;
    if (numel == 0) return;
    for (size_t i = 0; i < rank; ++i) {
        if (strides[0][i] >= 0) continue;
        for (size_t k = 0; k < operands; ++k) {
            data[k] += (dims[i] - 1) * strides[k][i];
            strides[k][i] = -strides[k][i];
        }
    }
    // By operand 0's stride, stable: the output is written in order.
    for (size_t i = 1; i < rank; ++i) {
        for (size_t j = i; j > 0 && strides[0][j] < strides[0][j - 1]; --j)
            swap_axes(*this, j, j - 1);
    }
    size_t last = 0;
    for (size_t i = 1; i < rank; ++i) {
        if (can_merge(*this, last, i)) {
            dims[last] *= dims[i];
        } else if (++last != i) {
            swap_axes(*this, last, i);
        }
    }
    if (rank == 0) {
        dims[0] = 1;
        for (size_t k = 0; k < operands; ++k) strides[k][0] = item[k];
    }
    rank = last + 1;
}

namespace {

// Runs blocks [first, last), in the order of operand 0's memory.
void run_blocks(const MapLoop& loop, int64_t rows, int64_t columns, int64_t first, int64_t last,
                FunctionRef<void(const MapBlock&)> body) {
    const int64_t inner = loop.dims[0];
    const int64_t next = loop.rank > 1 ? loop.dims[1] : 1;
    const int64_t column_blocks = (inner + columns - 1) / columns;
    const int64_t row_blocks = (next + rows - 1) / rows;

    int64_t column_block = first % column_blocks;
    int64_t rest = first / column_blocks;
    int64_t row_block = rest % row_blocks;
    rest /= row_blocks;
    int64_t index[kMaxMapRank];
    char* outer[kMaxMapOperands];
    char* data[kMaxMapOperands];
    int64_t row_strides[kMaxMapOperands];
    int64_t column_strides[kMaxMapOperands];
    for (size_t k = 0; k < loop.operands; ++k) {
        outer[k] = loop.data[k];
        row_strides[k] = loop.rank > 1 ? loop.strides[k][1] : 0;
        column_strides[k] = loop.strides[k][0];
    }
    for (size_t i = 2; i < loop.rank; ++i) {
        index[i] = rest % loop.dims[i];
        rest /= loop.dims[i];
        for (size_t k = 0; k < loop.operands; ++k) outer[k] += index[i] * loop.strides[k][i];
    }
    for (int64_t block = first; block < last; ++block) {
        const int64_t row = row_block * rows;
        const int64_t column = column_block * columns;
        for (size_t k = 0; k < loop.operands; ++k) {
            data[k] = outer[k] + row * row_strides[k] + column * column_strides[k];
        }
        body({std::min(rows, next - row), std::min(columns, inner - column), data, row_strides,
              column_strides});
        if (++column_block < column_blocks) continue;
        column_block = 0;
        if (++row_block < row_blocks) continue;
        row_block = 0;
        for (size_t i = 2; i < loop.rank; ++i) {
            const bool carry = ++index[i] == loop.dims[i];
            if (carry) index[i] = 0;
            const int64_t steps = carry ? 1 - loop.dims[i] : 1;
            for (size_t k = 0; k < loop.operands; ++k) outer[k] += steps * loop.strides[k][i];
            if (!carry) break;
        }
    }
}

}  // namespace

void for_each_block(const MapLoop& loop, int64_t rows, int64_t columns,
                    FunctionRef<void(const MapBlock&)> body) {
    if (loop.numel == 0) return;
    const int64_t inner = loop.dims[0];
    const int64_t next = loop.rank > 1 ? loop.dims[1] : 1;
    int64_t blocks = (inner + columns - 1) / columns * ((next + rows - 1) / rows);
    for (size_t i = 2; i < loop.rank; ++i) blocks *= loop.dims[i];
    if (loop.numel <= kMapSerialElems) {
        run_blocks(loop, rows, columns, 0, blocks, body);
        return;
    }
    const int64_t chunks = std::min(blocks, (loop.numel + kMapChunkElems - 1) / kMapChunkElems);
    const int64_t base = blocks / chunks;
    const int64_t extra = blocks % chunks;  // the first `extra` chunks have one more
    parallel_for(chunks, [&](int64_t chunk) {
        const int64_t first = chunk * base + std::min(chunk, extra);
        run_blocks(loop, rows, columns, first, first + base + (chunk < extra), body);
    });
}

namespace {

template <typename T>
void copy_items(int64_t rows, int64_t columns, const char* from, int64_t from_row,
                int64_t from_column, char* to, int64_t to_row, int64_t to_column) {
    constexpr int64_t kItem = sizeof(T);
    for (int64_t r = 0; r < rows; ++r, from += from_row, to += to_row) {
        if (from_column == kItem && to_column == kItem) {
            std::memcpy(to, from, static_cast<size_t>(columns * kItem));
            continue;
        }
        const char* a = from;
        char* b = to;
        for (int64_t c = 0; c < columns; ++c, a += from_column, b += to_column) {
            std::memcpy(b, a, sizeof(T));
        }
    }
}

struct Item16 {
    uint64_t words[2];
};

}  // namespace

void copy_block(int64_t item, int64_t rows, int64_t columns, const char* from, int64_t from_row,
                int64_t from_column, char* to, int64_t to_row, int64_t to_column) {
    // Along the axis in which the source is denser: its cache lines are read once. Short rows make
    // short loops.
    constexpr int64_t kShortRow = 16;
    const bool transposed = from_row != 0 && std::abs(from_row) < std::abs(from_column);
    if (rows > 1 && (transposed || (columns < kShortRow && columns < rows))) {
        std::swap(rows, columns);
        std::swap(from_row, from_column);
        std::swap(to_row, to_column);
    }
    switch (item) {
        case 1:
            return copy_items<uint8_t>(rows, columns, from, from_row, from_column, to, to_row,
                                       to_column);
        case 2:
            return copy_items<uint16_t>(rows, columns, from, from_row, from_column, to, to_row,
                                        to_column);
        case 4:
            return copy_items<uint32_t>(rows, columns, from, from_row, from_column, to, to_row,
                                        to_column);
        case 8:
            return copy_items<uint64_t>(rows, columns, from, from_row, from_column, to, to_row,
                                        to_column);
        default:
            return copy_items<Item16>(rows, columns, from, from_row, from_column, to, to_row,
                                      to_column);
    }
}

namespace {

// Rows at least this long are worth a call each when every operand is consecutive or constant in
// them.
constexpr int64_t kDirectRow = 128;

}  // namespace

int64_t MapLoop::tile_elems() const {
    return kMapTileBytes / *std::max_element(item, item + operands);
}

BlockShape block_shape(const MapLoop& loop, size_t outputs, int64_t longest, int64_t tile) {
    const int64_t inner = loop.dims[0];
    if (inner == 0) return {1, tile};  // an empty loop has no blocks; any shape will do
    bool direct = true;
    bool transposed = false;
    for (size_t k = 0; k < loop.operands; ++k) {
        const int64_t stride = loop.strides[k][0];
        direct &= stride == loop.item[k] || (stride == 0 && k >= outputs);
        if (loop.rank > 1) {
            const int64_t next = std::abs(loop.strides[k][1]);
            transposed |= next != 0 && next < std::abs(stride);
        }
    }
    if (direct && (loop.rank == 1 || inner >= kDirectRow)) return {1, longest};
    if (loop.rank == 1) return {1, tile};
    // The more elements a tile of a transpose has along both axes, the fewer pages it touches for
    // each.
    const int64_t side = tile >= 4096 ? 64 : 32;
    const int64_t columns = std::min(inner, transposed ? side : tile);
    return {tile / columns, columns};
}

int64_t block_stride(const MapLoop& loop, const MapBlock& block, size_t k) {
    const int64_t item = loop.item[k];
    const int64_t row = block.row_strides[k];
    const int64_t column = block.column_strides[k];
    if (block.rows == 1 && block.columns == 1) return 1;
    if (block.rows == 1) return column == item ? 1 : (column == 0 ? 0 : -1);
    if (block.columns == 1) return row == item ? 1 : (row == 0 ? 0 : -1);
    if (column == item && row == block.columns * item) return 1;
    return column == 0 && row == 0 ? 0 : -1;
}

const void* stage_input(const MapLoop& loop, const MapBlock& block, size_t k, char* tile,
                        int64_t& stride) {
    stride = block_stride(loop, block, k);
    if (stride >= 0) return block.data[k];
    stride = 1;
    const int64_t item = loop.item[k];
    copy_block(item, block.rows, block.columns, block.data[k], block.row_strides[k],
               block.column_strides[k], tile, block.columns * item, item);
    return tile;
}

void unstage_output(const MapLoop& loop, const MapBlock& block, size_t k, const void* from,
                    int64_t stride) {
    const int64_t item = stride * loop.item[k];
    copy_block(loop.item[k], block.rows, block.columns, static_cast<const char*>(from),
               block.columns * item, item, block.data[k], block.row_strides[k],
               block.column_strides[k]);
}

}  // namespace cpu
LUCID_NAMESPACE_END
