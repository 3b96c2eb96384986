// Written by tools/gen_ops.py from the signatures of the ops. Do not edit.
#include "lucid/ops/ops.h"

#include <cstdio>
#include <cstdlib>

#include "lucid/core/Attrs.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Run.h"
#include "lucid/ops/Install.h"

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

namespace ops {
void register_all_ops();
}

namespace {

// An incomplete op ends the process here, and so the build, which loads the library once.
[[gnu::constructor]] void install_ops() {
    try {
        ops::register_all_ops();
        install_core_ops();
    } catch (const Error& error) {
        std::fprintf(stderr, "lucid: the op table is incomplete: %s\n", error.what());
        std::abort();
    }
}

}  // namespace

// clang-format off
Tensor _arange(const Dims& size, Dtype dtype, Scalar start, Scalar step, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("_arange");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, dtype, start, step), s);
}

Tensor _eye(const Dims& size, Dtype dtype, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("_eye");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, dtype), s);
}

Tensor _fill(const Dims& size, Dtype dtype, Scalar value, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("_fill");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, dtype, value), s);
}

Tensor _normal(const Dims& size, Dtype dtype, Scalar seed, Scalar offset, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("_normal");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, dtype, seed, offset), s);
}

Tensor _randint(const Dims& size, Dtype dtype, Scalar seed, Scalar offset, Scalar low, Scalar range, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("_randint");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, dtype, seed, offset, low, range), s);
}

Tensor _uniform(const Dims& size, Dtype dtype, Scalar seed, Scalar offset, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("_uniform");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, dtype, seed, offset), s);
}

Tensor _write_memory(const Tensor& memory, const Tensor& source, const Dims& size, const Dims& stride, int64_t offset, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("_write_memory");
    const Tensor* const inputs[] = {&memory, &source};
    return call_op_one(id, inputs, Attrs::of(size, stride, Scalar(offset)), s);
}

Tensor abs(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("abs");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor add(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("add");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor all(const Tensor& x, const std::optional<Dims>& dim, bool keepdim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("all");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)), s);
}

Tensor amax(const Tensor& x, const std::optional<Dims>& dim, bool keepdim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("amax");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)), s);
}

Tensor amin(const Tensor& x, const std::optional<Dims>& dim, bool keepdim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("amin");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)), s);
}

Tensor any(const Tensor& x, const std::optional<Dims>& dim, bool keepdim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("any");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)), s);
}

Tensor arange(std::optional<Scalar> start, std::optional<Scalar> end, Scalar step, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("arange");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(optional_attr(start), optional_attr(end), step, optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor argmax(const Tensor& x, std::optional<int64_t> dim, bool keepdim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("argmax");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)), s);
}

Tensor argmin(const Tensor& x, std::optional<int64_t> dim, bool keepdim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("argmin");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim)), s);
}

Tensor as_strided(const Tensor& x, const Dims& size, const Dims& stride, int64_t storage_offset, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("as_strided");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(size, stride, Scalar(storage_offset)), s);
}

Tensor as_strided_scatter(const Tensor& x, const Tensor& source, const Dims& size, const Dims& stride, int64_t storage_offset, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("as_strided_scatter");
    const Tensor* const inputs[] = {&x, &source};
    return call_op_one(id, inputs, Attrs::of(size, stride, Scalar(storage_offset)), s);
}

Tensor broadcast_to(const Tensor& x, const Dims& size, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("broadcast_to");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(size), s);
}

Tensor cast(const Tensor& x, Dtype dtype, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("cast");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(dtype), s);
}

Tensor cat(const std::vector<Tensor>& tensors, int64_t dim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("cat");
    std::vector<const Tensor*> inputs;
    for (const Tensor& each : tensors) inputs.push_back(&each);
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor clone(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("clone");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor conj(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("conj");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor contiguous(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("contiguous");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight, int64_t ignore_index, const std::string& reduction, double label_smoothing, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("cross_entropy");
    const Tensor* const inputs[] = {&input, &target, &weight};
    return call_op_one(id, inputs, Attrs::of(Scalar(ignore_index), reduction, Scalar(label_smoothing)), s);
}

Tensor div(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("div");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor eq(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("eq");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor exp(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("exp");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor expand(const Tensor& x, const Dims& size, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("expand");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(size), s);
}

Tensor eye(int64_t n, std::optional<int64_t> m, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("eye");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(Scalar(n), optional_attr(m), optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor flatten(const Tensor& x, int64_t start_dim, int64_t end_dim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("flatten");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(Scalar(start_dim), Scalar(end_dim)), s);
}

Tensor full(const Dims& size, Scalar fill_value, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("full");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, fill_value, optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor full_like(const Tensor& x, Scalar fill_value, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("full_like");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(fill_value, optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor gather(const Tensor& x, int64_t dim, const Tensor& index, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("gather");
    const Tensor* const inputs[] = {&x, &index};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor ge(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("ge");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor gt(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("gt");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("index_add");
    const Tensor* const inputs[] = {&x, &index, &source};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("index_select");
    const Tensor* const inputs[] = {&x, &index};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor le(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("le");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("linear");
    const Tensor* const inputs[] = {&x, &weight, &bias};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor log(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("log");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<Dtype> dtype, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("log_softmax");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim), optional_attr(dtype)), s);
}

Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, int64_t dim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("log_softmax_backward");
    const Tensor* const inputs[] = {&grad, &result};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor logical_and(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("logical_and");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor logical_not(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("logical_not");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor logical_or(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("logical_or");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor logical_xor(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("logical_xor");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor lt(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("lt");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor matmul(const Tensor& a, const Tensor& b, bool trans_a, bool trans_b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("matmul");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, Attrs::of(Scalar(trans_a), Scalar(trans_b)), s);
}

Tensor maximum(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("maximum");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor mean(const Tensor& x, const std::optional<Dims>& dim, bool keepdim, std::optional<Dtype> dtype, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("mean");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim), optional_attr(dtype)), s);
}

Tensor minimum(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("minimum");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, const std::string& reduction, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("mse_loss");
    const Tensor* const inputs[] = {&input, &target};
    return call_op_one(id, inputs, Attrs::of(reduction), s);
}

Tensor mul(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("mul");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor ne(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("ne");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor neg(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("neg");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor ones(const Dims& size, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("ones");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor ones_like(const Tensor& x, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("ones_like");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor permute(const Tensor& x, const Dims& dims, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("permute");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(dims), s);
}

Tensor pow(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("pow");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor prod(const Tensor& x, const std::optional<Dims>& dim, bool keepdim, std::optional<Dtype> dtype, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("prod");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim), optional_attr(dtype)), s);
}

Tensor rand(const Dims& size, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("rand");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor rand_like(const Tensor& x, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("rand_like");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor randint(int64_t low, int64_t high, const Dims& size, std::optional<Dtype> dtype, std::optional<Device> device, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("randint");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(Scalar(low), Scalar(high), size, optional_attr(dtype), optional_attr(device)), s);
}

Tensor randn(const Dims& size, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("randn");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor randn_like(const Tensor& x, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("randn_like");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor reciprocal(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("reciprocal");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor relu(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("relu");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor relu_backward(const Tensor& grad, const Tensor& result, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("relu_backward");
    const Tensor* const inputs[] = {&grad, &result};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor reshape(const Tensor& x, const Dims& size, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("reshape");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(size), s);
}

Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("scatter_add");
    const Tensor* const inputs[] = {&x, &index, &source};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor select(const Tensor& x, int64_t dim, int64_t index, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("select");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim), Scalar(index)), s);
}

Tensor sigmoid(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("sigmoid");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor sigmoid_backward(const Tensor& grad, const Tensor& result, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("sigmoid_backward");
    const Tensor* const inputs[] = {&grad, &result};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor sign(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("sign");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor slice(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("slice");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim), optional_attr(start), optional_attr(end), Scalar(step)), s);
}

Tensor slice_backward(const Tensor& x, const Dims& size, int64_t dim, int64_t step, std::optional<int64_t> start, std::optional<int64_t> end, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("slice_backward");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(size, Scalar(dim), Scalar(step), optional_attr(start), optional_attr(end)), s);
}

Tensor softmax(const Tensor& x, int64_t dim, std::optional<Dtype> dtype, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("softmax");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim), optional_attr(dtype)), s);
}

Tensor softmax_backward(const Tensor& grad, const Tensor& result, int64_t dim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("softmax_backward");
    const Tensor* const inputs[] = {&grad, &result};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor sqrt(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("sqrt");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor square(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("square");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor squeeze(const Tensor& x, const std::optional<Dims>& dim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("squeeze");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim)), s);
}

Tensor stack(const std::vector<Tensor>& tensors, int64_t dim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("stack");
    std::vector<const Tensor*> inputs;
    for (const Tensor& each : tensors) inputs.push_back(&each);
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor strided_transfer(const Tensor& x, const Dims& from_stride, int64_t from_offset, const Dims& size, const Dims& stride, int64_t offset, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("strided_transfer");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(from_stride, Scalar(from_offset), size, stride, Scalar(offset)), s);
}

Tensor sub(const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("sub");
    const Tensor* const inputs[] = {&a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor sum(const Tensor& x, const std::optional<Dims>& dim, bool keepdim, std::optional<Dtype> dtype, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("sum");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dim), Scalar(keepdim), optional_attr(dtype)), s);
}

Tensor tanh(const Tensor& x, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("tanh");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor tanh_backward(const Tensor& grad, const Tensor& result, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("tanh_backward");
    const Tensor* const inputs[] = {&grad, &result};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor transpose(const Tensor& x, int64_t dim0, int64_t dim1, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("transpose");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim0), Scalar(dim1)), s);
}

Tensor unsqueeze(const Tensor& x, int64_t dim, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("unsqueeze");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(Scalar(dim)), s);
}

Tensor view(const Tensor& x, const Dims& size, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("view");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(size), s);
}

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("where");
    const Tensor* const inputs[] = {&condition, &a, &b};
    return call_op_one(id, inputs, kNoAttrs, s);
}

Tensor zeros(const Dims& size, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("zeros");
    const std::span<const Tensor* const> inputs;
    return call_op_one(id, inputs, Attrs::of(size, optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

Tensor zeros_like(const Tensor& x, std::optional<Dtype> dtype, std::optional<Device> device, bool requires_grad, StreamOrDevice s) {
    static const OpId id = OpRegistry::require("zeros_like");
    const Tensor* const inputs[] = {&x};
    return call_op_one(id, inputs, Attrs::of(optional_attr(dtype), optional_attr(device), Scalar(requires_grad)), s);
}

// clang-format on
LUCID_NAMESPACE_END
