// One thread with a queue of tasks that it runs in order: a side CPU stream. The thread starts with
// the first task.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

class StreamWorker {
public:
    ~StreamWorker() { stop(); }
    // Tasks must not throw.
    void post(std::function<void()> task);
    // Waits until everything that was posted has run; checks for interrupts every 10 ms.
    void drain();
    // Drains, without interrupts, and ends the thread.
    void stop() noexcept;
    // Around fork(): drains and holds the queue; the child starts with an empty one and no thread.
    void before_fork() noexcept;
    void after_fork_parent() noexcept;
    void after_fork_child() noexcept;

private:
    void loop();

    std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable idle_;
    std::deque<std::function<void()>> tasks_;
    std::thread thread_;
    bool busy_ = false;
    bool stopping_ = false;
};

LUCID_NAMESPACE_END
