#include "lucid/ops/shape/Geometry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "lucid/core/Error.h"

namespace {

using namespace lucid;

// The memory positions of all elements, row-major.
std::vector<int64_t> positions(DimSpan shape, DimSpan strides) {
    std::vector<int64_t> result;
    for (int64_t i = 0, n = numel_of(shape); i < n; ++i) {
        int64_t rest = i;
        int64_t at = 0;
        for (size_t dim = shape.size(); dim-- > 0;) {
            at += rest % shape[dim] * strides[dim];
            rest /= shape[dim];
        }
        result.push_back(at);
    }
    return result;
}

class Random {
public:
    int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
    Shape shape(int64_t max_rank) {
        Shape shape;
        for (int64_t rank = below(max_rank + 1); rank > 0; --rank) shape.push_back(1 + below(4));
        return shape;
    }
    // Contiguous, permuted, reversed, expanded, or anything.
    Strides strides(Shape& shape) {
        Strides strides = contiguous_strides(shape);
        if (shape.empty()) return strides;
        const auto rank = static_cast<int64_t>(shape.size());
        const auto a = static_cast<size_t>(below(rank));
        const auto b = static_cast<size_t>(below(rank));
        switch (below(5)) {
            case 0: break;
            case 1:
                std::swap(shape[a], shape[b]);
                std::swap(strides[a], strides[b]);
                break;
            case 2: strides[a] = -strides[a]; break;
            case 3: strides[a] = 0; break;
            default:
                for (int64_t& stride : strides) stride = below(13);
        }
        return strides;
    }
    // A shape of the same number of elements.
    Shape regroup(int64_t numel) {
        Shape shape;
        while (numel > 1) {
            std::vector<int64_t> divisors;
            for (int64_t d = 1; d <= numel; ++d) {
                if (numel % d == 0) divisors.push_back(d);
            }
            shape.push_back(
                divisors[static_cast<size_t>(below(static_cast<int64_t>(divisors.size())))]);
            numel /= shape.back();
            if (shape.size() == 5) break;
        }
        if (numel > 1) shape.push_back(numel);
        if (below(3) == 0) shape.push_back(1);
        return shape;
    }

private:
    std::mt19937_64 engine_{7};
};

// The only strides that could show these positions under `target`; whether they do.
bool some_view_exists(const std::vector<int64_t>& want, const Shape& target) {
    const Strides dense = contiguous_strides(target);
    Strides candidate(target.size(), 0);
    for (size_t dim = 0; dim < target.size(); ++dim) {
        if (target[dim] > 1) candidate[dim] = want[static_cast<size_t>(dense[dim])] - want[0];
    }
    std::vector<int64_t> got = positions(target, candidate);
    for (int64_t& at : got) at += want[0];
    return got == want;
}

TEST(ViewStrides, GivesAViewExactlyWhenThereIsOne) {
    Random random;
    int views = 0;
    int copies = 0;
    for (int i = 0; i < 50'000; ++i) {
        Shape shape = random.shape(3);
        const Strides strides = random.strides(shape);
        const Shape target = random.regroup(numel_of(shape));
        const std::vector<int64_t> want = positions(shape, strides);
        const auto found = view_strides(shape, strides, target);
        ++(found ? views : copies);
        if (found) {
            EXPECT_EQ(positions(target, *found), want);
        } else {
            EXPECT_FALSE(some_view_exists(want, target)) << to_string(shape) << to_string(target);
        }
    }
    EXPECT_GT(views, 1000);
    EXPECT_GT(copies, 1000);
}

// Python's rule, one step at a time.
std::vector<int64_t> stepped(int64_t size, std::optional<int64_t> start, std::optional<int64_t> end,
                             int64_t step) {
    auto wrap = [&](int64_t at) { return at < 0 ? at + size : at; };
    std::vector<int64_t> picked;
    int64_t at = start ? wrap(*start) : (step > 0 ? 0 : size - 1);
    at = step > 0 ? std::max<int64_t>(at, 0) : std::min<int64_t>(at, size - 1);
    const int64_t stop = end ? wrap(*end) : (step > 0 ? size : -1);
    for (; step > 0 ? at < std::min(stop, size) : at > std::max<int64_t>(stop, -1); at += step) {
        picked.push_back(at);
    }
    return picked;
}

TEST(ResolveSlice, PicksWhatPythonPicks) {
    std::vector<std::optional<int64_t>> bounds{std::nullopt};
    for (int64_t bound = -7; bound <= 7; ++bound) bounds.push_back(bound);
    for (int64_t size = 0; size < 6; ++size) {
        for (int64_t step : {-7, -3, -2, -1, 1, 2, 3, 7}) {
            for (auto start : bounds) {
                for (auto end : bounds) {
                    const SliceRange range = resolve_slice("slice", size, start, end, step);
                    std::vector<int64_t> picked;
                    for (int64_t i = 0; i < range.length; ++i)
                        picked.push_back(range.start + i * step);
                    EXPECT_EQ(picked, stepped(size, start, end, step));
                }
            }
        }
    }
}

TEST(ResolveSlice, TakesTheLargestSteps) {
    using Limits = std::numeric_limits<int64_t>;
    EXPECT_EQ(resolve_slice("slice", 5, 1, std::nullopt, Limits::max()).length, 1);
    EXPECT_EQ(resolve_slice("slice", 5, 1, std::nullopt, Limits::min()).length, 1);
    EXPECT_THROW(resolve_slice("slice", 5, 1, 2, 0), InvalidArgument);
}

TEST(ExtentOf, CountsNegativeStridesAndRefusesWhatDoesNotFit) {
    const auto extent = extent_of("as_strided", Shape{3, 2}, Strides{-2, 5}, 4);
    ASSERT_TRUE(extent.has_value());
    EXPECT_EQ(extent->low, 0);
    EXPECT_EQ(extent->high, 9);
    EXPECT_FALSE(extent_of("as_strided", Shape{3, 0}, Strides{1, 1}, 4).has_value());
    const int64_t big = int64_t{1} << 62;
    EXPECT_THROW(extent_of("as_strided", Shape{5}, Strides{big}, 0), ShapeMismatch);
    EXPECT_THROW(extent_of("as_strided", Shape{5}, Strides{1, 1}, 0), ShapeMismatch);
}

}  // namespace
