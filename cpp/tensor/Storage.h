// A typed, strided handle on a Box: what backends take and return. Copying it is cheap and shares
// the memory; data() forces the value.
#pragma once

#include "lucid/core/Device.h"
#include "lucid/core/Dtype.h"
#include "lucid/core/Shape.h"
#include "lucid/tensor/Value.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API Storage {
public:
    Storage() noexcept = default;
    Storage(Ref<Box> box, Dtype dtype, Device device, Shape shape, Strides strides,
            int64_t offset) noexcept
        : box_(std::move(box)),
          shape_(std::move(shape)),
          strides_(std::move(strides)),
          offset_(offset),
          dtype_(dtype),
          device_(device) {}
    // Row-major over a fresh Box.
    static Storage dense(Value value, Dtype dtype, Device device, Shape shape);

    // An empty Storage stands for "no gradient".
    bool empty_handle() const noexcept { return !box_; }
    explicit operator bool() const noexcept { return static_cast<bool>(box_); }

    const Ref<Box>& box() const noexcept { return box_; }
    Dtype dtype() const noexcept { return dtype_; }
    Device device() const noexcept { return device_; }
    const Shape& shape() const noexcept { return shape_; }
    const Strides& strides() const noexcept { return strides_; }
    int64_t offset() const noexcept { return offset_; }
    int64_t ndim() const noexcept { return static_cast<int64_t>(shape_.size()); }
    int64_t size(int64_t axis) const noexcept {
        return shape_[static_cast<size_t>(axis < 0 ? axis + ndim() : axis)];
    }
    int64_t stride(int64_t axis) const noexcept {
        return strides_[static_cast<size_t>(axis < 0 ? axis + ndim() : axis)];
    }
    int64_t numel() const noexcept {
        int64_t n = 1;
        for (int64_t s : shape_) n *= s;
        return n;
    }
    int64_t itemsize() const noexcept { return size_of(dtype_); }
    int64_t nbytes() const noexcept { return numel() * itemsize(); }
    bool is_contiguous() const noexcept { return lucid::is_contiguous(shape_, strides_); }

    // The address of the first element. Forces the value; valid while the Box keeps it.
    void* data() const;
    template <typename T>
    T* data() const {
        return static_cast<T*>(data());
    }
    // Another geometry over the same Box.
    Storage view(Shape shape, Strides strides, int64_t offset) const {
        return Storage(box_, dtype_, device_, std::move(shape), std::move(strides), offset);
    }
    // The same geometry over a fresh Box that holds the current Value: a snapshot.
    Storage snapshot() const {
        return Storage(make_ref<Box>(box_->value()), dtype_, device_, shape_, strides_, offset_);
    }

private:
    Ref<Box> box_;
    Shape shape_;
    Strides strides_;
    int64_t offset_ = 0;
    Dtype dtype_ = Dtype::Float32;
    Device device_;
};

LUCID_NAMESPACE_END
