// The tree of ReduceKernels.h, written here a second time as plainly as its definition, against
// every path.
#include "lucid/backend/cpu/Reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "backend/kernel_arrays.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/ReduceKernels.h"

using namespace lucid;
using cpu::ReduceKind;
using lucid_tests::Array;
using lucid_tests::Layout;

namespace {

template <typename T>
T combine(ReduceKind kind, T a, T b) {
    if constexpr (std::is_same_v<T, complex64_t> || std::is_same_v<T, complex128_t>) {
        if (kind == ReduceKind::Prod) {
            return T(a.real() * b.real() - a.imag() * b.imag(),
                     a.real() * b.imag() + a.imag() * b.real());
        }
        return T(a.real() + b.real(), a.imag() + b.imag());
    } else {
        using U = std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, T>;
        switch (kind) {
            case ReduceKind::Prod: return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
            case ReduceKind::AMax: return b > a || b != b ? b : a;
            case ReduceKind::AMin: return b < a || b != b ? b : a;
            default: return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
        }
    }
}

template <typename T>
T identity(ReduceKind kind) {
    if (kind == ReduceKind::Prod) return T(1);
    if constexpr (std::is_arithmetic_v<T>) {
        using L = std::numeric_limits<T>;
        if (kind == ReduceKind::AMax) return L::has_infinity ? -L::infinity() : L::lowest();
        if (kind == ReduceKind::AMin) return L::has_infinity ? L::infinity() : L::max();
    }
    return T(0);
}

template <typename T>
T oracle(ReduceKind kind, const std::vector<T>& x) {
    std::vector<T> partials;
    for (size_t begin = 0; begin < x.size(); begin += 4096) {
        T lanes[16];
        for (T& lane : lanes) lane = identity<T>(kind);
        for (size_t r = begin; r < std::min(x.size(), begin + 4096); ++r) {
            lanes[r % 16] = combine(kind, lanes[r % 16], x[r]);
        }
        for (size_t h = 8; h > 0; h /= 2) {
            for (size_t i = 0; i < h; ++i) lanes[i] = combine(kind, lanes[i], lanes[i + h]);
        }
        partials.push_back(lanes[0]);
    }
    if (partials.empty()) return identity<T>(kind);
    while (partials.size() > 1) {
        std::vector<T> next;
        for (size_t i = 0; i + 1 < partials.size(); i += 2) {
            next.push_back(combine(kind, partials[i], partials[i + 1]));
        }
        if (partials.size() % 2 != 0) next.push_back(partials.back());
        partials = next;
    }
    return partials[0];
}

// The reduced values of each kept element, in row-major order on both sides.
template <typename T>
std::vector<std::vector<T>> groups(const Array& in, const std::vector<int64_t>& axes) {
    const Shape& shape = in.shape();
    std::vector<std::vector<T>> result;
    int64_t kept = 1;
    for (size_t i = 0; i < shape.size(); ++i) {
        if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) == axes.end())
            kept *= shape[i];
    }
    result.resize(static_cast<size_t>(kept));
    for (int64_t flat = 0; flat < in.numel(); ++flat) {
        int64_t rest = flat;
        int64_t index = 0;
        int64_t scale = 1;
        for (size_t i = shape.size(); i-- > 0;) {
            const int64_t at = rest % shape[i];
            rest /= shape[i];
            if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) == axes.end()) {
                index += at * scale;
                scale *= shape[i];
            }
        }
        T value;
        if constexpr (std::is_same_v<T, float>) {
            value = static_cast<float>(in.number(flat));
        } else if constexpr (std::is_same_v<T, double>) {
            value = in.number(flat);
        } else if constexpr (std::is_integral_v<T>) {
            value = static_cast<T>(Scalar::load(in.dtype(), in.at(flat)).to_int());
        } else {
            value = T(Scalar::load(in.dtype(), in.at(flat)).to_complex());
        }
        result[static_cast<size_t>(index)].push_back(value);
    }
    return result;
}

std::vector<int64_t> kept_shape(const Array& in, const std::vector<int64_t>& axes) {
    std::vector<int64_t> shape;
    for (size_t i = 0; i < in.shape().size(); ++i) {
        if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) == axes.end()) {
            shape.push_back(in.shape()[i]);
        }
    }
    return shape;
}

template <typename T>
void expect_tree(ReduceKind kind, const Array& in, const std::vector<int64_t>& axes) {
    const auto expected = groups<T>(in, axes);
    for (int threads : {1, 2, 4}) {
        set_num_threads(threads);
        Array out(DtypeOf<T>::value, kept_shape(in, axes));
        cpu::reduce(kind, in.view(), axes, out.view());
        for (int64_t k = 0; k < out.numel(); ++k) {
            const T want = oracle(kind, expected[static_cast<size_t>(k)]);
            const T got = out.get<T>(k);
            ASSERT_EQ(std::memcmp(&want, &got, sizeof(T)), 0)
                << "kind " << static_cast<int>(kind) << " dtype " << name_of(in.dtype())
                << " shape " << to_string(in.shape()) << " element " << k << " threads " << threads;
        }
    }
    set_num_threads(1);
}

class ReduceTest : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

TEST_F(ReduceTest, EveryLengthAroundLanesAndChunks) {
    for (int64_t n :
         {1, 2, 7, 15, 16, 17, 31, 33, 100, 4095, 4096, 4097, 8191, 8192, 12289, 20481, 65537}) {
        Array in(float32, {n});
        in.randomize(static_cast<unsigned>(n));
        for (ReduceKind kind :
             {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::AMax, ReduceKind::AMin}) {
            expect_tree<float>(kind, in, {0});
        }
        Array wide(float64, {n});
        wide.randomize(static_cast<unsigned>(n));
        expect_tree<double>(ReduceKind::Sum, wide, {0});
    }
}

// Row, column and strided memory of the same logical reduction.
TEST_F(ReduceTest, LayoutsGiveEqualBits) {
    const std::vector<Layout> layouts = {
        {},
        {{2, 1, 0}, {}, {}, 1},
        {{1, 0, 2}, {}, {}, 1},
        {{0, 2, 1}, {1}, {}, 1},
        {{}, {0, 2}, {}, 1},
        {{}, {}, {}, 3},
        {{2, 0, 1}, {0, 1, 2}, {}, 2},
    };
    for (Dtype dtype : {float32, float64, float16, bfloat16}) {
        for (const std::vector<int64_t>& shape :
             {std::vector<int64_t>{5, 33, 19}, {2, 4099, 3}, {3, 7, 1025}, {70, 1, 80}}) {
            Array base(dtype, shape);
            base.randomize(7);
            for (const Layout& layout : layouts) {
                Array in(dtype, shape, layout);
                in.copy_logical(base);
                for (const std::vector<int64_t>& axes :
                     {std::vector<int64_t>{0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}, {0, 1, 2}}) {
                    if (dtype == float64) {
                        expect_tree<double>(ReduceKind::Sum, in, axes);
                    } else {
                        expect_tree<float>(ReduceKind::Sum, in, axes);
                        if (dtype == float32) expect_tree<float>(ReduceKind::AMax, in, axes);
                    }
                }
            }
        }
    }
}

TEST_F(ReduceTest, WideMatricesByColumns) {
    for (const std::vector<int64_t>& shape :
         {std::vector<int64_t>{4100, 700}, {37, 5000}, {9000, 4}}) {
        Array in(float32, shape);
        in.randomize(3);
        expect_tree<float>(ReduceKind::Sum, in, {0});
        expect_tree<float>(ReduceKind::Sum, in, {1});
        expect_tree<float>(ReduceKind::Sum, in, {0, 1});
    }
}

TEST_F(ReduceTest, ExpandedInputs) {
    Array in(float32, {40, 50, 6}, Layout{{}, {}, {1}, 1});
    in.randomize(5);
    for (const std::vector<int64_t>& axes : {std::vector<int64_t>{1}, {0, 1}, {1, 2}, {0, 1, 2}}) {
        expect_tree<float>(ReduceKind::Sum, in, axes);
    }
}

TEST_F(ReduceTest, IntegersWidenAndWrap) {
    for (Dtype dtype : {int8, int16, int32, int64, bool_}) {
        Array in(dtype, {30, 300});
        in.randomize(11);
        for (ReduceKind kind :
             {ReduceKind::Sum, ReduceKind::Prod, ReduceKind::AMax, ReduceKind::AMin}) {
            expect_tree<int64_t>(kind, in, {0});
            expect_tree<int64_t>(kind, in, {1});
        }
    }
    for (Dtype dtype : {uint8, uint16, uint32, uint64}) {
        Array in(dtype, {30, 300});
        in.randomize(12);
        expect_tree<uint64_t>(ReduceKind::Sum, in, {0, 1});
        expect_tree<uint64_t>(ReduceKind::Prod, in, {1});
    }
    Array big(int64, {3});
    for (int64_t i = 0; i < 3; ++i) big.set<int64_t>(i, std::numeric_limits<int64_t>::max());
    Array out(int64, {});
    cpu::reduce(ReduceKind::Sum, big.view(), std::vector<int64_t>{0}, out.view());
    EXPECT_EQ(out.get<int64_t>(0), std::numeric_limits<int64_t>::max() - 2);
}

TEST_F(ReduceTest, Complex) {
    for (const Layout& layout : {Layout{}, Layout{{1, 0}, {}, {}, 1}}) {
        Array narrow(complex64, {35, 4200}, layout);
        narrow.randomize(1);
        Array wide(complex128, {35, 420}, layout);
        wide.randomize(2);
        for (const std::vector<int64_t>& axes : {std::vector<int64_t>{0}, {1}, {0, 1}}) {
            expect_tree<complex64_t>(ReduceKind::Sum, narrow, axes);
            expect_tree<complex128_t>(ReduceKind::Sum, wide, axes);
        }
        expect_tree<complex64_t>(ReduceKind::Prod, narrow, {0});
    }
}

TEST_F(ReduceTest, NanIsKeptAndQuiet) {
    for (int64_t where : {0, 1, 15, 16, 4095, 4096, 9999}) {
        for (Dtype dtype : {float32, float64, float16, bfloat16}) {
            Array in(dtype, {10000});
            in.randomize(4);
            in.set_number(where, -std::numeric_limits<double>::quiet_NaN());
            for (ReduceKind kind : {ReduceKind::AMax, ReduceKind::AMin}) {
                Array out(float32, {});
                if (dtype == float64) continue;
                cpu::reduce(kind, in.view(), std::vector<int64_t>{0}, out.view());
                EXPECT_EQ(out.get<uint32_t>(0), 0x7fc00000u);
            }
            Array index(int64, {});
            cpu::arg_reduce(true, in.view(), std::vector<int64_t>{0}, index.view());
            EXPECT_EQ(index.get<int64_t>(0), where);
        }
    }
}

TEST_F(ReduceTest, MeanDividesBeforeNarrowing) {
    // The sum, 80000, is infinite in float16; the mean is not.
    Array in(float16, {20000});
    for (int64_t i = 0; i < 20000; ++i) in.set_number(i, 4.0);
    Array out(float16, {});
    cpu::reduce(ReduceKind::Mean, in.view(), std::vector<int64_t>{0}, out.view());
    EXPECT_EQ(out.number(0), 4.0);
    Array integers(int32, {4});
    for (int64_t i = 0; i < 4; ++i) integers.set_number(i, static_cast<double>(i));
    Array mean(float32, {});
    cpu::reduce(ReduceKind::Mean, integers.view(), std::vector<int64_t>{0}, mean.view());
    EXPECT_EQ(mean.number(0), 1.5);
}

TEST_F(ReduceTest, AnyAndAll) {
    Array in(float32, {3, 5000});
    for (int64_t i = 0; i < in.numel(); ++i) in.set_number(i, 0.0);
    in.set_number(5000 + 4999, std::numeric_limits<double>::quiet_NaN());
    for (int64_t i = 10000; i < 15000; ++i) in.set_number(i, -1e-40);
    Array out(bool_, {3});
    cpu::reduce(ReduceKind::Any, in.view(), std::vector<int64_t>{1}, out.view());
    EXPECT_EQ(out.get<uint8_t>(0), 0);
    EXPECT_EQ(out.get<uint8_t>(1), 1);
    EXPECT_EQ(out.get<uint8_t>(2), 1);
    cpu::reduce(ReduceKind::All, in.view(), std::vector<int64_t>{1}, out.view());
    EXPECT_EQ(out.get<uint8_t>(0), 0);
    EXPECT_EQ(out.get<uint8_t>(1), 0);
    EXPECT_EQ(out.get<uint8_t>(2), 1);
    Array columns(bool_, {5000});
    cpu::reduce(ReduceKind::Any, in.view(), std::vector<int64_t>{0}, columns.view());
    for (int64_t i = 0; i < 5000; ++i) EXPECT_EQ(columns.get<uint8_t>(i), 1);
}

TEST_F(ReduceTest, Empty) {
    Array none(float32, {0, 3});
    Array out(float32, {3});
    cpu::reduce(ReduceKind::Sum, none.view(), std::vector<int64_t>{0}, out.view());
    EXPECT_EQ(out.get<uint32_t>(0), 0u);
    cpu::reduce(ReduceKind::Prod, none.view(), std::vector<int64_t>{0}, out.view());
    EXPECT_EQ(out.number(2), 1.0);
    cpu::reduce(ReduceKind::Mean, none.view(), std::vector<int64_t>{0}, out.view());
    EXPECT_TRUE(std::isnan(out.number(0)));
    Array truth(bool_, {3});
    cpu::reduce(ReduceKind::All, none.view(), std::vector<int64_t>{0}, truth.view());
    EXPECT_EQ(truth.get<uint8_t>(1), 1);
    cpu::reduce(ReduceKind::Any, none.view(), std::vector<int64_t>{0}, truth.view());
    EXPECT_EQ(truth.get<uint8_t>(1), 0);
    Array nothing(float32, {0});
    cpu::reduce(ReduceKind::AMax, none.view(), std::vector<int64_t>{1}, nothing.view());
    Array scalar(float32, {});
    scalar.set_number(0, 2.5);
    Array scalar_out(float32, {});
    cpu::reduce(ReduceKind::Sum, scalar.view(), std::vector<int64_t>{}, scalar_out.view());
    EXPECT_EQ(scalar_out.number(0), 2.5);
}

TEST_F(ReduceTest, ReduceContiguousIsTheSameTree) {
    const auto& sum = cpu::lane_kernels<float>(cpu::LaneOp::Sum);
    for (int64_t n : {0, 1, 4096, 4097, 5 * 4096 + 3, 7 * 4096, 100000}) {
        Array in(float32, {n});
        in.randomize(9);
        std::vector<float> values;
        for (int64_t i = 0; i < n; ++i) values.push_back(in.get<float>(i));
        const float want = oracle(ReduceKind::Sum, values);
        EXPECT_EQ(cpu::reduce_contiguous(sum, values.data(), n), want);
    }
}

template <typename T>
int64_t arg_oracle(bool want_max, const std::vector<T>& x) {
    size_t best = 0;
    for (size_t i = 1; i < x.size(); ++i) {
        if (x[best] != x[best]) break;
        if (x[i] != x[i] || (want_max ? x[i] > x[best] : x[i] < x[best])) best = i;
    }
    return static_cast<int64_t>(best);
}

TEST_F(ReduceTest, ArgReduce) {
    for (Dtype dtype : {float32, float16, int32, uint8, bool_, float64}) {
        for (const Layout& layout :
             {Layout{}, Layout{{1, 0}, {}, {}, 1}, Layout{{}, {0, 1}, {}, 2}}) {
            Array in(dtype, {37, 9001}, layout);
            in.randomize(21);  // integers, halves and bools have many ties
            if (dtype == float32) {
                in.set_number(3 * 9001 + 5000, std::numeric_limits<double>::quiet_NaN());
                in.set_number(3 * 9001 + 8000, std::numeric_limits<double>::quiet_NaN());
            }
            for (const std::vector<int64_t>& axes : {std::vector<int64_t>{0}, {1}, {0, 1}}) {
                const auto expected = groups<double>(in, axes);
                for (bool want_max : {true, false}) {
                    Array out(int64, kept_shape(in, axes));
                    set_num_threads(2);
                    cpu::arg_reduce(want_max, in.view(), axes, out.view());
                    for (int64_t k = 0; k < out.numel(); ++k) {
                        ASSERT_EQ(out.get<int64_t>(k),
                                  arg_oracle(want_max, expected[static_cast<size_t>(k)]))
                            << name_of(dtype) << " " << k;
                    }
                }
            }
        }
    }
}

}  // namespace
