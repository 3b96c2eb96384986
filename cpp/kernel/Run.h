// The one path of every generic op: autocast, dtype rule, device check, shape rule, submit, tape.
// The CRTP kernels, the generated functions of lucid/ops.h and the Python binder all end here.
#pragma once

#include <span>

#include "lucid/backend/StreamOrDevice.h"
#include "lucid/kernel/OpDef.h"

LUCID_NAMESPACE_BEGIN

// Any op of the table, through its entry or the generic path.
LUCID_API std::vector<Tensor> call_op(OpId op, std::span<const Tensor* const> inputs,
                                      const Attrs& attrs, const StreamOrDevice& where = {});
// An op with one output; the generic path makes no list.
LUCID_API Tensor call_op_one(OpId op, std::span<const Tensor* const> inputs, const Attrs& attrs,
                             const StreamOrDevice& where = {});
// The generic path itself (for an entry that first rewrites its arguments).
LUCID_API Tensor run_op(OpId op, std::span<const Tensor* const> inputs, const Attrs& attrs);
LUCID_API std::vector<Tensor> run_op_many(OpId op, std::span<const Tensor* const> inputs,
                                          const Attrs& attrs);
// A view op: metadata through the op's ViewFn, the tape, and the alias.
LUCID_API Tensor run_view(OpId op, const Tensor& input, const Attrs& attrs);

// A Python scalar as a weak 0-d tensor: it takes the dtype of the tensor it meets, within its
// category.
LUCID_API Tensor weak_scalar(Scalar value);
// Common dtype by PyTorch's rules: weak scalars and 0-d tensors do not widen within a category.
LUCID_API Dtype common_dtype(std::span<const Tensor* const> inputs);
// "add_": the functional op, then the write.
LUCID_API void call_op_inplace(OpId op, std::span<const Tensor* const> inputs, const Attrs& attrs);

LUCID_NAMESPACE_END
