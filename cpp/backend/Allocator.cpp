// Two caches. Small blocks (up to 4 KiB) hold the Buffer object and its data in one piece and live
// in lists of the calling thread: no lock, no shared cache line. Large blocks share one locked
// cache, four size classes an octave. Counters are kept by thread and summed when asked, so live
// bytes are exact and the fast path has no shared counter. Everything here is leaked on purpose:
// buffers may die after static destructors have run.
#include "lucid/backend/Allocator.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kHeaderBytes = 64;
constexpr size_t kMaxSmallBytes = 4096;
constexpr size_t kNumSmallClasses = kMaxSmallBytes / kAlignment;
constexpr size_t kMaxListBytes = size_t{64} << 10;  // one free list of one thread
constexpr size_t kHugePageBytes = size_t{2} << 20;
constexpr size_t kImpossibleBytes = size_t{1} << 46;
constexpr size_t kClassesPerOctave = 4;
constexpr size_t kNumLargeClasses = (46 - 12) * kClassesPerOctave + 1;
constexpr size_t kPeakStepBytes = size_t{64} << 10;

static_assert(sizeof(Buffer) <= kHeaderBytes && alignof(Buffer) <= kAlignment);

struct FreeBlock {
    FreeBlock* next;
};

// --- Small blocks
// -----------------------------------------------------------------------------------

struct FreeList {
    FreeBlock* head = nullptr;
    uint32_t count = 0;
};

// Written by its own thread only (relaxed loads and stores, no locked instruction), read by all.
struct Counter {
    std::atomic<int64_t> value{0};
    int64_t get() const noexcept { return value.load(std::memory_order_relaxed); }
    void add(int64_t delta) noexcept { value.store(get() + delta, std::memory_order_relaxed); }
};

struct ThreadCache {
    FreeList lists[kNumSmallClasses];
    Counter live_bytes;  // allocated minus released here: negative when this thread mostly frees
    Counter cached_bytes;
    Counter allocations;
    Counter hits;
    int64_t told_bytes = 0;  // the part of live_bytes that `Shared::told_bytes` has
    ThreadCache* next = nullptr;
    ThreadCache* previous = nullptr;
};

size_t small_class(size_t nbytes) noexcept { return nbytes == 0 ? 0 : (nbytes - 1) / kAlignment; }
constexpr size_t small_capacity(size_t index) noexcept { return (index + 1) * kAlignment; }
constexpr uint32_t max_count(size_t index) noexcept {
    return static_cast<uint32_t>(std::max<size_t>(8, kMaxListBytes / small_capacity(index)));
}

// --- What threads share
// -----------------------------------------------------------------------------

size_t large_capacity(size_t nbytes) noexcept {
    // Four steps an octave: the top three bits of (nbytes - 1), plus one.
    const int shift = std::bit_width(nbytes - 1) - 3;
    const size_t step = size_t{1} << shift;
    return (nbytes + step - 1) & ~(step - 1);
}
size_t large_class(size_t capacity) noexcept {
    const int width = std::bit_width(capacity - 1);
    const size_t quarter = ((capacity - 1) >> (width - 3)) & 3;
    return static_cast<size_t>(width - 13) * kClassesPerOctave + quarter;
}

size_t default_max_cached_bytes() noexcept {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page_bytes <= 0) return size_t{1} << 30;
    return static_cast<size_t>(pages) * static_cast<size_t>(page_bytes) / 4;
}

struct Shared {
    std::mutex mutex;
    FreeBlock* lists[kNumLargeClasses] = {};
    size_t cached_bytes = 0;  // large blocks, under the mutex
    size_t max_cached_bytes = default_max_cached_bytes();
    ThreadCache* threads = nullptr;  // under the mutex
    // Counts of threads that have ended, of large blocks, and of threads past their end.
    std::atomic<int64_t> live_bytes{0};
    std::atomic<uint64_t> allocations{0};
    std::atomic<uint64_t> hits{0};
    // The peak is followed through `told_bytes`: exact for large blocks, and each thread tells its
    // small ones in steps of 64 KiB.
    std::atomic<int64_t> told_bytes{0};
    std::atomic<int64_t> peak_bytes{0};
    std::atomic<size_t> limit_bytes{SIZE_MAX};
};

Shared& shared() noexcept;

void lock_before_fork() { shared().mutex.lock(); }
void unlock_after_fork() { shared().mutex.unlock(); }

Shared& shared() noexcept {
    static Shared* const instance = [] {
        Shared* fresh = new Shared;
        return fresh;
    }();
    // Registered after the static exists: the hooks use it.
    static const int registered =
        pthread_atfork(lock_before_fork, unlock_after_fork, unlock_after_fork);
    static_cast<void>(registered);
    return *instance;
}

void raise_peak(int64_t now) noexcept {
    Shared& all = shared();
    int64_t peak = all.peak_bytes.load(std::memory_order_relaxed);
    while (now > peak &&
           !all.peak_bytes.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
}

void tell(int64_t delta) noexcept {
    const int64_t now = shared().told_bytes.fetch_add(delta, std::memory_order_relaxed) + delta;
    if (delta > 0) raise_peak(now);
}

int64_t live_bytes_locked(Shared& all) noexcept {
    int64_t live = all.live_bytes.load();
    for (const ThreadCache* cache = all.threads; cache != nullptr; cache = cache->next) {
        live += cache->live_bytes.get();
    }
    return live;
}
size_t cached_bytes_locked(Shared& all) noexcept {
    int64_t cached = static_cast<int64_t>(all.cached_bytes);
    for (const ThreadCache* cache = all.threads; cache != nullptr; cache = cache->next) {
        cached += cache->cached_bytes.get();
    }
    return static_cast<size_t>(std::max<int64_t>(0, cached));
}

// --- The calling thread's cache
// ---------------------------------------------------------------------

void drop_small(ThreadCache& cache) noexcept {
    for (FreeList& list : cache.lists) {
        while (list.head != nullptr) {
            FreeBlock* block = list.head;
            list.head = block->next;
            std::free(block);
        }
        list.count = 0;
    }
    cache.cached_bytes.value.store(0, std::memory_order_relaxed);
}

enum class ThreadState : uint8_t { Unused, Alive, Ended };
// Trivial, so that they can be read in any destructor of this thread.
thread_local ThreadState t_state = ThreadState::Unused;
thread_local ThreadCache* t_cache = nullptr;

struct ThreadEnd {
    ~ThreadEnd() {
        ThreadCache* cache = t_cache;
        t_cache = nullptr;
        t_state = ThreadState::Ended;
        if (cache == nullptr) return;
        drop_small(*cache);
        Shared& all = shared();
        {
            const std::lock_guard lock(all.mutex);
            (cache->previous != nullptr ? cache->previous->next : all.threads) = cache->next;
            if (cache->next != nullptr) cache->next->previous = cache->previous;
            all.live_bytes.fetch_add(cache->live_bytes.get());
            all.allocations.fetch_add(static_cast<uint64_t>(cache->allocations.get()));
            all.hits.fetch_add(static_cast<uint64_t>(cache->hits.get()));
        }
        tell(cache->live_bytes.get() - cache->told_bytes);
        delete cache;
    }
};

// nullptr when the thread is ending: blocks then come from and go to the system directly.
ThreadCache* make_thread_cache() noexcept {
    if (t_state == ThreadState::Ended) return nullptr;
    ThreadCache* cache = new (std::nothrow) ThreadCache;
    if (cache == nullptr) return nullptr;
    static thread_local ThreadEnd end;
    static_cast<void>(end);
    Shared& all = shared();
    {
        const std::lock_guard lock(all.mutex);
        cache->next = all.threads;
        if (all.threads != nullptr) all.threads->previous = cache;
        all.threads = cache;
    }
    t_cache = cache;
    t_state = ThreadState::Alive;
    return cache;
}

inline ThreadCache* thread_cache() noexcept {
    ThreadCache* cache = t_cache;
    return cache != nullptr ? cache : make_thread_cache();
}

void count_live(ThreadCache* cache, int64_t delta) noexcept {
    if (cache == nullptr) {
        shared().live_bytes.fetch_add(delta);
        tell(delta);
        return;
    }
    cache->live_bytes.add(delta);
    const int64_t untold = cache->live_bytes.get() - cache->told_bytes;
    if (untold >= static_cast<int64_t>(kPeakStepBytes) ||
        untold <= -static_cast<int64_t>(kPeakStepBytes)) {
        cache->told_bytes += untold;
        tell(untold);
    }
}

// --- System memory
// ----------------------------------------------------------------------------------

void* system_allocate(size_t capacity) noexcept {
    if (capacity < kHugePageBytes) return std::aligned_alloc(kAlignment, capacity);
    // Aligned to a huge page: map one page more and cut both ends off.
    const size_t mapped = capacity + kHugePageBytes;
    void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    const uintptr_t begin = reinterpret_cast<uintptr_t>(raw);
    const uintptr_t aligned = (begin + kHugePageBytes - 1) & ~(kHugePageBytes - 1);
    if (aligned != begin) munmap(raw, aligned - begin);
    const size_t tail = begin + mapped - (aligned + capacity);
    void* data = reinterpret_cast<void*>(aligned);
    if (tail != 0) munmap(static_cast<char*>(data) + capacity, tail);
#ifdef MADV_HUGEPAGE
    madvise(data, capacity, MADV_HUGEPAGE);
#endif
    return data;
}

void system_release(void* data, size_t capacity) noexcept {
    if (capacity < kHugePageBytes) {
        std::free(data);
    } else {
        munmap(data, capacity);
    }
}

void trim_large_locked(Shared& all) noexcept {
    // Class by class: capacities are found again from the class number.
    for (size_t index = 0; index < kNumLargeClasses; ++index) {
        const size_t octave = size_t{1} << (12 + index / kClassesPerOctave);
        const size_t capacity =
            octave + (index % kClassesPerOctave + 1) * (octave / kClassesPerOctave);
        while (all.lists[index] != nullptr) {
            FreeBlock* block = all.lists[index];
            all.lists[index] = block->next;
            system_release(block, capacity);
        }
    }
    all.cached_bytes = 0;
}

[[noreturn]] void raise_out_of_memory(size_t nbytes, const char* rule) {
    const MemoryStats stats = cpu_memory_stats();
    ErrorBuilder error("allocate_cpu(nbytes)", "out of memory");
    error.given("nbytes", std::to_string(nbytes));
    error.given("live", std::to_string(stats.live_bytes) + " bytes");
    error.given("cached", std::to_string(stats.cached_bytes) + " bytes");
    error.given("limit", stats.limit_bytes == SIZE_MAX
                             ? std::string("none")
                             : std::to_string(stats.limit_bytes) + " bytes");
    error.rule(rule);
    error.raise<OutOfMemory>();
}

// Whether `extra` more bytes keep live + cached within the limit, after a trim if that helps.
bool make_room(size_t extra) noexcept {
    Shared& all = shared();
    const size_t limit = all.limit_bytes.load(std::memory_order_relaxed);
    if (limit == SIZE_MAX) return true;
    const std::lock_guard lock(all.mutex);
    const auto used = [&all] {
        return static_cast<size_t>(std::max<int64_t>(0, live_bytes_locked(all))) +
               cached_bytes_locked(all);
    };
    if (extra <= limit && used() <= limit - extra) return true;
    trim_large_locked(all);
    if (ThreadCache* cache = t_cache) drop_small(*cache);
    return extra <= limit && used() <= limit - extra;
}

void trim_all() noexcept {
    Shared& all = shared();
    if (ThreadCache* cache = t_cache) drop_small(*cache);
    const std::lock_guard lock(all.mutex);
    trim_large_locked(all);
}

constexpr const char* kLimitRule = "live + cached + nbytes <= limit (set_cpu_memory_limit)";
constexpr const char* kSystemRule = "the system must be able to give nbytes more";

// --- Small: allocate and release
// --------------------------------------------------------------------

void release_small(Buffer* buffer) noexcept {
    const size_t index = small_class(buffer->nbytes());
    const int64_t capacity = static_cast<int64_t>(small_capacity(index));
    std::destroy_at(buffer);
    ThreadCache* cache = thread_cache();
    count_live(cache, -capacity);
    if (cache == nullptr || cache->lists[index].count >= max_count(index)) {
        std::free(buffer);
        return;
    }
    FreeList& list = cache->lists[index];
    list.head = ::new (static_cast<void*>(buffer)) FreeBlock{list.head};
    ++list.count;
    cache->cached_bytes.add(capacity);
}

void* new_small_block(size_t index, size_t nbytes) {
    const size_t capacity = small_capacity(index);
    if (!make_room(capacity)) raise_out_of_memory(nbytes, kLimitRule);
    void* block = std::aligned_alloc(kAlignment, kHeaderBytes + capacity);
    if (block == nullptr) {
        trim_all();
        block = std::aligned_alloc(kAlignment, kHeaderBytes + capacity);
        if (block == nullptr) raise_out_of_memory(nbytes, kSystemRule);
    }
    return block;
}

Ref<Buffer> allocate_small(size_t nbytes) {
    const size_t index = small_class(nbytes);
    const int64_t capacity = static_cast<int64_t>(small_capacity(index));
    ThreadCache* cache = thread_cache();
    void* block;
    if (cache != nullptr && cache->lists[index].head != nullptr) {
        FreeList& list = cache->lists[index];
        block = list.head;
        list.head = list.head->next;
        --list.count;
        cache->cached_bytes.add(-capacity);
        cache->hits.add(1);
    } else {
        block = new_small_block(index, nbytes);
    }
    if (cache != nullptr) {
        cache->allocations.add(1);
    } else {
        shared().allocations.fetch_add(1);
    }
    count_live(cache, capacity);
    void* data = static_cast<char*>(block) + kHeaderBytes;
    return Ref<Buffer>(::new (block) Buffer(data, nbytes, kCpu, release_small, nullptr));
}

// --- Large: allocate and release
// --------------------------------------------------------------------

void release_large(Buffer* buffer) noexcept {
    void* data = buffer->data();
    const size_t capacity = large_capacity(buffer->nbytes());
    delete buffer;
    Shared& all = shared();
    all.live_bytes.fetch_sub(static_cast<int64_t>(capacity));
    tell(-static_cast<int64_t>(capacity));
    {
        const std::lock_guard lock(all.mutex);
        if (all.cached_bytes + capacity <= all.max_cached_bytes) {
            FreeBlock*& head = all.lists[large_class(capacity)];
            head = ::new (data) FreeBlock{head};
            all.cached_bytes += capacity;
            return;
        }
    }
    system_release(data, capacity);
}

void* take_cached(size_t capacity) noexcept {
    Shared& all = shared();
    const std::lock_guard lock(all.mutex);
    FreeBlock*& head = all.lists[large_class(capacity)];
    if (head == nullptr) return nullptr;
    FreeBlock* block = head;
    head = block->next;
    all.cached_bytes -= capacity;
    all.hits.fetch_add(1, std::memory_order_relaxed);
    return block;
}

Ref<Buffer> allocate_large(size_t nbytes) {
    if (nbytes > kImpossibleBytes) {
        raise_out_of_memory(nbytes, "nbytes <= 2^46, the most that an address space holds");
    }
    const size_t capacity = large_capacity(nbytes);
    void* data = take_cached(capacity);
    if (data == nullptr) {
        if (!make_room(capacity)) raise_out_of_memory(nbytes, kLimitRule);
        data = system_allocate(capacity);
        if (data == nullptr) {
            trim_all();
            data = system_allocate(capacity);
            if (data == nullptr) raise_out_of_memory(nbytes, kSystemRule);
        }
    }
    Buffer* buffer = new (std::nothrow) Buffer(data, nbytes, kCpu, release_large, nullptr);
    if (buffer == nullptr) {
        system_release(data, capacity);
        raise_out_of_memory(nbytes, kSystemRule);
    }
    Shared& all = shared();
    all.allocations.fetch_add(1, std::memory_order_relaxed);
    all.live_bytes.fetch_add(static_cast<int64_t>(capacity));
    tell(static_cast<int64_t>(capacity));
    return Ref<Buffer>(buffer);
}

}  // namespace

Ref<Buffer> allocate_cpu(size_t nbytes) {
    return nbytes <= kMaxSmallBytes ? allocate_small(nbytes) : allocate_large(nbytes);
}

MemoryStats cpu_memory_stats() noexcept {
    Shared& all = shared();
    const std::lock_guard lock(all.mutex);
    uint64_t allocations = all.allocations.load();
    uint64_t hits = all.hits.load();
    for (const ThreadCache* cache = all.threads; cache != nullptr; cache = cache->next) {
        allocations += static_cast<uint64_t>(cache->allocations.get());
        hits += static_cast<uint64_t>(cache->hits.get());
    }
    const int64_t live = std::max<int64_t>(0, live_bytes_locked(all));
    raise_peak(live);
    return {static_cast<size_t>(live),
            cached_bytes_locked(all),
            static_cast<size_t>(all.peak_bytes.load()),
            all.limit_bytes.load(),
            allocations,
            hits};
}

void reset_peak_cpu_memory() noexcept {
    Shared& all = shared();
    const std::lock_guard lock(all.mutex);
    all.peak_bytes.store(std::max<int64_t>(0, live_bytes_locked(all)));
}

void set_cpu_memory_limit(size_t bytes) noexcept {
    shared().limit_bytes.store(bytes);
    make_room(0);
}

void empty_cpu_cache() noexcept { trim_all(); }

LUCID_NAMESPACE_END
