// The elementwise passes over one row of softmax, for each instruction set. T is float or double; y
// may be one of the inputs.
#pragma once

#include <cstdint>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

template <typename T>
struct RowKernels {
    void (*subtract)(const T* x, T value, int64_t n, T* y);     // x - value
    void (*divide)(const T* x, T value, int64_t n, T* y);       // x / value
    void (*multiply)(const T* a, const T* b, int64_t n, T* y);  // a * b
    // (a - value) * b
    void (*subtract_multiply)(const T* a, T value, const T* b, int64_t n, T* y);
    // a - b * value
    void (*multiply_subtract)(const T* a, const T* b, T value, int64_t n, T* y);
};

template <typename T>
const RowKernels<T>& row_kernels();

}  // namespace cpu
LUCID_NAMESPACE_END
