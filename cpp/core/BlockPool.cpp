#include "lucid/core/BlockPool.h"

#include <utility>

LUCID_NAMESPACE_BEGIN

namespace {

struct FreeBlock {
    FreeBlock* next;
};

// Trivial, so that it can be used before construction and after the end of the thread.
struct Cache {
    FreeBlock* heads[BlockPool::kNumClasses];
    uint32_t counts[BlockPool::kNumClasses];
    enum class State : uint8_t { Unused, Active, Ended } state;
};
constinit thread_local Cache t_cache{};

// Frees what the thread kept.
struct ThreadEnd {
    ~ThreadEnd() {
        t_cache.state = Cache::State::Ended;
        for (FreeBlock*& head : t_cache.heads) {
            while (head != nullptr) std::free(std::exchange(head, head->next));
        }
    }
};

void start_thread() noexcept {
    static thread_local ThreadEnd end;
    static_cast<void>(end);
    if (t_cache.state == Cache::State::Unused) t_cache.state = Cache::State::Active;
}

constexpr size_t class_of(size_t nbytes) { return (nbytes - 1) / BlockPool::kStepBytes; }

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kPooling = false;
#else
constexpr bool kPooling = true;
#endif

}  // namespace

void* BlockPool::allocate(size_t nbytes) {
    const size_t index = class_of(nbytes);
    if (kPooling && index < kNumClasses) [[likely]] {
        if (FreeBlock* block = t_cache.heads[index]) [[likely]] {
            t_cache.heads[index] = block->next;
            --t_cache.counts[index];
            return block;
        }
        nbytes = (index + 1) * kStepBytes;
    }
    void* block = std::malloc(nbytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

void BlockPool::release(void* block, size_t nbytes) noexcept {
    const size_t index = class_of(nbytes);
    if (!kPooling || index >= kNumClasses || t_cache.counts[index] >= kMaxBlocks) {
        std::free(block);
        return;
    }
    if (t_cache.state != Cache::State::Active) [[unlikely]] {
        if (t_cache.state == Cache::State::Unused) start_thread();
        if (t_cache.state == Cache::State::Ended) {
            std::free(block);
            return;
        }
    }
    auto* free_block = static_cast<FreeBlock*>(block);
    free_block->next = t_cache.heads[index];
    t_cache.heads[index] = free_block;
    ++t_cache.counts[index];
}

LUCID_NAMESPACE_END
