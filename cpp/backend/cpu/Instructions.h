// How the sources Instructions*.cpp hand their loops to the instruction table. Each source compiles
// a part of the table for every SIMD target; the target is chosen once, when the table is filled.
#pragma once

#include <span>
#include <string_view>

#include "lucid/backend/InstructionTable.h"
#include "lucid/backend/cpu/InstructionsTargets.h"  // before any header of Highway

LUCID_NAMESPACE_BEGIN
namespace cpu {

inline constexpr size_t kNumInstructions = 34;

class InstructionRows {
public:
    explicit InstructionRows(std::span<Instruction> rows) : rows_(rows) {}
    // Aborts when the name has no row, or the slot is taken.
    void set(std::string_view name, Dtype in, Dtype out, RowFn row);

private:
    std::span<Instruction> rows_;
};

void fill_real_instructions(InstructionRows& rows);     // float16, bfloat16, float32, float64
void fill_integer_instructions(InstructionRows& rows);  // integers and bool; copy and where by size
void fill_math_instructions(InstructionRows& rows);     // exp, log, pow ...
void fill_cast_instructions(InstructionRows& rows);     // between real dtypes
void fill_scalar_instructions(InstructionRows& rows);   // complex, and powers of integers

// The table for Highway's current target: find_instruction reads one made once; tests compare
// targets.
void build_instruction_table(std::span<Instruction, kNumInstructions> rows);

}  // namespace cpu
LUCID_NAMESPACE_END
