#include "lucid/core/Attrs.h"

#include <gtest/gtest.h>

#include <limits>

namespace {

using namespace lucid;

TEST(Attrs, HoldEachKindOfValue) {
    const Attrs attrs =
        Attrs::of(3, 2.5, true, Dims{1, 2}, float16, std::string("mean"), "cpu", std::monostate());
    ASSERT_EQ(attrs.size(), 8u);
    EXPECT_EQ(attrs.integer(0), 3);
    EXPECT_EQ(attrs.real(1), 2.5);
    EXPECT_TRUE(attrs.flag(2));
    EXPECT_EQ(attrs.dims(3), (Dims{1, 2}));
    EXPECT_EQ(attrs.dtype(4), float16);
    EXPECT_EQ(attrs.text(5), "mean");
    EXPECT_EQ(attrs.text(6), "cpu");
    EXPECT_TRUE(attrs.scalar(2).is_bool());
}

TEST(Attrs, AbsentValues) {
    const Attrs attrs = Attrs::of(std::monostate(), 0);
    EXPECT_FALSE(attrs.has(0));
    EXPECT_TRUE(attrs.has(1));
    EXPECT_FALSE(attrs.has(2));
    EXPECT_TRUE(Attrs().empty());
    EXPECT_THROW(attrs.scalar(0), std::bad_variant_access);
}

TEST(Attrs, Equality) {
    Attrs pushed;
    pushed.push(Scalar(1));
    pushed.push(Dims{0});
    EXPECT_TRUE(pushed == Attrs::of(1, Dims{0}));
    EXPECT_FALSE(pushed == Attrs::of(1, Dims{0, 1}));
    EXPECT_FALSE(pushed == Attrs::of(1));
    EXPECT_FALSE(Attrs::of(1) == Attrs::of(1.0));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(Attrs::of(nan) == Attrs::of(nan));
}

}  // namespace
