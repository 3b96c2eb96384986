// Both 16-bit types against slow oracles: the value of every bit pattern from its definition, and
// the nearest of all of them by search. On x86 also against the F16C instructions.
#include "lucid/core/Half.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace {

using namespace lucid;

uint32_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }
float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }

// A 16-bit format by its definition, for patterns without a sign. The pattern of infinity stands
// for the next power of two, which is what rounding compares with.
struct Format {
    int mantissa_bits;
    int bias;
    uint16_t infinity;

    double value(uint32_t pattern) const {
        const int exponent = static_cast<int>(pattern >> mantissa_bits);
        const double fraction = static_cast<double>(pattern & ((1u << mantissa_bits) - 1));
        const double scale = std::ldexp(1.0, -mantissa_bits);
        if (exponent == 0) return std::ldexp(fraction * scale, 1 - bias);
        return std::ldexp(1 + fraction * scale, exponent - bias);
    }
    std::vector<double> values() const {
        std::vector<double> all;
        for (uint32_t pattern = 0; pattern <= infinity; ++pattern) all.push_back(value(pattern));
        return all;
    }
};
constexpr Format kHalf{10, 15, 0x7c00};
constexpr Format kBFloat16{7, 127, 0x7f80};

class Oracle {
public:
    explicit Oracle(Format format) : format_(format), values_(format.values()) {}

    uint16_t round(float value) const {
        const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
        const double magnitude = std::fabs(static_cast<double>(value));
        if (magnitude >= values_.back()) return static_cast<uint16_t>(sign | format_.infinity);
        const auto above = std::upper_bound(values_.begin(), values_.end(), magnitude);
        const uint32_t low = static_cast<uint32_t>(above - values_.begin()) - 1;
        const double to_low = magnitude - values_[low];
        const double to_high = values_[low + 1] - magnitude;
        const bool up = to_high < to_low || (to_high == to_low && (low & 1) != 0);
        return static_cast<uint16_t>(sign | (low + (up ? 1 : 0)));
    }
    const std::vector<double>& values() const { return values_; }

private:
    Format format_;
    std::vector<double> values_;
};

struct Codec {
    Format format;
    uint16_t (*encode)(float);
    float (*decode)(uint16_t);
};
const Codec kCodecs[] = {
    {kHalf, [](float x) { return float_to_half_bits(x); },
     [](uint16_t x) { return half_bits_to_float(x); }},
    {kBFloat16, [](float x) { return float_to_bfloat16_bits(x); },
     [](uint16_t x) { return bfloat16_bits_to_float(x); }},
};

TEST(Half, EveryPatternDecodesToItsDefinition) {
    for (const Codec& codec : kCodecs) {
        const auto values = codec.format.values();
        for (uint32_t pattern = 0; pattern < codec.format.infinity; ++pattern) {
            const float plus = codec.decode(static_cast<uint16_t>(pattern));
            const float minus = codec.decode(static_cast<uint16_t>(pattern | 0x8000));
            ASSERT_EQ(static_cast<double>(plus), values[pattern]) << pattern;
            ASSERT_FALSE(std::signbit(plus)) << pattern;
            ASSERT_EQ(bits_of(minus), bits_of(plus) | 0x80000000u) << pattern;
        }
        EXPECT_EQ(codec.decode(codec.format.infinity), std::numeric_limits<float>::infinity());
    }
}

TEST(Half, EveryPatternSurvivesARoundTrip) {
    for (const Codec& codec : kCodecs) {
        const uint32_t quiet_bit = 1u << (codec.format.mantissa_bits - 1);
        for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
            const bool is_nan = (pattern & 0x7fff) > codec.format.infinity;
            const float value = codec.decode(static_cast<uint16_t>(pattern));
            ASSERT_EQ(std::isnan(value), is_nan) << pattern;
            ASSERT_EQ(codec.encode(value), is_nan ? (pattern | quiet_bit) : pattern) << pattern;
        }
    }
}

TEST(Half, EveryRoundingBoundary) {
    for (const Codec& codec : kCodecs) {
        const Oracle oracle(codec.format);
        for (uint32_t low = 0; low < codec.format.infinity; ++low) {
            const double middle = (oracle.values()[low] + oracle.values()[low + 1]) / 2;
            for (const double at : {oracle.values()[low], middle}) {
                const float value = static_cast<float>(at);
                ASSERT_EQ(static_cast<double>(value), at);  // exact, so a tie is a tie
                const float limit = std::numeric_limits<float>::infinity();
                for (const float x :
                     {value, std::nextafter(value, limit), std::nextafter(value, -limit)}) {
                    ASSERT_EQ(codec.encode(x), oracle.round(x)) << x;
                    ASSERT_EQ(codec.encode(-x), oracle.round(-x)) << -x;
                }
            }
        }
    }
}

TEST(Half, SweepOfFloatPatterns) {
    for (const Codec& codec : kCodecs) {
        const Oracle oracle(codec.format);
        // A prime step visits every exponent with ever different low bits.
        for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 1721) {
            const float value = float_of(static_cast<uint32_t>(bits));
            if (std::isnan(value)) {
                const uint16_t encoded = codec.encode(value);
                ASSERT_GT(encoded & 0x7fff, codec.format.infinity);
                ASSERT_EQ(encoded >> 15, bits >> 31);
                ASSERT_NE(encoded & (1u << (codec.format.mantissa_bits - 1)), 0u);
            } else {
                ASSERT_EQ(codec.encode(value), oracle.round(value)) << value;
            }
        }
    }
}

TEST(Half, NumbersByHand) {
    EXPECT_EQ(float_to_half_bits(1.0f), 0x3c00);
    EXPECT_EQ(float_to_half_bits(-2.0f), 0xc000);
    EXPECT_EQ(float_to_half_bits(65504.0f), 0x7bff);
    EXPECT_EQ(float_to_half_bits(65519.996f), 0x7bff);
    EXPECT_EQ(float_to_half_bits(65520.0f), 0x7c00);
    EXPECT_EQ(float_to_half_bits(0x1p-24f), 0x0001);
    EXPECT_EQ(float_to_half_bits(0x1p-25f), 0x0000);
    EXPECT_EQ(float_to_half_bits(0x1.8p-24f), 0x0002);
    EXPECT_EQ(float_to_half_bits(-0.0f), 0x8000);
    EXPECT_EQ(float_to_half_bits(float_of(0x7f800001u)), 0x7e00);  // a signalling nan, payload lost
    EXPECT_EQ(float_to_bfloat16_bits(1.0f), 0x3f80);
    EXPECT_EQ(float_to_bfloat16_bits(std::numeric_limits<float>::max()), 0x7f80);
    EXPECT_EQ(float_to_bfloat16_bits(float_of(0xff800001u)), 0xffc0);
    EXPECT_EQ(static_cast<float>(float16_t(0.1f)), 0.0999755859375f);
    EXPECT_EQ(static_cast<float>(bfloat16_t(0.1f)), 0.10009765625f);
}

#if defined(__x86_64__)
__attribute__((target("f16c"))) uint16_t hardware_encode(float value) {
    return static_cast<uint16_t>(
        _mm_extract_epi16(_mm_cvtps_ph(_mm_set_ss(value), _MM_FROUND_TO_NEAREST_INT), 0));
}
__attribute__((target("f16c"))) uint32_t hardware_decode(uint16_t bits) {
    const __m128 value = _mm_cvtph_ps(_mm_cvtsi32_si128(bits));
    return static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_castps_si128(value)));
}
bool has_f16c() {
    unsigned a, b, c, d;
    return __builtin_cpu_supports("avx") && __get_cpuid(1, &a, &b, &c, &d) != 0 &&
           (c & bit_F16C) != 0;
}

TEST(Half, AgreesWithTheHardware) {
    if (!has_f16c()) GTEST_SKIP() << "the CPU has no F16C";
    for (uint32_t pattern = 0; pattern < 0x10000; ++pattern) {
        const uint16_t bits = static_cast<uint16_t>(pattern);
        ASSERT_EQ(bits_of(half_bits_to_float(bits)), hardware_decode(bits)) << pattern;
    }
    // Nans included, with their payload.
    for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 467) {
        const float value = float_of(static_cast<uint32_t>(bits));
        ASSERT_EQ(float_to_half_bits(value), hardware_encode(value)) << bits;
    }
}
#endif

}  // namespace
