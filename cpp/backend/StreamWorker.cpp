#include "lucid/backend/StreamWorker.h"

#include <chrono>
#include <new>

#include "lucid/backend/Engine.h"

LUCID_NAMESPACE_BEGIN

void StreamWorker::post(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    if (!thread_.joinable()) {
        stopping_ = false;
        thread_ = std::thread([this] { loop(); });
    }
    wake_.notify_one();
}

void StreamWorker::loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
        if (tasks_.empty()) return;
        std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        busy_ = true;
        lock.unlock();
        task();
        task = nullptr;  // what it held dies outside the lock
        lock.lock();
        busy_ = false;
        if (tasks_.empty()) idle_.notify_all();
    }
}

void StreamWorker::drain() {
    std::unique_lock lock(mutex_);
    while (busy_ || !tasks_.empty()) {
        if (idle_.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout) {
            lock.unlock();
            backend::Engine::instance().check_interrupt();
            lock.lock();
        }
    }
}

void StreamWorker::stop() noexcept {
    {
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [this] { return !busy_ && tasks_.empty(); });
        stopping_ = true;
        wake_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

void StreamWorker::before_fork() noexcept {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return !busy_ && tasks_.empty(); });
    lock.release();  // held until after_fork_*
}

void StreamWorker::after_fork_parent() noexcept { mutex_.unlock(); }

void StreamWorker::after_fork_child() noexcept {
    // The thread does not exist here, and waiters of the parent may have left their mark in the
    // condition variables: make everything anew without touching the old thread handle.
    new (&thread_) std::thread();
    new (&wake_) std::condition_variable();
    new (&idle_) std::condition_variable();
    mutex_.unlock();
}

LUCID_NAMESPACE_END
