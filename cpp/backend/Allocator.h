// The caching allocator of the CPU: size classes, 64-byte aligned, LIFO free lists for small blocks
// in each thread, one shared cache for large ones. Blocks come back from any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lucid/core/Buffer.h"

LUCID_NAMESPACE_BEGIN

// A buffer of at least `nbytes` (0 is fine); contents are undefined. Throws OutOfMemory naming the
// size, what is live and what is cached, after the cache was trimmed and the request tried once
// more.
LUCID_API Ref<Buffer> allocate_cpu(size_t nbytes);

struct MemoryStats {
    size_t live_bytes;    // in buffers that somebody holds
    size_t cached_bytes;  // free, kept for reuse
    size_t peak_bytes;    // the most that live_bytes has been since the last reset
    size_t limit_bytes;   // live + cached may not pass it; SIZE_MAX when there is none
    uint64_t num_allocations;
    uint64_t num_cache_hits;
};
LUCID_API MemoryStats cpu_memory_stats() noexcept;
LUCID_API void reset_peak_cpu_memory() noexcept;
LUCID_API void set_cpu_memory_limit(size_t bytes) noexcept;
// Gives every cached block back to the system.
LUCID_API void empty_cpu_cache() noexcept;

LUCID_NAMESPACE_END
