#include "lucid/backend/cpu/Random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "backend/kernel_arrays.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/Fill.h"
#include "lucid/backend/cpu/RandomWords.h"
#include "lucid/core/Error.h"

using namespace lucid;
using lucid_tests::Array;
using lucid_tests::Layout;

namespace {

constexpr PhiloxState kState{12345, 77};

class RandomTest : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

uint32_t word(uint64_t i) { return philox_4x32_10(kState.seed, 0, kState.offset + i / 4)[i % 4]; }

TEST_F(RandomTest, WordsAreTheStream) {
    for (int64_t n : {1, 3, 4, 5, 63, 64, 65, 200}) {
        std::vector<uint32_t> words(static_cast<size_t>(n) + 1, 99);
        cpu::random_words(kState, 8, n, words.data());
        for (int64_t i = 0; i < n; ++i) {
            ASSERT_EQ(words[static_cast<size_t>(i)], word(static_cast<uint64_t>(8 + i)));
        }
        ASSERT_EQ(words.back(), 99u);
    }
    // The counter carries into its upper half.
    const PhiloxState far{1, 0xfffffff8u};
    std::vector<uint32_t> words(64);
    cpu::random_words(far, 0, 64, words.data());
    EXPECT_EQ(words[40], philox_4x32_10(1, 0, 0xfffffff8u + uint64_t{10})[0]);
}

TEST_F(RandomTest, UniformIsTheTopBits) {
    Array narrow(float32, {3001});
    cpu::random_uniform(narrow.view(), kState, 0, 1);
    Array wide(float64, {3001});
    cpu::random_uniform(wide.view(), kState, 0, 1);
    for (int64_t i = 0; i < 3001; ++i) {
        const uint64_t u = static_cast<uint64_t>(i);
        ASSERT_EQ(narrow.get<float>(i), static_cast<float>(word(u) >> 8) * 0x1p-24f);
        const uint64_t bits = word(2 * u) | static_cast<uint64_t>(word(2 * u + 1)) << 32;
        ASSERT_EQ(wide.get<double>(i), static_cast<double>(bits >> 11) * 0x1p-53);
    }
}

TEST_F(RandomTest, LayoutThreadsAndLengthChangeNothing) {
    for (Dtype dtype : {float32, float64, float16, bfloat16, complex64, complex128}) {
        Array whole(dtype, {100, 501});
        cpu::random_normal(whole.view(), kState, 1, 2);
        set_num_threads(4);
        Array strided(dtype, {100, 501}, Layout{{1, 0}, {0}, {}, 2});
        cpu::random_normal(strided.view(), kState, 1, 2);
        EXPECT_EQ(whole.logical_bytes(), strided.logical_bytes());
        Array start(dtype, {777});
        cpu::random_normal(start.view(), kState, 1, 2);
        EXPECT_EQ(std::memcmp(start.at(0), whole.at(0), 777 * static_cast<size_t>(size_of(dtype))),
                  0);
        set_num_threads(1);
    }
}

TEST_F(RandomTest, UniformStaysBelowHigh) {
    for (Dtype dtype : {float16, bfloat16, float32, float64}) {
        const double ranges[][2] = {{0, 1}, {-1, 0}, {-1, 1}, {0.1, 0.3}, {5, 5.5}, {-3e4, 1e-3}};
        for (const auto& range : ranges) {
            Array out(dtype, {200000});
            cpu::random_uniform(out.view(), kState, range[0], range[1]);
            Array low(dtype, {1});
            low.set_number(0, range[0]);
            double largest = -INFINITY;
            for (int64_t i = 0; i < out.numel(); ++i) {
                ASSERT_LT(out.number(i), range[1]) << name_of(dtype);
                ASSERT_GE(out.number(i), low.number(0)) << name_of(dtype);
                largest = std::max(largest, out.number(i));
            }
            EXPECT_GT(largest, range[1] - 0.02 * (range[1] - range[0]) - 0.04);
        }
        Array point(dtype, {10});
        cpu::random_uniform(point.view(), kState, 2, 2);
        EXPECT_EQ(point.number(3), 2.0);
    }
}

TEST_F(RandomTest, Moments) {
    for (Dtype dtype : {float32, float64, float16, bfloat16}) {
        const int64_t n = 400000;
        Array uniform(dtype, {n});
        cpu::random_uniform(uniform.view(), kState, 0, 1);
        Array normal(dtype, {n});
        cpu::random_normal(normal.view(), kState, 3, 2);
        double u1 = 0, u2 = 0, z1 = 0, z2 = 0, z4 = 0;
        for (int64_t i = 0; i < n; ++i) {
            const double u = uniform.number(i);
            const double z = (normal.number(i) - 3) / 2;
            ASSERT_TRUE(std::isfinite(z));
            u1 += u;
            u2 += u * u;
            z1 += z;
            z2 += z * z;
            z4 += z * z * z * z;
        }
        const double slack = dtype == bfloat16 ? 0.01 : 0.004;
        EXPECT_NEAR(u1 / n, 0.5, slack);
        EXPECT_NEAR(u2 / n, 1.0 / 3, slack);
        EXPECT_NEAR(z1 / n, 0, 0.01);
        EXPECT_NEAR(z2 / n, 1, 0.015);
        EXPECT_NEAR(z4 / n, 3, 0.1);
    }
    Array z(complex64, {100000});
    cpu::random_normal(z.view(), kState, 0, 1);
    double power = 0;
    for (int64_t i = 0; i < z.numel(); ++i) power += std::norm(z.get<complex64_t>(i));
    EXPECT_NEAR(power / 100000, 1, 0.02);
}

// The ends of both uniforms.
TEST_F(RandomTest, NormalPairsAreFinite) {
    float u[] = {0x1p-33f, 1.0f, 0x1p-32f, 0.5f};
    float angle[] = {0.0f, 6.2831855f, 1.0f, 3.1415927f};
    cpu::normal_pairs(u, angle, 4);
    for (float x : u) EXPECT_TRUE(std::isfinite(x));
    for (float x : angle) EXPECT_TRUE(std::isfinite(x));
    EXPECT_NEAR(u[0], std::sqrt(66 * std::numbers::ln2), 1e-5);
    EXPECT_EQ(u[1], 0.0f);
    double wide[] = {0x1p-53, 1.0};
    double turn[] = {0.0, 6.2831853};
    cpu::normal_pairs(wide, turn, 2);
    EXPECT_NEAR(wide[0], std::sqrt(106 * std::numbers::ln2), 1e-12);
    EXPECT_EQ(wide[1], 0.0);
}

TEST_F(RandomTest, IntegersAreInRangeAndEven) {
    for (uint64_t range : {uint64_t{1}, uint64_t{2}, uint64_t{6}, uint64_t{10}, uint64_t{100}}) {
        Array out(int32, {60000});
        cpu::random_integers(out.view(), kState, -5, range);
        std::vector<int> counts(range, 0);
        for (int64_t i = 0; i < out.numel(); ++i) {
            const int64_t value = out.get<int32_t>(i) + 5;
            ASSERT_GE(value, 0);
            ASSERT_LT(value, static_cast<int64_t>(range));
            ++counts[static_cast<size_t>(value)];
        }
        const double mean = 60000.0 / static_cast<double>(range);
        for (int count : counts) EXPECT_NEAR(count, mean, 6 * std::sqrt(mean));
    }
}

// Just above 2^63 almost half of all draws are rejected: without the rejection the lower half of
// the range would come up twice as often in places.
TEST_F(RandomTest, IntegersOfHugeRanges) {
    const uint64_t range = (uint64_t{1} << 63) + (uint64_t{1} << 62);  // 3/4 of 2^64
    Array out(uint64, {60000});
    cpu::random_integers(out.view(), kState, 0, range);
    int thirds[3] = {};
    int odd = 0;
    for (int64_t i = 0; i < out.numel(); ++i) {
        const uint64_t value = out.get<uint64_t>(i);
        ASSERT_LT(value, range);
        ++thirds[value >> 62];
        odd += value % 3 == 0;
    }
    for (int count : thirds) EXPECT_NEAR(count, 20000, 700);
    EXPECT_NEAR(odd, 20000, 700);
    cpu::random_integers(out.view(), kState, 0, 0);
    EXPECT_EQ(out.get<uint64_t>(5), word(10) | static_cast<uint64_t>(word(11)) << 32);
}

TEST_F(RandomTest, BlocksNeeded) {
    EXPECT_EQ(cpu::random_blocks_needed(float32, 0), 0);
    EXPECT_EQ(cpu::random_blocks_needed(float32, 4), 1);
    EXPECT_EQ(cpu::random_blocks_needed(bfloat16, 5), 2);
    EXPECT_EQ(cpu::random_blocks_needed(float64, 5), 3);
    EXPECT_EQ(cpu::random_blocks_needed(complex64, 5), 3);
    EXPECT_EQ(cpu::random_blocks_needed(complex128, 5), 5);
    EXPECT_EQ(cpu::random_blocks_needed(int64, 5), 3);
}

TEST(FillTest, FillArangeEye) {
    for (Dtype dtype : {bool_, int8, int64, float16, float32, float64, complex64, complex128}) {
        Array out(dtype, {70, 1001}, Layout{{1, 0}, {1}, {}, 2});
        cpu::fill(out.view(), Scalar(1));
        for (int64_t i = 0; i < out.numel(); ++i) ASSERT_EQ(out.number(i), 1.0);
        Array matrix(dtype, {3, 5}, Layout{{1, 0}, {}, {}, 1});
        cpu::eye(matrix.view());
        for (int64_t i = 0; i < 15; ++i) EXPECT_EQ(matrix.number(i), i % 5 == i / 5 ? 1.0 : 0.0);
        Array none(dtype, {0, 4});
        cpu::fill(none.view(), Scalar(1));
        cpu::eye(none.view());
    }
    Array narrow(int8, {4});
    EXPECT_THROW(cpu::fill(narrow.view(), Scalar(300)), Overflow);
    Array range(float32, {100000}, Layout{{}, {0}, {}, 1});
    cpu::arange(range.view(), Scalar(0.5), Scalar(0.1));
    for (int64_t i = 0; i < 100000; i += 37) {
        ASSERT_EQ(range.get<float>(i), static_cast<float>(0.5 + static_cast<double>(i) * 0.1));
    }
    Array integers(int64, {1000});
    cpu::arange(integers.view(), Scalar(int64_t{1} << 60), Scalar(-3));
    EXPECT_EQ(integers.get<int64_t>(999), (int64_t{1} << 60) - 2997);
    Array empty(int32, {0});
    cpu::arange(empty.view(), Scalar(0), Scalar(1));
}

}  // namespace
