// Written by tools/gen_ops.py from the signatures of the ops. Do not edit.
// Every op as a free function; the last argument picks a stream.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lucid/backend/StreamOrDevice.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

// clang-format off
LUCID_API Tensor _arange(const Dims& size, Dtype dtype, Scalar start, Scalar step, StreamOrDevice s = {});
LUCID_API Tensor _eye(const Dims& size, Dtype dtype, StreamOrDevice s = {});
LUCID_API Tensor _fill(const Dims& size, Dtype dtype, Scalar value, StreamOrDevice s = {});
LUCID_API Tensor _normal(const Dims& size, Dtype dtype, Scalar seed, Scalar offset, StreamOrDevice s = {});
LUCID_API Tensor _randint(const Dims& size, Dtype dtype, Scalar seed, Scalar offset, Scalar low, Scalar range, StreamOrDevice s = {});
LUCID_API Tensor _uniform(const Dims& size, Dtype dtype, Scalar seed, Scalar offset, StreamOrDevice s = {});
LUCID_API Tensor _write_memory(const Tensor& memory, const Tensor& source, const Dims& size, const Dims& stride, int64_t offset, StreamOrDevice s = {});
LUCID_API Tensor abs(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor add(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor all(const Tensor& x, const std::optional<Dims>& dim = {}, bool keepdim = false, StreamOrDevice s = {});
LUCID_API Tensor amax(const Tensor& x, const std::optional<Dims>& dim = {}, bool keepdim = false, StreamOrDevice s = {});
LUCID_API Tensor amin(const Tensor& x, const std::optional<Dims>& dim = {}, bool keepdim = false, StreamOrDevice s = {});
LUCID_API Tensor any(const Tensor& x, const std::optional<Dims>& dim = {}, bool keepdim = false, StreamOrDevice s = {});
LUCID_API Tensor arange(std::optional<Scalar> start = {}, std::optional<Scalar> end = {}, Scalar step = Scalar(1), std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor argmax(const Tensor& x, std::optional<int64_t> dim = {}, bool keepdim = false, StreamOrDevice s = {});
LUCID_API Tensor argmin(const Tensor& x, std::optional<int64_t> dim = {}, bool keepdim = false, StreamOrDevice s = {});
LUCID_API Tensor as_strided(const Tensor& x, const Dims& size, const Dims& stride, int64_t storage_offset = 0, StreamOrDevice s = {});
LUCID_API Tensor as_strided_scatter(const Tensor& x, const Tensor& source, const Dims& size, const Dims& stride, int64_t storage_offset = 0, StreamOrDevice s = {});
LUCID_API Tensor broadcast_to(const Tensor& x, const Dims& size, StreamOrDevice s = {});
LUCID_API Tensor cast(const Tensor& x, Dtype dtype, StreamOrDevice s = {});
LUCID_API Tensor cat(const std::vector<Tensor>& tensors, int64_t dim = 0, StreamOrDevice s = {});
LUCID_API Tensor clone(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor conj(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor contiguous(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight = {}, int64_t ignore_index = -100, const std::string& reduction = "mean", double label_smoothing = 0.0, StreamOrDevice s = {});
LUCID_API Tensor div(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor eq(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor exp(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor expand(const Tensor& x, const Dims& size, StreamOrDevice s = {});
LUCID_API Tensor eye(int64_t n, std::optional<int64_t> m = {}, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor flatten(const Tensor& x, int64_t start_dim = 0, int64_t end_dim = -1, StreamOrDevice s = {});
LUCID_API Tensor full(const Dims& size, Scalar fill_value, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor full_like(const Tensor& x, Scalar fill_value, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor gather(const Tensor& x, int64_t dim, const Tensor& index, StreamOrDevice s = {});
LUCID_API Tensor ge(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor gt(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor index_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, StreamOrDevice s = {});
LUCID_API Tensor index_select(const Tensor& x, int64_t dim, const Tensor& index, StreamOrDevice s = {});
LUCID_API Tensor le(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, StreamOrDevice s = {});
LUCID_API Tensor log(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor log_softmax(const Tensor& x, int64_t dim, std::optional<Dtype> dtype = {}, StreamOrDevice s = {});
LUCID_API Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, int64_t dim, StreamOrDevice s = {});
LUCID_API Tensor logical_and(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor logical_not(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor logical_or(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor logical_xor(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor lt(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor matmul(const Tensor& a, const Tensor& b, bool trans_a = false, bool trans_b = false, StreamOrDevice s = {});
LUCID_API Tensor maximum(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor mean(const Tensor& x, const std::optional<Dims>& dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}, StreamOrDevice s = {});
LUCID_API Tensor minimum(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor mse_loss(const Tensor& input, const Tensor& target, const std::string& reduction = "mean", StreamOrDevice s = {});
LUCID_API Tensor mul(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor ne(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor neg(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor ones(const Dims& size, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor ones_like(const Tensor& x, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor permute(const Tensor& x, const Dims& dims, StreamOrDevice s = {});
LUCID_API Tensor pow(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor prod(const Tensor& x, const std::optional<Dims>& dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}, StreamOrDevice s = {});
LUCID_API Tensor rand(const Dims& size, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor rand_like(const Tensor& x, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor randint(int64_t low, int64_t high, const Dims& size, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, StreamOrDevice s = {});
LUCID_API Tensor randn(const Dims& size, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor randn_like(const Tensor& x, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor reciprocal(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor relu(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor relu_backward(const Tensor& grad, const Tensor& result, StreamOrDevice s = {});
LUCID_API Tensor reshape(const Tensor& x, const Dims& size, StreamOrDevice s = {});
LUCID_API Tensor scatter_add(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source, StreamOrDevice s = {});
LUCID_API Tensor select(const Tensor& x, int64_t dim, int64_t index, StreamOrDevice s = {});
LUCID_API Tensor sigmoid(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor sigmoid_backward(const Tensor& grad, const Tensor& result, StreamOrDevice s = {});
LUCID_API Tensor sign(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor slice(const Tensor& x, int64_t dim = 0, std::optional<int64_t> start = {}, std::optional<int64_t> end = {}, int64_t step = 1, StreamOrDevice s = {});
LUCID_API Tensor slice_backward(const Tensor& x, const Dims& size, int64_t dim, int64_t step, std::optional<int64_t> start = {}, std::optional<int64_t> end = {}, StreamOrDevice s = {});
LUCID_API Tensor softmax(const Tensor& x, int64_t dim, std::optional<Dtype> dtype = {}, StreamOrDevice s = {});
LUCID_API Tensor softmax_backward(const Tensor& grad, const Tensor& result, int64_t dim, StreamOrDevice s = {});
LUCID_API Tensor sqrt(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor square(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor squeeze(const Tensor& x, const std::optional<Dims>& dim = {}, StreamOrDevice s = {});
LUCID_API Tensor stack(const std::vector<Tensor>& tensors, int64_t dim = 0, StreamOrDevice s = {});
LUCID_API Tensor strided_transfer(const Tensor& x, const Dims& from_stride, int64_t from_offset, const Dims& size, const Dims& stride, int64_t offset, StreamOrDevice s = {});
LUCID_API Tensor sub(const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor sum(const Tensor& x, const std::optional<Dims>& dim = {}, bool keepdim = false, std::optional<Dtype> dtype = {}, StreamOrDevice s = {});
LUCID_API Tensor tanh(const Tensor& x, StreamOrDevice s = {});
LUCID_API Tensor tanh_backward(const Tensor& grad, const Tensor& result, StreamOrDevice s = {});
LUCID_API Tensor transpose(const Tensor& x, int64_t dim0 = -2, int64_t dim1 = -1, StreamOrDevice s = {});
LUCID_API Tensor unsqueeze(const Tensor& x, int64_t dim, StreamOrDevice s = {});
LUCID_API Tensor view(const Tensor& x, const Dims& size, StreamOrDevice s = {});
LUCID_API Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b, StreamOrDevice s = {});
LUCID_API Tensor zeros(const Dims& size, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
LUCID_API Tensor zeros_like(const Tensor& x, std::optional<Dtype> dtype = {}, std::optional<Device> device = {}, bool requires_grad = false, StreamOrDevice s = {});
// clang-format on

LUCID_NAMESPACE_END
