#include "lucid/backend/cpu/Gather.h"

#include <gtest/gtest.h>

#include <random>

#include "backend/kernel_arrays.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/core/Error.h"

using namespace lucid;
using lucid_tests::Array;
using lucid_tests::Layout;

namespace {

constexpr Dtype kAll[] = {bool_, uint8,   uint16,   uint32,  uint64,  int8,      int16,     int32,
                          int64, float16, bfloat16, float32, float64, complex64, complex128};

Shape coordinates(int64_t flat, const Shape& shape) {
    Shape at(shape.size());
    for (size_t i = shape.size(); i-- > 0;) {
        at[i] = flat % shape[i];
        flat /= shape[i];
    }
    return at;
}
int64_t flat_of(const Shape& at, const Shape& shape) {
    int64_t flat = 0;
    for (size_t i = 0; i < shape.size(); ++i) flat = flat * shape[i] + at[i];
    return flat;
}

void fill_indices(Array& index, int64_t size, unsigned seed) {
    std::mt19937 engine(seed);
    for (int64_t i = 0; i < index.numel(); ++i) {
        index.set_number(i, static_cast<double>(engine() % static_cast<unsigned>(size)));
    }
}

std::vector<Layout> layouts() {
    return {{}, {{2, 0, 1}, {}, {}, 1}, {{}, {0, 2}, {}, 2}, {{2, 1, 0}, {1}, {}, 1}};
}

class GatherTest : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

TEST_F(GatherTest, GatherEveryDtypeLayoutAndDim) {
    for (Dtype dtype : kAll) {
        for (const Layout& layout : layouts()) {
            for (int64_t dim : {0, 1, 2}) {
                for (Dtype index_dtype : {int32, int64}) {
                    Array src(dtype, {4, 5, 6}, layout);
                    src.randomize(1);
                    Array index(index_dtype, {3, 4, 5}, layout);
                    fill_indices(index, src.shape()[static_cast<size_t>(dim)], 2);
                    Array out(dtype, {3, 4, 5}, layout);
                    cpu::gather(src.view(), index.view(), dim, out.view());
                    for (int64_t i = 0; i < out.numel(); ++i) {
                        Shape at = coordinates(i, out.shape());
                        at[static_cast<size_t>(dim)] = static_cast<int64_t>(index.number(i));
                        ASSERT_EQ(std::memcmp(out.at(i), src.at(flat_of(at, src.shape())),
                                              static_cast<size_t>(size_of(dtype))),
                                  0);
                    }
                }
            }
        }
    }
}

TEST_F(GatherTest, IndexSelectEveryDtypeLayoutAndDim) {
    for (Dtype dtype : kAll) {
        for (const Layout& layout : layouts()) {
            for (int64_t dim : {0, 1, 2}) {
                Array src(dtype, {4, 5, 6}, layout);
                src.randomize(1);
                Array index(int64, {9}, Layout{{}, {0}, {}, 2});
                fill_indices(index, src.shape()[static_cast<size_t>(dim)], 3);
                std::vector<int64_t> shape = {4, 5, 6};
                shape[static_cast<size_t>(dim)] = 9;
                for (const Layout& out_layout : {Layout{}, layout}) {
                    Array out(dtype, shape, out_layout);
                    set_num_threads(2);
                    cpu::index_select(src.view(), index.view(), dim, out.view());
                    for (int64_t i = 0; i < out.numel(); ++i) {
                        Shape at = coordinates(i, out.shape());
                        at[static_cast<size_t>(dim)] =
                            static_cast<int64_t>(index.number(at[static_cast<size_t>(dim)]));
                        ASSERT_EQ(std::memcmp(out.at(i), src.at(flat_of(at, src.shape())),
                                              static_cast<size_t>(size_of(dtype))),
                                  0);
                    }
                }
            }
        }
    }
}

// The plain loop in index order, in float for half types.
template <typename T>
void expect_scatter_add(Dtype dtype, std::vector<int64_t> dst_shape,
                        std::vector<int64_t> index_shape, int64_t dim, const Layout& layout) {
    Array start(dtype, dst_shape, layout);
    start.randomize(1);
    Array src(dtype, index_shape, layout);
    src.randomize(2);
    Array index(int64, index_shape);
    fill_indices(index, dst_shape[static_cast<size_t>(dim)], 3);
    std::vector<T> expected;
    for (int64_t i = 0; i < start.numel(); ++i) expected.push_back(static_cast<T>(start.number(i)));
    for (int64_t i = 0; i < index.numel(); ++i) {
        Shape at = coordinates(i, index.shape());
        at[static_cast<size_t>(dim)] = static_cast<int64_t>(index.number(i));
        T& to = expected[static_cast<size_t>(flat_of(at, start.shape()))];
        to = static_cast<T>(to + static_cast<T>(src.number(i)));
    }
    for (int threads : {1, 2, 4}) {
        set_num_threads(threads);
        Array dst(dtype, dst_shape, layout);
        dst.copy_logical(start);
        cpu::scatter_add(dst.view(), index.view(), dim, src.view());
        for (int64_t i = 0; i < dst.numel(); ++i) {
            Array want(dtype, {1});
            want.set_number(0, static_cast<double>(expected[static_cast<size_t>(i)]));
            ASSERT_EQ(dst.number(i), want.number(0))
                << name_of(dtype) << " dim " << dim << " at " << i;
        }
    }
}

TEST_F(GatherTest, ScatterAddInIndexOrder) {
    for (const Layout& layout : layouts()) {
        for (int64_t dim : {0, 1, 2}) {
            expect_scatter_add<float>(float32, {6, 7, 5}, {6, 5, 4}, dim, layout);
            expect_scatter_add<double>(float64, {6, 7, 5}, {6, 5, 4}, dim, layout);
            expect_scatter_add<float>(float16, {6, 7, 5}, {6, 5, 4}, dim, layout);
            expect_scatter_add<float>(bfloat16, {6, 7, 5}, {6, 5, 4}, dim, layout);
            expect_scatter_add<int8_t>(int8, {6, 7, 5}, {6, 5, 4}, dim, layout);
            expect_scatter_add<int64_t>(int64, {6, 7, 5}, {6, 5, 4}, dim, layout);
        }
    }
    expect_scatter_add<float>(float32, {9}, {30000}, 0, {});
    expect_scatter_add<float>(float32, {9, 500}, {300, 500}, 0, {});
    expect_scatter_add<float>(float32, {300, 9}, {300, 500}, 1, {});
}

TEST_F(GatherTest, IndexAddIsScatterAddOfWholeSlices) {
    for (int64_t dim : {0, 1, 2}) {
        Array src(float32, {4, 5, 6});
        src.randomize(5);
        const int64_t n = src.shape()[static_cast<size_t>(dim)];
        Array index(int32, {n});
        fill_indices(index, 3, 6);
        std::vector<int64_t> shape = {4, 5, 6};
        shape[static_cast<size_t>(dim)] = 3;
        Array a(float32, shape);
        a.randomize(7);
        Array b(float32, shape);
        b.copy_logical(a);
        cpu::index_add(a.view(), index.view(), dim, src.view());
        Array wide(int64, {4, 5, 6});
        for (int64_t i = 0; i < wide.numel(); ++i) {
            wide.set_number(i,
                            index.number(coordinates(i, wide.shape())[static_cast<size_t>(dim)]));
        }
        cpu::scatter_add(b.view(), wide.view(), dim, src.view());
        EXPECT_EQ(a.logical_bytes(), b.logical_bytes());
    }
}

TEST_F(GatherTest, OutOfRangeNamesEverythingAndWritesNothing) {
    Array src(float32, {3, 4});
    src.randomize(1);
    for (double bad : {-1.0, 4.0, 1e12}) {
        Array index(int64, {3, 4});
        fill_indices(index, 4, 1);
        index.set_number(6, bad);
        Array out(float32, {3, 4});
        const auto before = out.logical_bytes();
        try {
            cpu::gather(src.view(), index.view(), 1, out.view());
            FAIL();
        } catch (const IndexOutOfRange& error) {
            const std::string text = error.what();
            EXPECT_NE(text.find("gather"), std::string::npos);
            EXPECT_NE(text.find("(1, 2)"), std::string::npos) << text;
            EXPECT_NE(text.find(std::to_string(static_cast<int64_t>(bad))), std::string::npos);
            EXPECT_NE(text.find("size"), std::string::npos);
        }
        EXPECT_EQ(out.logical_bytes(), before);
        EXPECT_THROW(cpu::scatter_add(out.view(), index.view(), 1, src.view()), IndexOutOfRange);
        EXPECT_EQ(out.logical_bytes(), before);
        Array one(int64, {1});
        one.set_number(0, bad);
        Array column(float32, {3, 1});
        EXPECT_THROW(cpu::index_select(src.view(), one.view(), 1, column.view()), IndexOutOfRange);
        EXPECT_THROW(cpu::index_add(out.view(), one.view(), 1, column.view()), IndexOutOfRange);
    }
}

TEST_F(GatherTest, EmptyAndZeroDimensional) {
    Array src(float32, {3, 0});
    Array index(int64, {3, 0});
    Array out(float32, {3, 0});
    cpu::gather(src.view(), index.view(), 0, out.view());
    Array none(int64, {0});
    Array nothing(float32, {0, 4});
    Array full(float32, {3, 4});
    full.randomize(1);
    cpu::index_select(full.view(), none.view(), 0, nothing.view());
    cpu::index_add(full.view(), none.view(), 0, nothing.view());
    cpu::scatter_add(full.view(), Array(int64, {0, 4}).view(), 0, nothing.view());
    Array empty_source(float32, {0});
    Array at(int64, {1});
    at.set_number(0, 0);
    Array one(float32, {1});
    EXPECT_THROW(cpu::gather(empty_source.view(), at.view(), 0, one.view()), IndexOutOfRange);
    Array scalar(float32, {});
    scalar.set_number(0, 2.0);
    Array zero(int64, {});
    zero.set_number(0, 0);
    Array result(float32, {});
    cpu::gather(scalar.view(), zero.view(), 0, result.view());
    EXPECT_EQ(result.number(0), 2.0);
    cpu::scatter_add(result.view(), zero.view(), 0, scalar.view());
    EXPECT_EQ(result.number(0), 4.0);
}

}  // namespace
