#include "lucid/backend/CpuBackend.h"

#include <pthread.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/Engine.h"
#include "lucid/backend/InstructionTable.h"
#include "lucid/backend/StreamWorker.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

using backend::Engine;

namespace {

constexpr size_t kInlineOperands = 8;

// Strides of an input as seen from the output's shape: 0 where it is broadcast.
Strides broadcast_strides(const Storage& input, const Shape& shape) {
    const size_t missing = shape.size() - input.shape().size();
    Strides strides(shape.size(), 0);
    for (size_t i = missing; i < shape.size(); ++i) {
        if (input.shape()[i - missing] != 1) strides[i] = input.strides()[i - missing];
    }
    return strides;
}

const void* address(const Storage& input, const Buffer& buffer) {
    return static_cast<const std::byte*>(buffer.data()) + input.offset() * input.itemsize();
}

// The operands of one call. Up to kInlineOperands inputs need no allocation.
class Operands {
public:
    explicit Operands(std::span<const Storage* const> inputs) : count_(inputs.size()) {
        if (count_ > kInlineOperands) {
            many_buffers_.resize(count_);
            many_views_.resize(count_);
        }
        for (size_t i = 0; i < count_; ++i) {
            buffers()[i] = inputs[i]->box()->force();
            const Storage& input = *inputs[i];
            views()[i] = {address(input, *buffers()[i]), input.dtype(), input.shape(),
                          input.strides()};
        }
    }
    cpu::ConstView* views() noexcept {
        return count_ > kInlineOperands ? many_views_.data() : views_.data();
    }
    std::span<const cpu::ConstView> span() noexcept { return {views(), count_}; }

private:
    Ref<Buffer>* buffers() noexcept {
        return count_ > kInlineOperands ? many_buffers_.data() : buffers_.data();
    }
    size_t count_;
    std::array<Ref<Buffer>, kInlineOperands> buffers_;
    std::array<cpu::ConstView, kInlineOperands> views_;
    std::vector<Ref<Buffer>> many_buffers_;
    std::vector<cpu::ConstView> many_views_;
};

// An instruction that lacks the dtypes is refused at the call, also when the call will run later.
void check_instruction(const OpCall& call) {
    const Instruction* instruction = KernelTable::get(call.op).instruction;
    if (instruction == nullptr) return;
    const Storage& last = *call.inputs.back();
    if (instruction_supports(*instruction, last.dtype(), call.outputs[0].dtype)) return;
    ErrorBuilder(OpRegistry::schema(call.op).name,
                 std::string("not defined for ") + name_of(last.dtype()))
        .given("x", describe(last))
        .raise<DtypeMismatch>();
}

Ref<Buffer> allocate_output(const OutputSpec& spec) {
    return allocate_cpu(static_cast<size_t>(numel_of(spec.shape) * size_of(spec.dtype)));
}

Storage as_storage(Ref<Buffer> buffer, const OutputSpec& spec) {
    return Storage(make_ref<Box>(Value(std::move(buffer))), spec.dtype, kCpu, spec.shape,
                   spec.strides, 0);
}

// The elementwise call: at most three inputs, one output, no list anywhere.
Storage run_instruction(const Instruction& instruction, const OpCall& call) {
    constexpr size_t kMaxInputs = 3;
    const size_t count = call.inputs.size();
    LUCID_ASSERT(count <= kMaxInputs);
    const OutputSpec& spec = call.outputs[0];
    std::array<Ref<Buffer>, kMaxInputs> buffers;
    std::array<cpu::ConstView, kMaxInputs> views;
    std::array<Strides, kMaxInputs> strides;
    for (size_t i = 0; i < count; ++i) {
        const Storage& input = *call.inputs[i];
        buffers[i] = input.box()->force();
        views[i] = {address(input, *buffers[i]), input.dtype(), spec.shape, input.strides()};
        if (!(input.shape() == spec.shape)) {
            strides[i] = broadcast_strides(input, spec.shape);
            views[i].strides = strides[i];
        }
    }
    Ref<Buffer> buffer = allocate_output(spec);
    cpu::run_map(instruction, {views.data(), count},
                 {buffer->data(), spec.dtype, spec.shape, spec.strides});
    return as_storage(std::move(buffer), spec);
}

// Fork handlers are installed once, with the backend.
void install_fork_handlers() {
    pthread_atfork([] { CpuBackend::instance().before_fork(); },
                   [] { CpuBackend::instance().after_fork_parent(); },
                   [] { CpuBackend::instance().after_fork_child(); });
}

class CpuEvent final : public EventState {
public:
    void wait() override {
        std::unique_lock lock(mutex_);
        while (!done_) {
            if (changed_.wait_for(lock, std::chrono::milliseconds(10)) == std::cv_status::timeout) {
                lock.unlock();
                Engine::instance().check_interrupt();
                lock.lock();
            }
        }
    }
    bool query() override {
        std::lock_guard lock(mutex_);
        return done_;
    }
    void set() {
        std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false;
};

}  // namespace

CpuBackend::CpuBackend() : background_(std::make_unique<StreamWorker>()) {
    // Fork handlers run in reverse order of installation: the allocator's, which locks what a
    // draining worker needs, must be there first.
    allocate_cpu(0);
    install_fork_handlers();
}

CpuBackend& CpuBackend::instance() noexcept {
    static CpuBackend* backend = new CpuBackend;  // never destroyed
    return *backend;
}

Ref<Buffer> CpuBackend::allocate(size_t nbytes) { return allocate_cpu(nbytes); }

void CpuBackend::submit(const OpCall& call, std::span<Storage> outputs) {
    Engine& engine = Engine::instance();
    const bool side_stream = call.stream.index != 0;
    if (call.opaque == nullptr) check_instruction(call);
    if (!side_stream && !engine.always_delay()) {
        run_now(call, outputs);
        return;
    }
    if (engine.is_shut_down()) throw Error(ErrorKind::Lucid, "lucid: the engine has shut down");
    // Memory that others can write is read now; errors that depend on data belong to this call.
    bool at_once = call.opaque == nullptr && OpRegistry::schema(call.op).may_fail_on_data;
    for (const Storage* input : call.inputs) at_once = at_once || input->box()->value().pinned();
    if (at_once) {
        run_now(call, outputs);
        return;
    }
    auto pending = make_ref<PendingCall>(
        call, side_stream ? PendingCall::Runner::StreamWorker : PendingCall::Runner::Reader);
    pending->make_outputs(outputs);
    if (side_stream) worker(call.stream).post([pending] { pending->run_on_worker(); });
}

void CpuBackend::run_now(const OpCall& call, std::span<Storage> outputs) {
    Engine::instance().kernels_run.fetch_add(1, std::memory_order_relaxed);
    if (call.opaque != nullptr) {
        std::vector<Storage> inputs;
        for (const Storage* input : call.inputs) {
            input->box()->value().force();
            inputs.push_back(*input);
        }
        for (size_t i = 0; i < outputs.size(); ++i) {
            const OutputSpec& spec = call.outputs[i];
            outputs[i] =
                Storage(make_ref<Box>(Value()), spec.dtype, kCpu, spec.shape, spec.strides, 0);
        }
        call.opaque->run(inputs, outputs, call.stream);
        return;
    }
    const OpKernels& kernels = KernelTable::get(call.op);
    if (kernels.instruction != nullptr) {
        outputs[0] = run_instruction(*kernels.instruction, call);
        return;
    }
    Operands operands(call.inputs);
    for (size_t i = 0; i < outputs.size(); ++i) {
        outputs[i] = as_storage(allocate_output(call.outputs[i]), call.outputs[i]);
    }
    auto view_of = [](const Storage& storage) -> cpu::View {
        // The Box is fresh and this thread's alone: its buffer needs no counting.
        return {storage.data(), storage.dtype(), storage.shape(), storage.strides()};
    };
    const Kernel& kernel = kernels.kernels[static_cast<int>(DeviceType::CPU)];
    switch (kernel.kind) {
        case Kernel::Kind::Call: {
            std::vector<cpu::View> views;
            for (const Storage& output : outputs) views.push_back(view_of(output));
            static const Attrs kNoAttrs;
            kernel.call({operands.span(), views, call.attrs != nullptr ? *call.attrs : kNoAttrs});
            return;
        }
        case Kernel::Kind::Instruction:
        case Kernel::Kind::View:
        case Kernel::Kind::Composition:
        case Kernel::Kind::None: break;
    }
    ErrorBuilder(OpRegistry::schema(call.op).name, "the op has no CPU kernel")
        .raise<NotImplementedOp>();
}

StreamWorker& CpuBackend::worker(Stream stream) {
    std::lock_guard lock(streams_mutex_);
    LUCID_ASSERT(stream.index > 0 && static_cast<size_t>(stream.index) <= workers_.size());
    return *workers_[static_cast<size_t>(stream.index) - 1];
}

Stream CpuBackend::new_stream() {
    std::lock_guard lock(streams_mutex_);
    workers_.push_back(std::make_unique<StreamWorker>());
    return Stream{kCpu, static_cast<int32_t>(workers_.size())};
}

bool CpuBackend::has_stream(Stream stream) const noexcept {
    std::lock_guard lock(streams_mutex_);
    return stream.device == kCpu && stream.index >= 0 &&
           static_cast<size_t>(stream.index) <= workers_.size();
}

void CpuBackend::start(Ref<PendingCall> call) {
    background_->post([call] {
        try {
            call->complete();
        } catch (...) {
            // The error stays in the call, for whoever reads it.
        }
    });
}

void CpuBackend::add_delayed(PendingCall* call) {
    std::lock_guard lock(delayed_mutex_);
    delayed_.insert(call);
}

void CpuBackend::remove_delayed(PendingCall* call) noexcept {
    std::lock_guard lock(delayed_mutex_);
    delayed_.erase(call);
}

void CpuBackend::flush_delayed() {
    std::vector<Ref<PendingCall>> calls;
    {
        std::lock_guard lock(delayed_mutex_);
        for (PendingCall* call : delayed_) {
            if (call->try_retain()) calls.push_back(Ref<PendingCall>::adopt(call));
        }
    }
    for (const Ref<PendingCall>& call : calls) call->complete();
}

void CpuBackend::synchronize(Stream stream) {
    if (stream.index == 0) {
        flush_delayed();
    } else {
        worker(stream).drain();
    }
}

void CpuBackend::synchronize() {
    flush_delayed();
    background_->drain();
    size_t count = 0;
    {
        std::lock_guard lock(streams_mutex_);
        count = workers_.size();
    }
    for (size_t i = 1; i <= count; ++i) worker({kCpu, static_cast<int32_t>(i)}).drain();
}

Ref<EventState> CpuBackend::record_event(Stream stream) {
    auto event = make_ref<CpuEvent>();
    if (stream.index == 0) {
        flush_delayed();
        event->set();
    } else {
        worker(stream).post([event] { event->set(); });
    }
    return event;
}

void CpuBackend::wait_event(Stream stream, const Ref<EventState>& event) {
    if (stream.index == 0) {
        event->wait();
    } else {
        worker(stream).post([event] {
            try {
                event->wait();
            } catch (...) {
                // An interrupt belongs to the thread of the user; the order is kept by trying
                // again.
                while (!event->query()) std::this_thread::yield();
            }
        });
    }
}

void CpuBackend::stop_streams() noexcept {
    std::lock_guard lock(streams_mutex_);
    for (auto& worker : workers_) worker->stop();
    background_->stop();
}

void CpuBackend::before_fork() noexcept {
    // Lock order: streams, then each queue, then the pool (docs/design/threads.md).
    streams_mutex_.lock();
    for (auto& worker : workers_) worker->before_fork();
    background_->before_fork();
    delayed_mutex_.lock();
    thread_pool_before_fork();
}

void CpuBackend::after_fork_parent() noexcept {
    thread_pool_after_fork_parent();
    delayed_mutex_.unlock();
    background_->after_fork_parent();
    for (auto& worker : workers_) worker->after_fork_parent();
    streams_mutex_.unlock();
}

void CpuBackend::after_fork_child() noexcept {
    thread_pool_after_fork_child();
    delayed_mutex_.unlock();
    background_->after_fork_child();
    for (auto& worker : workers_) worker->after_fork_child();
    streams_mutex_.unlock();
}

LUCID_NAMESPACE_END
