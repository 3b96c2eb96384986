// What the reductions share: which axes are reduced, the shape that is left, and the way back for
// gradients. Attribute 0 is `dim` (absent or empty: every axis), attribute 1 is `keepdim`.
#pragma once

#include "lucid/backend/cpu/Reduce.h"
#include "lucid/kernel/Kernels.h"

LUCID_NAMESPACE_BEGIN

// Sorted; throws IndexOutOfRange or ShapeMismatch naming `op`. `dim` is a Dims, one Scalar, or
// absent.
Dims reduced_axes(const char* op, const Attrs& attrs, size_t rank);
// Without the axes, or with 1 in their place.
Shape reduced_shape(DimSpan shape, DimSpan axes, bool keepdim);
// The number of elements that make one of the result.
int64_t reduced_count(DimSpan shape, DimSpan axes);
// Throws ShapeMismatch when an axis has no element, so that there is nothing to choose.
void check_not_empty(const char* op, const Storage& x, DimSpan axes);

// A result or its gradient over the whole shape of the input, as a view. Attributes as above.
Tensor spread(const Tensor& result, const Shape& shape, const Attrs& attrs);

// The result without the reduced axes, whether or not keepdim left them in: what cpu::reduce
// writes.
class ReducedView {
public:
    ReducedView(const cpu::View& out, DimSpan in_shape, DimSpan axes)
        : out_(out),
          shape_(reduced_shape(in_shape, axes, false)),
          strides_(contiguous_strides(shape_)) {}
    cpu::View get() const { return {out_.data, out_.dtype, shape_, strides_}; }

private:
    cpu::View out_;
    Shape shape_;
    Strides strides_;
};

template <cpu::ReduceKind kKind>
void run_reduction(const char* op, const CpuCall& call) {
    const cpu::ConstView& x = call.inputs[0];
    const Dims axes = reduced_axes(op, call.attrs, x.shape.size());
    cpu::reduce(kKind, x, axes, ReducedView(call.outputs[0], x.shape, axes).get());
}

// sum, mean and prod: attribute 2 is the dtype. x is cast to it first, unless the accumulator of
// the kernel already holds every value of it.
std::vector<Tensor> reduce_in_dtype(OpId op, std::span<const Tensor* const> inputs,
                                    const Attrs& attrs);
// The dtype of a sum or product: integers and bool widen to int64.
Dtype widened_dtype(const Storage& x, const Attrs& attrs);

LUCID_NAMESPACE_END
