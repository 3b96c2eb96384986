// Memory for the small objects that every op makes (boxes, tensors, nodes): LIFO lists of free
// blocks in each thread, by size class. A pair of allocate and release costs a few instructions,
// without a lock. Blocks may be released in another thread than they came from. Under sanitizers it
// is plain malloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API BlockPool {
public:
    static constexpr size_t kStepBytes = 64;
    static constexpr size_t kNumClasses = 8;  // up to 512 bytes
    static constexpr uint32_t kMaxBlocks = 256;

    static void* allocate(size_t nbytes);
    static void release(void* block, size_t nbytes) noexcept;
};

// A base that gives a class its memory from the pool.
class Pooled {
public:
    static void* operator new(size_t nbytes) { return BlockPool::allocate(nbytes); }
    static void operator delete(void* block, size_t nbytes) noexcept {
        BlockPool::release(block, nbytes);
    }
};

// The same for short vectors.
template <typename T>
struct PoolAllocator {
    using value_type = T;
    PoolAllocator() noexcept = default;
    template <typename U>
    PoolAllocator(const PoolAllocator<U>&) noexcept {}
    T* allocate(size_t count) { return static_cast<T*>(BlockPool::allocate(count * sizeof(T))); }
    void deallocate(T* block, size_t count) noexcept {
        BlockPool::release(block, count * sizeof(T));
    }
    friend bool operator==(const PoolAllocator&, const PoolAllocator&) noexcept { return true; }
};
template <typename T>
using PooledVector = std::vector<T, PoolAllocator<T>>;

LUCID_NAMESPACE_END
