// Devices and stream ids. A Stream names an order of execution on one device; its state lives in
// the backend. Index 0 of the CPU is the caller's own thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

enum class DeviceType : uint8_t { CPU, CUDA };
inline constexpr int kNumDeviceTypes = 2;

struct Device {
    DeviceType type = DeviceType::CPU;
    int16_t index = 0;
    friend bool operator==(const Device&, const Device&) = default;
};
inline constexpr Device kCpu{};

// "cpu", "cuda:0".
LUCID_API std::string to_string(Device device);
// Accepts "cpu", "cuda", "cuda:1", and "gpu" for "cuda"; throws DeviceMismatch naming the text.
LUCID_API Device device_from_name(std::string_view name);

struct Stream {
    Device device;
    int32_t index = 0;
    friend bool operator==(const Stream&, const Stream&) = default;
};
LUCID_API std::string to_string(Stream stream);

LUCID_NAMESPACE_END
