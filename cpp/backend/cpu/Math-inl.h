// exp, log, tanh and sigmoid of float32 and float64 vectors. Polynomials that are not from fdlibm
// were fitted at Chebyshev nodes in 90 digits. Bounds are measured by
// cpp/tests/backend/map_math_test.cpp.
#include "lucid/backend/cpu/InstructionsVector-inl.h"

#if defined(LUCID_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LUCID_MATH_INL_H_
#undef LUCID_MATH_INL_H_
#else
#define LUCID_MATH_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

template <typename V>
inline constexpr bool kIsFloat = std::is_same_v<ElementOf<V>, float>;

template <typename V>
HWY_INLINE V polynomial(V, ElementOf<V> last) {
    return splat<V>(last);
}
// c0 + x c1 + x^2 c2 ...
template <typename V, typename... Rest>
HWY_INLINE V polynomial(V x, ElementOf<V> first, Rest... rest) {
    return fma(polynomial(x, rest...), x, splat<V>(first));
}

// IEEE formats as the formulas see them.
template <typename T>
struct Format;
template <>
struct Format<float> {
    static constexpr int kMantissa = 23;
    static constexpr uint32_t kBias = 127;
    static constexpr uint32_t kRootHalf = 0x3f3504f3u;  // sqrt(1/2)
    static constexpr float kMinNormal = 0x1p-126f;
    static constexpr float kRoundMagic = 0x1.8p23f;  // x + magic - magic is x rounded to an integer
    static constexpr float kLn2High = 0x1.62e4p-1f;  // 15 bits: n * kLn2High is exact
    static constexpr float kLn2Low = 0x1.7f7d1cp-20f;
    static constexpr float kExpHigh = 89.0f;   // above: inf
    static constexpr float kExpLow = -105.0f;  // below: 0
};
template <>
struct Format<double> {
    static constexpr int kMantissa = 52;
    static constexpr uint64_t kBias = 1023;
    static constexpr uint64_t kRootHalf = 0x3fe6a09e667f3bcdu;
    static constexpr double kMinNormal = 0x1p-1022;
    static constexpr double kRoundMagic = 0x1.8p52;
    static constexpr double kLn2High = 0x1.62e42fefa38p-1;  // 42 bits
    static constexpr double kLn2Low = 0x1.ef35793c7673p-45;
    static constexpr double kExpHigh = 711.0;
    static constexpr double kExpLow = -747.0;
};

// x * 2^k by two exact or finally rounded products, so that a subnormal result is rounded once.
template <typename V>
HWY_INLINE V scale_by_power(V x, UIntVec<V> k) {
    using F = Format<ElementOf<V>>;
    using U = ElementOf<UIntVec<V>>;
    constexpr U kOffset = 4 * (F::kBias + 1);  // makes k positive
    const UIntVec<V> positive = k + kOffset;
    const UIntVec<V> half = positive >> 1;
    const UIntVec<V> rest = positive - half;
    constexpr U kRebias = F::kBias - kOffset / 2;
    const V first = (V)((half + kRebias) << F::kMantissa);
    const V second = (V)((rest + kRebias) << F::kMantissa);
    return x * first * second;
}

// e^(x + low), |low| below an ulp of x: x = n ln2 + r, e^r = 1 + r + r^2 q(r). Below 1 ulp.
template <typename V>
HWY_INLINE V exp_sum(V x, V low) {
    using F = Format<ElementOf<V>>;
    x = x > F::kExpHigh ? splat<V>(F::kExpHigh) : x;  // NaN stays
    x = x < F::kExpLow ? splat<V>(F::kExpLow) : x;
    const V shifted =
        fma(x, splat<V>(static_cast<ElementOf<V>>(0x1.71547652b82fep+0)), splat<V>(F::kRoundMagic));
    const V n = shifted - F::kRoundMagic;
    const UIntVec<V> k = (UIntVec<V>)shifted - (UIntVec<V>)splat<V>(F::kRoundMagic);
    const V high = fma(n, splat<V>(-F::kLn2High), x);
    const V tail = fma(n, splat<V>(-F::kLn2Low), low);
    const V r = high + tail;
    const V r_low = (high - r) + tail;
    V q;
    if constexpr (kIsFloat<V>) {
        q = polynomial(r, 0.5f, 0x1.5554dcp-3f, 0x1.555518p-5f, 0x1.120cbap-7f, 0x1.6d1254p-10f);
    } else {
        q = polynomial(r, 0.5, 0x1.5555555555556p-3, 0x1.5555555553ce3p-5, 0x1.111111111098cp-7,
                       0x1.6c16c178bd6bcp-10, 0x1.a01a01a7e29cdp-13, 0x1.a019b84d17a80p-16,
                       0x1.71de0d383914ap-19, 0x1.28926932adb78p-22, 0x1.af39c20098071p-26);
    }
    const V sum = r + 1;
    const V rest = (r - (sum - 1)) + fma(r * r, q, r_low);
    return scale_by_power(sum + rest, k);
}

// The result of f(NaN): the NaN itself, made quiet. Formulas that meet a NaN twice would return a
// payload or sign that depends on how the compiler ordered the operands.
template <typename V>
HWY_INLINE V keep_nan(V x, V result) {
    return x != x ? x + x : result;
}

struct Exp {
    static constexpr const char* kName = "exp";
    template <typename V>
    static HWY_INLINE V run(V x) {
        return keep_nan(x, exp_sum(x, V{}));
    }
};

// x = 2^k m with m in [sqrt(1/2), sqrt(2)); x positive, also subnormal.
template <typename V>
struct Decomposed {
    V k;
    V m;
};
template <typename V>
HWY_INLINE Decomposed<V> decompose(V x) {
    using F = Format<ElementOf<V>>;
    using U = ElementOf<UIntVec<V>>;
    constexpr ElementOf<V> kLift =
        F::kMantissa == 23 ? static_cast<ElementOf<V>>(0x1p24) : static_cast<ElementOf<V>>(0x1p54);
    constexpr ElementOf<V> kLifted = F::kMantissa + 1 + (F::kMantissa == 52);
    const auto small = x < F::kMinNormal;
    x = small ? x * kLift : x;
    constexpr U kOne = static_cast<U>(F::kBias) << F::kMantissa;
    const UIntVec<V> bits = (UIntVec<V>)x + static_cast<U>(kOne - F::kRootHalf);
    // The exponent as a number: its bits below those of the magic constant.
    const UIntVec<V> exponent =
        (bits >> F::kMantissa) |
        (UIntVec<V>)splat<V>(static_cast<ElementOf<V>>(F::kRoundMagic / 3 * 2));
    const V unbiased = (V)exponent - (static_cast<ElementOf<V>>(F::kRoundMagic / 3 * 2) + F::kBias);
    const UIntVec<V> mantissa = bits & ((U{1} << F::kMantissa) - 1);
    return {small ? unbiased - kLifted : unbiased, (V)(mantissa + F::kRootHalf)};
}

template <typename V>
HWY_INLINE V log_special_values(V x, V result) {
    constexpr ElementOf<V> kInfinity = __builtin_huge_val();
    result = x == kInfinity ? x : result;
    result = x == 0 ? splat<V>(-kInfinity) : result;
    result = x < 0 ? splat<V>(static_cast<ElementOf<V>>(__builtin_nan(""))) : result;
    return keep_nan(x, result);
}

// fdlibm's: log(1 + f) = f - (f^2/2 - s (f^2/2 + R(s^2))), s = f / (2 + f). Below 1 ulp.
struct Log {
    static constexpr const char* kName = "log";
    template <typename V>
    static HWY_INLINE V run(V x) {
        const Decomposed<V> d = decompose(x);
        const V f = d.m - 1;
        const V s = f / (f + 2);
        const V z = s * s;
        V r;
        V high;
        V low;
        if constexpr (kIsFloat<V>) {
            r = z *
                polynomial(z, 0xaaaaaa.0p-24f, 0xccce13.0p-25f, 0x91e9ee.0p-25f, 0xf89e26.0p-26f);
            high = splat<V>(0x1.62e3p-1f);
            low = splat<V>(0x1.2fefa2p-17f);
        } else {
            r = z * polynomial(z, 6.666666666666735130e-01, 3.999999999940941908e-01,
                               2.857142874366239149e-01, 2.222219843214978396e-01,
                               1.818357216161805012e-01, 1.531383769920937332e-01,
                               1.479819860511658591e-01);
            high = splat<V>(6.93147180369123816490e-01);
            low = splat<V>(1.90821492927058770002e-10);
        }
        const V half_square = f * f * splat<V>(static_cast<ElementOf<V>>(0.5));
        const V correction = fma(s, half_square + r, d.k * low);
        // k * high is exact.
        const V result = fma(d.k, high, f - (half_square - correction));
        return log_special_values(x, result);
    }
};

// Near zero x + x^3 P(x^2), else 1 - 2 / (e^(2|x|) + 1). Below 2 ulp.
struct Tanh {
    static constexpr const char* kName = "tanh";
    template <typename V>
    static HWY_INLINE V run(V x) {
        const V size = magnitude(x);
        const V z = x * x;
        V p;
        if constexpr (kIsFloat<V>) {
            p = polynomial(z, -0x1.555556p-2f, 0x1.111102p-3f, -0x1.ba12d8p-5f, 0x1.655dc0p-6f,
                           -0x1.1680dcp-7f, 0x1.460e80p-9f);
        } else {
            p = polynomial(z, -0x1.5555555555555p-2, 0x1.1111111111105p-3, -0x1.ba1ba1ba19d5dp-5,
                           0x1.664f4881ec346p-6, -0x1.226e352b6a427p-7, 0x1.d6d3c26abcbe7p-9,
                           -0x1.7da216499f72dp-10, 0x1.354431e18ea6cp-11, -0x1.f3e303d937561p-13,
                           0x1.8b6e011d560bfp-14, -0x1.1798f633d339fp-15, 0x1.002b1e55e95d8p-17);
        }
        const V near = fma(z * size, p, size);
        const V far = 1 - 2 / (exp_sum(size + size, V{}) + 1);
        const V result = size < static_cast<ElementOf<V>>(0.5625) ? near : far;
        return keep_nan(x, with_sign_of(result, x));
    }
};

// 1 / (1 + e^-x) for x >= 0 and e^x / (1 + e^x) below, which does not overflow; the quotient is
// corrected by its remainder, which knows the rounding of 1 + e. Below 2 ulp.
struct Sigmoid {
    static constexpr const char* kName = "sigmoid";
    template <typename V>
    static HWY_INLINE V run(V x) {
        const V e = exp_sum(negated_magnitude(x), V{});
        const V divisor = e + 1;
        const V divisor_low = e - (divisor - 1);
        const V numerator = x < 0 ? e : splat<V>(1);
        const V quotient = numerator / divisor;
        const V remainder = fma(-quotient, divisor_low, fma(-quotient, divisor, numerator));
        const V inverse = x < 0 ? 1 - quotient : quotient;
        return keep_nan(x, fma(remainder, inverse, quotient));
    }
};

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
