// Elementwise kernels over strided memory: one instruction, a Map program, a copy. The value of an
// element depends on the inputs at its index only, not on layout, thread count or which of these
// runs it.
#pragma once

#include <span>

#include "lucid/backend/InstructionTable.h"
#include "lucid/backend/LoopKernel.h"
#include "lucid/backend/cpu/View.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// One instruction over operands of out's shape (broadcast inputs have zero strides). `out` does not
// overlap itself, and either is the same memory and layout as an input or does not overlap it. The
// instruction must support the dtypes of the last input and of out.
void run_map(const Instruction& instruction, std::span<const ConstView> inputs, View out);

// A Map program, one view per operand of `program`, all of one shape. Gives the same bits as its
// instructions run one by one. Each output is as above with respect to every input; outputs do not
// overlap each other.
void run_map(const LoopKernel& program, std::span<const ConstView> inputs,
             std::span<const View> outputs);

// out = in, converted when the dtypes differ (the instruction `cast`).
void copy(ConstView in, View out);

}  // namespace cpu
LUCID_NAMESPACE_END
