// Side streams and the always-delay backend, through the C++ interface.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <latch>
#include <thread>

#include "lucid/backend/Dispatcher.h"
#include "lucid/backend/Engine.h"
#include "lucid/backend/StreamWorker.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"
#include "lucid/ops/ops.h"

namespace {

using namespace lucid;
using backend::Engine;

class Delay {
public:
    Delay() { Engine::instance().set_always_delay(true); }
    ~Delay() { Engine::instance().set_always_delay(false); }
};

TEST(StreamWorker, RunsInOrderAndDrains) {
    StreamWorker worker;
    std::vector<int> order;
    for (int i = 0; i < 100; ++i) worker.post([&order, i] { order.push_back(i); });
    worker.drain();
    ASSERT_EQ(order.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<size_t>(i)], i);
    worker.stop();
    worker.post([&order] { order.clear(); });  // starts again
    worker.drain();
    EXPECT_TRUE(order.empty());
}

TEST(Delay, NothingRunsBeforeTheRead) {
    const Tensor x = ones(Shape{4});
    Delay delay;
    const uint64_t before = Engine::instance().stats().kernels_run;
    const Tensor y = add(mul(x, x), x);
    EXPECT_EQ(Engine::instance().stats().kernels_run, before);
    EXPECT_EQ(y.data<float>()[3], 2.0f);
    EXPECT_EQ(Engine::instance().stats().kernels_run, before + 2);
}

TEST(Delay, UnreadCallsAreDroppedAndCounted) {
    const Tensor x = ones(Shape{4});
    Delay delay;
    const uint64_t pending = Engine::instance().stats().calls_pending;
    {
        const Tensor y = add(x, x);
        EXPECT_EQ(Engine::instance().stats().calls_pending, pending + 1);
    }
    EXPECT_EQ(Engine::instance().stats().calls_pending, pending);
}

TEST(Delay, ManyThreadsForceOneChain) {
    const Tensor x = ones(Shape{100});
    Delay delay;
    for (int round = 0; round < 20; ++round) {
        Tensor y = x;
        for (int i = 0; i < 50; ++i) y = add(y, x);
        std::atomic<int> right{0};
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&] { right += y.storage().data<float>()[99] == 51.0f; });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(right, 4);
    }
}

TEST(Streams, AForeignStreamIsRefused) {
    const Tensor x = ones(Shape{2});
    EXPECT_THROW(add(x, x, Stream{{DeviceType::CUDA, 0}, 0}), DeviceMismatch);
    EXPECT_THROW(add(x, x, Stream{kCpu, 9999}), DeviceMismatch);
}

TEST(Streams, WorkOnASideStreamIsSeenByAll) {
    IBackend* be = Dispatcher::for_device(kCpu);
    const Stream a = be->new_stream();
    const Stream b = be->new_stream();
    Tensor x = ones(Shape{1000});
    for (int i = 0; i < 50; ++i) x = add(x, x, i % 2 == 0 ? a : b);
    EXPECT_EQ(x.data<float>()[999], std::ldexp(1.0f, 50));
    be->synchronize();
}

TEST(Streams, EventsOrder) {
    IBackend* be = Dispatcher::for_device(kCpu);
    const Stream a = be->new_stream();
    const Stream b = be->new_stream();
    const Tensor x = matmul(ones(Shape{300, 300}), ones(Shape{300, 300}), false, false, a);
    const Ref<EventState> event = be->record_event(a);
    be->wait_event(b, event);
    be->synchronize(b);
    EXPECT_TRUE(event->query());
    EXPECT_FALSE(x.storage().box()->value().is_pending() &&
                 !x.storage().box()->value().pending()->is_ready());
}

// Runs only when both of its calls are inside run() at the same time.
class Rendezvous final : public OpaqueCall {
public:
    explicit Rendezvous(std::latch& both) : both_(both) {}
    void run(std::span<const Storage>, std::span<Storage> outputs, Stream) override {
        both_.arrive_and_wait();
        outputs[0].box()->rebind(Value(Dispatcher::for_device(kCpu)->allocate(4)));
    }
    const char* opaque_name() const noexcept override { return "Rendezvous"; }

private:
    std::latch& both_;
};

TEST(Streams, TwoOverlap) {
    IBackend* be = Dispatcher::for_device(kCpu);
    std::latch both(2);
    const OutputSpec spec = OutputSpec::dense(float32, Shape{1});
    Storage outputs[2];
    for (Storage& output : outputs) {
        OpCall call;
        call.outputs = {&spec, 1};
        call.stream = be->new_stream();
        call.opaque = std::make_shared<Rendezvous>(both);
        be->submit(call, {&output, 1});
    }
    for (const Storage& output : outputs) EXPECT_NE(output.data(), nullptr);
}

}  // namespace
