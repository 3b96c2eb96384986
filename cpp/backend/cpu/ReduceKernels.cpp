// The SIMD loops of ReduceKernels.h, compiled once for each of Highway's targets. The vectors are
// the compiler's own (one type for all element types, complex ones included as pairs), Highway
// chooses the instruction set: sixteen lanes are two AVX2 or one AVX-512 vector of float, with the
// same bits.
#include "lucid/backend/cpu/ReduceKernels.h"

#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/ReduceKernels.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
constexpr int64_t kVectorBytes = 64;
#elif HWY_TARGET == HWY_AVX2
constexpr int64_t kVectorBytes = 32;
#else
constexpr int64_t kVectorBytes = 16;
#endif

template <typename T>
struct VectorOf {
    typedef T Type __attribute__((vector_size(kVectorBytes)));
    typedef T Unaligned __attribute__((vector_size(kVectorBytes), aligned(alignof(T)), may_alias));
    static constexpr int64_t kLanes = kVectorBytes / static_cast<int64_t>(sizeof(T));
};

// Each op for scalars and for vectors.
struct SumOp {
    template <typename V>
    static HWY_INLINE void apply(V& a, const V& b) {
        a = a + b;
    }
};
struct ProdOp {
    template <typename V>
    static HWY_INLINE void apply(V& a, const V& b) {
        a = a * b;
    }
};
struct MaxOp {
    template <typename V>
    static HWY_INLINE void apply(V& a, const V& b) {
        a = ((b > a) | (b != b)) ? b : a;
    }
};
struct MinOp {
    template <typename V>
    static HWY_INLINE void apply(V& a, const V& b) {
        a = ((b < a) | (b != b)) ? b : a;
    }
};

// kWidth values of T make the sixteen lanes: 16, or 32 parts of complex numbers.
template <typename T, typename Op, int64_t kWidth>
HWY_INLINE void chunk_lanes(const T* HWY_RESTRICT x, int64_t n, T identity, T* HWY_RESTRICT lanes) {
    using Vec = VectorOf<T>;
    using V = typename Vec::Type;
    if constexpr (Vec::kLanes <= kWidth) {
        constexpr int64_t kVectors = kWidth / Vec::kLanes;
        V acc[kVectors];
        for (int64_t j = 0; j < kVectors; ++j) acc[j] = V{} + identity;
        int64_t i = 0;
        for (; i + kWidth <= n; i += kWidth) {
            for (int64_t j = 0; j < kVectors; ++j) {
                const V value =
                    *reinterpret_cast<const typename Vec::Unaligned*>(x + i + j * Vec::kLanes);
                Op::apply(acc[j], value);
            }
        }
        for (int64_t j = 0; j < kVectors; ++j) {
            *reinterpret_cast<typename Vec::Unaligned*>(lanes + j * Vec::kLanes) = acc[j];
        }
        for (int64_t j = 0; i < n; ++i, ++j) Op::apply(lanes[j], x[i]);
    } else {
        for (int64_t j = 0; j < kWidth; ++j) lanes[j] = identity;
        for (int64_t i = 0; i < n; ++i) Op::apply(lanes[i % kWidth], x[i]);
    }
}

template <typename T, typename Op>
T chunk(const T* x, int64_t n, T identity) {
    T lanes[kReduceLanes];
    chunk_lanes<T, Op, kReduceLanes>(x, n, identity, lanes);
    for (int64_t half = kReduceLanes / 2; half > 0; half /= 2) {
        for (int64_t i = 0; i < half; ++i) Op::apply(lanes[i], lanes[i + half]);
    }
    return lanes[0];
}

template <typename T, typename Op>
void accumulate(T* HWY_RESTRICT acc, const T* HWY_RESTRICT x, int64_t n) {
    using Vec = VectorOf<T>;
    using V = typename Vec::Type;
    int64_t i = 0;
    for (; i + Vec::kLanes <= n; i += Vec::kLanes) {
        auto* where = reinterpret_cast<typename Vec::Unaligned*>(acc + i);
        V value = *where;
        Op::apply(value, V(*reinterpret_cast<const typename Vec::Unaligned*>(x + i)));
        *where = value;
    }
    for (; i < n; ++i) Op::apply(acc[i], x[i]);
}

template <typename T, typename Op>
void accumulate4(T* HWY_RESTRICT acc, const T* HWY_RESTRICT x, int64_t stride, int64_t n) {
    using Vec = VectorOf<T>;
    using V = typename Vec::Type;
    int64_t i = 0;
    for (; i + Vec::kLanes <= n; i += Vec::kLanes) {
        auto* where = reinterpret_cast<typename Vec::Unaligned*>(acc + i);
        V value = *where;
        for (int64_t k = 0; k < 4; ++k) {
            const T* from = x + k * stride + i;
            Op::apply(value, V(*reinterpret_cast<const typename Vec::Unaligned*>(from)));
        }
        *where = value;
    }
    for (; i < n; ++i) {
        for (int64_t k = 0; k < 4; ++k) Op::apply(acc[i], x[k * stride + i]);
    }
}

template <typename C, typename R = typename C::value_type>
C complex_sum_chunk(const C* x, int64_t n) {
    constexpr int64_t kWidth = 2 * kReduceLanes;
    R lanes[kWidth];
    chunk_lanes<R, SumOp, kWidth>(reinterpret_cast<const R*>(x), 2 * n, R{0}, lanes);
    for (int64_t half = kWidth / 2; half > 1; half /= 2) {
        for (int64_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
    }
    return {lanes[0], lanes[1]};
}
template <typename C, typename R = typename C::value_type>
void complex_sum_accumulate(C* acc, const C* x, int64_t n) {
    accumulate<R, SumOp>(reinterpret_cast<R*>(acc), reinterpret_cast<const R*>(x), 2 * n);
}

template <typename C, typename R = typename C::value_type>
void complex_sum_accumulate4(C* acc, const C* x, int64_t stride, int64_t n) {
    accumulate4<R, SumOp>(reinterpret_cast<R*>(acc), reinterpret_cast<const R*>(x), 2 * stride,
                          2 * n);
}

// g++ 12 turns the subtraction and addition of a complex product into vfmaddsub even with
// -ffp-contract=off; a product that went through here is rounded first.
template <typename R>
HWY_INLINE R rounded(R x) {
#if HWY_ARCH_X86
    __asm__("" : "+x"(x));
#elif HWY_ARCH_ARM_A64
    __asm__("" : "+w"(x));
#endif
    return x;
}

// Without the recovery of infinities that C's Annex G wants: plain multiplication, as in the op
// multiply.
template <typename C>
HWY_INLINE C times(C a, C b) {
    return {rounded(a.real() * b.real()) - rounded(a.imag() * b.imag()),
            rounded(a.real() * b.imag()) + rounded(a.imag() * b.real())};
}
template <typename C>
C complex_prod_chunk(const C* x, int64_t n) {
    C lanes[kReduceLanes];
    for (C& lane : lanes) lane = C(1);
    for (int64_t i = 0; i < n; ++i) lanes[i % kReduceLanes] = times(lanes[i % kReduceLanes], x[i]);
    for (int64_t half = kReduceLanes / 2; half > 0; half /= 2) {
        for (int64_t i = 0; i < half; ++i) lanes[i] = times(lanes[i], lanes[i + half]);
    }
    return lanes[0];
}
template <typename C>
void complex_prod_accumulate(C* acc, const C* x, int64_t n) {
    for (int64_t i = 0; i < n; ++i) acc[i] = times(acc[i], x[i]);
}

template <typename C>
void complex_prod_accumulate4(C* acc, const C* x, int64_t stride, int64_t n) {
    for (int64_t k = 0; k < 4; ++k) complex_prod_accumulate(acc, x + k * stride, n);
}

template <typename T>
constexpr T lowest() {
    if constexpr (std::numeric_limits<T>::has_infinity) {
        return -std::numeric_limits<T>::infinity();
    } else {
        return std::numeric_limits<T>::lowest();
    }
}
template <typename T>
constexpr T highest() {
    if constexpr (std::numeric_limits<T>::has_infinity) {
        return std::numeric_limits<T>::infinity();
    } else {
        return std::numeric_limits<T>::max();
    }
}

// Sums and products of signed integers wrap, so they are computed unsigned.
template <typename T, typename Op>
using Wrapping = std::conditional_t<std::is_same_v<T, int64_t> &&
                                        (std::is_same_v<Op, SumOp> || std::is_same_v<Op, ProdOp>),
                                    uint64_t, T>;

template <typename T, typename Op, T (*kIdentity)()>
T real_chunk(const T* x, int64_t n) {
    using W = Wrapping<T, Op>;
    return static_cast<T>(
        chunk<W, Op>(reinterpret_cast<const W*>(x), n, static_cast<W>(kIdentity())));
}
template <typename T, typename Op>
void real_accumulate(T* acc, const T* x, int64_t n) {
    using W = Wrapping<T, Op>;
    accumulate<W, Op>(reinterpret_cast<W*>(acc), reinterpret_cast<const W*>(x), n);
}
template <typename T, typename Op>
void real_accumulate4(T* acc, const T* x, int64_t stride, int64_t n) {
    using W = Wrapping<T, Op>;
    accumulate4<W, Op>(reinterpret_cast<W*>(acc), reinterpret_cast<const W*>(x), stride, n);
}
template <typename T>
constexpr T zero() {
    return T(0);
}
template <typename T>
constexpr T one() {
    return T(1);
}

template <typename T>
const LaneKernels<T>* real_kernels(LaneOp op) {
    static constexpr LaneKernels<T> table[4] = {
        {real_chunk<T, SumOp, zero<T>>, real_accumulate<T, SumOp>, real_accumulate4<T, SumOp>,
         T(0)},
        {real_chunk<T, ProdOp, one<T>>, real_accumulate<T, ProdOp>, real_accumulate4<T, ProdOp>,
         T(1)},
        {real_chunk<T, MaxOp, lowest<T>>, real_accumulate<T, MaxOp>, real_accumulate4<T, MaxOp>,
         lowest<T>()},
        {real_chunk<T, MinOp, highest<T>>, real_accumulate<T, MinOp>, real_accumulate4<T, MinOp>,
         highest<T>()},
    };
    return &table[static_cast<int>(op)];
}

template <typename C>
const LaneKernels<C>* complex_kernels(LaneOp op) {
    static constexpr LaneKernels<C> table[2] = {
        {complex_sum_chunk<C>, complex_sum_accumulate<C>, complex_sum_accumulate4<C>, C(0)},
        {complex_prod_chunk<C>, complex_prod_accumulate<C>, complex_prod_accumulate4<C>, C(1)},
    };
    return &table[static_cast<int>(op)];
}

const LaneKernels<float>* kernels_float(LaneOp op) { return real_kernels<float>(op); }
const LaneKernels<double>* kernels_double(LaneOp op) { return real_kernels<double>(op); }
const LaneKernels<int64_t>* kernels_int64(LaneOp op) { return real_kernels<int64_t>(op); }
const LaneKernels<uint64_t>* kernels_uint64(LaneOp op) { return real_kernels<uint64_t>(op); }
const LaneKernels<uint8_t>* kernels_uint8(LaneOp op) { return real_kernels<uint8_t>(op); }
const LaneKernels<complex64_t>* kernels_c64(LaneOp op) { return complex_kernels<complex64_t>(op); }
const LaneKernels<complex128_t>* kernels_c128(LaneOp op) {
    return complex_kernels<complex128_t>(op);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

#define LUCID_LANE_KERNELS(T, name)                    \
    HWY_EXPORT(name);                                  \
    template <>                                        \
    const LaneKernels<T>& lane_kernels<T>(LaneOp op) { \
        return *HWY_DYNAMIC_DISPATCH(name)(op);        \
    }
LUCID_LANE_KERNELS(float, kernels_float)
LUCID_LANE_KERNELS(double, kernels_double)
LUCID_LANE_KERNELS(int64_t, kernels_int64)
LUCID_LANE_KERNELS(uint64_t, kernels_uint64)
LUCID_LANE_KERNELS(uint8_t, kernels_uint8)
LUCID_LANE_KERNELS(complex64_t, kernels_c64)
LUCID_LANE_KERNELS(complex128_t, kernels_c128)
#undef LUCID_LANE_KERNELS

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
