// From a device to its backend.
#pragma once

#include "lucid/backend/IBackend.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API Dispatcher {
public:
    // Throws DeviceMismatch, saying what is there, when this build or machine lacks the device.
    static IBackend* for_device(Device device);
};

LUCID_NAMESPACE_END
