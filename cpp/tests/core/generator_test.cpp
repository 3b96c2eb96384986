#include "lucid/core/Generator.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

using namespace lucid;

namespace {

// philox4x32-10 of Random123's kat_vectors: counter words, key words, result.
TEST(PhiloxTest, KnownAnswers) {
    EXPECT_EQ(philox_4x32_10(0, 0, 0),
              (PhiloxBlock{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    const uint64_t ones = ~uint64_t{0};
    EXPECT_EQ(philox_4x32_10(ones, ones, ones),
              (PhiloxBlock{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
    // Digits of pi: counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0.
    EXPECT_EQ(philox_4x32_10(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u),
              (PhiloxBlock{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(GeneratorTest, ReservesRangesAndRestores) {
    Ref<Generator> generator = make_ref<Generator>(7);
    EXPECT_EQ(generator->reserve(5).offset, 0u);
    const PhiloxState before = generator->state();
    EXPECT_EQ(before.seed, 7u);
    EXPECT_EQ(before.offset, 5u);
    EXPECT_EQ(generator->reserve(1).offset, 5u);
    generator->set_state(before);
    EXPECT_EQ(generator->reserve(0).offset, 5u);
    generator->manual_seed(9);
    EXPECT_EQ(generator->state().seed, 9u);
    EXPECT_EQ(generator->state().offset, 0u);
}

TEST(GeneratorTest, ThreadsNeverShareARange) {
    Ref<Generator> generator = make_ref<Generator>();
    std::vector<std::vector<uint64_t>> offsets(4);
    std::vector<std::thread> threads;
    for (auto& mine : offsets) {
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) mine.push_back(generator->reserve(3).offset);
        });
    }
    for (std::thread& thread : threads) thread.join();
    std::set<uint64_t> all;
    for (const auto& mine : offsets) all.insert(mine.begin(), mine.end());
    EXPECT_EQ(all.size(), 4000u);
    EXPECT_EQ(generator->state().offset, 12000u);
}

}  // namespace
