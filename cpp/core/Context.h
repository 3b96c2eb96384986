// The modes of the calling thread: gradient recording, autocast, streams, default dtype and device.
// A plain thread-local struct: an op reads it once.
#pragma once

#include "lucid/core/Device.h"
#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN

struct Autocast {
    bool enabled = false;
    Dtype dtype = Dtype::BFloat16;
};

struct Context {
    bool grad_enabled = true;
    bool inference = false;
    bool anomaly = false;     // keep where each node was made; check backward for nan
    bool has_stream = false;  // a stream other than the default is current
    Dtype default_dtype = Dtype::Float32;
    Device default_device = kCpu;
    Stream stream[kNumDeviceTypes] = {Stream{{DeviceType::CPU, 0}, 0},
                                      Stream{{DeviceType::CUDA, 0}, 0}};
    Autocast autocast[kNumDeviceTypes];
    // Nesting of flushes on this thread: kernels called by a hook or an eval run at once.
    int flush_depth = 0;
};

LUCID_API Context& context() noexcept;

// Sets one member for a scope: `Scoped no_grad(context().grad_enabled, false);`
template <typename T>
class Scoped {
public:
    Scoped(T& target, T value) noexcept : target_(target), before_(target) { target_ = value; }
    ~Scoped() { target_ = before_; }
    Scoped(const Scoped&) = delete;
    Scoped& operator=(const Scoped&) = delete;

private:
    T& target_;
    T before_;
};

LUCID_NAMESPACE_END
