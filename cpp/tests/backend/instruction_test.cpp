// The instruction table against slow scalar code that shares nothing with it: which (instruction,
// dtype) pairs exist, every value class of every pair, and bits that depend on neither place,
// length nor target.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "backend/instruction_oracle.h"
#include "hwy/highway.h"
#include "lucid/backend/cpu/Instructions.h"

using namespace lucid;
using namespace lucid_tests;

namespace {

using Bytes = std::vector<std::byte>;

#ifdef LUCID_ONE_TARGET  // a sanitizer build
constexpr size_t kUnarySamples = 200;
constexpr size_t kBinarySamples = 10;
constexpr size_t kShiftStep = 3;
#else
constexpr size_t kUnarySamples = 2000;
constexpr size_t kBinarySamples = 40;
constexpr size_t kShiftStep = 1;
#endif

size_t item_of(Dtype dtype) { return static_cast<size_t>(size_of(dtype)); }
Dtype dtype_at(int i) { return static_cast<Dtype>(i); }

bool is_where(const Instruction& instruction) {
    return std::strcmp(instruction.name, "where") == 0;
}
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

// The dtypes of PyTorch's CPU kernels.
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

// The ends and the odd numbers of each type, then random bits and random small
// numbers.

template <typename T>
std::vector<T> edges_of() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_integral_v<T>) {
        constexpr int kBits = 8 * sizeof(T);
        std::vector<T> edges;
        for (int value = -4; value <= 11; ++value) edges.push_back(static_cast<T>(value));
        for (int bit = 3; bit < kBits; ++bit)
            edges.push_back(static_cast<T>((UInt128{1} << bit) - 1));
        for (T step = 0; step < 3; ++step) {
            edges.push_back(static_cast<T>(Limits::min() + step));
            edges.push_back(static_cast<T>(Limits::max() - step));
            edges.push_back(static_cast<T>(Limits::max() / 2 + step));
        }
        return edges;
    } else {
        std::vector<T> edges = {0,
                                1,
                                2,
                                3,
                                T(0.5),
                                T(1.5),
                                T(2.5),
                                10,
                                100,
                                127,
                                128,
                                255,
                                256,
                                32768,
                                65504,
                                65519,
                                65520,
                                65536,
                                T(1e10),
                                T(0.1),
                                T(1e-5),
                                T(6e-8),
                                T(2.98e-8),
                                T(1e-30),
                                T(88.7),
                                T(88.8),
                                T(104),
                                T(709),
                                T(710),
                                T(746),
                                T(2147483647),
                                T(4294967295.),
                                T(9223372036854775807.),
                                T(18446744073709551615.),
                                1 + Limits::epsilon(),
                                1 - Limits::epsilon() / 2,
                                Limits::min(),
                                Limits::min() / 2,
                                Limits::denorm_min(),
                                3 * Limits::denorm_min(),
                                Limits::max(),
                                Limits::max() / 2,
                                Limits::infinity(),
                                Limits::quiet_NaN(),
                                std::sqrt(Limits::max()),
                                std::sqrt(Limits::min())};
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
    if constexpr (std::is_same_v<T, std::complex<float>> ||
                  std::is_same_v<T, std::complex<double>>) {
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
            if constexpr (std::is_integral_v<T>)
                values.push_back(static_cast<T>(bits % 13));
            else
                values.push_back(static_cast<T>(normal(engine)));
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
        const size_t random = instruction.arity == 1 ? kUnarySamples : kBinarySamples;
        const Bytes a = sample(in, 1, random);
        const Bytes b = sample(in, 2, random);
        const size_t count = a.size() / item_of(in);
        const size_t shifts = instruction.arity == 1 ? 1 : count;
        Bytes shifted(a.size());
        Bytes result(count * item_of(out));
        int failures = 0;
        for (size_t shift = 0; shift < shifts && failures < 3; shift += kShiftStep) {
            for (size_t i = 0; i < count; ++i) {
                std::memcpy(&shifted[i * item_of(in)], &b[(i + shift) % count * item_of(in)],
                            item_of(in));
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
                ADD_FAILURE() << instruction.name << " " << name_of(in) << " -> " << name_of(out)
                              << " of " << describe(in, x) << ", " << describe(in, y) << " gave "
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
            ASSERT_EQ(std::memcmp(&out[k * item], &from[k * item], item), 0)
                << name_of(dtype) << " " << k;
        }
        for (const char* name : {"copy", "cast"}) {
            find_instruction(name)->row(dtype, dtype)(count, out.data(), inputs + 1, strides);
            ASSERT_EQ(out, a) << name << " " << name_of(dtype);
        }
    }
}

constexpr size_t kLongest = 67;

// Results of single elements, for all strides: reference[s][i] is of element i, or 0 where stride
// bit s is 0.
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
                        << instruction.name << " " << name_of(in) << " -> " << name_of(out) << " n "
                        << n << " at " << i << " strides " << mask << " of "
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
                        << instruction.name << " " << name_of(in) << " in place of input " << k
                        << " n " << n;
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
