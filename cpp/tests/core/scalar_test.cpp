#include "lucid/core/Scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "lucid/core/Error.h"

namespace {

using namespace lucid;
using Complex = std::complex<double>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <typename T>
T stored(const Scalar& scalar) {
    // One byte in, so that nothing depends on alignment.
    unsigned char bytes[sizeof(T) + 1];
    scalar.store(DtypeOf<T>::value, bytes + 1);
    T value;
    std::memcpy(&value, bytes + 1, sizeof(T));
    return value;
}

template <typename E, typename T>
std::string refusal(const Scalar& scalar) {
    try {
        stored<T>(scalar);
    } catch (const E& error) {
        return error.what();
    }
    return "(nothing was thrown)";
}

TEST(Scalar, Kinds) {
    EXPECT_EQ(Scalar().kind(), Scalar::Kind::Int);
    EXPECT_EQ(Scalar(true).kind(), Scalar::Kind::Bool);
    EXPECT_EQ(Scalar(1).kind(), Scalar::Kind::Int);
    EXPECT_EQ(Scalar(uint64_t{1} << 62).kind(), Scalar::Kind::Int);
    EXPECT_EQ(Scalar(uint64_t{1} << 63).kind(), Scalar::Kind::UInt);
    EXPECT_EQ(Scalar(1.5f).kind(), Scalar::Kind::Float);
    EXPECT_EQ(Scalar(Complex(1, 2)).kind(), Scalar::Kind::Complex);
    static_assert(!std::is_constructible_v<Scalar, const char*>, "a text is not True");
}

TEST(Scalar, Conversions) {
    const Scalar huge(std::numeric_limits<uint64_t>::max());
    EXPECT_EQ(huge.to_double(), 0x1p64);
    EXPECT_EQ(Scalar(-2.9).to_int(), -2);
    EXPECT_EQ(Scalar(Complex(7.5, 1)).to_int(), 7);
    EXPECT_EQ(Scalar(Complex(7.5, 1)).to_double(), 7.5);
    EXPECT_EQ(Scalar(3).to_complex(), Complex(3, 0));
    EXPECT_EQ(Scalar(true).to_double(), 1.0);
    EXPECT_EQ(Scalar(kNan).to_int(), 0);
    EXPECT_EQ(Scalar(kInf).to_int(), std::numeric_limits<int64_t>::max());
    EXPECT_EQ(Scalar(-1e30).to_int(), std::numeric_limits<int64_t>::min());
}

TEST(Scalar, BoolIsNotEqualToZero) {
    for (const Scalar& zero : {Scalar(0), Scalar(false), Scalar(0.0), Scalar(-0.0),
                               Scalar(Complex(0, 0)), Scalar(Complex(-0.0, -0.0))}) {
        EXPECT_FALSE(zero.to_bool()) << zero.to_string();
        EXPECT_FALSE(stored<bool>(zero)) << zero.to_string();
    }
    for (const Scalar& other :
         {Scalar(2), Scalar(-1), Scalar(true), Scalar(0.25), Scalar(kNan), Scalar(-kInf),
          Scalar(Complex(0, 1)), Scalar(uint64_t{1} << 63), Scalar(int64_t{1} << 40)}) {
        EXPECT_TRUE(other.to_bool()) << other.to_string();
        EXPECT_TRUE(stored<bool>(other)) << other.to_string();
    }
}

template <typename T>
void check_integral_ends() {
    using Limits = std::numeric_limits<T>;
    EXPECT_EQ(stored<T>(Scalar(true)), T{1});
    if constexpr (std::is_signed_v<T>) {
        EXPECT_EQ(stored<T>(Scalar(static_cast<int64_t>(Limits::min()))), Limits::min());
        EXPECT_EQ(stored<T>(Scalar(static_cast<int64_t>(Limits::max()))), Limits::max());
    } else {
        EXPECT_EQ(stored<T>(Scalar(static_cast<uint64_t>(Limits::max()))), Limits::max());
        EXPECT_THROW(stored<T>(Scalar(-1)), Overflow);
    }
    if constexpr (sizeof(T) < 8) {
        EXPECT_THROW(stored<T>(Scalar(static_cast<int64_t>(Limits::max()) + 1)), Overflow);
        EXPECT_THROW(stored<T>(Scalar(static_cast<int64_t>(Limits::min()) - 1)), Overflow);
        // A float truncates first, so up to one beyond the end fits.
        EXPECT_EQ(stored<T>(Scalar(static_cast<double>(Limits::max()) + 0.5)), Limits::max());
        EXPECT_EQ(stored<T>(Scalar(static_cast<double>(Limits::min()) - 0.5)), Limits::min());
    }
    const double above = std::ldexp(1.0, Limits::digits);
    EXPECT_EQ(stored<T>(Scalar(std::nextafter(above, 0.0))),
              static_cast<T>(std::nextafter(above, 0.0)));
    EXPECT_THROW(stored<T>(Scalar(above)), Overflow);
    EXPECT_THROW(stored<T>(Scalar(kNan)), Overflow);
    EXPECT_THROW(stored<T>(Scalar(kInf)), Overflow);
    EXPECT_THROW(stored<T>(Scalar(-kInf)), Overflow);
    EXPECT_EQ(stored<T>(Scalar(-0.75)), T{0});
    EXPECT_EQ(stored<T>(Scalar(Complex(3.9, 0))), T{3});
    EXPECT_THROW(stored<T>(Scalar(Complex(3, 1))), DtypeMismatch);
    if constexpr (!std::is_same_v<T, uint64_t>) {
        EXPECT_THROW(stored<T>(Scalar(uint64_t{1} << 63)), Overflow);
    }
}

TEST(Scalar, StoreIntoEachIntegralDtype) {
    check_integral_ends<uint8_t>();
    check_integral_ends<uint16_t>();
    check_integral_ends<uint32_t>();
    check_integral_ends<uint64_t>();
    check_integral_ends<int8_t>();
    check_integral_ends<int16_t>();
    check_integral_ends<int32_t>();
    check_integral_ends<int64_t>();
}

TEST(Scalar, RefusalsNameTheNumberAndTheDtype) {
    EXPECT_EQ((refusal<Overflow, uint8_t>(Scalar(300))),
              "value 300 does not fit in uint8 (0 to 255)");
    EXPECT_EQ((refusal<Overflow, int8_t>(Scalar(-129))),
              "value -129 does not fit in int8 (-128 to 127)");
    EXPECT_EQ((refusal<Overflow, int64_t>(Scalar(std::numeric_limits<uint64_t>::max()))),
              "value 18446744073709551615 does not fit in int64 (-9223372036854775808 to "
              "9223372036854775807)");
    EXPECT_EQ((refusal<Overflow, int16_t>(Scalar(kNan))),
              "value nan does not fit in int16 (-32768 to 32767)");
    EXPECT_EQ((refusal<DtypeMismatch, float>(Scalar(Complex(1, 2)))),
              "value (1+2j) does not fit in float32 (its imaginary part is not 0)");
    EXPECT_THROW(stored<double>(Scalar(Complex(1, kNan))), DtypeMismatch);
}

TEST(Scalar, StoreIntoFloatingAndComplex) {
    EXPECT_EQ(stored<float>(Scalar(0.1)), 0.1f);
    EXPECT_EQ(stored<double>(Scalar(0.1)), 0.1);
    EXPECT_EQ(stored<float>(Scalar(1e300)), std::numeric_limits<float>::infinity());
    EXPECT_EQ(stored<float16_t>(Scalar(1.5)).bits, 0x3e00);
    EXPECT_EQ(stored<bfloat16_t>(Scalar(-2)).bits, 0xc000);
    EXPECT_TRUE(std::isnan(stored<float>(Scalar(kNan))));
    EXPECT_EQ(stored<float>(Scalar(Complex(2.5, 0))), 2.5f);
    EXPECT_EQ(stored<double>(Scalar(uint64_t{1} << 63)), 0x1p63);
    EXPECT_EQ(stored<float>(Scalar(uint64_t{1} << 63)), 0x1p63f);
    EXPECT_EQ(stored<complex64_t>(Scalar(Complex(0.1, -3))), complex64_t(0.1f, -3));
    EXPECT_EQ(stored<complex128_t>(Scalar(7)), complex128_t(7, 0));
    EXPECT_EQ(stored<double>(Scalar(true)), 1.0);
    // Just above a tie of float32; through float64 it would be one, and round down.
    const int64_t above_tie = (int64_t{1} << 54) + (int64_t{1} << 30) + 1;
    EXPECT_EQ(stored<float>(Scalar(above_tie)), 0x1.000002p54f);
}

TEST(Scalar, LoadGivesBackWhatWasStored) {
    for (int i = 0; i < kNumDtypes; ++i) {
        const auto dtype = static_cast<Dtype>(i);
        unsigned char bytes[16];
        const Scalar value = dtype == bool_       ? Scalar(true)
                             : is_integral(dtype) ? Scalar(100)
                             : is_floating(dtype) ? Scalar(-1.25)
                                                  : Scalar(Complex(0.5, -2));
        value.store(dtype, bytes);
        EXPECT_TRUE(Scalar::load(dtype, bytes) == value) << name_of(dtype);
    }
    const uint64_t large = std::numeric_limits<uint64_t>::max();
    EXPECT_EQ(Scalar::load(uint64, &large).kind(), Scalar::Kind::UInt);
    EXPECT_EQ(Scalar::load(uint64, &large).to_string(), "18446744073709551615");
    const unsigned char odd_bool = 2;
    EXPECT_TRUE(Scalar::load(bool_, &odd_bool) == Scalar(true));
}

TEST(Scalar, NaturalDtype) {
    EXPECT_EQ(Scalar(true).natural_dtype(float32), bool_);
    EXPECT_EQ(Scalar(1).natural_dtype(float32), int64);
    EXPECT_EQ(Scalar(uint64_t{1} << 63).natural_dtype(float32), uint64);
    EXPECT_EQ(Scalar(1.0).natural_dtype(float32), float32);
    EXPECT_EQ(Scalar(1.0).natural_dtype(bfloat16), bfloat16);
    EXPECT_EQ(Scalar(Complex(1, 1)).natural_dtype(float32), complex64);
    EXPECT_EQ(Scalar(Complex(1, 1)).natural_dtype(float64), complex128);
}

TEST(Scalar, EqualityIsBitwise) {
    EXPECT_TRUE(Scalar(kNan) == Scalar(kNan));
    EXPECT_FALSE(Scalar(0.0) == Scalar(-0.0));
    EXPECT_FALSE(Scalar(1) == Scalar(1.0));
    EXPECT_FALSE(Scalar(1) == Scalar(true));
    EXPECT_FALSE(Scalar(Complex(1, 0.0)) == Scalar(Complex(1, -0.0)));
}

// Each text is repr() of CPython 3.
TEST(Scalar, PrintsAsPython) {
    const auto text = [](auto value) { return Scalar(value).to_string(); };
    EXPECT_EQ(text(true), "True");
    EXPECT_EQ(text(false), "False");
    EXPECT_EQ(text(3), "3");
    EXPECT_EQ(text(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(text(2.5), "2.5");
    EXPECT_EQ(text(0.0), "0.0");
    EXPECT_EQ(text(-0.0), "-0.0");
    EXPECT_EQ(text(1.0), "1.0");
    EXPECT_EQ(text(0.1), "0.1");
    EXPECT_EQ(text(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(text(1e20), "1e+20");
    EXPECT_EQ(text(1e16), "1e+16");
    EXPECT_EQ(text(1e15), "1000000000000000.0");
    EXPECT_EQ(text(9999999999999998.0), "9999999999999998.0");
    EXPECT_EQ(text(0.0001), "0.0001");
    EXPECT_EQ(text(0.00001), "1e-05");
    EXPECT_EQ(text(1.5e-7), "1.5e-07");
    EXPECT_EQ(text(5e-324), "5e-324");
    EXPECT_EQ(text(1.7976931348623157e308), "1.7976931348623157e+308");
    EXPECT_EQ(text(kNan), "nan");
    EXPECT_EQ(text(-kNan), "nan");
    EXPECT_EQ(text(kInf), "inf");
    EXPECT_EQ(text(-kInf), "-inf");
    EXPECT_EQ(text(Complex(1, 2)), "(1+2j)");
    EXPECT_EQ(text(Complex(1, -2.5)), "(1-2.5j)");
    EXPECT_EQ(text(Complex(0, 1)), "1j");
    EXPECT_EQ(text(Complex(0, -0.0)), "-0j");
    EXPECT_EQ(text(Complex(-0.0, 1)), "(-0+1j)");
    EXPECT_EQ(text(Complex(1e16, 1e-5)), "(1e+16+1e-05j)");
    EXPECT_EQ(text(Complex(kNan, -kInf)), "(nan-infj)");
    EXPECT_EQ(text(Complex(kInf, kNan)), "(inf+nanj)");
}

}  // namespace
