// Written by tools/gen_ops.py from the signatures of the ops. Do not edit.
#include "lucid/backend/IBackend.h"

LUCID_NAMESPACE_BEGIN

namespace {

const Attrs kNoAttrs;

template <typename T>
AttrValue optional_attr(const std::optional<T>& value) {
    if (!value) return std::monostate();
    if constexpr (std::is_constructible_v<AttrValue, T> && !std::is_arithmetic_v<T>) {
        return *value;
    } else if constexpr (std::is_same_v<T, Device>) {
        return to_string(*value);
    } else {
        return Scalar(*value);
    }
}

}  // namespace

// clang-format off
Storage IBackend::_write_memory(const Storage& memory, const Storage& source, const Dims& size, const Dims& stride, int64_t offset) {
    static const OpId id = OpRegistry::require("_write_memory");
    const Storage* const inputs[] = {&memory, &source};
    return call_one(id, inputs, Attrs::of(size, stride, Scalar(offset)));
}

Storage IBackend::abs(const Storage& x) {
    static const OpId id = OpRegistry::require("abs");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::add(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("add");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::all(const Storage& x, const std::optional<Dims>& dim, bool keepdim) {
    static const OpId id = OpRegistry::require("all");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)));
}

Storage IBackend::amax(const Storage& x, const std::optional<Dims>& dim, bool keepdim) {
    static const OpId id = OpRegistry::require("amax");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)));
}

Storage IBackend::amin(const Storage& x, const std::optional<Dims>& dim, bool keepdim) {
    static const OpId id = OpRegistry::require("amin");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)));
}

Storage IBackend::any(const Storage& x, const std::optional<Dims>& dim, bool keepdim) {
    static const OpId id = OpRegistry::require("any");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)));
}

Storage IBackend::argmax(const Storage& x, std::optional<int64_t> dim, bool keepdim) {
    static const OpId id = OpRegistry::require("argmax");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)));
}

Storage IBackend::argmin(const Storage& x, std::optional<int64_t> dim, bool keepdim) {
    static const OpId id = OpRegistry::require("argmin");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)));
}

Storage IBackend::as_strided(const Storage& x, const Dims& size, const Dims& stride, int64_t storage_offset) {
    static const OpId id = OpRegistry::require("as_strided");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(size, stride, Scalar(storage_offset)));
}

Storage IBackend::as_strided_scatter(const Storage& x, const Storage& source, const Dims& size, const Dims& stride, int64_t storage_offset) {
    static const OpId id = OpRegistry::require("as_strided_scatter");
    const Storage* const inputs[] = {&x, &source};
    return call_one(id, inputs, Attrs::of(size, stride, Scalar(storage_offset)));
}

Storage IBackend::cast(const Storage& x, Dtype dtype) {
    static const OpId id = OpRegistry::require("cast");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(dtype));
}

Storage IBackend::cat(const std::vector<Storage>& tensors, int64_t dim) {
    static const OpId id = OpRegistry::require("cat");
    std::vector<const Storage*> inputs;
    for (const Storage& each : tensors) inputs.push_back(&each);
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::clone(const Storage& x) {
    static const OpId id = OpRegistry::require("clone");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::conj(const Storage& x) {
    static const OpId id = OpRegistry::require("conj");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::contiguous(const Storage& x) {
    static const OpId id = OpRegistry::require("contiguous");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::div(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("div");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::eq(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("eq");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::exp(const Storage& x) {
    static const OpId id = OpRegistry::require("exp");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::expand(const Storage& x, const Dims& size) {
    static const OpId id = OpRegistry::require("expand");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(size));
}

Storage IBackend::gather(const Storage& x, int64_t dim, const Storage& index) {
    static const OpId id = OpRegistry::require("gather");
    const Storage* const inputs[] = {&x, &index};
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::ge(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("ge");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::gt(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("gt");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::index_add(const Storage& x, int64_t dim, const Storage& index, const Storage& source) {
    static const OpId id = OpRegistry::require("index_add");
    const Storage* const inputs[] = {&x, &index, &source};
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::index_select(const Storage& x, int64_t dim, const Storage& index) {
    static const OpId id = OpRegistry::require("index_select");
    const Storage* const inputs[] = {&x, &index};
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::le(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("le");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::log(const Storage& x) {
    static const OpId id = OpRegistry::require("log");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::log_softmax(const Storage& x, int64_t dim, std::optional<Dtype> dtype) {
    static const OpId id = OpRegistry::require("log_softmax");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(Scalar(dim), optional_attr(dtype)));
}

Storage IBackend::log_softmax_backward(const Storage& grad, const Storage& result, int64_t dim) {
    static const OpId id = OpRegistry::require("log_softmax_backward");
    const Storage* const inputs[] = {&grad, &result};
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::logical_and(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("logical_and");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::logical_not(const Storage& x) {
    static const OpId id = OpRegistry::require("logical_not");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::logical_or(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("logical_or");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::logical_xor(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("logical_xor");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::lt(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("lt");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::matmul(const Storage& a, const Storage& b, bool trans_a, bool trans_b) {
    static const OpId id = OpRegistry::require("matmul");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, Attrs::of(Scalar(trans_a), Scalar(trans_b)));
}

Storage IBackend::maximum(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("maximum");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::mean(const Storage& x, const std::optional<Dims>& dim, bool keepdim, std::optional<Dtype> dtype) {
    static const OpId id = OpRegistry::require("mean");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim), optional_attr(dtype)));
}

Storage IBackend::minimum(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("minimum");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::mul(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("mul");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::ne(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("ne");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::neg(const Storage& x) {
    static const OpId id = OpRegistry::require("neg");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::permute(const Storage& x, const Dims& dims) {
    static const OpId id = OpRegistry::require("permute");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(dims));
}

Storage IBackend::pow(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("pow");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::prod(const Storage& x, const std::optional<Dims>& dim, bool keepdim, std::optional<Dtype> dtype) {
    static const OpId id = OpRegistry::require("prod");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim), optional_attr(dtype)));
}

Storage IBackend::reciprocal(const Storage& x) {
    static const OpId id = OpRegistry::require("reciprocal");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::relu(const Storage& x) {
    static const OpId id = OpRegistry::require("relu");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::relu_backward(const Storage& grad, const Storage& result) {
    static const OpId id = OpRegistry::require("relu_backward");
    const Storage* const inputs[] = {&grad, &result};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::reshape(const Storage& x, const Dims& size) {
    static const OpId id = OpRegistry::require("reshape");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(size));
}

Storage IBackend::scatter_add(const Storage& x, int64_t dim, const Storage& index, const Storage& source) {
    static const OpId id = OpRegistry::require("scatter_add");
    const Storage* const inputs[] = {&x, &index, &source};
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::select(const Storage& x, int64_t dim, int64_t index) {
    static const OpId id = OpRegistry::require("select");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(Scalar(dim), Scalar(index)));
}

Storage IBackend::sigmoid(const Storage& x) {
    static const OpId id = OpRegistry::require("sigmoid");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::sigmoid_backward(const Storage& grad, const Storage& result) {
    static const OpId id = OpRegistry::require("sigmoid_backward");
    const Storage* const inputs[] = {&grad, &result};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::sign(const Storage& x) {
    static const OpId id = OpRegistry::require("sign");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::slice(const Storage& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
    static const OpId id = OpRegistry::require("slice");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(Scalar(dim), optional_attr(start), optional_attr(end), Scalar(step)));
}

Storage IBackend::slice_backward(const Storage& x, const Dims& size, int64_t dim, int64_t step, std::optional<int64_t> start, std::optional<int64_t> end) {
    static const OpId id = OpRegistry::require("slice_backward");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(size, Scalar(dim), Scalar(step), optional_attr(start), optional_attr(end)));
}

Storage IBackend::softmax(const Storage& x, int64_t dim, std::optional<Dtype> dtype) {
    static const OpId id = OpRegistry::require("softmax");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(Scalar(dim), optional_attr(dtype)));
}

Storage IBackend::softmax_backward(const Storage& grad, const Storage& result, int64_t dim) {
    static const OpId id = OpRegistry::require("softmax_backward");
    const Storage* const inputs[] = {&grad, &result};
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::sqrt(const Storage& x) {
    static const OpId id = OpRegistry::require("sqrt");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::squeeze(const Storage& x, const std::optional<Dims>& dim) {
    static const OpId id = OpRegistry::require("squeeze");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim)));
}

Storage IBackend::strided_transfer(const Storage& x, const Dims& from_stride, int64_t from_offset, const Dims& size, const Dims& stride, int64_t offset) {
    static const OpId id = OpRegistry::require("strided_transfer");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(from_stride, Scalar(from_offset), size, stride, Scalar(offset)));
}

Storage IBackend::sub(const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("sub");
    const Storage* const inputs[] = {&a, &b};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::sum(const Storage& x, const std::optional<Dims>& dim, bool keepdim, std::optional<Dtype> dtype) {
    static const OpId id = OpRegistry::require("sum");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim), optional_attr(dtype)));
}

Storage IBackend::tanh(const Storage& x) {
    static const OpId id = OpRegistry::require("tanh");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::tanh_backward(const Storage& grad, const Storage& result) {
    static const OpId id = OpRegistry::require("tanh_backward");
    const Storage* const inputs[] = {&grad, &result};
    return call_one(id, inputs, kNoAttrs);
}

Storage IBackend::transpose(const Storage& x, int64_t dim0, int64_t dim1) {
    static const OpId id = OpRegistry::require("transpose");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(Scalar(dim0), Scalar(dim1)));
}

Storage IBackend::unsqueeze(const Storage& x, int64_t dim) {
    static const OpId id = OpRegistry::require("unsqueeze");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(Scalar(dim)));
}

Storage IBackend::view(const Storage& x, const Dims& size) {
    static const OpId id = OpRegistry::require("view");
    const Storage* const inputs[] = {&x};
    return call_one(id, inputs, Attrs::of(size));
}

Storage IBackend::where(const Storage& condition, const Storage& a, const Storage& b) {
    static const OpId id = OpRegistry::require("where");
    const Storage* const inputs[] = {&condition, &a, &b};
    return call_one(id, inputs, kNoAttrs);
}

// clang-format on
LUCID_NAMESPACE_END
