#include "lucid/ops/reduction/ReducedAxes.h"

#include <algorithm>

#include "lucid/core/Error.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

bool contains(DimSpan axes, size_t axis) {
    return std::find(axes.begin(), axes.end(), static_cast<int64_t>(axis)) != axes.end();
}

bool is_exact_number(Dtype dtype) { return dtype == Dtype::Bool || is_integral(dtype); }

// Integers accumulate modulo 2^64 and half types in float32.
bool accumulates_in(Dtype from, Dtype to) {
    if (from == to) return true;
    if (is_exact_number(from)) return is_integral(to);
    return to == Dtype::Float32 && (from == Dtype::Float16 || from == Dtype::BFloat16);
}

}  // namespace

Dims reduced_axes(const char* op, const Attrs& attrs, size_t rank) {
    const auto ndim = static_cast<int64_t>(rank);
    if (!attrs.has(0)) return normalize_axes(op, {}, ndim);
    if (const Scalar* axis = std::get_if<Scalar>(&attrs[0])) {
        return normalize_axes(op, Dims{axis->to_int()}, ndim);
    }
    return normalize_axes(op, attrs.dims(0), ndim);
}

Shape reduced_shape(DimSpan shape, DimSpan axes, bool keepdim) {
    Shape out;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (!contains(axes, i)) {
            out.push_back(shape[i]);
        } else if (keepdim) {
            out.push_back(1);
        }
    }
    return out;
}

int64_t reduced_count(DimSpan shape, DimSpan axes) {
    int64_t count = 1;
    for (const int64_t axis : axes) count *= shape[static_cast<size_t>(axis)];
    return count;
}

void check_not_empty(const char* op, const Storage& x, DimSpan axes) {
    for (const int64_t axis : axes) {
        if (x.size(axis) != 0) continue;
        ErrorBuilder(op, "there is no element to choose")
            .given("x", describe(x))
            .given("axis", std::to_string(axis))
            .rule("every reduced axis has at least one element")
            .raise<ShapeMismatch>();
    }
}

Tensor spread(const Tensor& result, const Shape& shape, const Attrs& attrs) {
    const bool keepdim = attrs.flag(1);
    if (keepdim) return expand(result, Dims(shape));
    const Dims axes = reduced_axes("spread", attrs, shape.size());
    return expand(reshape(result, Dims(reduced_shape(shape, axes, true))), Dims(shape));
}

std::vector<Tensor> reduce_in_dtype(OpId op, std::span<const Tensor* const> inputs,
                                    const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    if (!x.defined() || !attrs.has(2) || accumulates_in(x.dtype(), attrs.dtype(2))) {
        return {run_op(op, inputs, attrs)};
    }
    const Tensor converted = cast(x, attrs.dtype(2));
    const Tensor* const operands[] = {&converted};
    return {run_op(op, operands, attrs)};
}

Dtype widened_dtype(const Storage& x, const Attrs& attrs) {
    if (attrs.has(2)) return attrs.dtype(2);
    return is_exact_number(x.dtype()) ? Dtype::Int64 : x.dtype();
}

LUCID_NAMESPACE_END
