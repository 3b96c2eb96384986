// The instruction table against slow scalar code that shares nothing with it: which (instruction, dtype)
// pairs exist, every value class of every pair, and bits that depend on neither place, length nor target.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hwy/highway.h"
#include "lucid/backend/cpu/Instructions.h"

using namespace lucid;

namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;
using Bytes = std::vector<std::byte>;
using Complex = std::complex<long double>;

constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();

size_t item_of(Dtype dtype) { return static_cast<size_t>(size_of(dtype)); }
Dtype dtype_at(int i) { return static_cast<Dtype>(i); }

bool is_where(const Instruction& instruction) { return std::strcmp(instruction.name, "where") == 0; }
Dtype input_dtype(const Instruction& instruction, Dtype last, int k) {
    return is_where(instruction) && k == 0 ? Dtype::Bool : last;
}

// Calls body(instruction, in, out, row) for every pair of the table.
template <typename F>
void for_each_row(F body) {
    for (const Instruction& instruction : instruction_table()) {
        for (int i = 0; i < kNumDtypes; ++i) {
            for (int o = 0; o < kNumDtypes; ++o) {
                const RowFn row = instruction.fns[i][o];
                if (row != nullptr) body(instruction, dtype_at(i), dtype_at(o), row);
            }
        }
    }
}

// ---- Which pairs exist: PyTorch's CPU kernels.

bool should_exist(const std::string& name, Dtype in, Dtype out) {
    const auto one_of = [&](std::initializer_list<const char*> names) {
        for (const char* candidate : names) {
            if (name == candidate) return true;
        }
        return false;
    };
    if (name == "cast") return true;
    if (one_of({"eq", "ne", "logical_not", "logical_and", "logical_or", "logical_xor"})) {
        return out == Dtype::Bool;
    }
    if (one_of({"lt", "le", "gt", "ge"})) return out == Dtype::Bool && !is_complex(in);
    if (name == "abs") return in != Dtype::Bool && out == real_dtype(in);
    if (in != out) return false;
    if (one_of({"copy", "where", "conj", "add", "mul"})) return true;
    if (one_of({"sub", "neg", "pow"})) return in != Dtype::Bool;
    if (one_of({"sign", "maximum", "minimum"})) return !is_complex(in);
    if (one_of({"relu", "relu_backward"})) return in != Dtype::Bool && !is_complex(in);
    if (one_of({"div", "exp", "log", "sqrt", "tanh", "sigmoid", "reciprocal", "tanh_backward",
                "sigmoid_backward"})) {
        return is_inexact(in);
    }
    ADD_FAILURE() << "the test does not know the instruction " << name;
    return false;
}

TEST(InstructionPairs, AreExactlyPyTorchs) {
    for (const Instruction& instruction : instruction_table()) {
        for (int i = 0; i < kNumDtypes; ++i) {
            for (int o = 0; o < kNumDtypes; ++o) {
                EXPECT_EQ(instruction_supports(instruction, dtype_at(i), dtype_at(o)),
                          should_exist(instruction.name, dtype_at(i), dtype_at(o)))
                    << instruction.name << " " << name_of(dtype_at(i)) << " -> "
                    << name_of(dtype_at(o));
            }
        }
    }
}

// ---- Values. A Number holds any element exactly: integers in 128 bits, floating ones in long double.

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
Number load(Dtype dtype, const std::byte* from) {
    return dispatch_dtype(dtype, [&]<typename T>() { return load_as<T>(from); });
}

struct Format {
    int digits;
    int min_exponent;  // of frexp, of the smallest normal number
    int max_exponent;
};
Format format_of(Dtype dtype) {
    switch (real_dtype(dtype)) {
        case Dtype::Float16: return {11, -13, 16};
        case Dtype::BFloat16: return {8, -125, 128};
        case Dtype::Float32: return {24, -125, 128};
        default: return {53, -1021, 1024};
    }
}
long double ulp_at(Dtype dtype, long double x) {
    const Format format = format_of(dtype);
    int exponent = 0;
    std::frexp(x, &exponent);
    return std::ldexp(1.0L, std::max(exponent, format.min_exponent) - format.digits);
}
// To nearest, ties to even, in the slow way.
long double round_to(Dtype dtype, long double x) {
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
long double rounded(Dtype dtype, F f, long double a, long double b) {
    if (dtype == Dtype::Float64) return f(static_cast<double>(a), static_cast<double>(b));
    if (dtype == Dtype::Float32) return f(static_cast<float>(a), static_cast<float>(b));
    // One rounding of the exact result and the engine's two, float32's first, agree for 16-bit operands.
    return round_to(dtype, f(a, b));
}

bool same(long double a, long double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

// The end of a type as C's conversion of a floating number would need it.
template <typename T>
Int128 saturate(long double x) {
    if (std::isnan(x)) return 0;
    x = std::trunc(x);
    if (x <= static_cast<long double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (x >= static_cast<long double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<Int128>(x);
}
// Modulo 2^bits, as T.
Int128 wrap(Dtype dtype, UInt128 x) {
    return dispatch_dtype(dtype, [&]<typename T>() -> Int128 {
        if constexpr (std::is_integral_v<T>) return static_cast<T>(x);
        return 0;
    });
}

Int128 integer_pow(Dtype dtype, Int128 base, Int128 exponent) {
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

// What an instruction should give: exactly (tolerance 0), or within `tolerance` ulps of the largest part.
struct Want {
    Number number;
    long double tolerance = 0;
    bool any = false;  // nothing is promised
};
Want exactly(Int128 integer) { return {{integer, {}}}; }
Want exactly(long double value) { return {{0, {value, 0}}}; }
Want about(Complex value, long double tolerance) { return {{0, value}, tolerance}; }

Want integer_oracle(const std::string& name, Dtype dtype, Int128 a, Int128 b) {
    const auto as = [&](Int128 x) { return exactly(wrap(dtype, static_cast<UInt128>(x))); };
    const bool boolean = dtype == Dtype::Bool;
    if (name == "add") return boolean ? exactly(a | b) : as(a + b);
    if (name == "mul") {
        return exactly(boolean ? a & b : wrap(dtype, static_cast<UInt128>(a) * static_cast<UInt128>(b)));
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

long double sigmoid(long double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

Want real_oracle(const std::string& name, Dtype dtype, long double a, long double b) {
    // An elementary function is within an ulp or two; in a 16-bit type it is a float32 result, rounded.
    const bool narrow = dtype == Dtype::Float16 || dtype == Dtype::BFloat16;
    const auto near = [&](long double x, long double ulps) { return about({x, 0}, narrow ? 0.502L : ulps); };
    const auto step = [&](auto f, long double x, long double y) {  // a rounding of the computing type
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
        return exactly(rounded(dtype, [](auto x, auto) { return std::sqrt(x); }, a, b));
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
    if (name == "pow") return near(std::pow(a, b), 2);
    ADD_FAILURE() << "no oracle for " << name;
    return {};
}

bool finite(Complex x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }

Want complex_oracle(const std::string& name, Dtype dtype, Complex a, Complex b) {
    const Dtype real = real_dtype(dtype);
    const auto plus = [](auto x, auto y) { return x + y; };
    const auto minus = [](auto x, auto y) { return x - y; };
    const auto parts = [&](auto f) {
        return about({rounded(real, f, a.real(), b.real()), rounded(real, f, a.imag(), b.imag())}, 0);
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
    if (name == "div") return b == Complex(0) ? any : near(a / b, 8);
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
        return std::abs(exponent) < 60 ? near(std::exp(exponent), 16 + 8 * std::abs(exponent)) : any;
    }
    if (name == "tanh_backward") {
        const Complex square = b * b;
        const long double size = std::abs(a) * (1 + std::abs(square));
        const Complex result = a * (Complex(1) - square);
        if (size > top || std::abs(result) * 8 < size) return any;  // it overflows, or cancels
        return near(result, 64);
    }
    if (name == "sigmoid_backward") {
        const Complex result = a * (b * (Complex(1) - b));
        const long double size = std::abs(a) * std::abs(b) * (1 + std::abs(b));
        if (size > top || std::abs(result) * 8 < size) return any;
        return near(result, 64);
    }
    ADD_FAILURE() << "no oracle for " << name;
    return {};
}

Number cast_number(Dtype in, Dtype out, const Number& from) {
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

Want oracle(const std::string& name, Dtype in, Dtype out, const Number& a, const Number& b) {
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

bool satisfies(Dtype out, const Number& got, const Want& want) {
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

// ---- Samples: the ends and the odd numbers of each type, then random bits and random small numbers.

template <typename T>
std::vector<T> edges_of() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<T>) {
        constexpr int kBits = 8 * sizeof(T);
        std::vector<T> edges;
        for (int value = -4; value <= 11; ++value) edges.push_back(static_cast<T>(value));
        for (int bit = 3; bit < kBits; ++bit) edges.push_back(static_cast<T>((UInt128{1} << bit) - 1));
        for (T step = 0; step < 3; ++step) {
            edges.push_back(static_cast<T>(Limits::min() + step));
            edges.push_back(static_cast<T>(Limits::max() - step));
            edges.push_back(static_cast<T>(Limits::max() / 2 + step));
        }
        return edges;
    } else {
        std::vector<T> edges = {0, 1, 2, 3, T(0.5), T(1.5), T(2.5), 10, 100, 127, 128, 255, 256, 32768, 65504,
                                65519, 65520, 65536, T(1e10), T(0.1), T(1e-5), T(6e-8), T(2.98e-8), T(1e-30),
                                T(88.7), T(88.8), T(104), T(709), T(710), T(746), T(2147483647),
                                T(4294967295.), T(9223372036854775807.), T(18446744073709551615.),
                                1 + Limits::epsilon(), 1 - Limits::epsilon() / 2, Limits::min(),
                                Limits::min() / 2, Limits::denorm_min(), 3 * Limits::denorm_min(),
                                Limits::max(), Limits::max() / 2, Limits::infinity(), Limits::quiet_NaN(),
                                std::sqrt(Limits::max()), std::sqrt(Limits::min())};
        const size_t count = edges.size();
        for (size_t i = 0; i < count; ++i) edges.push_back(-edges[i]);
        return edges;
    }
}
template <typename T>
std::vector<T> values_of(unsigned seed, size_t random) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal(0, 3);
    std::vector<T> values;
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        using R = typename T::value_type;
        const std::vector<R> edges = edges_of<R>();
        for (R edge : edges) values.push_back({edge, edges[engine() % edges.size()]});
        for (R edge : edges) values.push_back({static_cast<R>(normal(engine)), edge});
        for (R edge : edges) values.push_back({edge, 0});
        for (size_t i = 0; i < random; ++i) {
            const R real = static_cast<R>(normal(engine));
            values.push_back({real, static_cast<R>(normal(engine))});
        }
    } else if constexpr (std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>) {
        for (float edge : edges_of<float>()) values.push_back(T(edge));
        for (uint16_t bits : {1, 2, 0x3ff, 0x400, 0x7bff, 0x7f7f, 0x8001, 0x7e01, 0xfe01}) {
            values.emplace_back();
            values.back().bits = bits;
        }
        for (size_t i = 0; i < random; ++i) {
            values.push_back(T(static_cast<float>(normal(engine))));
            values.emplace_back();
            values.back().bits = static_cast<uint16_t>(engine());
        }
    } else {
        values = edges_of<T>();
        for (size_t i = 0; i < random; ++i) {
            const uint64_t bits = engine();
            T any;
            std::memcpy(&any, &bits, sizeof(T));
            values.push_back(any);
            if constexpr (std::is_integral_v<T>) values.push_back(static_cast<T>(bits % 13));
            else values.push_back(static_cast<T>(normal(engine)));
        }
    }
    return values;
}
Bytes sample(Dtype dtype, unsigned seed, size_t random) {
    return dispatch_dtype(dtype, [&]<typename T>() {
        if constexpr (std::is_same_v<T, bool>) {
            Bytes bytes(random + 8);
            std::mt19937 engine(seed);
            for (std::byte& byte : bytes) byte = static_cast<std::byte>((engine() >> 7) & 1);
            return bytes;
        } else {
            const std::vector<T> values = values_of<T>(seed, random);
            Bytes bytes(values.size() * sizeof(T));
            std::memcpy(bytes.data(), values.data(), bytes.size());
            return bytes;
        }
    });
}

std::string describe(Dtype dtype, const std::byte* from) {
    const Number number = load(dtype, from);
    if (!is_inexact(dtype)) return std::to_string(static_cast<long double>(number.integer));
    char text[100];
    std::snprintf(text, sizeof(text), "(%.20Lg, %.20Lg)", number.value.real(), number.value.imag());
    return text;
}

// Every pair of samples of a binary instruction: a against b shifted by each of some distances.
TEST(InstructionValues, AgreeWithTheOracle) {
    for_each_row([](const Instruction& instruction, Dtype in, Dtype out, RowFn row) {
        if (is_where(instruction)) return;
        const Bytes a = sample(in, 1, instruction.arity == 1 ? 2000 : 40);
        const Bytes b = sample(in, 2, instruction.arity == 1 ? 2000 : 40);
        const size_t count = a.size() / item_of(in);
        const size_t shifts = instruction.arity == 1 ? 1 : count;
        Bytes shifted(a.size());
        Bytes result(count * item_of(out));
        int failures = 0;
        for (size_t shift = 0; shift < shifts && failures < 3; ++shift) {
            for (size_t i = 0; i < count; ++i) {
                std::memcpy(&shifted[i * item_of(in)], &b[(i + shift) % count * item_of(in)], item_of(in));
            }
            const void* const inputs[2] = {a.data(), shifted.data()};
            const int64_t strides[2] = {1, 1};
            row(count, result.data(), inputs, strides);
            for (size_t i = 0; i < count && failures < 3; ++i) {
                const std::byte* x = &a[i * item_of(in)];
                const std::byte* y = &shifted[i * item_of(in)];
                const std::byte* r = &result[i * item_of(out)];
                const Want want = oracle(instruction.name, in, out, load(in, x), load(in, y));
                if (satisfies(out, load(out, r), want)) continue;
                ++failures;
                ADD_FAILURE() << instruction.name << " " << name_of(in) << " -> " << name_of(out) << " of "
                              << describe(in, x) << ", " << describe(in, y) << " gave "
                              << describe(out, r) << ", wanted "
                              << static_cast<double>(want.number.value.real()) << " "
                              << static_cast<double>(want.number.value.imag()) << " or "
                              << static_cast<double>(want.number.integer);
            }
        }
    });
}

TEST(InstructionValues, MovesKeepEveryBit) {
    const Instruction& where = *find_instruction("where");
    for (int i = 0; i < kNumDtypes; ++i) {
        const Dtype dtype = dtype_at(i);
        const size_t item = item_of(dtype);
        const Bytes a = sample(dtype, 1, 300);
        const Bytes b = sample(dtype, 2, 300);
        const size_t count = a.size() / item;
        const Bytes condition = sample(Dtype::Bool, 3, count);
        Bytes out(a.size());
        const int64_t strides[3] = {1, 1, 1};
        const void* const inputs[3] = {condition.data(), a.data(), b.data()};
        where.row(dtype, dtype)(count, out.data(), inputs, strides);
        for (size_t k = 0; k < count; ++k) {
            const Bytes& from = condition[k] != std::byte{0} ? a : b;
            ASSERT_EQ(std::memcmp(&out[k * item], &from[k * item], item), 0) << name_of(dtype) << " " << k;
        }
        for (const char* name : {"copy", "cast"}) {
            find_instruction(name)->row(dtype, dtype)(count, out.data(), inputs + 1, strides);
            ASSERT_EQ(out, a) << name << " " << name_of(dtype);
        }
    }
}

// ---- Bits depend on the inputs alone.

constexpr size_t kLongest = 67;

// Results of single elements, for all strides: reference[s][i] is of element i, or 0 where stride bit s is 0.
TEST(InstructionPlaces, LengthPlaceAndStrideDoNotMatter) {
    for_each_row([](const Instruction& instruction, Dtype in, Dtype out, RowFn row) {
        const int arity = instruction.arity;
        constexpr size_t kPad = 13;
        Bytes inputs[3];
        size_t items[3];
        for (int k = 0; k < arity; ++k) {
            const Dtype dtype = input_dtype(instruction, in, k);
            const Bytes all = sample(dtype, static_cast<unsigned>(k + 5), 200);
            items[k] = item_of(dtype);
            const size_t count = all.size() / items[k];
            for (size_t i = 0; i < kLongest + kPad; ++i) {
                const std::byte* from = &all[i * 31 % count * items[k]];
                inputs[k].insert(inputs[k].end(), from, from + items[k]);
            }
        }
        const size_t item = item_of(out);
        for (unsigned mask = 0; mask < (1u << arity); ++mask) {
            int64_t strides[3];
            for (int k = 0; k < arity; ++k) strides[k] = (mask >> k) & 1;
            for (size_t n = 1; n <= kLongest; ++n) {
                const size_t start = mask == (1u << arity) - 1 ? n * 7 % kPad : n % 3;
                const void* at[3];
                for (int k = 0; k < arity; ++k) at[k] = &inputs[k][start * items[k]];
                Bytes got((n + 2) * item, std::byte{0x5a});
                row(n, &got[item], at, strides);
                for (size_t i = 0; i < item; ++i) {
                    ASSERT_EQ(got[i], std::byte{0x5a}) << instruction.name;
                    ASSERT_EQ(got[(n + 1) * item + i], std::byte{0x5a}) << instruction.name;
                }
                for (size_t i = 0; i < n; ++i) {
                    const void* single[3];
                    for (int k = 0; k < arity; ++k) {
                        single[k] = &inputs[k][(start + (strides[k] != 0 ? i : 0)) * items[k]];
                    }
                    std::byte alone[16];
                    row(1, alone, single, strides);
                    ASSERT_EQ(std::memcmp(alone, &got[(i + 1) * item], item), 0)
                        << instruction.name << " " << name_of(in) << " -> " << name_of(out) << " n " << n
                        << " at " << i << " strides " << mask << " of "
                        << describe(in, static_cast<const std::byte*>(single[arity - 1]));
                }
                // `out` is each input of stride 1 and equal item size in turn.
                for (int k = 0; k < arity; ++k) {
                    if (items[k] != item || strides[k] == 0) continue;
                    Bytes place(inputs[k].begin() + static_cast<ptrdiff_t>(start * item),
                                inputs[k].begin() + static_cast<ptrdiff_t>((start + n) * item));
                    const void* aliased[3] = {at[0], at[1], at[2]};
                    aliased[k] = place.data();
                    row(n, place.data(), aliased, strides);
                    ASSERT_EQ(std::memcmp(place.data(), &got[item], n * item), 0)
                        << instruction.name << " " << name_of(in) << " in place of input " << k << " n " << n;
                }
            }
        }
    });
}

#ifndef LUCID_ONE_TARGET
std::vector<Instruction> table_of(int64_t target) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    std::vector<Instruction> rows(cpu::kNumInstructions);
    cpu::build_instruction_table(std::span<Instruction, cpu::kNumInstructions>(rows));
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return rows;
}

#if HWY_ARCH_X86
TEST(InstructionPlaces, SimdTargetsAgree) {
    if ((hwy::SupportedTargets() & HWY_AVX3) == 0) GTEST_SKIP() << "this CPU has no AVX-512";
    const std::vector<Instruction> narrow = table_of(HWY_AVX2);
    const std::vector<Instruction> wide = table_of(HWY_AVX3);
    int different = 0;
    for (size_t t = 0; t < cpu::kNumInstructions; ++t) {
        for (int i = 0; i < kNumDtypes; ++i) {
            for (int o = 0; o < kNumDtypes; ++o) {
                const RowFn first = narrow[t].fns[i][o];
                const RowFn second = wide[t].fns[i][o];
                ASSERT_EQ(first == nullptr, second == nullptr);
                if (first == second) continue;
                ++different;
                Bytes inputs[3];
                const void* at[3];
                size_t count = 0;
                for (int k = 2; k >= 0; --k) {
                    const Dtype dtype = input_dtype(narrow[t], dtype_at(i), k);
                    inputs[k] = sample(dtype, static_cast<unsigned>(k + 7), k == 0 ? 20000 : 9000);
                    if (k == 2) count = inputs[k].size() / item_of(dtype);
                    at[k] = inputs[k].data();
                }
                const int64_t strides[3] = {1, 1, 1};
                Bytes x(count * item_of(dtype_at(o)));
                Bytes y(x.size());
                first(count, x.data(), at, strides);
                second(count, y.data(), at, strides);
                ASSERT_TRUE(x == y) << narrow[t].name << " " << name_of(dtype_at(i)) << " -> "
                                    << name_of(dtype_at(o));
            }
        }
    }
    EXPECT_GT(different, 300);  // the tables are of two targets indeed
}
#endif
#endif

}  // namespace
