// The instruction table: every scalar instruction of the engine, one row each, with its name, its
// CUDA text and its CPU loops by dtype. Interpreter, ahead-of-time kernels and run-time compilers
// all read it. The rows are in InstructionTable.cpp, their SIMD expressions in
// cpu/Instructions*-inl.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN

// Computes n results. `out` is contiguous; an input stride is 0 (one value for all) or 1
// (contiguous). `out` may be the same memory as an input of stride 1 and equal item size, but may
// not overlap otherwise.
using RowFn = void (*)(size_t n, void* out, const void* const* in, const int64_t* in_strides);

struct Instruction {
    const char* name;
    int arity;
    // The device expression in terms of a0, a1, a2 in the computing type (float for the 16-bit
    // types). T is that type, R the result's; lucid_* are the engine's own device functions.
    const char* cuda;
    // [dtype of the last input][dtype of the result]; null where the instruction is not defined.
    RowFn fns[kNumDtypes][kNumDtypes];

    RowFn row(Dtype in, Dtype out) const noexcept {
        return fns[static_cast<int>(in)][static_cast<int>(out)];
    }
};

// nullptr when there is none of this name. The pointer is valid for ever.
LUCID_API const Instruction* find_instruction(std::string_view name) noexcept;
// `in` is the dtype of the last input: of `where`, whose first input is bool, the type of the
// values.
LUCID_API bool instruction_supports(const Instruction& instruction, Dtype in, Dtype out) noexcept;

// All rows, in the order of the table.
std::span<const Instruction> instruction_table() noexcept;
// Whether this CPU has what the rows are compiled for (AVX2 with FMA on x86-64, NEON on aarch64).
LUCID_API bool cpu_is_supported() noexcept;

LUCID_NAMESPACE_END
