#include "lucid/backend/InstructionTable.h"

#include <algorithm>
#include <iterator>

#include "hwy/highway.h"
#include "lucid/backend/cpu/Instructions.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr Instruction kRows[] = {
    {"copy", 1, "a0", {}},
    {"cast", 1, "lucid_cast<R>(a0)", {}},
    {"where", 3, "a0 ? a1 : a2", {}},
    // Arithmetic. bool: add is or, mul is and.
    {"add", 2, "a0 + a1", {}},
    {"sub", 2, "a0 - a1", {}},
    {"mul", 2, "a0 * a1", {}},
    {"div", 2, "a0 / a1", {}},
    {"neg", 1, "-a0", {}},
    {"abs", 1, "lucid_abs(a0)", {}},
    {"sign", 1, "T((a0 > T(0)) - (a0 < T(0)))", {}},
    {"reciprocal", 1, "T(1) / a0", {}},
    {"conj", 1, "lucid_conj(a0)", {}},
    {"maximum", 2, "(a0 > a1 || a0 != a0) ? a0 : a1", {}},
    {"minimum", 2, "(a0 < a1 || a0 != a0) ? a0 : a1", {}},
    // Comparisons and logic, all to bool.
    {"eq", 2, "a0 == a1", {}},
    {"ne", 2, "a0 != a1", {}},
    {"lt", 2, "a0 < a1", {}},
    {"le", 2, "a0 <= a1", {}},
    {"gt", 2, "a0 > a1", {}},
    {"ge", 2, "a0 >= a1", {}},
    {"logical_not", 1, "a0 == T(0)", {}},
    {"logical_and", 2, "a0 != T(0) && a1 != T(0)", {}},
    {"logical_or", 2, "a0 != T(0) || a1 != T(0)", {}},
    {"logical_xor", 2, "(a0 != T(0)) != (a1 != T(0))", {}},
    // Elementary functions: our own formulas, cpu/Math-inl.h and cpu/MathPow-inl.h.
    {"exp", 1, "lucid_exp(a0)", {}},
    {"log", 1, "lucid_log(a0)", {}},
    {"sqrt", 1, "lucid_sqrt(a0)", {}},
    {"tanh", 1, "lucid_tanh(a0)", {}},
    {"sigmoid", 1, "lucid_sigmoid(a0)", {}},
    {"pow", 2, "lucid_pow(a0, a1)", {}},
    {"relu", 1, "a0 < T(0) ? T(0) : a0", {}},
    // Backward helpers on (gradient, result of the forward op): one instruction each, computed in
    // this order with a rounding per step in the computing type, and one rounding to a 16-bit type
    // at the end.
    {"relu_backward", 2, "a1 > T(0) ? a0 : T(0)", {}},
    {"tanh_backward", 2, "a0 * (T(1) - a1 * a1)", {}},
    {"sigmoid_backward", 2, "a0 * (a1 * (T(1) - a1))", {}},
};
static_assert(std::size(kRows) == cpu::kNumInstructions);

}  // namespace

namespace cpu {

void build_instruction_table(std::span<Instruction, kNumInstructions> rows) {
    std::copy(std::begin(kRows), std::end(kRows), rows.begin());
    InstructionRows filler(rows);
    fill_real_instructions(filler);
    fill_integer_instructions(filler);
    fill_math_instructions(filler);
    fill_cast_instructions(filler);
    fill_scalar_instructions(filler);
}

void InstructionRows::set(std::string_view name, Dtype in, Dtype out, RowFn row) {
    for (Instruction& instruction : rows_) {
        if (name != instruction.name) continue;
        RowFn& slot = instruction.fns[static_cast<int>(in)][static_cast<int>(out)];
        LUCID_ASSERT(slot == nullptr);
        slot = row;
        return;
    }
    LUCID_ASSERT(!"an instruction without a row in the table");
}

}  // namespace cpu

std::span<const Instruction> instruction_table() noexcept {
    struct Table {
        Instruction rows[cpu::kNumInstructions];
        Table() { cpu::build_instruction_table(rows); }
    };
    static const Table table;
    return table.rows;
}

const Instruction* find_instruction(std::string_view name) noexcept {
    for (const Instruction& instruction : instruction_table()) {
        if (name == instruction.name) return &instruction;
    }
    return nullptr;
}

bool instruction_supports(const Instruction& instruction, Dtype in, Dtype out) noexcept {
    return instruction.row(in, out) != nullptr;
}

bool cpu_is_supported() noexcept {
#if HWY_ARCH_X86
    return (hwy::SupportedTargets() & (HWY_AVX2 | HWY_AVX3)) != 0;
#else
    return true;
#endif
}

LUCID_NAMESPACE_END
