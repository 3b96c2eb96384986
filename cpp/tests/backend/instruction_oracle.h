// What every instruction should give, element by element, in long double, 128-bit integers and the
// C++ types: slow code that shares nothing with the kernels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>

#include "lucid/core/Dtype.h"

namespace lucid_tests {

using namespace lucid;

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;
using Complex = std::complex<long double>;

inline constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();

// Any element exactly: integers in 128 bits, floating ones in long double.
struct Number {
    Int128 integer = 0;
    Complex value;
};

template <typename T>
Number load_as(const std::byte* from) {
    T item;
    std::memcpy(&item, from, sizeof(T));
    if constexpr (std::is_integral_v<T>) {
        return {item, {static_cast<long double>(item), 0}};
    } else if constexpr (std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>) {
        return {0, {static_cast<float>(item), 0}};
    } else if constexpr (std::is_floating_point_v<T>) {
        return {0, {item, 0}};
    } else {
        return {0, {item.real(), item.imag()}};
    }
}
inline Number load(Dtype dtype, const std::byte* from) {
    return dispatch_dtype(dtype, [&]<typename T>() { return load_as<T>(from); });
}

struct Format {
    int digits;
    int min_exponent;  // of frexp, of the smallest normal number
    int max_exponent;
};
inline Format format_of(Dtype dtype) {
    switch (real_dtype(dtype)) {
        case Dtype::Float16: return {11, -13, 16};
        case Dtype::BFloat16: return {8, -125, 128};
        case Dtype::Float32: return {24, -125, 128};
        default: return {53, -1021, 1024};
    }
}
inline long double ulp_at(Dtype dtype, long double x) {
    const Format format = format_of(dtype);
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(1.0L, std::max(exponent, format.min_exponent) - format.digits);
}
// To nearest, ties to even, in the slow way.
inline long double round_to(Dtype dtype, long double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    const long double ulp = ulp_at(dtype, x);
    const long double rounded = std::nearbyint(x / ulp) * ulp;
    if (std::abs(rounded) >= std::ldexp(1.0L, format_of(dtype).max_exponent)) {
        return std::copysign(std::numeric_limits<long double>::infinity(), x);
    }
    return std::copysign(rounded, x);
}
// float64 sums, products and quotients as the C++ type rounds them: long double would round twice.
template <typename F>
inline long double rounded(Dtype dtype, F f, long double a, long double b) {
    if (dtype == Dtype::Float64) return f(static_cast<double>(a), static_cast<double>(b));
    if (dtype == Dtype::Float32) return f(static_cast<float>(a), static_cast<float>(b));
    // One rounding of the exact result and the engine's two, float32's first, agree for 16-bit
    // operands.
    return round_to(dtype, f(a, b));
}

inline bool same(long double a, long double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// The end of a type as C's conversion of a floating number would need it.
template <typename T>
inline Int128 saturate(long double x) {
    if (std::isnan(x)) return 0;
    x = std::trunc(x);
    if (x <= static_cast<long double>(std::numeric_limits<T>::min()))
        return std::numeric_limits<T>::min();
    if (x >= static_cast<long double>(std::numeric_limits<T>::max()))
        return std::numeric_limits<T>::max();
    return static_cast<Int128>(x);
}
// Modulo 2^bits, as T.
inline Int128 wrap(Dtype dtype, UInt128 x) {
    return dispatch_dtype(dtype, [&]<typename T>() -> Int128 {
        if constexpr (std::is_integral_v<T>) return static_cast<T>(x);
        return 0;
    });
}

inline Int128 integer_pow(Dtype dtype, Int128 base, Int128 exponent) {
    if (exponent < 0) return base == 1 ? 1 : (base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0);
    Int128 result = 1;
    for (int bit = 63; bit >= 0; --bit) {
        result = wrap(dtype, static_cast<UInt128>(result) * static_cast<UInt128>(result));
        if (((exponent >> bit) & 1) != 0) {
            result = wrap(dtype, static_cast<UInt128>(result) * static_cast<UInt128>(base));
        }
    }
    return result;
}

// What an instruction should give: exactly (tolerance 0), or within `tolerance` ulps of the largest
// part.
struct Want {
    Number number;
    long double tolerance = 0;
    bool any = false;  // nothing is promised
};
inline Want exactly(Int128 integer) { return {{integer, {}}}; }
inline Want exactly(long double value) { return {{0, {value, 0}}}; }
inline Want about(Complex value, long double tolerance) { return {{0, value}, tolerance}; }

inline Want integer_oracle(const std::string& name, Dtype dtype, Int128 a, Int128 b) {
    const auto as = [&](Int128 x) { return exactly(wrap(dtype, static_cast<UInt128>(x))); };
    const bool boolean = dtype == Dtype::Bool;
    if (name == "add") return boolean ? exactly(a | b) : as(a + b);
    if (name == "mul") {
        return exactly(boolean ? a & b
                               : wrap(dtype, static_cast<UInt128>(a) * static_cast<UInt128>(b)));
    }
    if (name == "sub") return as(a - b);
    if (name == "neg") return as(-a);
    if (name == "abs") return as(a < 0 ? -a : a);
    if (name == "sign") return as((a > 0) - (a < 0));
    if (name == "maximum") return as(std::max(a, b));
    if (name == "minimum") return as(std::min(a, b));
    if (name == "relu") return as(std::max<Int128>(a, 0));
    if (name == "relu_backward") return as(b > 0 ? a : 0);
    if (name == "pow") return exactly(integer_pow(dtype, a, b));
    ADD_FAILURE() << "no oracle for " << name;
    return {};
}

inline long double sigmoid(long double x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}

inline Want real_oracle(const std::string& name, Dtype dtype, long double a, long double b) {
    // An elementary function is within an ulp or two; in a 16-bit type it is a float32 result,
    // rounded.
    const bool narrow = dtype == Dtype::Float16 || dtype == Dtype::BFloat16;
    const auto near = [&](long double x, long double ulps) {
        return about({x, 0}, narrow ? 0.502L : ulps);
    };
    const auto step = [&](auto f, long double x,
                          long double y) {  // a rounding of the computing type
        return narrow ? rounded(Dtype::Float32, f, x, y) : rounded(dtype, f, x, y);
    };
    const auto plus = [](auto x, auto y) { return x + y; };
    const auto minus = [](auto x, auto y) { return x - y; };
    const auto times = [](auto x, auto y) { return x * y; };
    const auto over = [](auto x, auto y) { return x / y; };
    if (name == "add") return exactly(rounded(dtype, plus, a, b));
    if (name == "sub") return exactly(rounded(dtype, minus, a, b));
    if (name == "mul") return exactly(rounded(dtype, times, a, b));
    if (name == "div") return exactly(rounded(dtype, over, a, b));
    if (name == "reciprocal") return exactly(rounded(dtype, over, 1.0L, a));
    if (name == "sqrt") {
        return exactly(rounded(
            dtype, [](auto x, auto) { return std::sqrt(x); }, a, b));
    }
    if (name == "neg") return exactly(-a);
    if (name == "abs") return exactly(std::abs(a));
    if (name == "sign") return exactly(static_cast<long double>((a > 0) - (a < 0)));
    if (name == "maximum") return exactly(std::isnan(a) || std::isnan(b) ? kNan : (a > b ? a : b));
    if (name == "minimum") return exactly(std::isnan(a) || std::isnan(b) ? kNan : (a < b ? a : b));
    if (name == "relu") return exactly(a < 0 ? 0.0L : a);
    if (name == "relu_backward") return exactly(b > 0 ? a : 0.0L);
    if (name == "tanh_backward") {
        return exactly(round_to(dtype, step(times, a, step(minus, 1, step(times, b, b)))));
    }
    if (name == "sigmoid_backward") {
        return exactly(round_to(dtype, step(times, a, step(times, b, step(minus, 1, b)))));
    }
    if (name == "exp") return near(std::exp(a), 1);
    if (name == "log") return near(std::log(a), 1);
    if (name == "tanh") return near(std::tanh(a), 2);
    if (name == "sigmoid") return near(sigmoid(a), 2);
    if (name == "pow") {
        // glibc's powl is wrong for an infinite base and some large exponents.
        if (std::isinf(a))
            return exactly(
                static_cast<long double>(std::pow(static_cast<double>(a), static_cast<double>(b))));
        return near(std::pow(a, b), 2);
    }
    ADD_FAILURE() << "no oracle for " << name;
    return {};
}

inline bool finite(Complex x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

inline Want complex_oracle(const std::string& name, Dtype dtype, Complex a, Complex b) {
    const Dtype real = real_dtype(dtype);
    const auto plus = [](auto x, auto y) { return x + y; };
    const auto minus = [](auto x, auto y) { return x - y; };
    const auto parts = [&](auto f) {
        return about({rounded(real, f, a.real(), b.real()), rounded(real, f, a.imag(), b.imag())},
                     0);
    };
    if (name == "add") return parts(plus);
    if (name == "sub") return parts(minus);
    if (name == "neg") return about({-a.real(), -a.imag()}, 0);
    if (name == "conj") return about({a.real(), -a.imag()}, 0);
    // The rest: finite operands, and results that no intermediate step overflows.
    Want any;
    any.any = true;
    if (!finite(a) || !finite(b)) return any;
    if (name == "abs") return about({std::hypot(a.real(), a.imag()), 0}, 1);
    const long double top = std::ldexp(1.0L, format_of(real).max_exponent - 2);
    const auto near = [&](Complex x, long double tolerance) {
        return finite(x) && std::abs(x) < top ? about(x, tolerance) : any;
    };
    if (name == "mul") {
        // The textbook formula: each product is below the bound, or the sum is not defined.
        return std::abs(a) * std::abs(b) < top ? near(a * b, 3) : any;
    }
    if (name == "div") {
        // Smith's products lose the digits of a float64 numerator that is nearly subnormal.
        const bool tiny = real == Dtype::Float64 && a != Complex(0) && std::abs(a) < 0x1p-900L;
        return b == Complex(0) || tiny ? any : near(a / b, 8);
    }
    if (name == "reciprocal") return a == Complex(0) ? any : near(Complex(1) / a, 8);
    if (name == "exp") return near(std::exp(a), 4);
    if (name == "log") return a == Complex(0) ? any : near(std::log(a), 4);
    if (name == "sqrt") return near(std::sqrt(a), 4);
    if (name == "tanh") {
        return std::abs(std::cosh(a)) < 0.1L ? any : near(std::tanh(a), 16);
    }
    if (name == "sigmoid") {
        const Complex e = std::exp(a.real() < 0 ? a : -a);
        if (std::abs(Complex(1) + e) < 0.1L) return any;  // a pole
        return near((a.real() < 0 ? e : Complex(1)) / (Complex(1) + e), 16);
    }
    if (name == "pow") {
        if (b == Complex(0)) return about({1, 0}, 0);
        if (a == Complex(0)) return b.real() > 0 ? about({0, 0}, 0) : any;
        const Complex exponent = b * std::log(a);
        return std::abs(exponent) < 60 ? near(std::exp(exponent), 16 + 8 * std::abs(exponent))
                                       : any;
    }
    if (name == "tanh_backward") {
        const Complex square = b * b;
        const long double size = std::abs(a) * (1 + std::abs(square));
        const Complex result = a * (Complex(1) - square);
        if (size > top || std::abs(square) > top || std::abs(result) * 8 < size)
            return any;  // it overflows, or cancels
        return near(result, 64);
    }
    if (name == "sigmoid_backward") {
        const Complex result = a * (b * (Complex(1) - b));
        const long double inner = std::abs(b) * (1 + std::abs(b));
        const long double size = std::abs(a) * inner;
        if (size > top || inner > top || std::abs(result) * 8 < size) return any;
        return near(result, 64);
    }
    ADD_FAILURE() << "no oracle for " << name;
    return {};
}

inline Number cast_number(Dtype in, Dtype out, const Number& from) {
    const Complex value = from.value;
    if (out == Dtype::Bool) return {value != Complex(0), {}};
    if (is_integral(out)) {
        if (!is_inexact(in)) return {wrap(out, static_cast<UInt128>(from.integer)), {}};
        return dispatch_dtype(out, [&]<typename T>() -> Number {
            if constexpr (std::is_integral_v<T>) return {saturate<T>(value.real()), {}};
            return {};
        });
    }
    const auto part = [&](long double x) {
        if (out == Dtype::Float16 || out == Dtype::BFloat16) x = round_to(Dtype::Float32, x);
        return round_to(out, x);
    };
    return {0, {part(value.real()), is_complex(out) ? part(value.imag()) : 0}};
}

inline Want oracle(const std::string& name, Dtype in, Dtype out, const Number& a, const Number& b) {
    const Complex x = a.value;
    const Complex y = b.value;
    if (name == "copy") return {a};
    if (name == "cast") return {cast_number(in, out, a)};
    if (name == "eq") return exactly(Int128{x == y});
    if (name == "ne") return exactly(Int128{x != y});
    if (name == "lt") return exactly(Int128{x.real() < y.real()});
    if (name == "le") return exactly(Int128{x.real() <= y.real()});
    if (name == "gt") return exactly(Int128{x.real() > y.real()});
    if (name == "ge") return exactly(Int128{x.real() >= y.real()});
    const bool p = x != Complex(0);
    const bool q = y != Complex(0);
    if (name == "logical_not") return exactly(Int128{!p});
    if (name == "logical_and") return exactly(Int128{p && q});
    if (name == "logical_or") return exactly(Int128{p || q});
    if (name == "logical_xor") return exactly(Int128{p != q});
    if (is_complex(in)) return complex_oracle(name, in, x, y);
    if (name == "conj") return {a};
    if (is_floating(in)) return real_oracle(name, in, x.real(), y.real());
    return integer_oracle(name, in, a.integer, b.integer);
}

inline bool satisfies(Dtype out, const Number& got, const Want& want) {
    if (want.any) return true;
    if (!is_inexact(out)) return got.integer == want.number.integer;
    const Complex x = got.value;
    const Complex y = want.number.value;
    if (want.tolerance == 0) return same(x.real(), y.real()) && same(x.imag(), y.imag());
    if (!is_complex(out) && !std::isfinite(y.real())) return same(x.real(), y.real());
    // Infinity counts as the first number beyond the largest.
    const long double end = std::ldexp(1.0L, format_of(out).max_exponent);
    const auto clip = [&](long double v) { return std::isinf(v) ? std::copysign(end, v) : v; };
    const long double beyond = std::abs(y.real()) > end ? std::copysign(end, y.real()) : y.real();
    const Complex difference(clip(x.real()) - beyond, clip(x.imag()) - y.imag());
    const long double size = std::min(std::abs(y), end / 2);
    return std::abs(difference) <= want.tolerance * ulp_at(out, size);
}

}  // namespace lucid_tests
