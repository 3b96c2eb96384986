// A pointer to a TensorImpl that does not keep it alive: what a node holds of a tensor that wants
// to retain its gradient (a strong one would be a cycle).
#pragma once

#include <mutex>

#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

class WeakTensor final : public RefCounted {
public:
    explicit WeakTensor(TensorImpl* target) noexcept : target_(target) {}
    // Null when the tensor is dead or dying.
    TensorImplPtr lock() const noexcept {
        std::lock_guard guard(mutex_);
        if (target_ == nullptr || !target_->try_retain()) return {};
        return TensorImplPtr::adopt(target_);
    }
    void clear() noexcept {
        std::lock_guard guard(mutex_);
        target_ = nullptr;
    }

private:
    mutable std::mutex mutex_;
    TensorImpl* target_;
};

LUCID_NAMESPACE_END
