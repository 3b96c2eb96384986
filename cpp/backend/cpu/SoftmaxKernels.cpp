#include "lucid/backend/cpu/SoftmaxKernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/SoftmaxKernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

// Plain loops: the compiler makes SIMD code of them for the target. Each operation rounds by itself
// (-ffp-contract=off), so every target gives the same bits.
template <typename T>
void subtract(const T* x, T value, int64_t n, T* y) {
    for (int64_t i = 0; i < n; ++i) y[i] = x[i] - value;
}
template <typename T>
void divide(const T* x, T value, int64_t n, T* y) {
    for (int64_t i = 0; i < n; ++i) y[i] = x[i] / value;
}
template <typename T>
void multiply(const T* a, const T* b, int64_t n, T* y) {
    for (int64_t i = 0; i < n; ++i) y[i] = a[i] * b[i];
}
template <typename T>
void subtract_multiply(const T* a, T value, const T* b, int64_t n, T* y) {
    for (int64_t i = 0; i < n; ++i) y[i] = (a[i] - value) * b[i];
}
template <typename T>
void multiply_subtract(const T* a, const T* b, T value, int64_t n, T* y) {
    for (int64_t i = 0; i < n; ++i) y[i] = a[i] - b[i] * value;
}

template <typename T>
const RowKernels<T>* find_kernels() {
    static constexpr RowKernels<T> kernels = {subtract<T>, divide<T>, multiply<T>,
                                              subtract_multiply<T>, multiply_subtract<T>};
    return &kernels;
}
const RowKernels<float>* kernels_float() { return find_kernels<float>(); }
const RowKernels<double>* kernels_double() { return find_kernels<double>(); }

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

HWY_EXPORT(kernels_float);
HWY_EXPORT(kernels_double);

template <>
const RowKernels<float>& row_kernels<float>() {
    return *HWY_DYNAMIC_DISPATCH(kernels_float)();
}
template <>
const RowKernels<double>& row_kernels<double>() {
    return *HWY_DYNAMIC_DISPATCH(kernels_double)();
}

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
