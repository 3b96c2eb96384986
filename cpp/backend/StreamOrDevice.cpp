#include "lucid/backend/StreamOrDevice.h"

#include "lucid/backend/Dispatcher.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

Stream current_stream(Device device) {
    Stream stream = context().stream[static_cast<int>(device.type)];
    if (!(stream.device == device)) stream = Stream{device, 0};
    return stream;
}

}  // namespace

Stream to_stream(const StreamOrDevice& where) {
    if (const auto* stream = std::get_if<Stream>(&where)) return *stream;
    if (const auto* device = std::get_if<Device>(&where)) return current_stream(*device);
    return current_stream(context().default_device);
}

Stream stream_for(const StreamOrDevice& where, Device device, const char* op) {
    if (std::holds_alternative<std::monostate>(where)) {
        return context().has_stream ? current_stream(device) : Stream{device, 0};
    }
    const Stream stream = to_stream(where);
    if (!(stream.device == device)) {
        ErrorBuilder(op, "the stream is on another device than the tensors")
            .given("stream", to_string(stream))
            .given("tensors", to_string(device))
            .rule("move the tensors first: x.to(\"" + to_string(stream.device) + "\")")
            .raise<DeviceMismatch>();
    }
    if (!Dispatcher::for_device(device)->has_stream(stream)) {
        ErrorBuilder(op, "there is no such stream")
            .given("stream", to_string(stream))
            .rule("make one with lucid.new_stream(device)")
            .raise<DeviceMismatch>();
    }
    return stream;
}

LUCID_NAMESPACE_END
