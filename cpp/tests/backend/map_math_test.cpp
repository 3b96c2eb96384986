// The accuracy of the elementary functions in units of the last place, and their special values.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "lucid/backend/InstructionTable.h"

using namespace lucid;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <typename T>
std::vector<T> run(const char* name, const std::vector<T>& a, const std::vector<T>& b = {}) {
    const RowFn row = find_instruction(name)->row(DtypeOf<T>::value, DtypeOf<T>::value);
    std::vector<T> out(a.size());
    const void* const in[2] = {a.data(), b.data()};
    const int64_t strides[2] = {1, 1};
    row(a.size(), out.data(), in, strides);
    return out;
}
template <typename T>
T run1(const char* name, double a, double b = 0) {
    return run<T>(name, std::vector<T>{static_cast<T>(a)}, std::vector<T>{static_cast<T>(b)})[0];
}

// The distance from the exact value in ulps of T at it; infinite for a wrong special value.
template <typename T, typename Wide>
double ulps(T got, Wide want) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(want)) return std::isnan(got) ? 0 : HUGE_VAL;
    if (std::isinf(want)) return static_cast<Wide>(got) == want ? 0 : HUGE_VAL;
    int exponent = 0;
    std::frexp(want, &exponent);
    const Wide ulp = std::ldexp(Wide(1), std::max(exponent, Limits::min_exponent) - Limits::digits);
    if (std::isinf(got)) {
        const Wide end = std::ldexp(Wide(1), Limits::max_exponent);  // one ulp above the largest
        return std::signbit(got) == std::signbit(want)
                   ? static_cast<double>(
                         (end - std::abs(want)) / ulp > 0 ? (end - std::abs(want)) / ulp : 0)
                   : HUGE_VAL;
    }
    return static_cast<double>(std::abs(static_cast<Wide>(got) - want) / ulp);
}

// The float32 bit patterns 0, 1009, 2018 ....
const std::vector<float>& float_sweep() {
    static const std::vector<float> values = [] {
        std::vector<float> all;
        const uint64_t step = 1009;
        for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += step) {
            all.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
        }
        return all;
    }();
    return values;
}
// float64: all magnitudes, and dense where the functions bend.
const std::vector<double>& double_sweep() {
    static const std::vector<double> values = [] {
        std::vector<double> all;
        std::mt19937_64 engine(7);
        for (int i = 0; i < 400000; ++i) all.push_back(std::bit_cast<double>(engine()));
        std::uniform_real_distribution<double> wide(-760, 760);
        std::uniform_real_distribution<double> middle(-20, 20);
        std::uniform_real_distribution<double> narrow(-1, 1);
        std::uniform_real_distribution<double> near_one(0.5, 2);
        std::uniform_real_distribution<double> octaves(-60, 10);
        for (int i = 0; i < 150000; ++i) {
            all.push_back(wide(engine));
            all.push_back(middle(engine));
            all.push_back(narrow(engine));
            all.push_back(near_one(engine));
            all.push_back(std::exp2(octaves(engine)));
            all.push_back(1 + std::exp2(octaves(engine) - 10));
            all.push_back(1 - std::exp2(octaves(engine) - 12));
        }
        return all;
    }();
    return values;
}

template <typename T, typename Wide, typename F>
void expect_within(const char* name, const std::vector<T>& values, double bound, F reference) {
    const std::vector<T> got = run<T>(name, values);
    double worst = 0;
    T where = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        const double error = ulps<T, Wide>(got[i], reference(static_cast<Wide>(values[i])));
        if (error > worst) {
            worst = error;
            where = values[i];
        }
    }
    testing::Test::RecordProperty(std::string(name) + "_ulp", std::to_string(worst));
    std::printf("%-8s %s  %.3f ulp at %a\n", name, name_of(DtypeOf<T>::value), worst,
                static_cast<double>(where));
    EXPECT_LE(worst, bound) << name << " at " << where;
}
template <typename F>
void expect_both(const char* name, double bound32, double bound64, F reference) {
    expect_within<float, double>(name, float_sweep(), bound32, reference);
    expect_within<double, long double>(name, double_sweep(), bound64, reference);
}

TEST(MapMath, Exp) {
    expect_both("exp", 1.0, 1.0, [](auto x) { return std::exp(x); });
}
TEST(MapMath, Log) {
    expect_both("log", 1.0, 1.0, [](auto x) { return std::log(x); });
}
TEST(MapMath, Tanh) {
    expect_both("tanh", 2.0, 2.0, [](auto x) { return std::tanh(x); });
}
TEST(MapMath, Sigmoid) {
    expect_both("sigmoid", 2.0, 2.0, [](auto x) {
        return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
    });
}
TEST(MapMath, Sqrt) {
    expect_both("sqrt", 0.5, 0.501, [](auto x) { return std::sqrt(x); });
}

template <typename T, typename Wide>
void check_pow(const std::vector<T>& x, const std::vector<T>& y, double bound) {
    const std::vector<T> got = run<T>("pow", x, y);
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const Wide want = std::pow(static_cast<Wide>(x[i]), static_cast<Wide>(y[i]));
        const double error = ulps<T, Wide>(got[i], want);
        if (error > worst) {
            worst = error;
            where = i;
        }
        if (want == 0) {
            ASSERT_EQ(std::signbit(got[i]), std::signbit(want)) << x[i] << " ** " << y[i];
        }
    }
    std::printf("pow      %s  %.3f ulp at %a, %a\n", name_of(DtypeOf<T>::value), worst,
                static_cast<double>(x[where]), static_cast<double>(y[where]));
    EXPECT_LE(worst, bound) << x[where] << " ** " << y[where] << " gave " << got[where];
}

template <typename T, typename Wide>
void check_pow_everywhere(double bound) {
    constexpr double kMaxLog = std::is_same_v<T, double> ? 745 : 104;
    std::mt19937_64 engine(11);
    std::uniform_real_distribution<double> logs(-kMaxLog, kMaxLog);
    std::uniform_real_distribution<double> plain(-30, 30);
    std::vector<T> x;
    std::vector<T> y;
    const auto any = [&] {
        if constexpr (std::is_same_v<T, double>)
            return std::bit_cast<double>(engine());
        else
            return std::bit_cast<float>(static_cast<uint32_t>(engine()));
    };
    for (int i = 0; i < 400000; ++i) {
        // A result of any size: y = log(result) / log(x).
        T base = std::abs(any());
        if (i % 4 == 1) base = static_cast<T>(1 + std::exp2(-40 * std::abs(plain(engine)) / 30));
        if (i % 4 == 2) base = static_cast<T>(std::exp2(plain(engine) / 10));
        x.push_back(base);
        y.push_back(static_cast<T>(logs(engine) / std::log(static_cast<double>(base))));
        x.push_back(static_cast<T>(plain(engine)));
        y.push_back(static_cast<T>(std::round(plain(engine))));
        x.push_back(any());
        y.push_back(any());
    }
    check_pow<T, Wide>(x, y, bound);
}
TEST(MapMath, Pow) {
    check_pow_everywhere<float, double>(1.0);
    check_pow_everywhere<double, long double>(1.0);
}

// Every pair of special values against the C library (Annex F).
template <typename T>
void check_pow_specials() {
    using Limits = std::numeric_limits<T>;
    std::vector<T> special = {0,
                              1,
                              2,
                              3,
                              0.5,
                              1.5,
                              4,
                              5,
                              7,
                              1e10,
                              Limits::infinity(),
                              Limits::max(),
                              Limits::min(),
                              Limits::denorm_min(),
                              Limits::epsilon(),
                              1 + Limits::epsilon(),
                              1 - Limits::epsilon() / 2,
                              std::ldexp(T(1), Limits::digits),
                              std::ldexp(T(1), Limits::digits) - 1,
                              std::ldexp(T(1), Limits::digits - 1) + 1,
                              std::ldexp(T(1), Limits::digits - 1) - T(0.5),
                              std::ldexp(T(1), Limits::digits) + 2,
                              Limits::quiet_NaN()};
    const size_t positive = special.size();
    for (size_t i = 0; i < positive; ++i) special.push_back(-special[i]);
    for (T x : special) {
        for (T y : special) {
            const T want = std::pow(x, y);
            const T got = run<T>("pow", {x}, {y})[0];
            if (std::isnan(want)) {
                EXPECT_TRUE(std::isnan(got)) << x << " ** " << y << " gave " << got;
            } else {
                EXPECT_EQ(std::signbit(got), std::signbit(want)) << x << " ** " << y;
                EXPECT_LE((ulps<T, long double>(got, want)), 1.0)
                    << x << " ** " << y << " gave " << got;
            }
        }
    }
    // Exact powers are exact.
    for (int base = -12; base <= 12; ++base) {
        for (int exponent = 0; exponent <= 6; ++exponent) {
            T product = 1;
            for (int i = 0; i < exponent; ++i) product *= static_cast<T>(base);
            EXPECT_EQ(run1<T>("pow", base, exponent), product) << base << " ** " << exponent;
        }
    }
    for (int root = 1; root < 100; ++root) EXPECT_EQ(run1<T>("pow", root * root, 0.5), root);
}
TEST(MapMath, PowSpecialValues) {
    check_pow_specials<float>();
    check_pow_specials<double>();
}

template <typename T>
void check_specials() {
    using Limits = std::numeric_limits<T>;
    EXPECT_EQ(run1<T>("exp", 0), 1);
    EXPECT_EQ(run1<T>("exp", -0.0), 1);
    EXPECT_EQ(run1<T>("exp", kInf), kInf);
    EXPECT_EQ(run1<T>("exp", -kInf), 0);
    EXPECT_EQ(run1<T>("exp", 1000), kInf);
    EXPECT_EQ(run1<T>("exp", -1000), 0);
    EXPECT_TRUE(std::isnan(run1<T>("exp", kNan)));
    EXPECT_TRUE(std::isnan(run1<T>("exp", -kNan)));
    EXPECT_EQ(run1<T>("log", 1), 0);
    EXPECT_FALSE(std::signbit(run1<T>("log", 1)));
    EXPECT_EQ(run1<T>("log", 0), -kInf);
    EXPECT_EQ(run1<T>("log", -0.0), -kInf);
    EXPECT_EQ(run1<T>("log", kInf), kInf);
    EXPECT_TRUE(std::isnan(run1<T>("log", -1)));
    EXPECT_TRUE(std::isnan(run1<T>("log", -kInf)));
    EXPECT_TRUE(std::isnan(run1<T>("log", kNan)));
    EXPECT_LE((ulps<T, long double>(run<T>("log", {Limits::denorm_min()})[0],
                                    std::log(static_cast<long double>(Limits::denorm_min())))),
              1.0);
    EXPECT_EQ(run1<T>("tanh", kInf), 1);
    EXPECT_EQ(run1<T>("tanh", -kInf), -1);
    EXPECT_TRUE(std::signbit(run1<T>("tanh", -0.0)));
    EXPECT_FALSE(std::signbit(run1<T>("tanh", 0.0)));
    EXPECT_EQ(run<T>("tanh", {Limits::denorm_min()})[0], Limits::denorm_min());
    EXPECT_TRUE(std::isnan(run1<T>("tanh", kNan)));
    EXPECT_EQ(run1<T>("sigmoid", 0), T(0.5));
    EXPECT_EQ(run1<T>("sigmoid", kInf), 1);
    EXPECT_EQ(run1<T>("sigmoid", -kInf), 0);
    EXPECT_TRUE(std::isnan(run1<T>("sigmoid", kNan)));
    EXPECT_GT(run1<T>("sigmoid", std::is_same_v<T, double> ? -740 : -100), 0);  // subnormal
    EXPECT_TRUE(std::signbit(run1<T>("sqrt", -0.0)));
    EXPECT_TRUE(std::isnan(run1<T>("sqrt", -1)));
    EXPECT_TRUE(std::isnan(run1<T>("relu", kNan)));
    EXPECT_TRUE(std::isnan(run1<T>("maximum", kNan, 1)));
    EXPECT_TRUE(std::isnan(run1<T>("maximum", 1, kNan)));
    EXPECT_TRUE(std::isnan(run1<T>("minimum", kNan, 1)));
    EXPECT_TRUE(std::isnan(run1<T>("minimum", 1, kNan)));
    // No flush to zero.
    EXPECT_EQ((run<T>("add", {Limits::denorm_min()}, {Limits::denorm_min()})[0]),
              2 * Limits::denorm_min());
    EXPECT_EQ((run<T>("mul", {Limits::min()}, {T(0.5)})[0]), Limits::min() / 2);
}
TEST(MapMath, SpecialValues) {
    check_specials<float>();
    check_specials<double>();
}

// The 16-bit types: all inputs, the float32 result rounded once.
template <typename H>
void check_all_halves() {
    std::vector<H> values(65536);
    std::vector<float> wide(65536);
    for (uint32_t i = 0; i < 65536; ++i) {
        values[i].bits = static_cast<uint16_t>(i);
        wide[i] = static_cast<float>(values[i]);
    }
    for (const char* name :
         {"exp", "log", "tanh", "sigmoid", "sqrt", "neg", "abs", "relu", "reciprocal"}) {
        const std::vector<H> got = run<H>(name, values);
        const std::vector<float> want = run<float>(name, wide);
        for (uint32_t i = 0; i < 65536; ++i) {
            ASSERT_EQ(got[i].bits, H(want[i]).bits) << name << " of bits " << i;
        }
    }
}
TEST(MapMath, EveryFloat16) { check_all_halves<float16_t>(); }
TEST(MapMath, EveryBFloat16) { check_all_halves<bfloat16_t>(); }

// The vector conversions are those of core/Half.h.
TEST(MapMath, HalfConversions) {
    const Instruction& cast = *find_instruction("cast");
    const std::vector<float>& values = float_sweep();
    const void* const in[1] = {values.data()};
    const int64_t stride[1] = {1};
    std::vector<float16_t> half(values.size());
    std::vector<bfloat16_t> brain(values.size());
    cast.row(float32, float16)(values.size(), half.data(), in, stride);
    cast.row(float32, bfloat16)(values.size(), brain.data(), in, stride);
    for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(half[i].bits, float_to_half_bits(values[i])) << values[i];
        ASSERT_EQ(brain[i].bits, float_to_bfloat16_bits(values[i])) << values[i];
    }
}

}  // namespace
