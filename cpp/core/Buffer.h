// A reference-counted block of memory with the function that gives it back (declared inversion: an
// allocator of the backend, or an importer such as DLPack, fills it in). Data is 64-byte aligned
// when an allocator made it. `pinned` marks memory that code outside the engine can read or write
// at any time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lucid/core/Device.h"
#include "lucid/core/Ref.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API Buffer final : public StrongRefCounted {
public:
    // Called once, when the last reference is gone, from any thread; must not throw and must
    // destroy the Buffer object itself.
    using ReleaseFn = void (*)(Buffer* buffer) noexcept;

    Buffer(void* data, size_t nbytes, Device device, ReleaseFn release, void* context) noexcept
        : data_(data), nbytes_(nbytes), release_(release), context_(context), device_(device) {}

    void* data() const noexcept { return data_; }
    size_t nbytes() const noexcept { return nbytes_; }
    Device device() const noexcept { return device_; }
    void* context() const noexcept { return context_; }
    bool pinned() const noexcept { return pinned_.load(std::memory_order_acquire); }
    void pin() noexcept { pinned_.store(true, std::memory_order_release); }
    // Imported memory that must not be written (a read-only NumPy array).
    bool read_only() const noexcept { return read_only_; }
    void set_read_only() noexcept { read_only_ = true; }

    // Wraps memory that somebody else owns, pinned; `free_context` runs when the buffer dies.
    static Ref<Buffer> wrap(void* data, size_t nbytes, Device device, void* context,
                            void (*free_context)(void* context) noexcept);

protected:
    void destroy() noexcept override { release_(this); }

private:
    void* data_;
    size_t nbytes_;
    ReleaseFn release_;
    void* context_;
    Device device_;
    std::atomic<bool> pinned_{false};
    bool read_only_ = false;
};

LUCID_NAMESPACE_END
