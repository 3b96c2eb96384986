// One job at a time: the caller publishes it, takes chunks itself and lets any worker that is awake
// take chunks too; it never waits for a worker that has not joined. Two Dekker-style handshakes
// (sequentially consistent on purpose) keep this safe: {epoch, parked} so that no wake-up is lost,
// and {open, inside} so that a late worker cannot touch a job whose caller has returned.
#include "lucid/backend/ThreadPool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr std::chrono::microseconds kSpinTime{50};
constexpr int kMaxThreads = 1024;

void cpu_relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

// Polls `ready` for about 50 us; false when the time is over.
template <typename Ready>
bool spin_until(Ready ready) {
    for (int i = 0; i < 64; ++i) {
        if (ready()) return true;
        cpu_relax();
    }
    const auto deadline = std::chrono::steady_clock::now() + kSpinTime;
    do {
        for (int i = 0; i < 32; ++i) {
            if (ready()) return true;
            cpu_relax();
        }
    } while (std::chrono::steady_clock::now() < deadline);
    return false;
}

// The whole cores that a cgroup quota allows, rounded up; 0 when there is none.
int cgroup_quota() {
    long long quota = 0;
    long long period = 0;
    if (std::FILE* file = std::fopen("/sys/fs/cgroup/cpu.max", "re")) {
        if (std::fscanf(file, "%lld %lld", &quota, &period) != 2) quota = 0;  // "max 100000"
        std::fclose(file);
    } else {
        const auto read_one = [](const char* path, long long& value) {
            std::FILE* one = std::fopen(path, "re");
            if (one == nullptr) return;
            if (std::fscanf(one, "%lld", &value) != 1) value = 0;
            std::fclose(one);
        };
        read_one("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota);
        read_one("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period);
    }
    if (quota <= 0 || period <= 0) return 0;
    return static_cast<int>((quota + period - 1) / period);
}

int default_num_threads() {
    if (const char* text = std::getenv("LUCID_NUM_THREADS")) {
        char* end = nullptr;
        const long value = std::strtol(text, &end, 10);
        if (end != text && *end == '\0' && value >= 1) {
            return static_cast<int>(value < kMaxThreads ? value : kMaxThreads);
        }
    }
    int count = static_cast<int>(std::thread::hardware_concurrency());
    cpu_set_t mask;
    CPU_ZERO(&mask);
    // Fails on machines with more CPUs than cpu_set_t holds; the hardware's count serves then.
    if (sched_getaffinity(0, sizeof(mask), &mask) == 0) count = CPU_COUNT(&mask);
    const int quota = cgroup_quota();
    if (quota > 0 && quota < count) count = quota;
    if (count < 1) return 1;
    return count < kMaxThreads ? count : kMaxThreads;
}

// 0 until the first question; kept outside the pool because a fork replaces the pool.
std::atomic<int> g_num_threads{0};
std::atomic<bool> g_shut_down{false};

// True in workers, and in a caller while it runs chunks: nested calls run in place.
thread_local bool t_inside_body = false;

class Pool {
public:
    // False when another caller holds the pool: nothing has run.
    bool try_run(int64_t num_chunks, FunctionRef<void(int64_t)> body, int num_threads);
    void shut_down();

    void hold() {
        owner_.lock();
        park_mutex_.lock();
    }
    void let_go() {
        park_mutex_.unlock();
        owner_.unlock();
    }

private:
    void resize(int num_workers);
    void stop_workers();
    void work();
    void wake(int64_t wanted);
    void run_chunks() noexcept;

    std::mutex owner_;  // held by the one caller whose job runs
    std::vector<std::thread> workers_;
    int wanted_workers_ = 0;

    // The job. Plain members are written before `epoch_` is raised and read only between joining
    // (`inside_`) and leaving.
    const FunctionRef<void(int64_t)>* body_ = nullptr;
    int64_t num_chunks_ = 0;
    std::exception_ptr error_;
    std::mutex error_mutex_;
    alignas(64) std::atomic<int64_t> next_{0};
    alignas(64) std::atomic<uint64_t> epoch_{0};
    std::atomic<bool> open_{false};
    std::atomic<bool> stop_{false};
    alignas(64) std::atomic<int> inside_{0};

    std::mutex park_mutex_;
    std::condition_variable park_;
    std::atomic<int> parked_{0};
};

void Pool::run_chunks() noexcept {
    for (;;) {
        const int64_t chunk = next_.fetch_add(1, std::memory_order_relaxed);
        if (chunk >= num_chunks_) return;
        try {
            (*body_)(chunk);
        } catch (...) {
            next_.store(num_chunks_, std::memory_order_relaxed);
            const std::lock_guard lock(error_mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }
}

void Pool::work() {
    t_inside_body = true;
    uint64_t seen = 0;
    for (;;) {
        const auto changed = [&] { return epoch_.load() != seen; };
        if (!spin_until(changed)) {
            std::unique_lock lock(park_mutex_);
            parked_.fetch_add(1);
            park_.wait(lock, changed);
            parked_.fetch_sub(1);
        }
        seen = epoch_.load();
        if (stop_.load()) return;
        inside_.fetch_add(1);
        if (open_.load()) run_chunks();
        if (inside_.fetch_sub(1) == 1) inside_.notify_one();
    }
}

void Pool::wake(int64_t wanted) {
    const int parked = parked_.load();
    if (parked == 0 || wanted <= 0) return;
    const std::lock_guard lock(park_mutex_);
    if (wanted >= parked) {
        park_.notify_all();
    } else {
        for (int64_t i = 0; i < wanted; ++i) park_.notify_one();
    }
}

void Pool::stop_workers() {
    if (workers_.empty()) return;
    stop_.store(true);
    epoch_.fetch_add(1);
    {
        const std::lock_guard lock(park_mutex_);
        park_.notify_all();
    }
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
    stop_.store(false);
    // New workers start with `seen` = 0: an old epoch would look like a job to join (harmless, as
    // it is closed), and none may be missed.
    epoch_.store(0);
}

void Pool::resize(int num_workers) {
    if (wanted_workers_ == num_workers) return;
    stop_workers();
    wanted_workers_ = num_workers;
    // Signals stay with the threads of the program: a worker must not run a Python signal handler.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        workers_.reserve(static_cast<size_t>(num_workers));
        for (int i = 0; i < num_workers; ++i) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
        // Fewer threads than asked for change the speed only.
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

bool Pool::try_run(int64_t num_chunks, FunctionRef<void(int64_t)> body, int num_threads) {
    const std::unique_lock owner(owner_, std::try_to_lock);
    if (!owner.owns_lock()) return false;
    resize(num_threads - 1);
    body_ = &body;
    num_chunks_ = num_chunks;
    next_.store(0, std::memory_order_relaxed);
    open_.store(true);
    epoch_.fetch_add(1);
    wake(num_chunks - 1);

    t_inside_body = true;
    run_chunks();
    t_inside_body = false;

    open_.store(false);
    const auto alone = [&] { return inside_.load() == 0; };
    while (!spin_until(alone)) {
        const int others = inside_.load();
        if (others != 0) inside_.wait(others);
    }
    std::exception_ptr error = std::exchange(error_, nullptr);
    if (error) std::rethrow_exception(error);
    return true;
}

void Pool::shut_down() {
    const std::lock_guard owner(owner_);
    stop_workers();
    wanted_workers_ = 0;
}

// Never destroyed: workers may still be parked in it while the process exits.
std::atomic<Pool*> g_pool{nullptr};
// Between the two fork hooks; forks of one process come one at a time (the C library's lock).
Pool* g_held_for_fork = nullptr;

Pool& pool() {
    Pool* current = g_pool.load(std::memory_order_acquire);
    if (current != nullptr) return *current;
    Pool* fresh = new Pool;
    if (g_pool.compare_exchange_strong(current, fresh, std::memory_order_acq_rel)) return *fresh;
    delete fresh;
    return *current;
}

}  // namespace

void parallel_for(int64_t num_chunks, FunctionRef<void(int64_t)> body) {
    if (num_chunks > 1 && !t_inside_body) {
        const int num_threads = get_num_threads();
        if (num_threads > 1 && !g_shut_down.load(std::memory_order_acquire) &&
            pool().try_run(num_chunks, body, num_threads)) {
            return;
        }
    }
    for (int64_t i = 0; i < num_chunks; ++i) body(i);
}

void set_num_threads(int count) {
    if (count < 1) {
        ErrorBuilder("set_num_threads(count)", "there is no thread to run on")
            .given("count", std::to_string(count))
            .rule("count >= 1")
            .raise<InvalidArgument>();
    }
    g_num_threads.store(count < kMaxThreads ? count : kMaxThreads);
}

int get_num_threads() noexcept {
    int count = g_num_threads.load(std::memory_order_relaxed);
    if (count == 0) {
        int fresh = default_num_threads();
        // A set_num_threads() that came in between wins.
        count = g_num_threads.compare_exchange_strong(count, fresh) ? fresh : count;
    }
    return count;
}

void shut_down_thread_pool() noexcept {
    g_shut_down.store(true);
    if (Pool* current = g_pool.load(); current != nullptr && !t_inside_body) current->shut_down();
}

void thread_pool_before_fork() noexcept {
    // A fork from inside a body cannot wait for its own job; the child starts anew anyway.
    g_held_for_fork = t_inside_body ? nullptr : g_pool.load();
    if (g_held_for_fork != nullptr) g_held_for_fork->hold();
}

void thread_pool_after_fork_parent() noexcept {
    if (g_held_for_fork != nullptr) g_held_for_fork->let_go();
    g_held_for_fork = nullptr;
}

void thread_pool_after_fork_child() noexcept {
    // The workers are gone and the old pool's locks are held for ever: it is left behind.
    g_held_for_fork = nullptr;
    g_pool.store(nullptr);
    t_inside_body = false;
}

LUCID_NAMESPACE_END
