#include "lucid/core/Shape.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "lucid/core/Error.h"

namespace {

using namespace lucid;

constexpr int64_t kBig = int64_t{1} << 62;

template <typename E>
std::string text_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const E& error) {
        return error.what();
    }
    return "(nothing was thrown)";
}

TEST(Shape, TextsAreTuplesOfPython) {
    EXPECT_EQ(to_string(Shape{}), "()");
    EXPECT_EQ(to_string(Shape{3}), "(3,)");
    EXPECT_EQ(to_string(Shape{2, 3}), "(2, 3)");
    EXPECT_EQ(to_string(Strides{-1, 0, 5}), "(-1, 0, 5)");
}

TEST(Shape, Numel) {
    EXPECT_EQ(numel_of(Shape{}), 1);
    EXPECT_EQ(numel_of(Shape{2, 3, 4}), 24);
    EXPECT_EQ(numel_of(Shape{5, 0, 2}), 0);
    EXPECT_EQ(numel_of(Shape{kBig, 1}), kBig);
    EXPECT_EQ(numel_of(Shape{kBig, 4, 0}), 0);
    EXPECT_EQ(numel_of(Shape{0, kBig, 4}), 0);
    EXPECT_EQ(text_of<ShapeMismatch>([] {
                  numel_of(Shape{kBig, 2});
              }),
              "shape: too many elements\n"
              "  shape  (4611686018427387904, 2)\n"
              "  rule  the number of elements must be below 2**63");
    EXPECT_EQ(text_of<ShapeMismatch>([] {
                  numel_of(Shape{2, -1});
              }),
              "shape: a size is negative\n"
              "  shape  (2, -1)\n"
              "  rule  every size is 0 or more");
    EXPECT_THROW(numel_of(Shape{kBig, 2, 3, -1}), ShapeMismatch);
}

TEST(Shape, ContiguousStrides) {
    EXPECT_EQ(contiguous_strides(Shape{}), Strides{});
    EXPECT_EQ(contiguous_strides(Shape{2, 3, 4}), (Strides{12, 4, 1}));
    EXPECT_EQ(contiguous_strides(Shape{2, 1, 4}), (Strides{4, 4, 1}));
    EXPECT_EQ(contiguous_strides(Shape{2, 0, 4}), (Strides{4, 4, 1}));
    EXPECT_EQ(contiguous_strides(Shape{0, kBig, kBig}).size(), 3u);
}

TEST(Shape, IsContiguous) {
    EXPECT_TRUE(is_contiguous(Shape{}, Strides{}));
    EXPECT_TRUE(is_contiguous(Shape{2, 3}, Strides{3, 1}));
    EXPECT_TRUE(is_contiguous(Shape{2, 1, 3}, Strides{3, 99, 1}));
    EXPECT_TRUE(is_contiguous(Shape{1, 3}, Strides{-7, 1}));
    EXPECT_TRUE(is_contiguous(Shape{2, 0}, Strides{55, -8}));
    EXPECT_FALSE(is_contiguous(Shape{2, 3}, Strides{1, 2}));
    EXPECT_FALSE(is_contiguous(Shape{2, 3}, Strides{4, 1}));
    EXPECT_FALSE(is_contiguous(Shape{3}, Strides{-1}));
    EXPECT_FALSE(is_contiguous(Shape{2}, Strides{0}));
}

TEST(Shape, IsDense) {
    EXPECT_TRUE(is_dense(Shape{2, 3}, Strides{1, 2}));
    EXPECT_TRUE(is_dense(Shape{2, 3, 4}, Strides{1, 8, 2}));
    EXPECT_TRUE(is_dense(Shape{2, 1, 3}, Strides{1, -5, 2}));
    EXPECT_TRUE(is_dense(Shape{0, 3}, Strides{7, 7}));
    EXPECT_TRUE(is_dense(Shape{}, Strides{}));
    EXPECT_FALSE(is_dense(Shape{2, 3}, Strides{1, 3}));
    EXPECT_FALSE(is_dense(Shape{2, 3}, Strides{0, 1}));
    EXPECT_FALSE(is_dense(Shape{3}, Strides{-1}));
    EXPECT_FALSE(is_dense(Shape{3}, Strides{2}));
}

TEST(Shape, MaySelfOverlap) {
    EXPECT_TRUE(may_self_overlap(Shape{2, 3}, Strides{0, 1}));
    EXPECT_TRUE(may_self_overlap(Shape{3, 2}, Strides{1, 1}));
    EXPECT_TRUE(may_self_overlap(Shape{4, 3}, Strides{2, 1}));  // unfold(size 3, step 2)
    EXPECT_FALSE(may_self_overlap(Shape{3, 2}, Strides{2, 1}));
    EXPECT_FALSE(may_self_overlap(Shape{3, 2}, Strides{5, 2}));
    EXPECT_FALSE(may_self_overlap(Shape{1, 3}, Strides{0, 1}));
    EXPECT_FALSE(may_self_overlap(Shape{0, 3}, Strides{0, 0}));
    EXPECT_FALSE(may_self_overlap(Shape{}, Strides{}));
    EXPECT_FALSE(may_self_overlap(Shape{3, 2}, Strides{-2, -1}));
    EXPECT_TRUE(may_self_overlap(Shape{3, 3}, Strides{-2, 1}));
}

// Every shape up to (3, 3, 3) with every stride from -4 to 9, against the elements themselves.
TEST(Shape, LayoutQuestionsAgreeWithTheElements) {
    int missed_on_purpose = 0;
    const auto check = [&](const Shape& shape, const Strides& strides) {
        std::multiset<int64_t> offsets;
        std::vector<int64_t> row_major;
        for (int64_t i = 0; i < shape[0]; ++i) {
            for (int64_t j = 0; j < shape[1]; ++j) {
                for (int64_t k = 0; k < shape[2]; ++k) {
                    row_major.push_back(i * strides[0] + j * strides[1] + k * strides[2]);
                    offsets.insert(row_major.back());
                }
            }
        }
        const std::set<int64_t> distinct(offsets.begin(), offsets.end());
        const bool overlaps = distinct.size() != offsets.size();
        const auto numel = static_cast<int64_t>(offsets.size());
        const bool dense =
            numel == 0 || (!overlaps && *distinct.begin() == 0 && *distinct.rbegin() == numel - 1);
        bool contiguous = true;
        for (int64_t i = 0; i < numel; ++i) {
            contiguous = contiguous && row_major[static_cast<size_t>(i)] == i;
        }
        const std::string text = to_string(shape) + " " + to_string(strides);
        ASSERT_EQ(is_contiguous(shape, strides), contiguous) << text;
        ASSERT_EQ(is_dense(shape, strides), dense) << text;
        const bool claimed = may_self_overlap(shape, strides);
        if (overlaps) {
            ASSERT_TRUE(claimed) << text;
        }
        if (dense) {
            ASSERT_FALSE(claimed) << text;
        }
        missed_on_purpose += claimed && !overlaps;
    };
    for (int64_t shapes = 0; shapes < 64; ++shapes) {
        const Shape shape{shapes / 16, shapes / 4 % 4, shapes % 4};
        for (int64_t a = -4; a <= 9; ++a) {
            for (int64_t b = -4; b <= 9; ++b) {
                for (int64_t c = -4; c <= 9; ++c) check(shape, Strides{a, b, c});
            }
        }
    }
    // Conservative: (3, 2) with strides (2, 3) interleaves without a collision, and is refused.
    EXPECT_TRUE(may_self_overlap(Shape{3, 2}, Strides{2, 3}));
    EXPECT_GT(missed_on_purpose, 0);
}

TEST(Shape, HugeStridesDoNotOverflow) {
    EXPECT_FALSE(may_self_overlap(Shape{2, 2}, Strides{kBig, 1}));
    // The span saturates at the largest int64, and an equal stride is no less.
    EXPECT_FALSE(may_self_overlap(Shape{2, 4}, Strides{std::numeric_limits<int64_t>::max(), kBig}));
    EXPECT_FALSE(is_dense(Shape{kBig, 3}, Strides{1, 5}));
}

TEST(Shape, Broadcast) {
    EXPECT_EQ(broadcast_shapes("add", Shape{2, 3}, Shape{3}), (Shape{2, 3}));
    EXPECT_EQ(broadcast_shapes("add", Shape{2, 1}, Shape{5, 1, 4}), (Shape{5, 2, 4}));
    EXPECT_EQ(broadcast_shapes("add", Shape{}, Shape{2}), (Shape{2}));
    EXPECT_EQ(broadcast_shapes("add", Shape{}, Shape{}), Shape{});
    EXPECT_EQ(broadcast_shapes("add", Shape{0}, Shape{1}), (Shape{0}));
    EXPECT_EQ(broadcast_shapes("add", Shape{1}, Shape{0}), (Shape{0}));
    EXPECT_EQ(broadcast_shapes("add", Shape{3, 0}, Shape{0}), (Shape{3, 0}));
    EXPECT_THROW(broadcast_shapes("add", Shape{0}, Shape{2}), ShapeMismatch);
    EXPECT_EQ(text_of<ShapeMismatch>([] {
                  broadcast_shapes("add", Shape{2, 3, 5}, Shape{4, 5});
              }),
              "add: shapes do not broadcast\n"
              "  a  (2, 3, 5)   a.shape[-2] = 3\n"
              "  b  (4, 5)   b.shape[-2] = 4\n"
              "  rule  counted from the last axis, two sizes must be equal or one of them 1");
}

TEST(Shape, NormalizeAxis) {
    for (int64_t axis = -3; axis < 3; ++axis) {
        EXPECT_EQ(normalize_axis("sum", axis, 3), axis < 0 ? axis + 3 : axis);
    }
    EXPECT_EQ(normalize_axis("sum", 0, 0), 0);
    EXPECT_EQ(normalize_axis("sum", -1, 0), 0);
    EXPECT_THROW(normalize_axis("sum", 1, 0), IndexOutOfRange);
    EXPECT_THROW(normalize_axis("sum", -2, 0), IndexOutOfRange);
    EXPECT_THROW(normalize_axis("sum", std::numeric_limits<int64_t>::min(), 3), IndexOutOfRange);
    EXPECT_THROW(normalize_axis("sum", std::numeric_limits<int64_t>::max(), 3), IndexOutOfRange);
    EXPECT_EQ(text_of<IndexOutOfRange>([] { normalize_axis("sum", 3, 2); }),
              "sum: axis is out of range\n"
              "  axis  3\n"
              "  rank  2\n"
              "  rule  -2 to 1 at this rank");
}

TEST(Shape, NormalizeAxes) {
    EXPECT_EQ(normalize_axes("sum", Dims{-1, 0}, 3), (Dims{0, 2}));
    EXPECT_EQ(normalize_axes("sum", Dims{}, 3), (Dims{0, 1, 2}));
    EXPECT_EQ(normalize_axes("sum", Dims{}, 0), Dims{});
    EXPECT_EQ(normalize_axes("sum", Dims{0}, 0), Dims{});
    EXPECT_EQ(normalize_axes("sum", Dims{-1}, 0), Dims{});
    EXPECT_THROW(normalize_axes("sum", Dims{0, -1}, 0), ShapeMismatch);
    EXPECT_THROW(normalize_axes("sum", Dims{0, 3}, 3), IndexOutOfRange);
    EXPECT_EQ(text_of<ShapeMismatch>([] {
                  normalize_axes("sum", Dims{1, 0, -1}, 2);
              }),
              "sum: an axis is given twice\n"
              "  axes  (1, 0, -1)\n"
              "  rank  2\n"
              "  rule  each axis at most once; here 1 is repeated");
}

}  // namespace
