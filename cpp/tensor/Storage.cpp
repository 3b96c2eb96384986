#include "lucid/tensor/Storage.h"

LUCID_NAMESPACE_BEGIN

Storage Storage::dense(Value value, Dtype dtype, Device device, Shape shape) {
    Strides strides = contiguous_strides(shape);
    return Storage(make_ref<Box>(std::move(value)), dtype, device, std::move(shape),
                   std::move(strides), 0);
}

void* Storage::data() const {
    const Ref<Buffer> buffer = box_->force();
    return static_cast<std::byte*>(buffer->data()) + offset_ * itemsize();
}

LUCID_NAMESPACE_END
