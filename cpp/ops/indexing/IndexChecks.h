// What the indexing ops ask of their inputs before any value is read. Values are checked by the
// kernels.
#pragma once

#include "lucid/backend/OpCall.h"

LUCID_NAMESPACE_BEGIN

// Throws DtypeMismatch unless `index` is int64 or int32.
void check_index_dtype(const char* op, const Storage& x, const Storage& index);
// Throws DtypeMismatch unless `source` has the dtype of x.
void check_source_dtype(const char* op, const Storage& x, const Storage& source);
// gather and scatter_add: `index` has the rank of `x` and is no larger, in any dimension but
// `skip_dim`
// (-1: in any at all). A 0-d tensor counts as one of shape (1,).
void check_index_shape(const char* op, const char* name, const Storage& x, const Storage& index,
                       int64_t skip_dim);

LUCID_NAMESPACE_END
