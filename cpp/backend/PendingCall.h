// A copied OpCall that has not run yet, and the PendingRefs of its results. Two users: a side CPU
// stream, whose worker runs its calls in order, and the always-delay backend, whose calls run when
// somebody reads them. Forcing is iterative: a chain of 100,000 delayed calls needs no deep stack.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

#include "lucid/backend/OpCall.h"
#include "lucid/core/DeferredDelete.h"

LUCID_NAMESPACE_BEGIN

class PendingCall final : public DeferredDelete {
public:
    enum class Runner : uint8_t { Reader, StreamWorker };

    // Snapshots the inputs: a later in-place write does not reach the call.
    PendingCall(const OpCall& call, Runner runner);
    ~PendingCall() override;
    // One Storage per output, each with a pending Value.
    void make_outputs(std::span<Storage> outputs);

    // Runs the call if nobody has, all its inputs being ready; a Reader's call only. Otherwise
    // waits. Errors are kept for result().
    void run_or_wait();
    // By the stream's worker: waits for the inputs, then runs.
    void run_on_worker() noexcept;
    // Runs, or waits for, this call and all that it needs.
    void complete();
    bool is_done() const noexcept { return state_.load(std::memory_order_acquire) == State::Done; }
    Runner runner() const noexcept { return runner_; }
    size_t output_nbytes(size_t output) const noexcept {
        const OutputSpec& spec = specs_[output];
        return static_cast<size_t>(numel_of(spec.shape) * size_of(spec.dtype));
    }
    // The memory of one output; throws the error of a failed call. Only when done.
    Ref<Buffer> result(size_t output) const;
    // In the child of a fork: what ran in a thread that is gone will never come.
    void fail(std::exception_ptr error) noexcept;

private:
    enum class State : uint8_t { Waiting, Running, Done };
    Ref<PendingCall> first_unready_input() const noexcept;
    void execute() noexcept;
    void wait();

    OpCall call_;
    Attrs attrs_;
    std::vector<Storage> inputs_;
    std::vector<OutputSpec> specs_;
    Runner runner_;
    std::atomic<State> state_{State::Waiting};
    mutable std::mutex mutex_;  // guards inputs_, results_, error_
    std::condition_variable done_;
    std::vector<Ref<Buffer>> results_;
    std::exception_ptr error_;
};

class PendingOutput final : public PendingRef {
public:
    PendingOutput(Ref<PendingCall> call, size_t index) noexcept
        : call_(std::move(call)), index_(index) {}
    Ref<Buffer> force() override;
    void start() override;
    bool is_ready() const noexcept override { return call_->is_done(); }
    size_t nbytes() const noexcept override { return call_->output_nbytes(index_); }
    const Ref<PendingCall>& call() const noexcept { return call_; }

private:
    Ref<PendingCall> call_;
    size_t index_;
};

LUCID_NAMESPACE_END
