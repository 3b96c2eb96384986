// Intrusive, atomic reference counting: the one ownership type of the engine.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API RefCounted {
public:
    RefCounted() noexcept = default;
    RefCounted(const RefCounted&) = delete;
    RefCounted& operator=(const RefCounted&) = delete;

    void retain() const noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
    void release() const noexcept {
        if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            const_cast<RefCounted*>(this)->destroy();
        }
    }
    // For a table of weak pointers: false when the object is already dying.
    bool try_retain() const noexcept {
        int64_t count = count_.load(std::memory_order_relaxed);
        while (count != 0) {
            if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel))
                return true;
        }
        return false;
    }
    // For make_ref: the maker's count, without a locked instruction.
    void start_owned() const noexcept { count_.store(1, std::memory_order_relaxed); }
    int64_t use_count() const noexcept { return count_.load(std::memory_order_acquire); }

protected:
    virtual ~RefCounted() = default;
    // Called once, when the last reference is gone; the default deletes. May resurrect by
    // retaining.
    virtual void destroy() noexcept { delete this; }

private:
    mutable std::atomic<int64_t> count_{0};
};

// For objects that nobody holds weakly (no try_retain): the last holder needs no locked
// instruction, because nobody else can touch the count any more.
class LUCID_API StrongRefCounted : public RefCounted {
public:
    void release() const noexcept {
        if (use_count() == 1) {
            const_cast<StrongRefCounted*>(this)->destroy();
        } else {
            RefCounted::release();
        }
    }
};

template <typename T>
class Ref {
public:
    Ref() noexcept = default;
    Ref(std::nullptr_t) noexcept {}
    explicit Ref(T* pointer) noexcept : pointer_(pointer) {
        if (pointer_ != nullptr) pointer_->retain();
    }
    Ref(const Ref& other) noexcept : Ref(other.pointer_) {}
    Ref(Ref&& other) noexcept : pointer_(std::exchange(other.pointer_, nullptr)) {}
    template <typename U>
    requires std::is_convertible_v<U*, T*> Ref(const Ref<U>& other)
    noexcept : Ref(static_cast<T*>(other.get())) {}
    template <typename U>
    requires std::is_convertible_v<U*, T*> Ref(Ref<U>&& other)
    noexcept : pointer_(other.detach()) {}
    Ref& operator=(Ref other) noexcept {
        std::swap(pointer_, other.pointer_);
        return *this;
    }
    ~Ref() {
        if (pointer_ != nullptr) pointer_->release();
    }

    T* get() const noexcept { return pointer_; }
    T* operator->() const noexcept { return pointer_; }
    T& operator*() const noexcept { return *pointer_; }
    explicit operator bool() const noexcept { return pointer_ != nullptr; }
    void reset() noexcept { Ref().swap(*this); }
    void swap(Ref& other) noexcept { std::swap(pointer_, other.pointer_); }
    // Gives up the pointer with its count; adopt() takes one over.
    T* detach() noexcept { return std::exchange(pointer_, nullptr); }
    static Ref adopt(T* pointer) noexcept {
        Ref ref;
        ref.pointer_ = pointer;
        return ref;
    }
    friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.pointer_ == b.pointer_; }

private:
    T* pointer_ = nullptr;
};

template <typename T, typename... Args>
Ref<T> make_ref(Args&&... args) {
    T* made = new T(std::forward<Args>(args)...);
    // A constructor may have handed out references to itself: then count as everybody does.
    if (made->use_count() != 0) return Ref<T>(made);
    made->start_owned();
    return Ref<T>::adopt(made);
}

LUCID_NAMESPACE_END
