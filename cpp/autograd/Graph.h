// Small questions about tensors and the graph that every layer above asks.
#pragma once

#include <mutex>

#include "lucid/autograd/Node.h"

LUCID_NAMESPACE_BEGIN

// Where the gradient of `tensor` flows: its (regenerated, for a view that was written through)
// edge, the accumulator of a leaf that requires grad, or an empty edge.
LUCID_API Edge gradient_edge(const Tensor& tensor);
// Brings the edges of views up to date, so that afterwards tensor.requires_grad() is right for
// each.
LUCID_API bool any_requires_grad(std::span<const Tensor* const> inputs);
LUCID_API bool any_requires_grad(std::span<const TensorImplPtr> inputs);
// As tensor.requires_grad(), also right for a view whose base got its gradient by an in-place
// write.
LUCID_API bool requires_grad(const Tensor& tensor);
// grad_fn: brings the edge of a view up to date first; null for a leaf.
LUCID_API Ref<Node> grad_fn(const Tensor& tensor);
LUCID_API void set_edge(const Tensor& tensor, Ref<Node> node, uint32_t output_nr);

// Raises DtypeMismatch unless floating or complex; on a non-leaf, turning it off raises LucidError.
LUCID_API void set_requires_grad(const Tensor& tensor, bool requires_grad);
// The same memory outside the graph, sharing the Box (in-place writes are seen, versions are
// shared).
LUCID_API Tensor detach(const Tensor& tensor);
// A differentiable view: output of a view op on `base`, sharing its Box.
LUCID_API void mark_view(const Tensor& view, const Tensor& base);

// Guards every list of hooks, of tensors and of nodes: threads may register while others walk.
std::mutex& hooks_mutex() noexcept;
LUCID_API uint64_t register_hook(const Tensor& tensor, std::function<Tensor(const Tensor&)> run,
                                 void* owner);
LUCID_API uint64_t register_post_accumulate_hook(const Tensor& tensor,
                                                 std::function<Tensor(const Tensor&)> run,
                                                 void* owner);
LUCID_API void remove_hook(const Tensor& tensor, uint64_t id) noexcept;
LUCID_API void retain_grad(const Tensor& tensor);

LUCID_NAMESPACE_END
