#include "lucid/core/Error.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace {

using namespace lucid;

TEST(ErrorBuilder, LaysOutTheExampleOfTheStyleGuide) {
    const ErrorBuilder builder = ErrorBuilder("matmul(a, b)", "inner dimensions differ")
                                     .given("a", "float32 (8, 3, 64)  cuda:0   a.shape[-1] = 64")
                                     .given("b", "float32 (32, 10)    cuda:0   b.shape[-2] = 32")
                                     .rule("(..., n, k) @ (..., k, m) -> (..., n, m)");
    EXPECT_EQ(builder.text(), "matmul(a, b): inner dimensions differ\n"
                              "  a  float32 (8, 3, 64)  cuda:0   a.shape[-1] = 64\n"
                              "  b  float32 (32, 10)    cuda:0   b.shape[-2] = 32\n"
                              "  rule  (..., n, k) @ (..., k, m) -> (..., n, m)");
}

TEST(ErrorBuilder, AlignsValuesWhateverTheOrderOfTheNames) {
    EXPECT_EQ(ErrorBuilder("f", "x").given("a", "1").given("weight", "2").given("to", "3").text(),
              "f: x\n"
              "  a       1\n"
              "  weight  2\n"
              "  to      3");
}

TEST(ErrorBuilder, EveryPartIsOptional) {
    EXPECT_EQ(ErrorBuilder("f", "x").text(), "f: x");
    EXPECT_EQ(ErrorBuilder("f", "").text(), "f");
    EXPECT_EQ(ErrorBuilder("f", "x").rule("r").text(), "f: x\n  rule  r");
    // The rule comes last, also when it was said first.
    EXPECT_EQ(ErrorBuilder("f", "x").rule("r").given("a", "1").text(), "f: x\n  a  1\n  rule  r");
}

template <typename E>
void check_kind(ErrorKind kind) {
    static_assert(std::is_base_of_v<std::runtime_error, E>);
    try {
        ErrorBuilder("f", "x").given("a", "1").raise<E>();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind);
        EXPECT_STREQ(error.what(), "f: x\n  a  1");  // Python adds the name of the class
        EXPECT_NE(dynamic_cast<const E*>(&error), nullptr);
    }
    EXPECT_THROW(throw E("text"), E);
}

TEST(Error, EachClassHasItsKind) {
    check_kind<ShapeMismatch>(ErrorKind::ShapeMismatch);
    check_kind<DtypeMismatch>(ErrorKind::DtypeMismatch);
    check_kind<DeviceMismatch>(ErrorKind::DeviceMismatch);
    check_kind<VersionMismatch>(ErrorKind::VersionMismatch);
    check_kind<OutOfMemory>(ErrorKind::OutOfMemory);
    check_kind<IndexOutOfRange>(ErrorKind::IndexOutOfRange);
    check_kind<NotImplementedOp>(ErrorKind::NotImplementedOp);
    check_kind<InvalidArgument>(ErrorKind::InvalidArgument);
    check_kind<Overflow>(ErrorKind::Overflow);
    const Error plain(ErrorKind::Lucid, "text");
    EXPECT_EQ(plain.kind(), ErrorKind::Lucid);
    EXPECT_STREQ(plain.what(), "text");
}

TEST(AssertDeathTest, PrintsTheConditionAndItsPlace) {
    LUCID_ASSERT(1 + 1 == 2);
    EXPECT_DEATH(LUCID_ASSERT(1 + 1 == 3),
                 "lucid: internal error: 1 \\+ 1 == 3 \\(.*error_test\\.cpp:[0-9]+\\)\\. "
                 "Please report this\\.");
}

}  // namespace
