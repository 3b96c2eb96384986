// The elementary functions in units in the last place, float32 against double and float64 against
// long double: a sweep of all bit patterns, and dense ones where a formula changes or a result
// leaves the normal range. The worst of all 2^32 float32 inputs, run once outside the tests: exp
// 0.798, log 0.840, tanh 1.467, sigmoid 1.475.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "lucid/backend/InstructionTable.h"

using namespace lucid;

namespace {

#ifdef LUCID_ONE_TARGET  // a sanitizer build
constexpr uint64_t kStep = 65537;
constexpr int kPoints = 2000;
constexpr int kDense = 100;
#else
constexpr uint64_t kStep = 4099;
constexpr int kPoints = 100000;
constexpr int kDense = 1500;
#endif

template <typename T>
std::vector<T> run(const char* name, const std::vector<T>& a, const std::vector<T>& b) {
    const RowFn row = find_instruction(name)->row(DtypeOf<T>::value, DtypeOf<T>::value);
    std::vector<T> out(a.size());
    const void* const in[2] = {a.data(), b.data()};
    const int64_t strides[2] = {1, 1};
    row(a.size(), out.data(), in, strides);
    return out;
}

// The distance in ulps of T at the exact result. Infinity counts as the first number beyond the
// largest.
template <typename T, typename Wide>
double distance(T got, Wide want) {
    using Limits = std::numeric_limits<T>;
    const Wide end = std::ldexp(Wide(1), Limits::max_exponent);
    if (std::isnan(want) || std::isnan(got))
        return std::isnan(want) && std::isnan(got) ? 0 : HUGE_VAL;
    const auto clip = [&](Wide x) { return std::abs(x) > end ? std::copysign(end, x) : x; };
    int exponent = 0;
    std::frexp(std::min(std::abs(want), end / 2), &exponent);
    const Wide ulp = std::ldexp(Wide(1), std::max(exponent, Limits::min_exponent) - Limits::digits);
    return static_cast<double>(std::abs(clip(static_cast<Wide>(got)) - clip(want)) / ulp);
}

// The neighbours of x, on both sides.
template <typename T>
void add_neighbours(std::vector<T>& values, T x) {
    using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    for (int i = -kDense; i <= kDense; ++i) {
        const Bits bits = std::bit_cast<Bits>(std::abs(x)) + i;
        values.push_back(
            std::copysign(std::bit_cast<T>(bits & std::numeric_limits<Bits>::max()), x));
    }
}
template <typename T>
const std::vector<T>& sweep() {
    static const std::vector<T> values = [] {
        using Limits = std::numeric_limits<T>;
        std::vector<T> all;
        std::mt19937_64 engine(1);
        if constexpr (sizeof(T) == 4) {
            for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += kStep) {
                all.push_back(std::bit_cast<T>(static_cast<uint32_t>(bits)));
            }
        } else {
            for (int i = 0; i < kPoints; ++i) all.push_back(std::bit_cast<T>(engine()));
        }
        for (double width : {1e-3, 1.0, 5.0, 20.0, 110.0, 760.0}) {
            std::uniform_real_distribution<double> around(-width, width);
            std::uniform_real_distribution<double> octave(-60, 2);
            for (int i = 0; i < kPoints / 6; ++i) {
                all.push_back(static_cast<T>(around(engine)));
                all.push_back(static_cast<T>(1 + around(engine) * 0.1));
                all.push_back(static_cast<T>(std::exp2(octave(engine))));
            }
        }
        // The borders of exp's and sigmoid's range, of tanh's formulas, of log's octaves, of the
        // subnormals.
        const double max_log = std::log(static_cast<double>(Limits::max()));
        const double min_log = std::log(static_cast<double>(Limits::min()));
        const double last_log = std::log(static_cast<double>(Limits::denorm_min()));
        for (double border : {0.0,
                              1.0,
                              max_log,
                              min_log,
                              last_log,
                              last_log - std::log(2.0),
                              max_log / 2,
                              0.5,
                              0.34657359,
                              0.5625,
                              0.625,
                              0.70710678118654752,
                              1.4142135623730951,
                              2.0,
                              9.01,
                              16.6355,
                              19.0615,
                              36.7368,
                              89.0,
                              105.0,
                              711.0,
                              747.0,
                              static_cast<double>(Limits::min()),
                              static_cast<double>(Limits::max())}) {
            for (T sign : {T(1), T(-1)}) add_neighbours(all, sign * static_cast<T>(border));
        }
        add_neighbours(all, Limits::infinity());
        return all;
    }();
    return values;
}

template <typename T, typename Wide, typename F>
void expect_within(const char* name, double bound, F reference) {
    const std::vector<T>& values = sweep<T>();
    const std::vector<T> got = run<T>(name, values, values);
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const double error = distance<T, Wide>(got[i], reference(static_cast<Wide>(values[i])));
        if (error > worst) {
            worst = error;
            where = i;
        }
    }
    std::printf("  %-10s %s  %.3f ulp at %a\n", name, name_of(DtypeOf<T>::value), worst,
                static_cast<double>(values[where]));
    EXPECT_LE(worst, bound) << name << " of " << values[where] << " gave " << got[where];
}
template <typename F>
void expect_both(const char* name, double bound, F reference) {
    expect_within<float, double>(name, bound, reference);
    expect_within<double, long double>(name, bound, reference);
}

TEST(MathAccuracy, Exp) {
    expect_both("exp", 1, [](auto x) { return std::exp(x); });
}
TEST(MathAccuracy, Log) {
    expect_both("log", 1, [](auto x) { return std::log(x); });
}
TEST(MathAccuracy, Tanh) {
    expect_both("tanh", 2, [](auto x) { return std::tanh(x); });
}
TEST(MathAccuracy, Sigmoid) {
    expect_both("sigmoid", 2, [](auto x) {
        const auto e = std::exp(-std::abs(x));
        return (x < 0 ? e : 1) / (1 + e);
    });
}
// Correctly rounded; the rounding of the reference itself is in the last digit.
TEST(MathAccuracy, SqrtAndReciprocal) {
    expect_both("sqrt", 0.5001, [](auto x) { return std::sqrt(x); });
    expect_both("reciprocal", 0.5003, [](auto x) { return 1 / x; });
}

template <typename T, typename Wide>
void expect_pow_within(double bound) {
    using Limits = std::numeric_limits<T>;
    const double end = std::log(static_cast<double>(Limits::max()));
    std::mt19937_64 engine(2);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<T> x;
    std::vector<T> y;
    for (int i = 0; i < kPoints; ++i) {
        T base = std::bit_cast<T>(
            static_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(engine()));
        if (i % 4 == 1)
            base = static_cast<T>(1 + unit(engine) * std::exp2(-30 * std::abs(unit(engine))));
        if (i % 4 == 2) base = static_cast<T>(10 * unit(engine));
        if (i % 4 == 3) base = static_cast<T>(std::abs(unit(engine)));
        T exponent = static_cast<T>(1.05 * end * unit(engine) /
                                    std::log(std::abs(static_cast<double>(base))));
        if (base < 0) exponent = std::round(exponent);
        x.push_back(base);
        y.push_back(exponent);
    }
    const std::vector<T> got = run<T>("pow", x, y);
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const Wide want = std::pow(static_cast<Wide>(x[i]), static_cast<Wide>(y[i]));
        const double error = distance<T, Wide>(got[i], want);
        if (error > worst) {
            worst = error;
            where = i;
        }
        if (std::isnan(want)) continue;
        EXPECT_EQ(std::signbit(got[i]), std::signbit(want)) << x[i] << " ** " << y[i];
    }
    std::printf("  %-10s %s  %.3f ulp at %a, %a\n", "pow", name_of(DtypeOf<T>::value), worst,
                static_cast<double>(x[where]), static_cast<double>(y[where]));
    EXPECT_LE(worst, bound) << x[where] << " ** " << y[where] << " gave " << got[where];
}
TEST(MathAccuracy, Pow) {
    expect_pow_within<float, double>(2);
    expect_pow_within<double, long double>(2);
}

// Zeros, infinities, NaN, integers and their halves: the value and its sign are those of C's Annex
// F.
template <typename T>
void expect_pow_specials() {
    using Limits = std::numeric_limits<T>;
    const T digits =
        std::ldexp(T(1), Limits::digits - 1);  // from here on every number is an integer
    std::vector<T> special = {0,
                              1,
                              2,
                              3,
                              4,
                              T(0.5),
                              T(1.5),
                              T(2.5),
                              digits - T(0.5),
                              digits - 1,
                              digits,
                              digits + 1,
                              2 * digits - 1,
                              2 * digits,
                              2 * digits + 2,
                              4 * digits,
                              1 + Limits::epsilon(),
                              1 - Limits::epsilon() / 2,
                              Limits::denorm_min(),
                              Limits::min(),
                              Limits::max(),
                              Limits::infinity(),
                              Limits::quiet_NaN()};
    const size_t count = special.size();
    for (size_t i = 0; i < count; ++i) special.push_back(-special[i]);
    std::vector<T> x;
    std::vector<T> y;
    for (T a : special) {
        for (T b : special) {
            x.push_back(a);
            y.push_back(b);
        }
    }
    const std::vector<T> got = run<T>("pow", x, y);
    for (size_t i = 0; i < x.size(); ++i) {
        const long double want =
            std::pow(static_cast<long double>(x[i]), static_cast<long double>(y[i]));
        EXPECT_LE((distance<T, long double>(got[i], want)), 2)
            << x[i] << " ** " << y[i] << " gave " << got[i];
        if (std::isnan(want)) continue;
        EXPECT_EQ(std::signbit(got[i]), std::signbit(want))
            << x[i] << " ** " << y[i] << " gave " << got[i];
    }
}
TEST(MathAccuracy, PowOfSpecialValues) {
    expect_pow_specials<float>();
    expect_pow_specials<double>();
}

// tanh is odd and within [-1, 1], sigmoid within [0, 1], exp not negative; log(1), exp(0) ... are
// exact.
template <typename T>
void expect_ranges() {
    const std::vector<T>& values = sweep<T>();
    std::vector<T> negated(values.size());
    for (size_t i = 0; i < values.size(); ++i) negated[i] = -values[i];
    const std::vector<T> tanh = run<T>("tanh", values, values);
    const std::vector<T> mirrored = run<T>("tanh", negated, negated);
    const std::vector<T> sigmoid = run<T>("sigmoid", values, values);
    const std::vector<T> exp = run<T>("exp", values, values);
    for (size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        ASSERT_EQ(tanh[i], -mirrored[i]) << values[i];
        ASSERT_EQ(std::signbit(tanh[i]), std::signbit(values[i])) << values[i];
        ASSERT_LE(std::abs(tanh[i]), 1) << values[i];
        ASSERT_TRUE(sigmoid[i] >= 0 && sigmoid[i] <= 1) << values[i];
        ASSERT_FALSE(std::signbit(exp[i])) << values[i];
    }
    const std::vector<T> zero = {0, -T(0)};
    EXPECT_EQ(run<T>("exp", zero, zero), (std::vector<T>{1, 1}));
    EXPECT_EQ(run<T>("sigmoid", zero, zero), (std::vector<T>{T(0.5), T(0.5)}));
    EXPECT_EQ(run<T>("log", {1}, {1}), std::vector<T>{0});
    EXPECT_FALSE(std::signbit(run<T>("log", {1}, {1})[0]));
}
TEST(MathAccuracy, RangesAndSymmetry) {
    expect_ranges<float>();
    expect_ranges<double>();
}

// The SIMD conversions of the 16-bit types are those of core/Half.h, also of a NaN's payload.
template <typename H>
void expect_half_conversions() {
    constexpr Dtype kHalf = DtypeOf<H>::value;
    const Instruction& cast = *find_instruction("cast");
    const int64_t stride = 1;
    std::vector<H> halves(65536);
    for (size_t i = 0; i < halves.size(); ++i) halves[i].bits = static_cast<uint16_t>(i);
    std::vector<float> widened(halves.size());
    const void* from = halves.data();
    cast.row(kHalf, float32)(halves.size(), widened.data(), &from, &stride);
    for (size_t i = 0; i < halves.size(); ++i) {
        ASSERT_EQ(std::bit_cast<uint32_t>(widened[i]),
                  std::bit_cast<uint32_t>(static_cast<float>(halves[i])))
            << i;
    }
    // All bit patterns, and both neighbours of every half and of every midpoint between two.
    std::vector<float> values = sweep<float>();
    for (const float value : widened) {
        const uint32_t bits = std::bit_cast<uint32_t>(value);
        const uint32_t half_step = kHalf == Dtype::Float16 ? 0x1000 : 0x8000;
        for (const uint32_t offset : {0u, 1u, ~0u, half_step, half_step - 1, half_step + 1}) {
            values.push_back(std::bit_cast<float>(bits + offset));
        }
    }
    for (int i = -3000; i <= 3000; ++i)
        values.push_back(static_cast<float>(i) * 0x1p-27f);  // subnormal halves
    std::vector<H> narrowed(values.size());
    from = values.data();
    cast.row(float32, kHalf)(values.size(), narrowed.data(), &from, &stride);
    for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(narrowed[i].bits, H(values[i]).bits) << values[i];
    }
}
TEST(HalfConversion, IsThatOfCore) {
    expect_half_conversions<float16_t>();
    expect_half_conversions<bfloat16_t>();
}

}  // namespace
