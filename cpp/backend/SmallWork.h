// The shortest path of an elementwise op: a few elements, contiguous and ready, one instruction.
// The same row function as the general path, so the same bits; about a third of its overhead.
#pragma once

#include <span>

#include "lucid/backend/KernelTable.h"

LUCID_NAMESPACE_BEGIN

// Runs the op at once on the CPU, when the inputs are of one shape, contiguous, ready and small;
// otherwise does nothing and returns an empty Storage. The caller has settled dtypes, device and
// stream.
Storage run_small(const Instruction& instruction, std::span<const Storage* const> inputs,
                  Dtype out);

LUCID_NAMESPACE_END
