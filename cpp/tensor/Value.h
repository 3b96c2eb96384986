// Value: one immutable result, Ready, Pending or Failed. Box: the identity that views share,
// holding the current Value and a version. An in-place op makes a new Value and rebinds the Box;
// whoever saved the old Value keeps it.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

#include "lucid/core/BlockPool.h"
#include "lucid/core/Buffer.h"
#include "lucid/tensor/PendingRef.h"

LUCID_NAMESPACE_BEGIN

// The error that stands in for a value that could not be made.
class LUCID_API Failure final : public RefCounted {
public:
    explicit Failure(std::exception_ptr error) noexcept : error_(std::move(error)) {}
    [[noreturn]] void raise() const { std::rethrow_exception(error_); }

private:
    std::exception_ptr error_;
};

class LUCID_API Value {
public:
    enum class Kind : uint8_t { Empty, Ready, Pending, Failed };

    Value() noexcept = default;
    explicit Value(Ref<Buffer> buffer) noexcept : object_(std::move(buffer)), kind_(Kind::Ready) {}
    explicit Value(Ref<PendingRef> pending) noexcept
        : object_(std::move(pending)), kind_(Kind::Pending) {}
    explicit Value(Ref<Failure> failure) noexcept
        : object_(std::move(failure)), kind_(Kind::Failed) {}

    Kind kind() const noexcept { return kind_; }
    bool is_pending() const noexcept { return kind_ == Kind::Pending; }
    explicit operator bool() const noexcept { return kind_ != Kind::Empty; }

    // The memory, computed now if it must be. Throws what made it fail.
    Ref<Buffer> force() const;
    // Of a Ready value, without touching counts.
    Buffer* ready_buffer() const noexcept {
        return kind_ == Kind::Ready ? static_cast<Buffer*>(object_.get()) : nullptr;
    }
    PendingRef* pending() const noexcept {
        return kind_ == Kind::Pending ? static_cast<PendingRef*>(object_.get()) : nullptr;
    }
    // The size of the whole memory; 0 of an empty or failed value.
    size_t nbytes() const noexcept {
        if (const Buffer* buffer = ready_buffer()) return buffer->nbytes();
        return is_pending() ? pending()->nbytes() : 0;
    }
    bool pinned() const noexcept {
        const Buffer* buffer = ready_buffer();
        return buffer != nullptr && buffer->pinned();
    }
    // Whether this handle is the only one that holds the memory.
    bool unique() const noexcept { return kind_ == Kind::Ready && object_->use_count() == 1; }
    friend bool operator==(const Value&, const Value&) = default;

private:
    Ref<RefCounted> object_;
    Kind kind_ = Kind::Empty;
};

class LUCID_API Box final : public StrongRefCounted, public Pooled {
public:
    explicit Box(Value value) noexcept : value_(std::move(value)) {}

    Value value() const noexcept;
    // The memory when it is there already, otherwise null.
    Ref<Buffer> ready() const noexcept;
    // The memory, forced: value().force() with one count less.
    Ref<Buffer> force() const;
    // Whether this Box alone holds its memory, so that nobody sees a write into it.
    bool uniquely_held() const noexcept;
    void rebind(Value value) noexcept;
    uint32_t version() const noexcept { return version_.load(std::memory_order_acquire); }
    void bump_version() noexcept { version_.fetch_add(1, std::memory_order_acq_rel); }

private:
    // A spin lock of one byte: a reader copies one pointer under it.
    class Guard;
    mutable std::atomic<bool> locked_{false};
    std::atomic<uint32_t> version_{0};
    Value value_;
};

LUCID_NAMESPACE_END
