// AccumulateGrad: the sink of a leaf, which adds what arrives to the leaf's `.grad`. As in PyTorch
// the node keeps the leaf alive and the leaf finds the node again, while it lives, through its
// slot.
#pragma once

#include <mutex>

#include "lucid/autograd/Node.h"

LUCID_NAMESPACE_BEGIN

class AccumulateGrad;

// Lives in AutogradMeta::accumulator: the leaf's weak link to its AccumulateGrad, the lock of its
// `.grad`, and the weak pointer that nodes hold of a tensor that retains its gradient.
class TensorSlot final : public GraphNode {
public:
    const char* name() const noexcept override { return "AccumulateGrad"; }

    std::mutex mutex;                      // guards `accumulate`; held for a few instructions
    AccumulateGrad* accumulate = nullptr;  // not owned
    std::mutex grad_mutex;                 // guards the leaf's .grad during a walk
    Ref<WeakTensor> self;                  // made by retain_grad

protected:
    // At once, before the memory of the tensor goes; a deferred destructor would be too late.
    void destroy() noexcept override {
        if (self) self->clear();
        DeferredDelete::destroy();
    }
};

// The slot of a tensor, made on first use.
TensorSlot& tensor_slot(TensorImpl& impl);

class AccumulateGrad final : public Node {
public:
    // Larger than every other: it runs as soon as its gradient is complete.
    static constexpr uint64_t kSequence = UINT64_MAX;

    AccumulateGrad(TensorImplPtr leaf, Ref<TensorSlot> slot);
    const char* name() const noexcept override { return "AccumulateGrad"; }
    void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) override;
    void release_saved() noexcept override {}
    const TensorImplPtr& leaf() const noexcept { return leaf_; }

protected:
    void destroy() noexcept override;

private:
    TensorImplPtr leaf_;
    Ref<TensorSlot> slot_;
};

// Null unless `node` is one.
inline AccumulateGrad* as_accumulate_grad(const Node* node) noexcept {
    if (node == nullptr || node->sequence() != AccumulateGrad::kSequence) return nullptr;
    return static_cast<AccumulateGrad*>(const_cast<Node*>(node));
}
inline Node* as_node(const Edge& edge) noexcept { return static_cast<Node*>(edge.node.get()); }

// The edge into the AccumulateGrad of a leaf, which is made when no graph holds it.
Edge accumulator_edge(const TensorImplPtr& leaf);
// Adds a gradient into the `.grad` of a leaf, or of a tensor that retains it.
void add_to_grad(AutogradMeta& meta, const Tensor& grad, bool may_steal);

LUCID_NAMESPACE_END
