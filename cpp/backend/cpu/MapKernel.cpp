#include "lucid/backend/cpu/MapKernel.h"

#include <cstdlib>
#include <cstring>

#include "lucid/backend/cpu/MapLoop.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

// Whether `view` holds its n elements consecutively in row-major order (1), or one value for all
// (0), or neither (-1). `expected` are the row-major strides; axes of one element do not matter.
int64_t simple_stride(const ConstView& view, const int64_t* expected, DimSpan shape) {
    bool dense = true;
    bool constant = true;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        dense &= view.strides[i] == expected[i];
        constant &= view.strides[i] == 0;
    }
    return dense ? 1 : (constant ? 0 : -1);
}

// The short path: everything row-major or constant, one thread. False when it does not apply.
bool run_simple(RowFn row, std::span<const ConstView> inputs, const View& out) {
    constexpr size_t kRank = 8;
    const size_t rank = out.shape.size();
    if (rank > kRank) return false;
    int64_t expected[kRank];
    int64_t n = 1;
    for (size_t i = rank; i-- > 0;) {
        expected[i] = n;
        n *= out.shape[i];
        if (n > kMapSerialElems) return false;
    }
    if (n == 0) return true;
    if (simple_stride(out, expected, out.shape) != 1) return false;
    const void* data[3];
    int64_t strides[3];
    for (size_t k = 0; k < inputs.size(); ++k) {
        data[k] = inputs[k].data;
        strides[k] = simple_stride(inputs[k], expected, out.shape);
        if (strides[k] < 0) return false;
    }
    row(static_cast<size_t>(n), out.data, data, strides);
    return true;
}

[[gnu::noinline]] void run_general(RowFn row, std::span<const ConstView> inputs, const View& out) {
    MapLoop loop;
    loop.add(out.data, out.dtype, out.strides, out.shape);
    for (const ConstView& input : inputs) {
        loop.add(input.data, input.dtype, input.strides, out.shape);
    }
    loop.collapse();
    const BlockShape shape = block_shape(loop, 1, kMapChunkElems, loop.tile_elems());
    const auto body = [&](const MapBlock& block) {
        alignas(64) char tiles[4][kMapTileBytes];
        const void* in[3];
        int64_t strides[3];
        for (size_t k = 1; k < loop.operands; ++k) {
            in[k - 1] = stage_input(loop, block, k, tiles[k], strides[k - 1]);
        }
        const bool direct = block_stride(loop, block, 0) == 1;
        char* result = direct ? block.data[0] : tiles[0];
        row(static_cast<size_t>(block.rows * block.columns), result, in, strides);
        if (!direct) unstage_output(loop, block, 0, result, 1);
    };
    for_each_block(loop, shape.rows, shape.columns, body);
}

}  // namespace

void run_map(const Instruction& instruction, std::span<const ConstView> inputs, View out) {
    const RowFn row = instruction.row(inputs.back().dtype, out.dtype);
    LUCID_ASSERT(row != nullptr && inputs.size() == static_cast<size_t>(instruction.arity));
    if (run_simple(row, inputs, out)) return;
    run_general(row, inputs, out);
}

void copy(ConstView in, View out) {
    if (in.dtype != out.dtype) {
        static const Instruction* const cast = find_instruction("cast");
        run_map(*cast, {&in, 1}, out);
        return;
    }
    MapLoop loop;
    loop.add(out.data, out.dtype, out.strides, out.shape);
    loop.add(in.data, in.dtype, in.strides, out.shape);
    loop.collapse();
    if (loop.is_consecutive(0) && loop.is_consecutive(1)) {
        // The same memory and layout: nothing to do, and memcpy would not allow it.
        if (loop.data[0] == loop.data[1]) return;
        for_each_block(loop, 1, kMapChunkElems, [&](const MapBlock& block) {
            std::memcpy(block.data[0], block.data[1],
                        static_cast<size_t>(block.columns * loop.item[0]));
        });
        return;
    }
    const BlockShape shape = block_shape(loop, 1, kMapChunkElems, loop.tile_elems());
    const auto body = [&](const MapBlock& block) {
        const int64_t row = std::abs(block.row_strides[1]);
        if (block.rows > 1 && row != 0 && row < std::abs(block.column_strides[1])) {
            // A transpose, through a tile: with power-of-two strides the lines of a block of the
            // output would evict each other from the first-level cache.
            alignas(64) char tile[kMapTileBytes];
            int64_t stride;
            const void* staged = stage_input(loop, block, 1, tile, stride);
            unstage_output(loop, block, 0, staged, stride);
            return;
        }
        copy_block(loop.item[0], block.rows, block.columns, block.data[1], block.row_strides[1],
                   block.column_strides[1], block.data[0], block.row_strides[0],
                   block.column_strides[0]);
    };
    for_each_block(loop, shape.rows, shape.columns, body);
}

}  // namespace cpu
LUCID_NAMESPACE_END
