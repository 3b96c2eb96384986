// The tile interpreter of Map programs. A register is a pointer and a stride: to the operand's own
// memory where a block is consecutive there, otherwise to a slot of one tile in the cache.
#include <algorithm>
#include <cstring>
#include <vector>

#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/backend/cpu/MapLoop.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

struct Register {
    const void* data = nullptr;
    int64_t stride = 0;
};

bool is_output(const LoopKernel& program, LoopRegister reg) {
    return std::any_of(program.outputs.begin(), program.outputs.end(),
                       [reg](const LoopOperand& output) { return output.reg == reg; });
}

// One block of a program. `slots` has one tile per register.
void run_block(const LoopKernel& program, const MapLoop& loop, const MapBlock& block,
               std::span<Register> registers, char* slots) {
    const size_t outputs = program.outputs.size();
    const int64_t n = block.rows * block.columns;
    const auto slot = [&](LoopRegister reg) { return slots + int64_t{reg} * kMapTileBytes; };
    for (size_t k = 0; k < program.inputs.size(); ++k) {
        const LoopRegister reg = program.inputs[k].reg;
        Register& to = registers[reg];
        to.data = stage_input(loop, block, outputs + k, slot(reg), to.stride);
        // An input that is also stored to outputs is kept: they may be the memory of inputs.
        if (to.data != slot(reg) && is_output(program, reg)) {
            const int64_t bytes = (to.stride == 0 ? 1 : n) * loop.item[outputs + k];
            std::memcpy(slot(reg), to.data, static_cast<size_t>(bytes));
            to.data = slot(reg);
        }
    }
    for (const LoopInstruction& step : program.instructions) {
        const void* in[3];
        int64_t strides[3];
        for (int i = 0; i < step.instruction->arity; ++i) {
            const Register& from = registers[step.sources[static_cast<size_t>(i)]];
            in[i] = from.data;
            strides[i] = from.stride;
        }
        // The last instruction of a program with one result may write it where it belongs.
        const bool direct = outputs == 1 && &step == &program.instructions.back() &&
                            step.destination == program.outputs[0].reg &&
                            block_stride(loop, block, 0) == 1;
        char* result = direct ? block.data[0] : slot(step.destination);
        step.instruction->row(step.in, step.out)(static_cast<size_t>(n), result, in, strides);
        registers[step.destination] = {result, 1};
    }
    // Stored last: an output may be the memory of an input that a later instruction reads.
    for (size_t k = 0; k < outputs; ++k) {
        const Register& from = registers[program.outputs[k].reg];
        if (from.data != block.data[k]) unstage_output(loop, block, k, from.data, from.stride);
    }
}

}  // namespace

void run_map(const LoopKernel& program, std::span<const ConstView> inputs,
             std::span<const View> outputs) {
    LUCID_ASSERT(program.kind == LoopTemplate::Map);
    LUCID_ASSERT(inputs.size() == program.inputs.size());
    LUCID_ASSERT(outputs.size() == program.outputs.size() && !outputs.empty());
    const DimSpan shape = outputs[0].shape;
    MapLoop loop;
    for (const View& out : outputs) loop.add(out.data, out.dtype, out.strides, shape);
    for (const ConstView& in : inputs) loop.add(in.data, in.dtype, in.strides, shape);
    loop.collapse();
    const BlockShape cut = block_shape(loop, outputs.size(), kMapTileElems);
    const auto body = [&](const MapBlock& block) {
        thread_local std::vector<char> memory;
        thread_local std::vector<Register> registers;
        const size_t needed = static_cast<size_t>(program.num_registers * kMapTileBytes + 64);
        if (memory.size() < needed) memory.resize(needed);
        registers.assign(program.num_registers, {});
        char* slots = memory.data();
        slots += (64 - reinterpret_cast<uintptr_t>(slots) % 64) % 64;
        run_block(program, loop, block, registers, slots);
    };
    for_each_block(loop, cut.rows, cut.columns, body);
}

}  // namespace cpu
LUCID_NAMESPACE_END
