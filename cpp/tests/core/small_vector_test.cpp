#include "lucid/core/SmallVector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace {

using lucid::SmallVector;
using Vec = SmallVector<int64_t, 3>;

std::vector<int64_t> copied(const Vec& v) { return {v.begin(), v.end()}; }
using List = std::vector<int64_t>;

TEST(SmallVector, Constructors) {
    EXPECT_TRUE(Vec().empty());
    EXPECT_EQ(copied(Vec(4, 7)), (List{7, 7, 7, 7}));
    EXPECT_EQ(copied(Vec(2)), (List{0, 0}));
    EXPECT_EQ(copied(Vec{1, 2, 3, 4}), (List{1, 2, 3, 4}));
    const List source{5, 6, 7, 8, 9};
    EXPECT_EQ(copied(Vec(source.begin(), source.end())), source);
    EXPECT_EQ(copied(Vec(std::span<const int64_t>(source))), source);
    const std::vector<int> narrow{1, -2};
    EXPECT_EQ(copied(Vec(narrow.begin(), narrow.end())), (List{1, -2}));
}

TEST(SmallVector, StaysInlineUpToItsCapacity) {
    Vec v{1, 2, 3};
    const auto inside = [&] {
        const auto address = reinterpret_cast<uintptr_t>(v.data());
        const auto object = reinterpret_cast<uintptr_t>(&v);
        return address >= object && address < object + sizeof(v);
    };
    EXPECT_TRUE(inside());
    v.push_back(4);
    EXPECT_FALSE(inside());
    EXPECT_EQ(copied(v), (List{1, 2, 3, 4}));
}

TEST(SmallVector, CopiesAndMoves) {
    for (const size_t size : {0u, 2u, 3u, 4u, 9u}) {
        Vec original;
        for (size_t i = 0; i < size; ++i) original.push_back(static_cast<int64_t>(i) * 10);
        const List expected = copied(original);

        Vec copy(original);
        EXPECT_EQ(copied(copy), expected);
        EXPECT_EQ(copy, original);
        copy.push_back(-1);
        EXPECT_EQ(copied(original), expected);
        EXPECT_FALSE(copy == original);

        Vec moved(std::move(original));
        EXPECT_EQ(copied(moved), expected);

        for (Vec target : {Vec{}, Vec{1}, Vec{1, 2, 3, 4, 5, 6, 7}}) {
            target = moved;
            EXPECT_EQ(copied(target), expected);
            target = Vec(moved);
            EXPECT_EQ(copied(target), expected);
        }
        Vec& alias = moved;
        moved = alias;
        EXPECT_EQ(copied(moved), expected);
        moved = std::move(alias);
        EXPECT_EQ(copied(moved), expected);
    }
}

TEST(SmallVector, AMovedFromOneIsEmptyAndUsable) {
    Vec source{1, 2, 3, 4};
    const Vec target(std::move(source));
    EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move): the promise under test
    source.push_back(9);
    EXPECT_EQ(copied(source), (List{9}));
    EXPECT_EQ(copied(target), (List{1, 2, 3, 4}));
}

TEST(SmallVector, ResizeFillsAndCuts) {
    Vec v{1};
    v.resize(5, 8);
    EXPECT_EQ(copied(v), (List{1, 8, 8, 8, 8}));
    v.resize(2);
    EXPECT_EQ(copied(v), (List{1, 8}));
    v.resize(3);
    EXPECT_EQ(copied(v), (List{1, 8, 0}));
}

TEST(SmallVector, PushBackOfItsOwnElement) {
    Vec v{1, 2, 3};
    for (int i = 0; i < 20; ++i) v.push_back(v.front());
    EXPECT_EQ(v.size(), 23u);
    EXPECT_EQ(v.back(), 1);
}

TEST(SmallVector, BehavesAsStdVector) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        Vec v;
        List model;
        for (int step = 0; step < 60; ++step) {
            const auto value = static_cast<int64_t>(random() % 100);
            const size_t place = model.empty() ? 0 : random() % model.size();
            const auto offset = static_cast<std::ptrdiff_t>(place);
            switch (random() % 6) {
                case 0:
                case 1:
                    v.push_back(value);
                    model.push_back(value);
                    break;
                case 2:
                    EXPECT_EQ(*v.insert(v.begin() + place, value), value);
                    model.insert(model.begin() + offset, value);
                    break;
                case 3:
                    if (model.empty()) break;
                    EXPECT_EQ(v.erase(v.begin() + place) - v.begin(), offset);
                    model.erase(model.begin() + offset);
                    break;
                case 4:
                    if (model.empty()) break;
                    v.pop_back();
                    model.pop_back();
                    break;
                default:
                    if (random() % 10 != 0) break;
                    v.clear();
                    model.clear();
            }
            ASSERT_EQ(copied(v), model);
        }
    }
}

}  // namespace
