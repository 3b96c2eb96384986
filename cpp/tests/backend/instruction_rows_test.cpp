// Every row of the instruction table against scalar code: all dtypes, lengths around the vector
// width, broadcast inputs, in-place results, and the law that a value does not depend on its
// position.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lucid/backend/InstructionTable.h"
#include "lucid/core/Scalar.h"

using namespace lucid;

namespace {

constexpr size_t kLengths[] = {0, 1, 3, 7, 8, 15, 16, 17, 31, 33, 64, 65, 1000};

template <typename T>
constexpr bool kHalf = std::is_same_v<T, float16_t> || std::is_same_v<T, bfloat16_t>;
template <typename T>
constexpr bool kComplexType = std::is_same_v<T, complex64_t> || std::is_same_v<T, complex128_t>;
template <typename T>
using Compute = std::conditional_t<kHalf<T>, float, T>;

// std::vector<bool> is not memory of bools.
template <typename T>
struct Memory {
    std::unique_ptr<T[]> items;
    size_t count;
    explicit Memory(size_t n) : items(new T[n]()), count(n) {}
    Memory(const Memory& other) : Memory(other.count) {
        std::copy(other.begin(), other.end(), begin());
    }
    T* data() const { return items.get(); }
    T* begin() const { return items.get(); }
    T* end() const { return items.get() + count; }
    size_t size() const { return count; }
    T& operator[](size_t i) const { return items[i]; }
};

template <typename T>
Memory<T> sample(size_t n, unsigned seed) {
    std::mt19937_64 engine(seed);
    Memory<T> values(n);
    const double special[] = {0.0,
                              -0.0,
                              1.0,
                              -1.0,
                              2.0,
                              -2.0,
                              0.5,
                              3.0,
                              std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN(),
                              1e-40,
                              -1e-40,
                              1e5,
                              100.0};
    for (T& value : values) {
        const uint64_t bits = engine();
        if constexpr (std::is_same_v<T, bool>) {
            value = (bits >> 13) & 1;
        } else if constexpr (std::is_integral_v<T>) {
            // Small, middle and any numbers; the ends of the type.
            const int kind = static_cast<int>(bits % 8);
            value = kind < 5 ? static_cast<T>(static_cast<int64_t>((bits >> 8) % 9) - 4)
                             : static_cast<T>(bits >> 8);
            if (kind == 7 && bits % 3 == 0) value = std::numeric_limits<T>::min();
            if (kind == 7 && bits % 3 == 1) value = std::numeric_limits<T>::max();
        } else {
            const auto number = [&] {
                const uint64_t word = engine();
                if (word % 6 == 0) return special[(word >> 8) % std::size(special)];
                return std::normal_distribution<double>(0, word % 5 == 0 ? 50 : 1)(engine);
            };
            if constexpr (kComplexType<T>) {
                using R = typename T::value_type;
                const double real = number();
                value = T(static_cast<R>(real), static_cast<R>(number()));
            } else {
                value = T(static_cast<Compute<T>>(number()));
            }
        }
    }
    return values;
}

template <typename T>
bool same_bits(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <typename T>
bool is_nan(const T& value) {
    if constexpr (kComplexType<T>) {
        return std::isnan(value.real()) || std::isnan(value.imag());
    } else if constexpr (std::is_integral_v<T>) {
        return false;
    } else {
        return std::isnan(static_cast<double>(static_cast<Compute<T>>(value)));
    }
}
// Equal, or both NaN, or both zero.
template <typename T>
bool agrees(const T& got, const T& want) {
    if (same_bits(got, want) || (is_nan(got) && is_nan(want))) return true;
    if constexpr (kComplexType<T>) {
        const double error = std::abs(std::complex<double>(got) - std::complex<double>(want));
        const double size = std::abs(std::complex<double>(want));
        return got == want ||
               error <= 8 * size * std::numeric_limits<typename T::value_type>::epsilon();
    }
    return false;
}
// The elementary functions of real dtypes: within 2 ulp of T (one, rounded, for the 16-bit types).
template <typename T>
bool is_close(const T& got, long double want) {
    const auto value = static_cast<long double>(static_cast<Compute<T>>(got));
    if (std::isnan(want)) return std::isnan(value);
    const int digits = std::is_same_v<T, bfloat16_t>  ? 8
                       : std::is_same_v<T, float16_t> ? 11
                                                      : std::numeric_limits<Compute<T>>::digits;
    const int lowest = std::is_same_v<T, float16_t> ? -13
                       : std::is_same_v<T, double>  ? -1021
                                                    : -125;
    int exponent = 0;
    std::frexp(want, &exponent);
    const long double ulp = std::ldexp(1.0L, std::max(exponent, lowest) - digits);
    const long double most = std::is_same_v<T, float16_t> ? 65504.0L
                             : std::is_same_v<T, double>
                                 ? static_cast<long double>(std::numeric_limits<double>::max())
                                 : static_cast<long double>(std::numeric_limits<float>::max());
    if (std::isinf(value))
        return std::abs(want) + ulp > most && std::signbit(want) == std::signbit(value);
    return std::abs(value - want) <= 2 * ulp;
}

// Runs a row at every length with contiguous and broadcast inputs, and checks each value with
// `check`, which gets the index of each input and the result.
template <typename A, typename B, typename R>
void check_binary(const char* name, const Memory<A>& a, const Memory<B>& b,
                  const std::function<bool(const A&, const B&, const R&)>& check) {
    const Instruction* instruction = find_instruction(name);
    ASSERT_NE(instruction, nullptr) << name;
    ASSERT_EQ(instruction->arity, 2) << name;
    const RowFn row = instruction->row(DtypeOf<B>::value, DtypeOf<R>::value);
    ASSERT_NE(row, nullptr) << name << " " << name_of(DtypeOf<B>::value);
    for (size_t n : kLengths) {
        for (int strides = 0; strides < 4; ++strides) {
            const int64_t steps[2] = {strides & 1, strides >> 1};
            const void* const in[2] = {a.data() + n % 5, b.data() + n % 7};
            std::vector<std::byte> memory((n + 2) * sizeof(R), std::byte{0x5a});
            R* out = reinterpret_cast<R*>(memory.data()) + 1;
            row(n, out, in, steps);
            for (size_t i = 0; i < n; ++i) {
                const A x = a[n % 5 + (steps[0] != 0 ? i : 0)];
                const B y = b[n % 7 + (steps[1] != 0 ? i : 0)];
                ASSERT_TRUE(check(x, y, out[i]))
                    << name << " " << name_of(DtypeOf<A>::value) << " n " << n << " i " << i
                    << " of " << Scalar::load(DtypeOf<A>::value, &x).to_string() << ", "
                    << Scalar::load(DtypeOf<B>::value, &y).to_string() << " gave "
                    << Scalar::load(DtypeOf<R>::value, &out[i]).to_string();
            }
            for (size_t i = 0; i < sizeof(R); ++i) {
                ASSERT_EQ(memory[i], std::byte{0x5a}) << name;
                ASSERT_EQ(memory[(n + 1) * sizeof(R) + i], std::byte{0x5a}) << name;
            }
        }
    }
}
template <typename A, typename R>
void check_unary(const char* name, const Memory<A>& a,
                 const std::function<bool(const A&, const R&)>& check) {
    const Instruction* instruction = find_instruction(name);
    ASSERT_NE(instruction, nullptr) << name;
    ASSERT_EQ(instruction->arity, 1) << name;
    const RowFn row = instruction->row(DtypeOf<A>::value, DtypeOf<R>::value);
    ASSERT_NE(row, nullptr) << name << " " << name_of(DtypeOf<A>::value);
    for (size_t n : kLengths) {
        for (int64_t step : {0, 1}) {
            const void* const in[1] = {a.data() + n % 5};
            std::vector<std::byte> memory((n + 2) * sizeof(R), std::byte{0x5a});
            R* out = reinterpret_cast<R*>(memory.data()) + 1;
            row(n, out, in, &step);
            for (size_t i = 0; i < n; ++i) {
                const A x = a[n % 5 + (step != 0 ? i : 0)];
                ASSERT_TRUE(check(x, out[i]))
                    << name << " " << name_of(DtypeOf<A>::value) << "->"
                    << name_of(DtypeOf<R>::value) << " n " << n << " i " << i << " of "
                    << Scalar::load(DtypeOf<A>::value, &x).to_string() << " gave "
                    << Scalar::load(DtypeOf<R>::value, &out[i]).to_string();
            }
            for (size_t i = 0; i < sizeof(R); ++i) {
                ASSERT_EQ(memory[i], std::byte{0x5a}) << name;
                ASSERT_EQ(memory[(n + 1) * sizeof(R) + i], std::byte{0x5a}) << name;
            }
        }
    }
}

template <typename T>
class InstructionRows : public testing::Test {
protected:
    using C = Compute<T>;
    Memory<T> a_ = sample<T>(1010, 1);
    Memory<T> b_ = sample<T>(1010, 2);

    // Exact instructions: `f` on the computing type, rounded once.
    void unary(const char* name, const std::function<C(C)>& f) {
        check_unary<T, T>(name, a_,
                          [&](const T& x, const T& got) { return agrees(got, T(f(C(x)))); });
    }
    void binary(const char* name, const std::function<C(C, C)>& f) {
        check_binary<T, T, T>(name, a_, b_, [&](const T& x, const T& y, const T& got) {
            return agrees(got, T(f(C(x), C(y))));
        });
    }
    void compare(const char* name, const std::function<bool(C, C)>& f) {
        check_binary<T, T, bool>(name, a_, b_, [&](const T& x, const T& y, const bool& got) {
            return got == f(C(x), C(y));
        });
    }
    void elementary(const char* name, const std::function<long double(long double)>& f) {
        if constexpr (!kComplexType<T> && !std::is_integral_v<T>) {
            check_unary<T, T>(name, a_, [&](const T& x, const T& got) {
                return is_close(got, f(static_cast<long double>(C(x))));
            });
        }
    }
    static void absent(const char* name, Dtype out = DtypeOf<T>::value) {
        EXPECT_FALSE(instruction_supports(*find_instruction(name), DtypeOf<T>::value, out)) << name;
    }
};

struct DtypeNames {
    template <typename T>
    static std::string GetName(int) {
        return name_of(DtypeOf<T>::value);
    }
};
using AllTypes =
    testing::Types<bool, uint8_t, uint16_t, uint32_t, uint64_t, int8_t, int16_t, int32_t, int64_t,
                   float16_t, bfloat16_t, float, double, complex64_t, complex128_t>;
TYPED_TEST_SUITE(InstructionRows, AllTypes, DtypeNames);

TYPED_TEST(InstructionRows, Arithmetic) {
    using T = TypeParam;
    using C = Compute<T>;
    if constexpr (std::is_same_v<T, bool>) {
        this->binary("add", [](bool x, bool y) { return x || y; });
        this->binary("mul", [](bool x, bool y) { return x && y; });
        for (const char* name : {"sub", "div", "neg", "abs", "pow", "relu"}) this->absent(name);
    } else if constexpr (std::is_integral_v<T>) {
        this->binary("add", [](T x, T y) { return static_cast<T>(uint64_t(x) + uint64_t(y)); });
        this->binary("sub", [](T x, T y) { return static_cast<T>(uint64_t(x) - uint64_t(y)); });
        this->binary("mul", [](T x, T y) { return static_cast<T>(uint64_t(x) * uint64_t(y)); });
        this->unary("neg", [](T x) { return static_cast<T>(-uint64_t(x)); });
        this->unary("abs", [](T x) { return x < T(0) ? static_cast<T>(-uint64_t(x)) : x; });
        for (const char* name : {"div", "exp", "reciprocal", "sqrt", "tanh"}) this->absent(name);
    } else {
        this->binary("add", [](C x, C y) { return x + y; });
        this->binary("sub", [](C x, C y) { return x - y; });
        this->unary("neg", [](C x) { return -x; });
        if constexpr (kComplexType<T>) {
            using R = typename T::value_type;
            this->binary("mul", [](C x, C y) {
                return C(x.real() * y.real() - x.imag() * y.imag(),
                         x.real() * y.imag() + x.imag() * y.real());
            });
            check_unary<T, R>("abs", this->a_, [](const T& x, const R& got) {
                return agrees(got, std::hypot(x.real(), x.imag()));
            });
        } else {
            this->binary("mul", [](C x, C y) { return x * y; });
            this->binary("div", [](C x, C y) { return x / y; });
            this->unary("abs", [](C x) { return std::abs(x); });
            this->unary("reciprocal", [](C x) { return 1 / x; });
        }
    }
}

TYPED_TEST(InstructionRows, SelectionsAndSigns) {
    using T = TypeParam;
    using C = Compute<T>;
    if constexpr (kComplexType<T>) {
        for (const char* name : {"maximum", "minimum", "sign", "relu"}) this->absent(name);
    } else {
        this->binary("maximum", [](C x, C y) { return is_nan(x) || x > y ? x : y; });
        this->binary("minimum", [](C x, C y) { return is_nan(x) || x < y ? x : y; });
        this->unary("sign", [](C x) { return static_cast<C>((x > C(0)) - (x < C(0))); });
        if constexpr (!std::is_same_v<T, bool>) {
            this->unary("relu", [](C x) { return x < C(0) ? C(0) : x; });
            this->binary("relu_backward", [](C g, C y) { return y > C(0) ? g : C(0); });
        }
    }
    this->unary("copy", [](C x) { return x; });
    this->unary("conj", [](C x) {
        if constexpr (kComplexType<T>)
            return std::conj(x);
        else
            return x;
    });

    const RowFn where = find_instruction("where")->row(DtypeOf<T>::value, DtypeOf<T>::value);
    ASSERT_NE(where, nullptr);
    Memory<uint8_t> condition = sample<uint8_t>(1010, 3);
    for (uint8_t& bit : condition) bit &= 1;
    for (size_t n : kLengths) {
        for (int s = 0; s < 8; ++s) {
            const int64_t steps[3] = {s & 1, (s >> 1) & 1, s >> 2};
            const void* const in[3] = {condition.data(), this->a_.data(), this->b_.data()};
            std::vector<std::byte> memory(n * sizeof(T) + 1);
            T* out = reinterpret_cast<T*>(memory.data());
            where(n, out, in, steps);
            for (size_t i = 0; i < n; ++i) {
                const T want = condition[steps[0] != 0 ? i : 0] != 0
                                   ? this->a_[steps[1] != 0 ? i : 0]
                                   : this->b_[steps[2] != 0 ? i : 0];
                ASSERT_TRUE(same_bits(out[i], want)) << n << " " << i;
            }
        }
    }
}

TYPED_TEST(InstructionRows, Comparisons) {
    using T = TypeParam;
    using C = Compute<T>;
    // Equal values on both sides, too.
    for (size_t i = 0; i < this->a_.size(); i += 3) this->b_[i] = this->a_[i];
    this->compare("eq", [](C x, C y) { return x == y; });
    this->compare("ne", [](C x, C y) { return x != y; });
    this->compare("logical_and", [](C x, C y) { return x != C(0) && y != C(0); });
    this->compare("logical_or", [](C x, C y) { return x != C(0) || y != C(0); });
    this->compare("logical_xor", [](C x, C y) { return (x != C(0)) != (y != C(0)); });
    check_unary<T, bool>("logical_not", this->a_,
                         [](const T& x, const bool& got) { return got == (C(x) == C(0)); });
    if constexpr (kComplexType<T>) {
        for (const char* name : {"lt", "le", "gt", "ge"}) this->absent(name, Dtype::Bool);
    } else {
        this->compare("lt", [](C x, C y) { return x < y; });
        this->compare("le", [](C x, C y) { return x <= y; });
        this->compare("gt", [](C x, C y) { return x > y; });
        this->compare("ge", [](C x, C y) { return x >= y; });
    }
}

TYPED_TEST(InstructionRows, Elementary) {
    using T = TypeParam;
    this->elementary("exp", [](long double x) { return std::exp(x); });
    this->elementary("log", [](long double x) { return std::log(x); });
    this->elementary("sqrt", [](long double x) { return std::sqrt(x); });
    this->elementary("tanh", [](long double x) { return std::tanh(x); });
    this->elementary("sigmoid", [](long double x) { return 1 / (1 + std::exp(-x)); });
    if constexpr (kComplexType<T>) {
        this->unary("exp", [](T x) { return std::exp(x); });
        this->unary("log", [](T x) { return std::log(x); });
        this->unary("sqrt", [](T x) { return std::sqrt(x); });
        this->unary("tanh", [](T x) { return std::tanh(x); });
    } else if constexpr (!std::is_integral_v<T>) {
        using C = Compute<T>;
        check_binary<T, T, T>("pow", this->a_, this->b_, [](const T& x, const T& y, const T& got) {
            return is_close(
                got, std::pow(static_cast<long double>(C(x)), static_cast<long double>(C(y))));
        });
        this->binary("tanh_backward", [](C g, C y) { return g * (1 - y * y); });
        this->binary("sigmoid_backward", [](C g, C y) { return g * (y * (1 - y)); });
    }
}

TYPED_TEST(InstructionRows, IntegerPowers) {
    using T = TypeParam;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        this->binary("pow", [](T base, T exponent) {
            if (exponent < T(0)) {
                if (base == T(1)) return T(1);
                if (base == static_cast<T>(-1))
                    return exponent % 2 == 0 ? T(1) : static_cast<T>(-1);
                return T(0);
            }
            T result = 1;
            const uint64_t count = static_cast<uint64_t>(exponent);
            // Powers are periodic for large exponents only by squaring; the reference multiplies
            // high to low.
            for (int bit = 63; bit >= 0; --bit) {
                result = static_cast<T>(uint64_t(result) * uint64_t(result));
                if ((count >> bit) & 1) result = static_cast<T>(uint64_t(result) * uint64_t(base));
            }
            return result;
        });
    }
}

// One value through scalar code.
template <typename To, typename From>
To cast_value(const From& from) {
    if constexpr (kComplexType<From>) {
        if constexpr (std::is_same_v<To, bool>) {
            return from.real() != 0 || from.imag() != 0;
        } else if constexpr (kComplexType<To>) {
            using R = typename To::value_type;
            return To(static_cast<R>(from.real()), static_cast<R>(from.imag()));
        } else {
            return cast_value<To>(from.real());
        }
    } else if constexpr (kComplexType<To>) {
        return To(cast_value<typename To::value_type>(from), 0);
    } else if constexpr (std::is_same_v<To, From>) {
        return from;
    } else {
        const Compute<From> value = static_cast<Compute<From>>(from);
        if constexpr (std::is_same_v<To, bool>) {
            return value != 0;
        } else if constexpr (std::is_floating_point_v<Compute<From>> && std::is_integral_v<To>) {
            if (std::isnan(value)) return 0;
            const auto truncated = std::trunc(static_cast<long double>(value));
            if (truncated < static_cast<long double>(std::numeric_limits<To>::min())) {
                return std::numeric_limits<To>::min();
            }
            if (truncated > static_cast<long double>(std::numeric_limits<To>::max())) {
                return std::numeric_limits<To>::max();
            }
            return static_cast<To>(truncated);
        } else {
            return To(static_cast<Compute<To>>(value));
        }
    }
}

TYPED_TEST(InstructionRows, Casts) {
    using T = TypeParam;
    Memory<T> values = this->a_;
    if constexpr (std::is_floating_point_v<T>) {
        const double edges[] = {255,
                                256,
                                255.5,
                                -0.5,
                                -1,
                                127.9,
                                128,
                                -128.9,
                                -129,
                                32767.5,
                                65535.5,
                                2147483647.,
                                2147483648.,
                                -2147483649.,
                                4294967295.,
                                4294967296.,
                                9.2233720368547758e18,
                                9.2233720368547748e18,
                                -9.2233720368547758e18,
                                1.8446744073709552e19,
                                1.844674407370955e19,
                                1e30,
                                65504,
                                65519.9,
                                65520,
                                6e-8,
                                2.98e-8,
                                2.9e-8};
        for (size_t i = 0; i < std::size(edges); ++i) values[7 * i] = static_cast<T>(edges[i]);
    }
#define LUCID_CHECK_CAST(To, name)                                            \
    check_unary<T, To>("cast", values, [](const T& x, const To& got) {        \
        return same_bits(got, cast_value<To>(x)) ||                           \
               (kComplexType<T> && is_nan(got) && is_nan(cast_value<To>(x))); \
    });
    LUCID_FOR_EACH_DTYPE(LUCID_CHECK_CAST)
#undef LUCID_CHECK_CAST
}

TYPED_TEST(InstructionRows, PositionDoesNotMatter) {
    using T = TypeParam;
    constexpr Dtype kDtype = DtypeOf<T>::value;
    // Any bits, so that NaNs with payloads of both signs meet.
    std::mt19937_64 engine(9);
    for (size_t i = 0; i < 100 && kDtype != Dtype::Bool; ++i) {
        const uint64_t words[4] = {engine(), engine(), engine(), engine()};
        std::memcpy(static_cast<void*>(&this->a_[i]), words, sizeof(T));
        std::memcpy(static_cast<void*>(&this->b_[i]), words + 2, sizeof(T));
    }
    for (size_t i = 0; i < 40; ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
            const Bits infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
            const Bits sign = Bits(i % 2) << (8 * sizeof(T) - 1);
            this->a_[i] = std::bit_cast<T>(static_cast<Bits>((infinity + 1 + i * 7) | sign));
            this->b_[i] = std::bit_cast<T>(static_cast<Bits>((infinity + 5 + i * 3) ^ sign));
        }
    }
    for (const Instruction& instruction : instruction_table()) {
        for (int o = 0; o < kNumDtypes; ++o) {
            const RowFn row = instruction.row(kDtype, static_cast<Dtype>(o));
            if (row == nullptr || instruction.arity > 2) continue;
            const size_t item = static_cast<size_t>(size_of(static_cast<Dtype>(o)));
            constexpr size_t kCount = 150;
            std::vector<std::byte> whole(kCount * item);
            const int64_t ones[2] = {1, 1};
            const void* const in[2] = {this->a_.data(), this->b_.data()};
            row(kCount, whole.data(), in, ones);
            // Alone, as a broadcast, and at every place of a shorter row.
            for (size_t i = 0; i < kCount; ++i) {
                std::vector<std::byte> part(kCount * item);
                const void* const at[2] = {this->a_.data() + i, this->b_.data() + i};
                row(1, part.data(), at, ones);
                ASSERT_EQ(std::memcmp(part.data(), &whole[i * item], item), 0)
                    << instruction.name << i;
                row(kCount - i, part.data(), at, ones);
                ASSERT_EQ(std::memcmp(part.data(), &whole[i * item], (kCount - i) * item), 0)
                    << instruction.name << " from " << i;
                const int64_t zeros[2] = {0, 0};
                row(70, part.data(), at, zeros);
                for (size_t k = 0; k < 70; ++k) {
                    ASSERT_EQ(std::memcmp(&part[k * item], &whole[i * item], item), 0)
                        << instruction.name << " broadcast " << i;
                }
            }
            if (item != sizeof(T)) continue;
            for (size_t n : kLengths) {  // in place
                Memory<T> copy = this->a_;
                const void* const place[2] = {copy.data(), this->b_.data()};
                row(n, copy.data(), place, ones);
                const size_t checked = std::min(n, kCount);
                ASSERT_EQ(std::memcmp(copy.data(), whole.data(), checked * item), 0)
                    << instruction.name << " in place " << n;
            }
        }
    }
}

TEST(InstructionTable, LooksUpByName) {
    EXPECT_EQ(find_instruction("no such"), nullptr);
    EXPECT_EQ(find_instruction(""), nullptr);
    EXPECT_TRUE(cpu_is_supported());
    for (const Instruction& instruction : instruction_table()) {
        EXPECT_EQ(find_instruction(instruction.name), &instruction);
        EXPECT_GT(std::strlen(instruction.cuda), 0u);
        EXPECT_NE(std::string(instruction.cuda).find("a0"), std::string::npos);
        const std::string last = "a" + std::to_string(instruction.arity - 1);
        const std::string beyond = "a" + std::to_string(instruction.arity);
        EXPECT_NE(std::string(instruction.cuda).find(last), std::string::npos) << instruction.name;
        EXPECT_EQ(std::string(instruction.cuda).find(beyond), std::string::npos)
            << instruction.name;
    }
}

}  // namespace
