#include "lucid/backend/CommandEncoder.h"

#include "lucid/backend/Allocator.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

Ref<Buffer> allocator::malloc(int64_t nbytes) {
    if (nbytes < 0) throw InvalidArgument("allocator::malloc: a negative size");
    return allocate_cpu(static_cast<size_t>(nbytes));
}

namespace cpu {

namespace {

void check_device(const char* who, const Tensor& tensor) {
    if (tensor.device() == kCpu) return;
    ErrorBuilder(who, "the array is not on the CPU")
        .given("array", describe(tensor))
        .raise<DeviceMismatch>();
}

}  // namespace

void CommandEncoder::set_input_array(const Tensor& input) {
    check_device("set_input_array", input);
}

void CommandEncoder::set_output_array(const Tensor& output) {
    check_device("set_output_array", output);
    if (output.storage().box()->value().kind() == Value::Kind::Empty) {
        throw InvalidArgument("set_output_array: the array has no memory; call set_data() first");
    }
}

CommandEncoder& get_command_encoder(Stream stream) {
    if (!(stream.device == kCpu)) {
        throw DeviceMismatch("cpu::get_command_encoder: " + to_string(stream) +
                             " is not a CPU stream");
    }
    static thread_local CommandEncoder encoder{Stream{}};
    encoder = CommandEncoder(stream);
    return encoder;
}

}  // namespace cpu

LUCID_NAMESPACE_END
