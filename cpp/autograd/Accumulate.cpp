#include "lucid/autograd/Accumulate.h"

#include "lucid/autograd/CoreOps.h"
#include "lucid/autograd/InPlace.h"
#include "lucid/core/Context.h"

LUCID_NAMESPACE_BEGIN

namespace {

// Nobody else sees the tensor or its memory, and the memory is all its own.
bool can_steal(const Tensor& grad) {
    const Storage& storage = grad.storage();
    return grad.impl()->use_count() == 1 && storage.box()->use_count() == 1 &&
           !grad.requires_grad() && storage.offset() == 0 &&
           is_dense(storage.shape(), storage.strides()) &&
           storage.box()->value().nbytes() == static_cast<size_t>(storage.nbytes()) &&
           !storage.box()->value().pinned();
}

bool meta_matches(const Node& node, const Storage& storage) {
    const TensorMeta& meta = node.output_meta(0);
    return meta.dtype == storage.dtype() && meta.device == storage.device() &&
           meta.shape == storage.shape();
}

}  // namespace

TensorSlot& tensor_slot(TensorImpl& impl) {
    AutogradMeta& meta = impl.ensure_autograd();
    if (!meta.accumulator) {
        // Two threads may use one leaf for the first time. set_requires_grad() makes the slot, so
        // that the test above is rarely true.
        static std::mutex creation;
        std::lock_guard guard(creation);
        if (!meta.accumulator) meta.accumulator = make_ref<TensorSlot>();
    }
    return static_cast<TensorSlot&>(*meta.accumulator);
}

AccumulateGrad::AccumulateGrad(TensorImplPtr leaf, Ref<TensorSlot> slot)
    : Node(kSequence), leaf_(std::move(leaf)), slot_(std::move(slot)) {
    add_output(leaf_->storage());
}

void AccumulateGrad::destroy() noexcept {
    {
        std::lock_guard guard(slot_->mutex);
        if (slot_->accumulate == this) slot_->accumulate = nullptr;
    }
    DeferredDelete::destroy();
}

Edge accumulator_edge(const TensorImplPtr& leaf) {
    Ref<TensorSlot> slot(&tensor_slot(*leaf));
    Ref<Node> stale;  // dies after the lock
    std::lock_guard guard(slot->mutex);
    if (slot->accumulate != nullptr && slot->accumulate->try_retain()) {
        auto node = Ref<Node>::adopt(slot->accumulate);
        if (meta_matches(*node, leaf->storage())) return {std::move(node), 0};
        stale = std::move(node);  // set_data() gave the leaf another shape
    }
    auto node = make_ref<AccumulateGrad>(leaf, slot);
    slot->accumulate = node.get();
    return {std::move(node), 0};
}

void add_to_grad(AutogradMeta& meta, const Tensor& grad, bool may_steal) {
    const bool create_graph = context().grad_enabled;
    if (!meta.grad) {
        const bool steal = may_steal && !create_graph && can_steal(grad);
        meta.grad = steal ? grad.impl() : core_ops().clone(grad).impl();
        return;
    }
    const Tensor before(meta.grad);
    if (create_graph) {
        meta.grad = core_ops().add(before, grad).impl();
    } else {
        // Whoever holds the old .grad sees the sum, as in PyTorch.
        write_inplace("AccumulateGrad", before, core_ops().add(before, grad));
    }
}

void AccumulateGrad::backward(std::span<const Tensor> grads, std::span<Tensor>) {
    if (!grads[0].defined()) return;
    {
        // Other threads may walk graphs that share the leaf.
        std::lock_guard guard(slot_->grad_mutex);
        add_to_grad(*leaf_->autograd(), grads[0], true);
    }
    // A hook may remove hooks, clear .grad or run a backward of its own.
    std::vector<TensorHook> hooks;
    {
        std::lock_guard guard(hooks_mutex());
        hooks = leaf_->autograd()->post_accumulate_hooks;
    }
    for (const TensorHook& hook : hooks) hook.run(Tensor(leaf_));
}

LUCID_NAMESPACE_END
