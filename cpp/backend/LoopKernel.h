// The tile IR: a loop template and the instructions of its body. A program works on registers,
// which hold one tile each; the template says how tiles map to the operands. The Map interpreter
// (cpu/MapKernel.h) runs Map programs; the other templates add their stages between instructions
// when their kernels come.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN

struct Instruction;

enum class LoopTemplate : uint8_t {
    Map,         // N-d elementwise
    RowProgram,  // one row at a time: maps separated by row reductions
    ColReduce,   // reductions over outer axes
    FullReduce,  // reductions over everything
    MultiMap,    // one Map program over a list of tensors
};

using LoopRegister = uint16_t;

struct LoopInstruction {
    const Instruction* instruction;
    Dtype in;   // dtype of the last source; it and `out` choose the row of the instruction
    Dtype out;  // dtype of the destination
    LoopRegister destination;
    std::array<LoopRegister, 3> sources;  // the first `arity` count
};

// A tensor that the program reads or writes: register `reg` is loaded from it, or stored to it at
// the end.
struct LoopOperand {
    Dtype dtype;
    LoopRegister reg;
};

// Every register is written once, before it is read: by being an input, or by one instruction. A
// register may be stored to several outputs.
struct LoopKernel {
    LoopTemplate kind = LoopTemplate::Map;
    uint16_t num_registers = 0;
    std::vector<LoopInstruction> instructions;
    std::vector<LoopOperand> inputs;
    std::vector<LoopOperand> outputs;
};

LUCID_NAMESPACE_END
