#include "lucid/backend/cpu/ReduceLoad.h"

#include <bit>
#include <complex>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/ReduceLoad.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

template <typename T>
constexpr bool kIsComplex = std::is_same_v<T, complex64_t> || std::is_same_v<T, complex128_t>;

// Without a branch, so that loops over it become SIMD code. Exact: the power of two only moves the
// exponent, and half subnormals become normal.
HWY_INLINE float widen_half(uint16_t half) {
    const uint32_t magnitude = static_cast<uint32_t>(half & 0x7fffu) << 13;
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
    const uint32_t finite = std::bit_cast<uint32_t>(scaled);
    const uint32_t special = magnitude | 0x7f800000u | ((half & 0x3ffu) != 0 ? 0x400000u : 0u);
    const uint32_t bits = (half & 0x7c00u) == 0x7c00u ? special : finite;
    return std::bit_cast<float>(bits | static_cast<uint32_t>(half & 0x8000u) << 16);
}

template <typename Acc, typename In>
HWY_INLINE Acc load_value(const In& value) {
    if constexpr (std::is_same_v<In, float16_t>) {
        return static_cast<Acc>(widen_half(value.bits));
    } else if constexpr (std::is_same_v<In, bfloat16_t>) {
        return static_cast<Acc>(bfloat16_bits_to_float(value.bits));
    } else {
        return static_cast<Acc>(value);
    }
}
template <typename In>
HWY_INLINE uint8_t load_truth(const In& value) {
    if constexpr (kIsComplex<In>) {
        return value.real() != 0 || value.imag() != 0;
    } else if constexpr (std::is_same_v<In, float16_t> || std::is_same_v<In, bfloat16_t>) {
        return (value.bits & 0x7fffu) != 0;
    } else {
        return value != In(0);
    }
}

template <typename In, typename Acc>
void load(const void* in, int64_t stride, int64_t n, void* acc) {
    const In* HWY_RESTRICT from = static_cast<const In*>(in);
    Acc* HWY_RESTRICT to = static_cast<Acc*>(acc);
    if (stride == 1) {
        for (int64_t i = 0; i < n; ++i) to[i] = load_value<Acc>(from[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) to[i] = load_value<Acc>(from[i * stride]);
    }
}
template <typename In>
void truth(const void* in, int64_t stride, int64_t n, void* acc) {
    const In* HWY_RESTRICT from = static_cast<const In*>(in);
    uint8_t* HWY_RESTRICT to = static_cast<uint8_t*>(acc);
    if (stride == 1) {
        for (int64_t i = 0; i < n; ++i) to[i] = load_truth(from[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) to[i] = load_truth(from[i * stride]);
    }
}

template <typename In>
LoadFn load_from(Dtype acc) {
    if (acc == Dtype::Bool) return truth<In>;
    if constexpr (kIsComplex<In>) {
        return load<In, In>;
    } else if constexpr (std::is_same_v<In, double>) {
        return load<In, double>;
    } else if constexpr (std::is_same_v<In, float> || sizeof(In) == 2) {
        if constexpr (!std::is_integral_v<In>) return load<In, float>;
    }
    if constexpr (std::is_integral_v<In>) {
        if constexpr (std::is_unsigned_v<In> && !std::is_same_v<In, bool>)
            return load<In, uint64_t>;
        return load<In, int64_t>;
    }
    return nullptr;
}

LoadFn find_load(Dtype in, Dtype acc) {
    return dispatch_dtype(in, [acc]<typename In>() -> LoadFn { return load_from<In>(acc); });
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

HWY_EXPORT(find_load);

namespace {

template <typename Acc, typename Out>
Out store_value(const Acc& value) {
    constexpr bool to_complex =
        std::is_same_v<Out, complex64_t> || std::is_same_v<Out, complex128_t>;
    constexpr bool from_complex =
        std::is_same_v<Acc, complex64_t> || std::is_same_v<Acc, complex128_t>;
    if constexpr (std::is_same_v<Out, bool>) {
        return value != Acc(0);
    } else if constexpr (to_complex && from_complex) {
        return Out(value);
    } else if constexpr (to_complex) {
        return Out(static_cast<typename Out::value_type>(value));
    } else if constexpr (from_complex) {
        return store_value<typename Acc::value_type, Out>(value.real());
    } else if constexpr (std::is_same_v<Out, float16_t> || std::is_same_v<Out, bfloat16_t>) {
        return Out(static_cast<float>(value));
    } else {
        return static_cast<Out>(value);
    }
}

template <typename Acc, typename Out>
void store(const void* acc, int64_t n, void* out, int64_t stride) {
    const Acc* from = static_cast<const Acc*>(acc);
    Out* to = static_cast<Out*>(out);
    if (stride == 1) {
        for (int64_t i = 0; i < n; ++i) to[i] = store_value<Acc, Out>(from[i]);
    } else {
        for (int64_t i = 0; i < n; ++i) to[i * stride] = store_value<Acc, Out>(from[i]);
    }
}

}  // namespace

Dtype accumulator_dtype(Dtype in) noexcept {
    switch (in) {
        case Dtype::Bool:
        case Dtype::Int8:
        case Dtype::Int16:
        case Dtype::Int32:
        case Dtype::Int64: return Dtype::Int64;
        case Dtype::UInt8:
        case Dtype::UInt16:
        case Dtype::UInt32:
        case Dtype::UInt64: return Dtype::UInt64;
        case Dtype::Float16:
        case Dtype::BFloat16: return Dtype::Float32;
        default: return in;
    }
}

LoadFn load_function(Dtype in, Dtype acc) {
    LUCID_ASSERT(acc == Dtype::Bool || acc == accumulator_dtype(in));
    return HWY_DYNAMIC_DISPATCH(find_load)(in, acc);
}

StoreFn store_function(Dtype acc, Dtype out) {
    return dispatch_dtype(out, [acc]<typename Out>() -> StoreFn {
        switch (acc) {
            case Dtype::Bool: return store<uint8_t, Out>;
            case Dtype::Int64: return store<int64_t, Out>;
            case Dtype::UInt64: return store<uint64_t, Out>;
            case Dtype::Float32: return store<float, Out>;
            case Dtype::Float64: return store<double, Out>;
            case Dtype::Complex64: return store<complex64_t, Out>;
            case Dtype::Complex128: return store<complex128_t, Out>;
            default: assertion_failed("an accumulator's dtype", __FILE__, __LINE__);
        }
    });
}

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
