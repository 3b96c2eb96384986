// The one Engine: order of execution, determinism, default generators, counters, and life and
// death. Created on first use, never destroyed; shut_down() runs at exit, after it entries raise.
#pragma once

#include <atomic>
#include <cstdint>

#include "lucid/core/Device.h"
#include "lucid/core/Generator.h"

LUCID_NAMESPACE_BEGIN
namespace backend {

struct EngineStats {
    uint64_t kernels_run;    // kernels that ran, on all devices
    uint64_t calls_pending;  // calls that are submitted and have not run
};

class LUCID_API Engine {
public:
    static Engine& instance() noexcept;

    bool deterministic() const noexcept { return deterministic_.load(std::memory_order_relaxed); }
    void set_deterministic(bool on) noexcept {
        deterministic_.store(on, std::memory_order_relaxed);
    }

    // The always-delay backend, for tests: every result stays pending until its memory is read.
    bool always_delay() const noexcept { return always_delay_.load(std::memory_order_relaxed); }
    void set_always_delay(bool on) noexcept { always_delay_.store(on, std::memory_order_relaxed); }

    Generator& default_generator(Device device);
    EngineStats stats() const noexcept;

    // Called every 10 ms by whoever waits and between the kernels of a flush; may throw (Ctrl-C).
    void set_interrupt_check(void (*check)()) noexcept { interrupt_check_.store(check); }
    void check_interrupt() const {
        if (auto* check = interrupt_check_.load(std::memory_order_acquire)) check();
    }

    // Waits for all work, stops workers; afterwards submit raises.
    void shut_down() noexcept;
    bool is_shut_down() const noexcept { return shut_down_.load(std::memory_order_acquire); }

    std::atomic<uint64_t> kernels_run{0};
    std::atomic<int64_t> calls_pending{0};

private:
    Engine();
    std::atomic<bool> deterministic_{false};
    std::atomic<bool> always_delay_{false};
    std::atomic<bool> shut_down_{false};
    std::atomic<void (*)()> interrupt_check_{nullptr};
    Ref<Generator> cpu_generator_;
};

}  // namespace backend
LUCID_NAMESPACE_END
