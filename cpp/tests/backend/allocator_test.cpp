#include "lucid/backend/Allocator.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "lucid/core/Error.h"

using namespace lucid;

namespace {

class AllocatorTest : public testing::Test {
protected:
    void SetUp() override { empty_cpu_cache(); }
    void TearDown() override {
        set_cpu_memory_limit(SIZE_MAX);
        empty_cpu_cache();
    }
};

TEST_F(AllocatorTest, AlignedAndWritable) {
    for (size_t n : {0u, 1u, 63u, 64u, 65u, 256u, 4095u, 4096u, 4097u, 5000u, 5121u, 65536u,
                     1000000u, 2097152u, 2097153u, 10000000u}) {
        const Ref<Buffer> buffer = allocate_cpu(n);
        ASSERT_NE(buffer->data(), nullptr);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, 0u);
        EXPECT_EQ(buffer->nbytes(), n);
        EXPECT_EQ(buffer->device(), kCpu);
        EXPECT_FALSE(buffer->pinned());
        std::memset(buffer->data(), 0xab, n);
    }
}

TEST_F(AllocatorTest, ReusesTheLastBlock) {
    for (size_t n : {size_t{100}, size_t{4096}, size_t{100000}, size_t{5} << 20}) {
        Ref<Buffer> buffer = allocate_cpu(n);
        void* data = buffer->data();
        buffer.reset();
        const uint64_t hits = cpu_memory_stats().num_cache_hits;
        buffer = allocate_cpu(n);
        EXPECT_EQ(buffer->data(), data);
        EXPECT_EQ(cpu_memory_stats().num_cache_hits, hits + 1);
    }
}

TEST_F(AllocatorTest, CountsLiveBytesExactly) {
    const MemoryStats start = cpu_memory_stats();
    std::vector<Ref<Buffer>> buffers;
    std::mt19937 engine(1);
    size_t asked = 0;
    for (int i = 0; i < 500; ++i) {
        const size_t n = engine() % 20000;
        asked += n;
        buffers.push_back(allocate_cpu(n));
    }
    const MemoryStats full = cpu_memory_stats();
    EXPECT_GE(full.live_bytes - start.live_bytes, asked);
    EXPECT_LE(full.live_bytes - start.live_bytes, asked + asked / 4 + 500 * 64);
    EXPECT_GE(full.peak_bytes, full.live_bytes);
    EXPECT_EQ(full.num_allocations - start.num_allocations, 500u);
    // Half of them die on another thread.
    std::thread([&] { buffers.resize(250); }).join();
    buffers.clear();
    const MemoryStats after = cpu_memory_stats();
    EXPECT_EQ(after.live_bytes, start.live_bytes);
    EXPECT_GT(after.cached_bytes, 0u);
    reset_peak_cpu_memory();
    EXPECT_EQ(cpu_memory_stats().peak_bytes, after.live_bytes);
    empty_cpu_cache();
    EXPECT_EQ(cpu_memory_stats().cached_bytes, 0u);
}

TEST_F(AllocatorTest, BlocksNeverOverlap) {
    std::vector<std::thread> threads;
    std::atomic<int> errors{0};
    for (unsigned t = 0; t < 4; ++t) {
        threads.emplace_back([&errors, t] {
            std::mt19937 engine(t);
            std::vector<Ref<Buffer>> mine;
            const auto mark = [t](size_t i) { return static_cast<unsigned char>(t * 50 + i % 50); };
            for (int step = 0; step < 20000; ++step) {
                const size_t i = engine() % 64;
                if (mine.size() <= i) {
                    mine.push_back(allocate_cpu(1 + engine() % 6000));
                    std::memset(mine.back()->data(), mark(mine.size() - 1), mine.back()->nbytes());
                } else {
                    const auto* bytes = static_cast<const unsigned char*>(mine[i]->data());
                    if (bytes[0] != mark(i) || bytes[mine[i]->nbytes() - 1] != mark(i)) ++errors;
                    mine[i] = allocate_cpu(1 + engine() % 6000);
                    std::memset(mine[i]->data(), mark(i), mine[i]->nbytes());
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(errors.load(), 0);
}

// One thread makes, another releases: the lists of the second stay bounded.
TEST_F(AllocatorTest, ForeignBlocksDoNotPileUp) {
    const size_t live = cpu_memory_stats().live_bytes;
    std::thread([live] {
        for (int round = 0; round < 50; ++round) {
            std::vector<Ref<Buffer>> batch;
            std::thread([&] {
                for (int i = 0; i < 2000; ++i) batch.push_back(allocate_cpu(256));
            }).join();
            batch.clear();
        }
        EXPECT_EQ(cpu_memory_stats().live_bytes, live);
        EXPECT_LE(cpu_memory_stats().cached_bytes, size_t{1} << 20);
    }).join();
}

TEST_F(AllocatorTest, ImpossibleSizesFailAtOnce) {
    for (size_t n : {(size_t{1} << 46) + 1, size_t{1} << 60, SIZE_MAX - 100, SIZE_MAX}) {
        try {
            allocate_cpu(n);
            FAIL() << n;
        } catch (const OutOfMemory& error) {
            EXPECT_NE(std::string(error.what()).find(std::to_string(n)), std::string::npos);
        }
    }
    EXPECT_THROW(allocate_cpu(size_t{1} << 46), OutOfMemory);
    EXPECT_EQ(allocate_cpu(100)->nbytes(), 100u);
}

TEST_F(AllocatorTest, TheLimitTrimsTheCacheThenRaises) {
    const size_t base = cpu_memory_stats().live_bytes;
    set_cpu_memory_limit(base + (size_t{8} << 20));
    allocate_cpu(size_t{3} << 20);
    allocate_cpu(size_t{5} << 20)
        .reset();  // 3 and 5 MiB would both be cached; together they still fit
    EXPECT_NO_THROW(allocate_cpu(size_t{7} << 20));
    EXPECT_THROW(allocate_cpu(size_t{9} << 20), OutOfMemory);
    {
        std::vector<Ref<Buffer>> small;
        EXPECT_THROW(
            {
                for (int i = 0; i < 10000; ++i) small.push_back(allocate_cpu(4096));
            },
            OutOfMemory);
        EXPECT_GE(small.size(), 1000u);
    }
    EXPECT_NO_THROW(allocate_cpu(size_t{6} << 20));
    EXPECT_EQ(cpu_memory_stats().limit_bytes, base + (size_t{8} << 20));
}

// The address space is limited in a child; the cache must be given back before the error.
TEST_F(AllocatorTest, RecoversWhenTheSystemHasNoMore) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        std::vector<Ref<Buffer>> blocks;
        bool raised = false;
        try {
            for (int i = 0; i < 100; ++i) blocks.push_back(allocate_cpu(size_t{1} << 45));
        } catch (const OutOfMemory&) {
            raised = true;
        }
        blocks.clear();
        const bool works = allocate_cpu(size_t{1} << 20)->data() != nullptr;
        _exit(raised && works ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

struct DiesLate {
    Ref<Buffer> buffer;
    ~DiesLate() {
        buffer.reset();
        allocate_cpu(128);
    }
};

// A thread-local that outlives the thread's cache, and one that does not.
TEST_F(AllocatorTest, ThreadsMayEndWithBuffers) {
    const size_t live = cpu_memory_stats().live_bytes;
    for (int round = 0; round < 20; ++round) {
        std::thread([] {
            static thread_local DiesLate late;
            late.buffer = allocate_cpu(200);
            static thread_local DiesLate later;
            later.buffer = allocate_cpu(50000);
        }).join();
    }
    EXPECT_EQ(cpu_memory_stats().live_bytes, live);
}

// Released by a static destructor, after the main thread's cache has gone.
DiesLate g_dies_at_exit;
TEST_F(AllocatorTest, BuffersMayDieAtExit) { g_dies_at_exit.buffer = allocate_cpu(300); }

}  // namespace
