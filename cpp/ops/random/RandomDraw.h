// What the random ops share: an entry reserves its part of the generator's stream at the call and
// hands (seed, offset) to an internal op, so that a delayed or repeated execution draws the same
// numbers.
#pragma once

#include "lucid/core/Generator.h"
#include "lucid/ops/creation/TensorOptions.h"

LUCID_NAMESPACE_BEGIN

// Reserves what `numel_of(size)` draws in `dtype` take. Throws DtypeMismatch naming `op` unless the
// dtype is floating or complex (`integers`: whatever it is).
PhiloxState reserve_draws(const char* op, const Dims& size, const TensorOptions& options);
PhiloxState reserve_integers(const Dims& size, const TensorOptions& options);

// The state among the attributes of an internal op: size, dtype, seed, offset.
inline PhiloxState philox_state(const Attrs& attrs) {
    return {static_cast<uint64_t>(attrs.integer(2)), static_cast<uint64_t>(attrs.integer(3))};
}

LUCID_NAMESPACE_END
