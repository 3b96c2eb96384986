// Every SIMD target that this CPU has gives the same bits: all instructions, dtypes and a mass of
// values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "hwy/highway.h"
#include "lucid/backend/cpu/Instructions.h"

using namespace lucid;

namespace {

std::unique_ptr<Instruction[]> table_for(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    auto rows = std::make_unique<Instruction[]>(cpu::kNumInstructions);
    cpu::build_instruction_table(
        std::span<Instruction, cpu::kNumInstructions>(rows.get(), cpu::kNumInstructions));
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return rows;
}

// Random bits, and numbers near 1 and small integers, which random bits of a wide type never are.
std::vector<std::byte> values_of(Dtype dtype, size_t n, unsigned seed) {
    const size_t item = static_cast<size_t>(size_of(dtype));
    std::vector<std::byte> bytes(n * item);
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal(0, 3);
    const bool single = dtype == float32 || dtype == complex64;
    for (size_t i = 0; i < n; ++i) {
        uint64_t words[2] = {engine(), engine()};
        if (dtype == bool_) words[0] &= 1;
        if (is_integral(dtype) && i % 2 == 0) words[0] %= 7;
        for (size_t part = 0; i % 2 == 0 && is_inexact(dtype) && part < 2; ++part) {
            const double number = normal(engine) * (i % 8 == 0 ? 40 : 1);
            const float narrow = static_cast<float>(number);
            if (single)
                std::memcpy(reinterpret_cast<char*>(words) + 4 * part, &narrow, 4);
            else if (item >= 8)
                std::memcpy(&words[part], &number, 8);
        }
        std::memcpy(&bytes[i * item], words, item);
    }
    return bytes;
}

TEST(InstructionTargets, Agree) {
    std::vector<int64_t> targets;
    for (int64_t rest = hwy::SupportedTargets(); rest != 0; rest &= rest - 1) {
        const int64_t target = rest & -rest;
#if HWY_ARCH_X86
        if (target != HWY_AVX2 && target != HWY_AVX3) continue;
#endif
        targets.push_back(target);
    }
    ASSERT_FALSE(targets.empty());
    const auto base = table_for(targets[0]);
    for (size_t t = 1; t < targets.size(); ++t) {
        const auto other = table_for(targets[t]);
        size_t distinct = 0;
        for (size_t k = 0; k < cpu::kNumInstructions; ++k) {
            for (int i = 0; i < kNumDtypes; ++i) {
                for (int o = 0; o < kNumDtypes; ++o) {
                    const RowFn first = base[k].fns[i][o];
                    const RowFn second = other[k].fns[i][o];
                    ASSERT_EQ(first == nullptr, second == nullptr);
                    if (first == nullptr || first == second) continue;
                    ++distinct;
                    constexpr size_t kCount = 40013;
                    const Dtype in = static_cast<Dtype>(i);
                    const size_t item = static_cast<size_t>(size_of(static_cast<Dtype>(o)));
                    const bool is_where = std::strcmp(base[k].name, "where") == 0;
                    const auto a = values_of(is_where ? bool_ : in, kCount, 1);
                    const auto b = values_of(in, kCount, 2);
                    const auto c = values_of(in, kCount, 3);
                    const void* const inputs[3] = {a.data(), b.data(), c.data()};
                    const int64_t strides[3] = {1, 1, 1};
                    std::vector<std::byte> x(kCount * item);
                    std::vector<std::byte> y(kCount * item);
                    first(kCount, x.data(), inputs, strides);
                    second(kCount, y.data(), inputs, strides);
                    const auto where =
                        std::mismatch(x.begin(), x.end(), y.begin()).first - x.begin();
                    ASSERT_EQ(x == y, true) << base[k].name << " " << name_of(in) << " -> "
                                            << name_of(static_cast<Dtype>(o)) << " at "
                                            << where / static_cast<long>(item);
                }
            }
        }
#ifndef LUCID_ONE_TARGET
        EXPECT_GT(distinct, 400u);
#endif
    }
}

}  // namespace
