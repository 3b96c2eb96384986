#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "lucid/backend/ThreadPool.h"
#include "lucid/core/Error.h"

using namespace lucid;

namespace {

// ThreadSanitizer refuses to start threads in a child of fork.
#if defined(__SANITIZE_THREAD__)
constexpr bool kCanThreadAfterFork = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool kCanThreadAfterFork = false;
#else
constexpr bool kCanThreadAfterFork = true;
#endif
#else
constexpr bool kCanThreadAfterFork = true;
#endif

class PoolTest : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

TEST_F(PoolTest, RunsEveryChunkOnce) {
    for (int threads : {1, 2, 4, 3, 16}) {
        set_num_threads(threads);
        EXPECT_EQ(get_num_threads(), threads);
        for (int64_t n : {0, 1, 2, 3, 17, 1000}) {
            std::vector<std::atomic<int>> runs(static_cast<size_t>(n));
            parallel_for(n, [&](int64_t i) { ++runs[static_cast<size_t>(i)]; });
            for (const auto& count : runs) ASSERT_EQ(count.load(), 1);
        }
    }
}

TEST_F(PoolTest, UsesSeveralThreads) {
    set_num_threads(4);
    std::mutex mutex;
    std::set<std::thread::id> ids;
    // Each chunk waits until another thread has joined, so one thread alone would time out.
    parallel_for(4, [&](int64_t) {
        {
            const std::lock_guard lock(mutex);
            ids.insert(std::this_thread::get_id());
        }
        for (int i = 0; i < 5000; ++i) {
            {
                const std::lock_guard lock(mutex);
                if (ids.size() > 1) return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    EXPECT_GT(ids.size(), 1u);
}

TEST_F(PoolTest, ManyShortJobs) {
    set_num_threads(4);
    std::atomic<int64_t> sum{0};
    for (int job = 0; job < 20000; ++job) {
        parallel_for(4, [&](int64_t i) { sum += i; });
        // Now and then let the workers park.
        if (job % 2000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_EQ(sum.load(), 20000 * 6);
}

TEST_F(PoolTest, NestedCallsRunInPlace) {
    set_num_threads(4);
    std::atomic<int> runs{0};
    parallel_for(8, [&](int64_t) {
        const auto self = std::this_thread::get_id();
        parallel_for(8, [&](int64_t) {
            if (std::this_thread::get_id() == self) ++runs;
        });
    });
    EXPECT_EQ(runs.load(), 64);
}

TEST_F(PoolTest, TheFirstExceptionComesBack) {
    for (int threads : {1, 4}) {
        set_num_threads(threads);
        for (int round = 0; round < 200; ++round) {
            try {
                parallel_for(64, [&](int64_t i) {
                    if (i % 7 == 3) throw std::runtime_error("chunk");
                });
                FAIL();
            } catch (const std::runtime_error& error) {
                EXPECT_STREQ(error.what(), "chunk");
            }
            // And the pool goes on.
            std::atomic<int> runs{0};
            parallel_for(16, [&](int64_t) { ++runs; });
            ASSERT_EQ(runs.load(), 16);
        }
    }
}

TEST_F(PoolTest, ManyCallersAtOnce) {
    set_num_threads(4);
    std::atomic<int64_t> sum{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 8; ++c) {
        callers.emplace_back([&sum, c] {
            for (int job = 0; job < 2000; ++job) {
                if (c == 0 && job % 100 == 0) set_num_threads(2 + job / 100 % 4);
                parallel_for(5, [&](int64_t i) { sum += i; });
            }
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(sum.load(), 8 * 2000 * 10);
}

TEST_F(PoolTest, RejectsNoThreads) {
    EXPECT_THROW(set_num_threads(0), InvalidArgument);
    EXPECT_THROW(set_num_threads(-3), InvalidArgument);
}

TEST_F(PoolTest, AChildOfForkStartsAnew) {
    if (!kCanThreadAfterFork) GTEST_SKIP();
    set_num_threads(4);
    std::atomic<int> before{0};
    parallel_for(8, [&](int64_t) { ++before; });
    thread_pool_before_fork();
    const pid_t child = fork();
    if (child == 0) {
        thread_pool_after_fork_child();
        alarm(20);
        std::atomic<int> runs{0};
        for (int i = 0; i < 100; ++i) parallel_for(8, [&](int64_t) { ++runs; });
        _exit(runs.load() == 800 ? 0 : 1);
    }
    thread_pool_after_fork_parent();
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    std::atomic<int> after{0};
    parallel_for(8, [&](int64_t) { ++after; });
    EXPECT_EQ(after.load(), 8);
}

// In a child of its own, because a pool that was shut down stays so.
TEST_F(PoolTest, ShutDownRunsInPlace) {
    if (!kCanThreadAfterFork) GTEST_SKIP();
    thread_pool_before_fork();
    const pid_t child = fork();
    if (child == 0) {
        thread_pool_after_fork_child();
        alarm(20);
        set_num_threads(4);
        std::atomic<int> runs{0};
        parallel_for(8, [&](int64_t) { ++runs; });
        shut_down_thread_pool();
        const auto self = std::this_thread::get_id();
        parallel_for(8, [&](int64_t) { runs += std::this_thread::get_id() == self ? 1 : 100; });
        shut_down_thread_pool();
        _exit(runs.load() == 16 ? 0 : 1);
    }
    thread_pool_after_fork_parent();
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
