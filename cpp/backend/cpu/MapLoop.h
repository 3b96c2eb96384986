// The loop nest under every Map kernel: operands of one shape are reduced to few axes and cut into
// blocks of the two innermost ones; a body sees one block at a time as rows of consecutive
// elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lucid/backend/cpu/View.h"
#include "lucid/core/FunctionRef.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

inline constexpr size_t kMaxMapOperands = 64;
inline constexpr size_t kMaxMapRank = 64;
inline constexpr int64_t kMapTileElems = 1024;  // a staged block: 4 KiB of float32 an operand
inline constexpr int64_t kMapTileBytes = kMapTileElems * 16;
inline constexpr int64_t kMapSerialElems = 65536;  // up to here one thread
inline constexpr int64_t kMapChunkElems = 32768;   // of a parallel loop

// All strides in bytes, axes from the innermost; operand 0 orders them and has no negative one.
struct MapLoop {
    size_t operands = 0;
    size_t rank = 0;  // at least 1
    int64_t numel = 1;
    int64_t dims[kMaxMapRank];
    char* data[kMaxMapOperands];
    int64_t item[kMaxMapOperands];
    int64_t strides[kMaxMapOperands][kMaxMapRank];

    void add(const void* data, Dtype dtype, DimSpan strides, DimSpan shape);
    // Call after the last add: drops axes of one element, orders, merges.
    void collapse();
    // How many elements of any operand fit in kMapTileBytes.
    int64_t tile_elems() const;
    bool is_consecutive(size_t operand) const {
        return rank == 1 && strides[operand][0] == item[operand];
    }
};

// A block of rows x columns elements of each operand.
struct MapBlock {
    int64_t rows;
    int64_t columns;
    char* const* data;
    const int64_t* row_strides;     // bytes, per operand
    const int64_t* column_strides;  // bytes, per operand
};

// Cuts the loop into blocks of at most `rows` x `columns` and runs them, in chunks on the pool when
// there are many elements. The borders come from the shape alone.
void for_each_block(const MapLoop& loop, int64_t rows, int64_t columns,
                    FunctionRef<void(const MapBlock&)> body);

// Rows of memory where that makes long ones, of at most `longest` elements; else tiles of at most
// `tile`, square ones where an operand is transposed. `outputs` operands come first.
struct BlockShape {
    int64_t rows;
    int64_t columns;
};
BlockShape block_shape(const MapLoop& loop, size_t outputs, int64_t longest,
                       int64_t tile = kMapTileElems);

// 1 where the elements of operand k are consecutive in the block, 0 where they are one element,
// else -1.
int64_t block_stride(const MapLoop& loop, const MapBlock& block, size_t k);
// Operand k as consecutive elements (or one, stride 0): its own memory, or gathered into `tile`.
const void* stage_input(const MapLoop& loop, const MapBlock& block, size_t k, char* tile,
                        int64_t& stride);
// The reverse, from consecutive elements or one for all.
void unstage_output(const MapLoop& loop, const MapBlock& block, size_t k, const void* from,
                    int64_t stride);

// A strided block to another, both of items of one size. All strides in bytes.
void copy_block(int64_t item, int64_t rows, int64_t columns, const char* from, int64_t from_row,
                int64_t from_column, char* to, int64_t to_row, int64_t to_column);

}  // namespace cpu
LUCID_NAMESPACE_END
