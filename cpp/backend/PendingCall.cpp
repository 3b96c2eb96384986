#include "lucid/backend/PendingCall.h"

#include <chrono>

#include "lucid/backend/CpuBackend.h"
#include "lucid/backend/Engine.h"

LUCID_NAMESPACE_BEGIN

using backend::Engine;

PendingCall::PendingCall(const OpCall& call, Runner runner) : call_(call), runner_(runner) {
    inputs_.reserve(call.inputs.size());
    for (const Storage* input : call.inputs) inputs_.push_back(input->snapshot());
    specs_.assign(call.outputs.begin(), call.outputs.end());
    if (call.attrs != nullptr) attrs_ = *call.attrs;
    call_.attrs = &attrs_;
    call_.outputs = specs_;
    call_.inputs = {};
    Engine::instance().calls_pending.fetch_add(1, std::memory_order_relaxed);
    if (runner_ == Runner::Reader) CpuBackend::instance().add_delayed(this);
}

PendingCall::~PendingCall() {
    if (is_done()) return;
    Engine::instance().calls_pending.fetch_sub(1, std::memory_order_relaxed);
    if (runner_ == Runner::Reader) CpuBackend::instance().remove_delayed(this);
}

void PendingCall::make_outputs(std::span<Storage> outputs) {
    for (size_t i = 0; i < outputs.size(); ++i) {
        const OutputSpec& spec = specs_[i];
        Ref<PendingRef> pending = make_ref<PendingOutput>(Ref<PendingCall>(this), i);
        outputs[i] = Storage(make_ref<Box>(Value(std::move(pending))), spec.dtype,
                             call_.stream.device, spec.shape, spec.strides, 0);
    }
}

Ref<PendingCall> PendingCall::first_unready_input() const noexcept {
    std::lock_guard lock(mutex_);
    for (const Storage& input : inputs_) {
        const Value value = input.box()->value();
        PendingRef* pending = value.pending();
        if (pending != nullptr && !pending->is_ready()) {
            return static_cast<PendingOutput*>(pending)->call();
        }
    }
    return {};
}

void PendingCall::execute() noexcept {
    std::vector<Ref<Buffer>> results;
    std::exception_ptr error;
    try {
        std::vector<const Storage*> inputs;
        for (Storage& input : inputs_) {
            input.box()->rebind(Value(input.box()->value().force()));
            inputs.push_back(&input);
        }
        call_.inputs = inputs;
        std::vector<Storage> outputs(specs_.size());
        CpuBackend::instance().run_now(call_, outputs);
        for (const Storage& output : outputs) results.push_back(output.box()->value().force());
    } catch (...) {
        error = std::current_exception();
    }
    call_.inputs = {};
    call_.opaque.reset();
    std::vector<Storage> released;  // dies after the lock is given back
    {
        std::lock_guard lock(mutex_);
        released.swap(inputs_);
        results_ = std::move(results);
        error_ = error;
        state_.store(State::Done, std::memory_order_release);
    }
    Engine::instance().calls_pending.fetch_sub(1, std::memory_order_relaxed);
    if (runner_ == Runner::Reader) CpuBackend::instance().remove_delayed(this);
    done_.notify_all();
}

void PendingCall::wait() {
    std::unique_lock lock(mutex_);
    while (!is_done()) {
        if (done_.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout) {
            lock.unlock();
            Engine::instance().check_interrupt();
            lock.lock();
        }
    }
}

void PendingCall::run_or_wait() {
    State expected = State::Waiting;
    if (runner_ == Runner::Reader && state_.compare_exchange_strong(expected, State::Running)) {
        execute();
    } else {
        wait();
    }
}

void PendingCall::run_on_worker() noexcept {
    State expected = State::Waiting;
    if (!state_.compare_exchange_strong(expected, State::Running)) return;
    // Inputs of other streams are waited for; delayed ones are run here. Their errors surface as
    // ours.
    while (Ref<PendingCall> input = first_unready_input()) {
        try {
            input->complete();
        } catch (...) {
            break;  // an interrupt is for the reader; execute() forces again
        }
    }
    execute();
}

void PendingCall::complete() {
    // Depth first with an explicit stack.
    std::vector<Ref<PendingCall>> stack{Ref<PendingCall>(this)};
    while (!stack.empty()) {
        const Ref<PendingCall> top = stack.back();
        if (top->is_done()) {
            stack.pop_back();
            continue;
        }
        if (top->runner_ == Runner::Reader &&
            top->state_.load(std::memory_order_acquire) == State::Waiting) {
            if (Ref<PendingCall> input = top->first_unready_input()) {
                stack.push_back(std::move(input));
                continue;
            }
            Engine::instance().check_interrupt();
        }
        top->run_or_wait();
        stack.pop_back();
    }
}

Ref<Buffer> PendingCall::result(size_t output) const {
    std::lock_guard lock(mutex_);
    if (error_) std::rethrow_exception(error_);
    return results_[output];
}

void PendingCall::fail(std::exception_ptr error) noexcept {
    inputs_.clear();
    error_ = std::move(error);
    state_.store(State::Done, std::memory_order_release);
    Engine::instance().calls_pending.fetch_sub(1, std::memory_order_relaxed);
}

Ref<Buffer> PendingOutput::force() {
    Ref<PendingCall> keep = call_;
    keep->complete();
    return keep->result(index_);
}

void PendingOutput::start() {
    if (call_->runner() == PendingCall::Runner::Reader) CpuBackend::instance().start(call_);
}

LUCID_NAMESPACE_END
