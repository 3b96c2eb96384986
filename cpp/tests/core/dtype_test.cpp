#include "lucid/core/Dtype.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "lucid/core/Error.h"

namespace {

using namespace lucid;

constexpr Dtype at(int i) { return static_cast<Dtype>(i); }

// The whole promotion table, in the order of the enum; "-" has no dtype. PyTorch's, and the array
// API standard's where uint16, uint32 or uint64 meets another integer.
constexpr const char* kShort[kNumDtypes] = {"b",  "u1", "u2", "u4", "u8", "i1", "i2", "i4",
                                            "i8", "f2", "bf", "f4", "f8", "c8", "c16"};
constexpr const char* kPromotion[kNumDtypes][kNumDtypes] = {
    // clang-format off
    {"b",  "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"u1", "u1", "u2", "u4", "u8", "i2", "i2", "i4", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"u2", "u2", "u2", "u4", "u8", "i4", "i4", "i4", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"u4", "u4", "u4", "u4", "u8", "i8", "i8", "i8", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"u8", "u8", "u8", "u8", "u8", "-",  "-",  "-",  "-",  "f2", "bf", "f4", "f8", "c8", "c16"},
    {"i1", "i2", "i4", "i8", "-",  "i1", "i2", "i4", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"i2", "i2", "i4", "i8", "-",  "i2", "i2", "i4", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"i4", "i4", "i4", "i8", "-",  "i4", "i4", "i4", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"i8", "i8", "i8", "i8", "-",  "i8", "i8", "i8", "i8", "f2", "bf", "f4", "f8", "c8", "c16"},
    {"f2", "f2", "f2", "f2", "f2", "f2", "f2", "f2", "f2", "f2", "f4", "f4", "f8", "c8", "c16"},
    {"bf", "bf", "bf", "bf", "bf", "bf", "bf", "bf", "bf", "f4", "bf", "f4", "f8", "c8", "c16"},
    {"f4", "f4", "f4", "f4", "f4", "f4", "f4", "f4", "f4", "f4", "f4", "f4", "f8", "c8", "c16"},
    {"f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "c16", "c16"},
    {"c8", "c8", "c8", "c8", "c8", "c8", "c8", "c8", "c8", "c8", "c8", "c8", "c16", "c8", "c16"},
    {"c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16", "c16",
     "c16", "c16"},
    // clang-format on
};

TEST(Dtype, PromotionTable) {
    for (int a = 0; a < kNumDtypes; ++a) {
        for (int b = 0; b < kNumDtypes; ++b) {
            const std::string expected = kPromotion[a][b];
            const std::string pair = std::string(name_of(at(a))) + " with " + name_of(at(b));
            if (expected == "-") {
                EXPECT_THROW(promote_types(at(a), at(b)), DtypeMismatch) << pair;
            } else {
                const Dtype promoted = promote_types(at(a), at(b));
                EXPECT_EQ(kShort[static_cast<int>(promoted)], expected) << pair;
            }
        }
    }
}

TEST(Dtype, PromotionWithoutAnAnswerSaysTheRule) {
    try {
        promote_types(uint64, int8);
        FAIL();
    } catch (const DtypeMismatch& error) {
        EXPECT_STREQ(
            error.what(),
            "promote_types(a, b): no dtype holds both\n"
            "  a  uint64\n"
            "  b  int8\n"
            "  rule  uint64 does not mix with a signed integer; cast one of the two first");
    }
}

TEST(Dtype, CanCastKeepsTheCategory) {
    EXPECT_TRUE(can_cast(bool_, uint8));
    EXPECT_TRUE(can_cast(int64, uint8));
    EXPECT_TRUE(can_cast(int64, float16));
    EXPECT_TRUE(can_cast(float64, bfloat16));
    EXPECT_TRUE(can_cast(float64, complex64));
    EXPECT_TRUE(can_cast(complex128, complex64));
    EXPECT_FALSE(can_cast(uint8, bool_));
    EXPECT_FALSE(can_cast(float16, int64));
    EXPECT_FALSE(can_cast(complex64, float64));
    EXPECT_TRUE(can_cast(bool_, bool_));
}

TEST(Dtype, RealAndComplex) {
    EXPECT_EQ(real_dtype(complex64), float32);
    EXPECT_EQ(real_dtype(complex128), float64);
    EXPECT_EQ(real_dtype(bfloat16), bfloat16);
    EXPECT_EQ(real_dtype(int8), int8);
    EXPECT_EQ(complex_dtype(float32), complex64);
    EXPECT_EQ(complex_dtype(float64), complex128);
    EXPECT_EQ(complex_dtype(float16), complex64);
    EXPECT_EQ(complex_dtype(bfloat16), complex64);
    EXPECT_EQ(complex_dtype(complex128), complex128);
    EXPECT_THROW(complex_dtype(int32), DtypeMismatch);
    EXPECT_THROW(complex_dtype(bool_), DtypeMismatch);
}

TEST(Dtype, NamesGoBothWays) {
    for (int i = 0; i < kNumDtypes; ++i) EXPECT_EQ(dtype_from_name(name_of(at(i))), at(i));
    for (const char* wrong : {"", "float", "Float32", "float32 ", "complex32"}) {
        EXPECT_THROW(dtype_from_name(wrong), DtypeMismatch) << wrong;
    }
    try {
        dtype_from_name("float");
        FAIL();
    } catch (const DtypeMismatch& error) {
        const std::string text = error.what();
        EXPECT_EQ(
            text.find("dtype: no dtype has this name\n  name  'float'\n  rule  one of bool, "), 0u);
        EXPECT_NE(text.find(", complex128"), std::string::npos);
    }
}

TEST(Dtype, Categories) {
    for (int i = 0; i < kNumDtypes; ++i) {
        const Dtype d = at(i);
        const int leaves = (d == bool_) + is_integral(d) + is_floating(d) + is_complex(d);
        EXPECT_EQ(leaves, 1) << name_of(d);
        EXPECT_EQ(is_inexact(d), is_floating(d) || is_complex(d));
        EXPECT_EQ(issubdtype(d, DtypeCategory::Number), d != bool_);
    }
    EXPECT_TRUE(issubdtype(uint16, DtypeCategory::Unsigned));
    EXPECT_FALSE(issubdtype(int16, DtypeCategory::Unsigned));
    EXPECT_TRUE(issubdtype(bfloat16, floating));
}

TEST(Dtype, DispatchGivesTheCppType) {
    for (int i = 0; i < kNumDtypes; ++i) {
        dispatch_dtype(at(i), [&]<typename T>() {
            EXPECT_EQ(DtypeOf<T>::value, at(i));
            EXPECT_EQ(static_cast<int64_t>(sizeof(T)), size_of(at(i)));
        });
    }
    static_assert(std::is_same_v<CppTypeOf<Dtype::Complex64>::Type, std::complex<float>>);
    static_assert(std::is_same_v<CppTypeOf<Dtype::BFloat16>::Type, bfloat16_t>);
}

}  // namespace
