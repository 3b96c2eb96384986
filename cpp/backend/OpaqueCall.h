// Work that the engine cannot look into (declared inversion: autograd's Primitive implements it).
#pragma once

#include <span>

#include "lucid/tensor/Storage.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API OpaqueCall {
public:
    virtual ~OpaqueCall();
    // Inputs are Ready. The outputs come with shape and dtype but no memory; run() rebinds each Box
    // (and may change strides by replacing the Storage) and returns when the work is done or
    // ordered on `stream`.
    virtual void run(std::span<const Storage> inputs, std::span<Storage> outputs,
                     Stream stream) = 0;
    virtual const char* opaque_name() const noexcept = 0;
};

LUCID_NAMESPACE_END
