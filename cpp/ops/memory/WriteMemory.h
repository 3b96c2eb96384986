// The one way in which existing memory changes: every in-place op and every assignment ends here.
#pragma once

#include "lucid/tensor/Storage.h"

LUCID_NAMESPACE_BEGIN

// Writes `source` (same dtype, broadcast to target's shape) into target's region of its Box. In
// place when the memory is pinned or nobody else holds it; otherwise into a copy that the Box is
// rebound to, so a saved Value stays what it was. Does not touch the version.
void write_memory(const Storage& target, const Storage& source);

LUCID_NAMESPACE_END
