// The CPU: calls on the default stream run at once in the caller's thread; a side stream has a
// worker thread that runs its calls in order. Under the always-delay test mode nothing runs before
// it is read.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "lucid/backend/IBackend.h"
#include "lucid/backend/PendingCall.h"

LUCID_NAMESPACE_BEGIN

class StreamWorker;

class CpuBackend final : public IBackend {
public:
    static CpuBackend& instance() noexcept;

    Device device() const noexcept override { return kCpu; }
    void submit(const OpCall& call, std::span<Storage> outputs) override;
    Ref<Buffer> allocate(size_t nbytes) override;
    Stream new_stream() override;
    bool has_stream(Stream stream) const noexcept override;
    void synchronize(Stream stream) override;
    void synchronize() override;
    Ref<EventState> record_event(Stream stream) override;
    void wait_event(Stream stream, const Ref<EventState>& event) override;

    // Runs one call in this thread; inputs are forced, outputs are Ready.
    void run_now(const OpCall& call, std::span<Storage> outputs);
    // Runs a delayed call, and what it needs, on a background worker.
    void start(Ref<PendingCall> call);
    // The delayed calls that have not run, so that synchronize() and an export can flush them.
    void add_delayed(PendingCall* call);
    void remove_delayed(PendingCall* call) noexcept;
    // At exit: drains and joins every worker.
    void stop_streams() noexcept;
    // Around fork(). In the child, workers start again on first use.
    void before_fork() noexcept;
    void after_fork_parent() noexcept;
    void after_fork_child() noexcept;

private:
    CpuBackend();
    StreamWorker& worker(Stream stream);
    void flush_delayed();

    mutable std::mutex streams_mutex_;
    std::vector<std::unique_ptr<StreamWorker>> workers_;  // of stream i + 1
    std::unique_ptr<StreamWorker> background_;
    std::mutex delayed_mutex_;
    std::unordered_set<PendingCall*> delayed_;
};

LUCID_NAMESPACE_END
