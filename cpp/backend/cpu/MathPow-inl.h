// pow. float64: the logarithm and its product with y in two doubles (about 2^-65), then exp of the
// sum: below 1 ulp. float32 (and the 16-bit types) go through one-double float64. Special cases as
// C's Annex F.
#include "lucid/backend/cpu/Math-inl.h"

#if defined(LUCID_MATH_POW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LUCID_MATH_POW_INL_H_
#undef LUCID_MATH_POW_INL_H_
#else
#define LUCID_MATH_POW_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

template <typename V>
struct DoubleDouble {
    V high;
    V low;
};

// log(x) for positive finite x: x = 2^k m, s = (m - 1) / (m + 1), log(m) = 2 s (1 + s^2/3 + s^4/5 +
// ...).
template <typename V>
HWY_INLINE DoubleDouble<V> log_two_doubles(V x) {
    const Decomposed<V> d = decompose(x);
    const V f = d.m - 1;  // exact
    const V g = d.m + 1;
    const V g_low = d.m - (g - 1);
    const V s = f / g;
    const V s_low = fma(-s, g_low, fma(-s, g, f)) / g;
    const V t = s * s;
    const V t_low = fma(s, s, -t) + 2 * s * s_low;
    const V q = t * polynomial(t, 0x1.999999999999ap-3, 0x1.2492492492492p-3, 0x1.c71c71c71c705p-4,
                               0x1.745d1745d3f32p-4, 0x1.3b13b138ee205p-4, 0x1.111112205c9b4p-4,
                               0x1.e1e13f14a2b01p-5, 0x1.af46927e517b2p-5, 0x1.82bd1267b9795p-5,
                               0x1.9871e3a35ad5fp-5);
    const V third = splat<V>(0x1.5555555555555p-2);
    const V u = third + q;
    const V u_low = (third - u) + q + 0x1.5555555555555p-56;
    const V v = t * u;
    const V v_low = fma(t, u, -v) + (t * u_low + t_low * u);
    const V w = s * v;
    const V w_low = fma(s, v, -w) + (s * v_low + s_low * v);
    const V half_log = s + w;
    const V half_log_low = (s - half_log) + w + (s_low + w_low);
    const V base = d.k * Format<double>::kLn2High;  // exact
    const V high = base + 2 * half_log;
    const V low = (base - high) + 2 * half_log;
    return {high, low + fma(d.k, splat<V>(Format<double>::kLn2Low), 2 * half_log_low)};
}

template <typename V>
HWY_INLINE V pow_special_values(V x, V y, V result) {
    constexpr double kInfinity = __builtin_huge_val();
    const V size = magnitude(x);
    const V y_size = magnitude(y);
    const V zero = V{};
    const V infinite = splat<V>(kInfinity);
    const V one = splat<V>(1);
    result = size == 0 ? (y < 0 ? infinite : zero) : result;
    result = size == kInfinity ? (y < 0 ? zero : infinite) : result;
    const V grows = size > 1 ? infinite : (size < 1 ? zero : one);
    const V shrinks = size > 1 ? zero : (size < 1 ? infinite : one);
    result = y_size == kInfinity ? (y > 0 ? grows : shrinks) : result;
    // y is an integer, and an odd one: above 2^52 all are integers, above 2^53 even.
    const V magic = splat<V>(0x1p52);
    const V rounded = (y_size + magic) - magic;
    const auto integral = (y_size >= 0x1p52) | (rounded == y_size);
    const auto low_bit = (UIntVec<V>)(y_size + magic) << 63;
    const auto large_bit = (UIntVec<V>)y_size << 63;
    const auto odd_sign = y_size < 0x1p52 ? low_bit : (y_size < 0x1p53 ? large_bit : UIntVec<V>{});
    const auto negative = (UIntVec<V>)x & odd_sign & (UIntVec<V>)(IntVec<V>)integral;
    result = (V)((UIntVec<V>)result | negative);
    const auto no_root = (x < 0) & (size != kInfinity) & (integral == 0);
    result = no_root ? splat<V>(__builtin_nan("")) : result;
    result = keep_nan(x, keep_nan(y, result));
    return ((x == 1) | (y == 0)) ? one : result;
}

// `wide`: the logarithm in two doubles.
template <bool kWide, typename V>
HWY_INLINE V pow_vector(V x, V y) {
    const V size = magnitude(x);
    V product;
    V low = V{};
    if constexpr (kWide) {
        const DoubleDouble<V> log = log_two_doubles(size);
        product = y * log.high;
        low = fma(y, log.high, -product) + y * log.low;
        // Out of range (or not finite): the low part means nothing, and may be NaN.
        low = magnitude(product) < 1000.0 ? low : V{};
    } else {
        product = y * Log::run(size);
    }
    return pow_special_values(x, y, exp_sum(product, low));
}

struct PowWide {
    template <typename V>
    static HWY_INLINE V run(V x, V y) {
        return pow_vector<true>(x, y);
    }
};
struct PowNarrow {
    template <typename V>
    static HWY_INLINE V run(V x, V y) {
        return pow_vector<false>(x, y);
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
