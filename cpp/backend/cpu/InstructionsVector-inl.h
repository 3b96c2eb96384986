// Vectors of any element type and length for the SIMD sources, compiled once per target: the
// compiler's own vectors (operators, comparisons, `mask ? a : b`, __builtin_convertvector), and the
// few things that they lack: fused multiply-add, square root, conversions of the 16-bit types.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "lucid/core/Dtype.h"

#if defined(LUCID_INSTRUCTIONS_VECTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LUCID_INSTRUCTIONS_VECTOR_INL_H_
#undef LUCID_INSTRUCTIONS_VECTOR_INL_H_
#else
#define LUCID_INSTRUCTIONS_VECTOR_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
inline constexpr size_t kVectorBytes = 64;
#elif HWY_ARCH_X86
inline constexpr size_t kVectorBytes = 32;
#else
inline constexpr size_t kVectorBytes = 16;
#endif

template <typename T, size_t N>
struct VecOf {
    typedef T Type __attribute__((vector_size(N * sizeof(T))));
};
template <typename T, size_t N>
using Vec = typename VecOf<T, N>::Type;

template <typename V>
using ElementOf = std::remove_cvref_t<decltype(std::declval<V&>()[0])>;
template <typename V>
inline constexpr size_t kLanesOf = sizeof(V) / sizeof(ElementOf<V>);

template <size_t kBytes>
struct IntOf;
template <>
struct IntOf<1> {
    using Signed = int8_t;
    using Unsigned = uint8_t;
};
template <>
struct IntOf<2> {
    using Signed = int16_t;
    using Unsigned = uint16_t;
};
template <>
struct IntOf<4> {
    using Signed = int32_t;
    using Unsigned = uint32_t;
};
template <>
struct IntOf<8> {
    using Signed = int64_t;
    using Unsigned = uint64_t;
};
// Integer vectors of the same lanes; a C cast between them and V keeps the bits.
template <typename V>
using IntVec = Vec<typename IntOf<sizeof(ElementOf<V>)>::Signed, kLanesOf<V>>;
template <typename V>
using UIntVec = Vec<typename IntOf<sizeof(ElementOf<V>)>::Unsigned, kLanesOf<V>>;

template <typename T, size_t N>
HWY_INLINE Vec<T, N> load(const T* from) {
    Vec<T, N> v;
    __builtin_memcpy(&v, from, sizeof(v));
    return v;
}
template <typename V, typename T>
HWY_INLINE void store(T* to, V v) {
    __builtin_memcpy(to, &v, sizeof(v));
}
template <typename V>
HWY_INLINE V splat(ElementOf<V> value) {
    return V{} + value;
}
// Keeps the bits of a -0.0, which V{} + value would make +0.0.
template <typename V>
HWY_INLINE V splat_bits(typename IntOf<sizeof(ElementOf<V>)>::Unsigned bits) {
    return (V)(UIntVec<V>{} + bits);
}
// C's conversions. Integers grow or shrink by one size at a time: the compilers know an instruction
// for each such step, but take a vector apart for a longer one.
template <typename To, typename V>
HWY_INLINE Vec<To, kLanesOf<V>> convert(V v) {
    using From = ElementOf<V>;
    if constexpr (std::is_same_v<To, From>) {
        return v;
    } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From> &&
                         (sizeof(To) > 2 * sizeof(From) || sizeof(From) > 2 * sizeof(To))) {
        using Step = IntOf<(sizeof(To) > sizeof(From) ? 2 * sizeof(From) : sizeof(From) / 2)>;
        using Next = std::conditional_t<std::is_signed_v<From>, typename Step::Signed,
                                        typename Step::Unsigned>;
        return convert<To>(__builtin_convertvector(v, Vec<Next, kLanesOf<V>>));
    } else {
        return __builtin_convertvector(v, Vec<To, kLanesOf<V>>);
    }
}

template <typename V>
inline constexpr auto kSignBit = static_cast<typename IntOf<sizeof(ElementOf<V>)>::Unsigned>(1)
                                 << (8 * sizeof(ElementOf<V>) - 1);

template <typename V>
HWY_INLINE V magnitude(V v) {
    return (V)((UIntVec<V>)v & ~kSignBit<V>);
}
template <typename V>
HWY_INLINE V negated_magnitude(V v) {
    return (V)((UIntVec<V>)v | kSignBit<V>);
}
template <typename V>
HWY_INLINE V with_sign_of(V magnitude_bits, V sign) {
    return (V)(((UIntVec<V>)magnitude_bits & ~kSignBit<V>) | ((UIntVec<V>)sign & kSignBit<V>));
}

// a * b + c with one rounding. Only inside the definition of one instruction.
template <typename V>
HWY_INLINE V fma(V a, V b, V c) {
    constexpr bool kFloat = std::is_same_v<ElementOf<V>, float>;
#if HWY_ARCH_X86
    if constexpr (sizeof(V) == 16) {
        if constexpr (kFloat)
            return (V)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
        else
            return (V)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
    } else if constexpr (sizeof(V) == 32) {
        if constexpr (kFloat)
            return (V)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
        else
            return (V)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
    }
#if HWY_TARGET <= HWY_AVX3
    else {
        static_assert(sizeof(V) == 64);
        if constexpr (kFloat)
            return (V)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
        else
            return (V)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
    }
#endif
#else
    static_assert(sizeof(V) == 16);
    if constexpr (kFloat)
        return (V)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
    else
        return (V)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#endif
}

// Correctly rounded.
template <typename V>
HWY_INLINE V square_root(V a) {
    constexpr bool kFloat = std::is_same_v<ElementOf<V>, float>;
#if HWY_ARCH_X86
    if constexpr (sizeof(V) == 32) {
        if constexpr (kFloat)
            return (V)_mm256_sqrt_ps((__m256)a);
        else
            return (V)_mm256_sqrt_pd((__m256d)a);
    }
#if HWY_TARGET <= HWY_AVX3
    else {
        static_assert(sizeof(V) == 64);
        if constexpr (kFloat)
            return (V)_mm512_sqrt_ps((__m512)a);
        else
            return (V)_mm512_sqrt_pd((__m512d)a);
    }
#endif
#else
    if constexpr (kFloat)
        return (V)vsqrtq_f32((float32x4_t)a);
    else
        return (V)vsqrtq_f64((float64x2_t)a);
#endif
}

// The conversions of core/Half.h, to the bit, also of a NaN's payload.
template <typename V, size_t N = kLanesOf<V>>
HWY_INLINE Vec<float, N> float_from_half(V bits) {
    using F = Vec<float, N>;
#if HWY_ARCH_X86
    if constexpr (N == 4) {
        return (F)_mm_cvtph_ps(_mm_cvtsi64_si128(__builtin_bit_cast(long long, bits)));
    } else if constexpr (N == 8) {
        return (F)_mm256_cvtph_ps((__m128i)bits);
    }
#if HWY_TARGET <= HWY_AVX3
    else {
        static_assert(N == 16);
        return (F)_mm512_cvtph_ps((__m256i)bits);
    }
#endif
#else
    F result{};
    for (size_t i = 0; i < N; ++i) result[i] = half_bits_to_float(bits[i]);
    return result;
#endif
}
template <typename V, size_t N = kLanesOf<V>>
HWY_INLINE Vec<uint16_t, N> half_from_float(V v) {
    using H = Vec<uint16_t, N>;
#if HWY_ARCH_X86
    if constexpr (N == 4) {
        return __builtin_bit_cast(H, _mm_cvtsi128_si64(_mm_cvtps_ph((__m128)v, 0)));
    } else if constexpr (N == 8) {
        return (H)_mm256_cvtps_ph((__m256)v, 0);
    }
#if HWY_TARGET <= HWY_AVX3
    else {
        static_assert(N == 16);
        return (H)_mm512_cvtps_ph((__m512)v, 0);
    }
#endif
#else
    H result{};
    for (size_t i = 0; i < N; ++i) result[i] = float_to_half_bits(v[i]);
    return result;
#endif
}
template <typename V>
HWY_INLINE auto float_from_bfloat16(V bits) {
    return (Vec<float, kLanesOf<V>>)(convert<uint32_t>(bits) << 16);
}
template <typename V>
HWY_INLINE auto bfloat16_from_float(V v) {
    const UIntVec<V> bits = (UIntVec<V>)v;
    const UIntVec<V> rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    const UIntVec<V> quiet = (bits >> 16) | 0x0040u;
    return convert<uint16_t>(v != v ? quiet : rounded);
}

// How a dtype lies in memory (Storage) and what it is computed in (Compute).
template <typename T>
struct Element {
    using Storage = T;
    using Compute = T;
    template <typename V>
    static HWY_INLINE V widen(V v) {
        return v;
    }
    template <typename V>
    static HWY_INLINE V narrow(V v) {
        return v;
    }
};
template <>
struct Element<bool> : Element<uint8_t> {};
template <>
struct Element<float16_t> {
    using Storage = uint16_t;
    using Compute = float;
    template <typename V>
    static HWY_INLINE auto widen(V v) {
        return float_from_half(v);
    }
    template <typename V>
    static HWY_INLINE auto narrow(V v) {
        return half_from_float(v);
    }
};
template <>
struct Element<bfloat16_t> {
    using Storage = uint16_t;
    using Compute = float;
    template <typename V>
    static HWY_INLINE auto widen(V v) {
        return float_from_bfloat16(v);
    }
    template <typename V>
    static HWY_INLINE auto narrow(V v) {
        return bfloat16_from_float(v);
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
