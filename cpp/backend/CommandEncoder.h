// What Primitive::eval_cpu uses: memory for outputs, the encoder of a stream, and index arithmetic.
// The engine calls eval_cpu on the stream's own thread, in order, so an encoder runs its work at
// once.
#pragma once

#include <utility>

#include "lucid/core/Buffer.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

namespace allocator {
// Memory on the CPU, 64-byte aligned, undefined contents. Throws OutOfMemory.
LUCID_API Ref<Buffer> malloc(int64_t nbytes);
}  // namespace allocator

namespace cpu {

class LUCID_API CommandEncoder {
public:
    explicit CommandEncoder(Stream stream) noexcept : stream_(stream) {}
    Stream stream() const noexcept { return stream_; }
    // Raise when the array is on another device, or an output has no memory yet.
    void set_input_array(const Tensor& input);
    void set_output_array(const Tensor& output);
    template <typename F>
    void dispatch(F&& work) {
        std::forward<F>(work)();
    }

private:
    Stream stream_;
};

// Of the calling thread; valid until its next call. Throws DeviceMismatch off the CPU.
LUCID_API CommandEncoder& get_command_encoder(Stream stream);

}  // namespace cpu

// The offset, in elements, of the index-th element in row-major order.
inline int64_t elem_to_loc(int64_t index, DimSpan shape, DimSpan strides) noexcept {
    int64_t offset = 0;
    for (size_t i = shape.size(); i-- > 0;) {
        offset += index % shape[i] * strides[i];
        index /= shape[i];
    }
    return offset;
}

LUCID_NAMESPACE_END
