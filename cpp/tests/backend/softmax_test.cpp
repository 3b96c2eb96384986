#include "lucid/backend/cpu/Softmax.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backend/kernel_arrays.h"
#include "lucid/backend/InstructionTable.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/ReduceKernels.h"

using namespace lucid;
using lucid_tests::Array;
using lucid_tests::Layout;

namespace {

class SoftmaxTest : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

// The rows along `dim` as flat indices.
std::vector<std::vector<int64_t>> rows_along(const Shape& shape, int64_t dim) {
    int64_t inner = 1;
    for (size_t i = static_cast<size_t>(dim) + 1; i < shape.size(); ++i) inner *= shape[i];
    const int64_t n = shape.empty() ? 1 : shape[static_cast<size_t>(dim)];
    std::vector<std::vector<int64_t>> rows;
    for (int64_t row = 0; row < numel_of(shape) / n; ++row) {
        rows.emplace_back();
        for (int64_t i = 0; i < n; ++i) {
            rows.back().push_back(row / inner * inner * n + i * inner + row % inner);
        }
    }
    return rows;
}

double tolerance(Dtype dtype) {
    switch (dtype) {
        case Dtype::Float16: return 0x1p-10;
        case Dtype::BFloat16: return 0x1p-7;
        case Dtype::Float32: return 0x1p-20;
        default: return 0x1p-48;
    }
}

const std::vector<Layout>& layouts() {
    static const std::vector<Layout> all = {
        {}, {{2, 1, 0}, {}, {}, 1}, {{0, 2, 1}, {}, {}, 1}, {{1, 2, 0}, {0, 2}, {}, 2}};
    return all;
}

TEST_F(SoftmaxTest, AgainstDoubleInEveryLayout) {
    for (Dtype dtype : {float32, float64, float16, bfloat16}) {
        for (const std::vector<int64_t>& shape :
             {std::vector<int64_t>{3, 37, 20}, {2, 4099, 3}, {1, 1, 5}}) {
            for (int64_t dim : {0, 1, 2}) {
                std::vector<std::byte> first;
                std::vector<std::byte> first_log;
                for (const Layout& layout : layouts()) {
                    Array in(dtype, shape, layout);
                    in.randomize(3);
                    Array out(dtype, shape, layout);
                    Array log_out(dtype, shape);
                    set_num_threads(static_cast<int>(layout.gap + 1));
                    cpu::softmax(in.view(), dim, out.view());
                    cpu::log_softmax(in.view(), dim, log_out.view());
                    if (first.empty()) {
                        first = out.logical_bytes();
                        first_log = log_out.logical_bytes();
                    }
                    ASSERT_EQ(first, out.logical_bytes());
                    ASSERT_EQ(first_log, log_out.logical_bytes());
                    for (const auto& row : rows_along(in.shape(), dim)) {
                        double largest = -INFINITY;
                        double sum = 0;
                        for (int64_t i : row) largest = std::max(largest, in.number(i));
                        for (int64_t i : row) sum += std::exp(in.number(i) - largest);
                        for (int64_t i : row) {
                            const double want = std::exp(in.number(i) - largest) / sum;
                            const double want_log = in.number(i) - largest - std::log(sum);
                            ASSERT_NEAR(out.number(i), want,
                                        tolerance(dtype) * want + 1e-7 * (dtype == float16));
                            ASSERT_NEAR(log_out.number(i), want_log,
                                        tolerance(dtype) * (1 + std::abs(want_log)));
                        }
                    }
                }
            }
        }
    }
}

// The same bits as the formula in single steps: the fixed tree and the op exp.
TEST_F(SoftmaxTest, IsTheComposedFormula) {
    const int64_t n = 5000;
    Array in(float32, {n});
    in.randomize(8);
    Array out(float32, {n});
    cpu::softmax(in.view(), 0, out.view());
    std::vector<float> x(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) x[static_cast<size_t>(i)] = in.get<float>(i);
    const float largest =
        cpu::reduce_contiguous(cpu::lane_kernels<float>(cpu::LaneOp::Max), x.data(), n);
    for (float& value : x) value -= largest;
    const int f32 = static_cast<int>(float32);
    const RowFn exp = find_instruction("exp")->fns[f32][f32];
    std::vector<float> e(x.size());
    const void* const inputs[1] = {x.data()};
    const int64_t strides[1] = {1};
    exp(x.size(), e.data(), inputs, strides);
    const float sum =
        cpu::reduce_contiguous(cpu::lane_kernels<float>(cpu::LaneOp::Sum), e.data(), n);
    for (int64_t i = 0; i < n; ++i) EXPECT_EQ(out.get<float>(i), e[static_cast<size_t>(i)] / sum);
}

TEST_F(SoftmaxTest, Infinities) {
    const float inf = std::numeric_limits<float>::infinity();
    for (int64_t n : {1, 5, 16, 17, 100}) {
        Array in(float32, {3, n});
        Array out(float32, {3, n});
        for (int64_t i = 0; i < n; ++i) {
            in.set<float>(i, -inf);
            in.set<float>(n + i, i == n - 1 ? 1e30f : -inf);
            in.set<float>(2 * n + i, i == n - 1 ? inf : 0.0f);
        }
        cpu::softmax(in.view(), 1, out.view());
        for (int64_t i = 0; i < n; ++i) {
            EXPECT_TRUE(std::isnan(out.get<float>(i)));
            EXPECT_EQ(out.get<float>(n + i), i == n - 1 ? 1.0f : 0.0f);
            EXPECT_TRUE(std::isnan(out.get<float>(2 * n + i)));
        }
        cpu::log_softmax(in.view(), 1, out.view());
        for (int64_t i = 0; i < n; ++i) {
            EXPECT_TRUE(std::isnan(out.get<float>(i)));
            EXPECT_EQ(out.get<float>(n + i), i == n - 1 ? 0.0f : -inf);
        }
    }
}

TEST_F(SoftmaxTest, BackwardAgainstDouble) {
    for (Dtype dtype : {float32, float64, float16, bfloat16}) {
        for (int64_t dim : {0, 1, 2}) {
            for (const Layout& layout : layouts()) {
                Array in(dtype, {3, 37, 20}, layout);
                in.randomize(3);
                Array grad(dtype, {3, 37, 20}, layout);
                grad.randomize(4);
                Array out(dtype, {3, 37, 20}, layout);
                Array grad_in(dtype, {3, 37, 20}, layout);
                cpu::softmax(in.view(), dim, out.view());
                cpu::softmax_backward(grad.view(), out.view(), dim, grad_in.view());
                for (const auto& row : rows_along(in.shape(), dim)) {
                    double sum = 0;
                    for (int64_t i : row) sum += grad.number(i) * out.number(i);
                    for (int64_t i : row) {
                        ASSERT_NEAR(
                            grad_in.number(i), (grad.number(i) - sum) * out.number(i),
                            10 * tolerance(dtype) * out.number(i) + 1e-7 * (dtype == float16));
                    }
                }
                cpu::log_softmax(in.view(), dim, out.view());
                cpu::log_softmax_backward(grad.view(), out.view(), dim, grad_in.view());
                for (const auto& row : rows_along(in.shape(), dim)) {
                    double sum = 0;
                    for (int64_t i : row) sum += grad.number(i);
                    for (int64_t i : row) {
                        const double want = grad.number(i) - std::exp(out.number(i)) * sum;
                        ASSERT_NEAR(grad_in.number(i), want,
                                    20 * tolerance(dtype) * (1 + std::abs(want)));
                    }
                }
            }
        }
    }
}

TEST_F(SoftmaxTest, InPlaceEmptyAndZeroDimensional) {
    Array in(float32, {40, 50});
    in.randomize(3);
    Array out(float32, {40, 50});
    cpu::softmax(in.view(), 0, out.view());
    cpu::softmax(in.view(), 0, in.view());
    EXPECT_EQ(in.logical_bytes(), out.logical_bytes());
    Array none(float32, {0, 3});
    cpu::softmax(none.view(), 0, none.view());
    cpu::softmax(none.view(), 1, none.view());
    Array scalar(float32, {});
    scalar.set_number(0, 5.0);
    cpu::softmax(scalar.view(), 0, scalar.view());
    EXPECT_EQ(scalar.number(0), 1.0);
}

}  // namespace
