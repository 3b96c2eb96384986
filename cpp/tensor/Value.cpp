#include "lucid/tensor/Value.h"

#include <thread>

LUCID_NAMESPACE_BEGIN

Ref<Buffer> Value::force() const {
    switch (kind_) {
        case Kind::Ready: return Ref<Buffer>(static_cast<Buffer*>(object_.get()));
        case Kind::Pending: return static_cast<PendingRef*>(object_.get())->force();
        case Kind::Failed: static_cast<Failure*>(object_.get())->raise();
        case Kind::Empty: break;
    }
    assertion_failed("a value that is not empty", __FILE__, __LINE__);
}

class Box::Guard {
public:
    explicit Guard(std::atomic<bool>& flag) noexcept : flag_(flag) {
        while (flag_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
    }
    ~Guard() { flag_.store(false, std::memory_order_release); }

private:
    std::atomic<bool>& flag_;
};

Value Box::value() const noexcept {
    Guard guard(locked_);
    return value_;
}

Ref<Buffer> Box::ready() const noexcept {
    Guard guard(locked_);
    return Ref<Buffer>(value_.ready_buffer());
}

Ref<Buffer> Box::force() const {
    if (Ref<Buffer> buffer = ready()) return buffer;
    return value().force();
}

bool Box::uniquely_held() const noexcept {
    Guard guard(locked_);
    return value_.unique();
}

void Box::rebind(Value value) noexcept {
    {
        Guard guard(locked_);
        std::swap(value_, value);
    }
    // The old value dies outside the lock: its release may run an importer's code.
}

LUCID_NAMESPACE_END
