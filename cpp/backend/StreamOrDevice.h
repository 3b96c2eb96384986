// The last argument of every op: nothing (the current stream of the tensors' device), a stream, or
// a device. A stream must be on the tensors' device.
#pragma once

#include <variant>

#include "lucid/core/Device.h"

LUCID_NAMESPACE_BEGIN

using StreamOrDevice = std::variant<std::monostate, Stream, Device>;

// The stream that is meant: for nothing, the current stream of the default device.
LUCID_API Stream to_stream(const StreamOrDevice& where);
// As above for an op on `device`; throws DeviceMismatch when the stream is on another one.
LUCID_API Stream stream_for(const StreamOrDevice& where, Device device, const char* op);

LUCID_NAMESPACE_END
