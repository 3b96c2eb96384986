// What a CPU kernel sees: a pointer, a dtype, and a shape with strides in elements. Kernels own
// nothing.
#pragma once

#include "lucid/core/Dtype.h"
#include "lucid/core/Shape.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

struct ConstView {
    const void* data;
    Dtype dtype;
    DimSpan shape;
    DimSpan strides;
    template <typename T>
    const T* as() const noexcept {
        return static_cast<const T*>(data);
    }
};

struct View {
    void* data;
    Dtype dtype;
    DimSpan shape;
    DimSpan strides;
    template <typename T>
    T* as() const noexcept {
        return static_cast<T*>(data);
    }
    operator ConstView() const noexcept { return {data, dtype, shape, strides}; }
};

}  // namespace cpu
LUCID_NAMESPACE_END
