#include "lucid/backend/cpu/Gemm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "backend/kernel_arrays.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/core/Error.h"

using namespace lucid;
using lucid_tests::Array;
using lucid_tests::Layout;

namespace {

std::complex<double> value_at(const Array& x, int64_t flat) {
    return Scalar::load(x.dtype(), x.at(flat)).to_complex();
}

// In double, and bounded by K * eps * sum |a b|; exact for integers (wrapping is tested apart).
void expect_product(const Array& a, const Array& b, const Array& c) {
    const size_t rank = c.shape().size();
    const int64_t m = c.shape()[rank - 2];
    const int64_t n = c.shape()[rank - 1];
    const int64_t k = a.shape()[rank - 1];
    const int64_t batch = m * n == 0 ? 0 : c.numel() / (m * n);
    double eps = 0;
    switch (c.dtype()) {
        case Dtype::Float16: eps = 0x1p-10; break;
        case Dtype::BFloat16: eps = 0x1p-7; break;
        case Dtype::Float32:
        case Dtype::Complex64: eps = 0x1p-23; break;
        case Dtype::Float64:
        case Dtype::Complex128: eps = 0x1p-52; break;
        default: break;
    }
    for (int64_t i = 0; i < batch; ++i) {
        for (int64_t r = 0; r < m; ++r) {
            for (int64_t col = 0; col < n; ++col) {
                std::complex<double> sum = 0;
                double size = 0;
                for (int64_t x = 0; x < k; ++x) {
                    const auto left = value_at(a, (i * m + r) * k + x);
                    const auto right = value_at(b, (i * k + x) * n + col);
                    sum += left * right;
                    size += std::abs(left) * std::abs(right);
                }
                const auto got = value_at(c, (i * m + r) * n + col);
                const double bound =
                    size_of(c.dtype()) == 2
                        ? eps * std::abs(sum) + static_cast<double>(k) * 0x1p-23 * size + 1e-6
                        : eps * static_cast<double>(k + 2) * size;
                ASSERT_LE(std::abs(got - sum), bound)
                    << name_of(c.dtype()) << " batch " << i << " (" << r << ", " << col << ") of "
                    << m << "x" << n << "x" << k;
            }
        }
    }
}

class GemmTest : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

constexpr Dtype kAll[] = {float32, float64, complex64, complex128, float16, bfloat16, int8,
                          int16,   int32,   int64,     uint8,      uint32,  uint64};

TEST_F(GemmTest, EveryDtypeAndLayout) {
    const std::vector<Layout> layouts = {
        {},                       // row-major
        {{0, 2, 1}, {}, {}, 1},   // transposed
        {{}, {1}, {}, 1},         // rows backwards
        {{}, {}, {}, 2},          // a gap between neighbours
        {{1, 0, 2}, {}, {}, 1},   // batch inside the rows
        {{2, 1, 0}, {2}, {}, 1},  // all reversed, columns backwards
    };
    for (Dtype dtype : kAll) {
        for (const Layout& left : layouts) {
            for (const Layout& right : layouts) {
                Array a(dtype, {2, 5, 7}, left);
                Array b(dtype, {2, 7, 3}, right);
                a.randomize(1);
                b.randomize(2);
                if (is_integral(dtype)) {
                    for (int64_t i = 0; i < a.numel(); ++i)
                        a.set_number(i, static_cast<double>(i % 4));
                    for (int64_t i = 0; i < b.numel(); ++i)
                        b.set_number(i, static_cast<double>(i % 3));
                }
                Array c(dtype, {2, 5, 3});
                cpu::gemm_batched(a.view(), b.view(), c.view());
                expect_product(a, b, c);
            }
        }
    }
}

TEST_F(GemmTest, SizesAndThreadsGiveEqualBits) {
    const int64_t sizes[][3] = {{1, 1, 1},      {1, 300, 70},   {300, 1, 70},  {1, 1, 900},
                                {257, 300, 65}, {515, 31, 129}, {16, 700, 300}};
    for (Dtype dtype : {float32, float64, bfloat16, complex64, int32}) {
        for (const auto& size : sizes) {
            for (bool transposed : {false, true}) {
                const Layout layout{
                    transposed ? std::vector<int>{1, 0} : std::vector<int>{}, {}, {}, 1};
                Array a(dtype, {size[0], size[2]}, layout);
                Array b(dtype, {size[2], size[1]}, layout);
                a.randomize(3);
                b.randomize(4);
                std::vector<std::byte> first;
                for (int threads : {1, 2, 4}) {
                    set_num_threads(threads);
                    Array c(dtype, {size[0], size[1]});
                    cpu::gemm_batched(a.view(), b.view(), c.view());
                    if (threads == 1) {
                        expect_product(a, b, c);
                        first = c.logical_bytes();
                    } else {
                        ASSERT_EQ(first, c.logical_bytes());
                    }
                }
            }
        }
    }
}

TEST_F(GemmTest, BatchesThatAreExpanded) {
    for (Dtype dtype : {float32, bfloat16, int64}) {
        // One right matrix for the batch: served as one tall product.
        Array a(dtype, {3, 4, 6, 8});
        Array b(dtype, {3, 4, 8, 5}, Layout{{}, {}, {0, 1}, 1});
        Array half_expanded(dtype, {3, 4, 8, 5}, Layout{{}, {}, {1}, 1});
        Array left_expanded(dtype, {3, 4, 6, 8}, Layout{{}, {}, {0}, 3});
        for (Array* x : {&a, &b, &half_expanded, &left_expanded}) {
            for (int64_t i = 0; i < x->numel(); ++i) x->set_number(i, static_cast<double>(i % 5));
        }
        for (const Array* left : {&a, &left_expanded}) {
            for (const Array* right : {&b, &half_expanded}) {
                Array c(dtype, {3, 4, 6, 5});
                cpu::gemm_batched(left->view(), right->view(), c.view());
                expect_product(*left, *right, c);
            }
        }
    }
}

// An expanded row (stride 0 inside the matrix) and overlapping windows cannot be read by BLAS in
// place.
TEST_F(GemmTest, RowsThatOverlap) {
    std::vector<float> memory(64);
    for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i % 7);
    const int64_t shape[2] = {6, 8};
    const int64_t b_shape[2] = {8, 2};
    const int64_t b_strides[2] = {2, 1};
    const int64_t c_shape[2] = {6, 2};
    for (int64_t row_stride : {0, 1, 3}) {
        const int64_t strides[2] = {row_stride, 1};
        float c[12];
        const int64_t c_strides[2] = {2, 1};
        cpu::gemm_batched({memory.data(), float32, shape, strides},
                          {memory.data(), float32, b_shape, b_strides},
                          {c, float32, c_shape, c_strides});
        for (int64_t r = 0; r < 6; ++r) {
            for (int64_t col = 0; col < 2; ++col) {
                float sum = 0;
                for (int64_t x = 0; x < 8; ++x) {
                    sum += memory[static_cast<size_t>(r * row_stride + x)] *
                           memory[static_cast<size_t>(2 * x + col)];
                }
                EXPECT_EQ(c[r * 2 + col], sum);
            }
        }
    }
}

TEST_F(GemmTest, Empty) {
    for (Dtype dtype : kAll) {
        Array a(dtype, {2, 3, 0});
        Array b(dtype, {2, 0, 4});
        Array c(dtype, {2, 3, 4});
        cpu::gemm_batched(a.view(), b.view(), c.view());
        for (int64_t i = 0; i < c.numel(); ++i) EXPECT_EQ(c.number(i), 0.0);
        Array none(dtype, {2, 0, 5});
        Array right(dtype, {2, 5, 4});
        Array out(dtype, {2, 0, 4});
        cpu::gemm_batched(none.view(), right.view(), out.view());
    }
}

// The old contents of c do not matter, and nan * 0 is nan.
TEST_F(GemmTest, NanAndInfinity) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (Dtype dtype : {float32, float64, float16, bfloat16, complex64, complex128}) {
        const int64_t sizes[][3] = {{4, 4, 4}, {1, 40, 33}, {40, 1, 33}, {300, 300, 40}, {1, 1, 5}};
        for (const auto& size : sizes) {
            Array a(dtype, {size[0], size[2]});
            Array b(dtype, {size[2], size[1]});
            Array c(dtype, {size[0], size[1]});
            for (int64_t i = 0; i < a.numel(); ++i) a.set_number(i, 1.0);
            for (int64_t i = 0; i < b.numel(); ++i) b.set_number(i, 1.0);
            for (int64_t i = 0; i < c.numel(); ++i) c.set_number(i, nan);
            cpu::gemm_batched(a.view(), b.view(), c.view());
            for (int64_t i = 0; i < c.numel(); ++i) {
                ASSERT_EQ(c.number(i), static_cast<double>(size[2])) << name_of(dtype) << size[0];
            }
            for (int64_t i = 0; i < a.numel(); ++i) a.set_number(i, 0.0);
            b.set_number(0, nan);  // row 0, column 0
            cpu::gemm_batched(a.view(), b.view(), c.view());
            for (int64_t r = 0; r < size[0]; ++r) {
                ASSERT_TRUE(std::isnan(c.number(r * size[1]))) << name_of(dtype) << size[0];
                if (size[1] > 1) {
                    ASSERT_EQ(c.number(r * size[1] + 1), 0.0);
                }
            }
            b.set_number(0, std::numeric_limits<double>::infinity());
            cpu::gemm_batched(a.view(), b.view(), c.view());
            ASSERT_TRUE(std::isnan(c.number(0)));
        }
    }
}

TEST_F(GemmTest, IntegersWrapInTheirOwnDtype) {
    Array a(int8, {1, 2});
    Array b(int8, {2, 1});
    for (int64_t i = 0; i < 2; ++i) a.set_number(i, 100);
    for (int64_t i = 0; i < 2; ++i) b.set_number(i, -3);
    Array c(int8, {1, 1});
    cpu::gemm_batched(a.view(), b.view(), c.view());
    EXPECT_EQ(c.get<int8_t>(0), static_cast<int8_t>(-600 & 0xff));
    Array x(int64, {1, 1});
    x.set<int64_t>(0, int64_t{1} << 62);
    Array y(int64, {1, 1});
    y.set<int64_t>(0, 6);
    Array z(int64, {1, 1});
    cpu::gemm_batched(x.view(), y.view(), z.view());
    EXPECT_EQ(z.get<int64_t>(0), std::numeric_limits<int64_t>::min());
}

// 70000 = 2 * 35000 is beyond float16 on the way, not at the end.
TEST_F(GemmTest, HalfAccumulatesInFloat32) {
    Array a(float16, {1, 3});
    Array b(float16, {3, 1});
    const double left[] = {35000, 35000, -35000};
    for (int64_t i = 0; i < 3; ++i) a.set_number(i, left[i]);
    for (int64_t i = 0; i < 3; ++i) b.set_number(i, 1.0);
    Array c(float16, {1, 1});
    cpu::gemm_batched(a.view(), b.view(), c.view());
    EXPECT_EQ(c.number(0), 35008.0);  // 35000 rounded to float16's step of 32
}

}  // namespace
