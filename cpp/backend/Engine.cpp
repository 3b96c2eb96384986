#include "lucid/backend/Engine.h"

#include "lucid/backend/CpuBackend.h"
#include "lucid/backend/Dispatcher.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN
namespace backend {

Engine::Engine() : cpu_generator_(make_ref<Generator>()) {}

Engine& Engine::instance() noexcept {
    static Engine* engine = new Engine;  // never destroyed: ops may run until the process ends
    return *engine;
}

Generator& Engine::default_generator(Device device) {
    if (device.type != DeviceType::CPU) Dispatcher::for_device(device);  // raises
    return *cpu_generator_;
}

EngineStats Engine::stats() const noexcept {
    return {kernels_run.load(std::memory_order_relaxed),
            static_cast<uint64_t>(calls_pending.load(std::memory_order_relaxed))};
}

void Engine::shut_down() noexcept {
    if (shut_down_.load(std::memory_order_acquire)) return;
    CpuBackend::instance().stop_streams();
    shut_down_.store(true, std::memory_order_release);
    shut_down_thread_pool();
}

}  // namespace backend

IBackend* Dispatcher::for_device(Device device) {
    if (device.type == DeviceType::CPU) return &CpuBackend::instance();
    ErrorBuilder("lucid", "this build has no backend for the device")
        .given("device", to_string(device))
        .given("present", "cpu")
        .raise<DeviceMismatch>();
}

LUCID_NAMESPACE_END
