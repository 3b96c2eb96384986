// The shortest path of an elementwise op: a few elements, contiguous and ready, one instruction.
// The same row function as the general path, so the same bits; about a third of its overhead.
#pragma once

#include <span>

#include "lucid/backend/KernelTable.h"

LUCID_NAMESPACE_BEGIN

struct SmallOperand {
    const Storage* storage = nullptr;
    const void* scalar = nullptr;  // instead: one value of the computing dtype
};

// Runs the op at once on the CPU, when the tensors are of one shape, contiguous, ready and small;
// otherwise does nothing and returns an empty Storage. The caller has settled dtypes (all `dtype`),
// device and stream; at least one operand is a tensor.
Storage run_small(const Instruction& instruction, std::span<const SmallOperand> inputs, Dtype dtype,
                  Dtype out);

LUCID_NAMESPACE_END
