// In-place writes: from a functional result to a rebound Box, on leaves, plain tensors and views,
// with the graph kept right (PyTorch's rules; CopySlices becomes one as_strided_scatter).
#pragma once

#include "lucid/autograd/Graph.h"

LUCID_NAMESPACE_BEGIN

// Throws before anything is computed: a leaf that requires grad (with grad mode on), a
// self-overlapping destination, read-only memory, an inference tensor outside inference mode. `op`
// is "add_".
LUCID_API void check_inplace(const char* op, const Tensor& target);
// Makes `target` hold `result` (same dtype and device; its shape broadcasts to target's). Bumps the
// version; writes through pinned memory; rebases the base's node when target is a view.
LUCID_API void write_inplace(const char* op, const Tensor& target, const Tensor& result);
// The same with a result that nobody else will use: when it holds the only handle, its memory and
// its node become target's without a copy.
LUCID_API void write_inplace(const char* op, const Tensor& target, Tensor&& result);
// The last part of that, once the result is there: its shape must broadcast to target's.
LUCID_API void check_inplace_shape(const char* op, const Tensor& target, const Tensor& result);
// A handle with target's geometry, edge and current Value on a fresh Box: what the functional op
// should take instead of `target`, so that what it saves is not what the write changes.
LUCID_API Tensor snapshot_for_inplace(const Tensor& target);

LUCID_NAMESPACE_END
