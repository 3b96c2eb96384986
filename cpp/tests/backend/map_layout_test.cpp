// run_map and copy over layouts: each result equals the one of contiguous operands, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "backend/kernel_arrays.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/MapKernel.h"

using namespace lucid;
using lucid_tests::Array;
using lucid_tests::Layout;

namespace {

using Dims64 = std::vector<int64_t>;

std::vector<Layout> layouts_of(size_t rank, bool output) {
    std::vector<Layout> layouts = {{}};
    Layout gapped;
    gapped.gap = 2;
    layouts.push_back(gapped);
    Layout reversed;
    for (size_t i = rank; i-- > 0;) reversed.order.push_back(static_cast<int>(i));
    layouts.push_back(reversed);
    for (size_t i = 0; i < rank; ++i) {
        Layout flipped;
        flipped.flipped = {static_cast<int>(i)};
        layouts.push_back(flipped);
        Layout both = reversed;
        both.flipped = {static_cast<int>(i)};
        layouts.push_back(both);
        if (output) continue;
        Layout expanded;
        expanded.expanded = {static_cast<int>(i)};
        layouts.push_back(expanded);
    }
    if (rank == 3) {
        layouts.push_back({{1, 0, 2}, {}, {}, 1});
        layouts.push_back({{0, 2, 1}, {0, 2}, {}, 1});
        if (!output) layouts.push_back({{}, {}, {0, 1, 2}, 1});
        if (!output) layouts.push_back({{}, {}, {0, 2}, 1});
    }
    return layouts;
}

const Dims64 kShapes[] = {{},       {1},      {5},       {1000},      {4, 1},     {3, 5},
                          {40, 33}, {2, 300}, {129, 2},  {2, 3, 5},   {7, 1, 40}, {33, 35, 3},
                          {0, 4},   {64, 64}, {2, 2000}, {2, 2, 2, 3}};

Array contiguous(const Array& array, const Dims64& shape) {
    Array result(array.dtype(), shape);
    result.copy_logical(array);
    return result;
}

TEST(MapLayout, BinaryOverLayouts) {
    const Instruction& sub = *find_instruction("sub");
    for (Dtype dtype : {float32, int8, float64, bfloat16, complex128}) {
        for (const Dims64& shape : kShapes) {
            const auto layouts = layouts_of(shape.size(), false);
            for (size_t i = 0; i < layouts.size(); ++i) {
                const auto outputs = layouts_of(shape.size(), true);
                const Layout& out_layout = outputs[(3 * i + 1) % outputs.size()];
                const Layout& b_layout = layouts[(5 * i + 2) % layouts.size()];
                Array a(dtype, shape, layouts[i]);
                Array b(dtype, shape, b_layout);
                a.randomize(1);
                b.randomize(2);
                Array plain_a = contiguous(a, shape);
                Array plain_b = contiguous(b, shape);
                Array want(dtype, shape);
                Array out(dtype, shape, out_layout);
                const cpu::ConstView inputs[2] = {a.view(), b.view()};
                const cpu::ConstView plain[2] = {plain_a.view(), plain_b.view()};
                cpu::run_map(sub, plain, want.view());
                cpu::run_map(sub, inputs, out.view());
                ASSERT_EQ(out.logical_bytes(), want.logical_bytes())
                    << name_of(dtype) << " " << to_string(out.shape()) << " layout " << i;
            }
        }
    }
}

TEST(MapLayout, InPlaceInEveryLayout) {
    const Instruction& sub = *find_instruction("sub");
    for (const Dims64& shape : kShapes) {
        for (const Layout& layout : layouts_of(shape.size(), true)) {
            Array a(float32, shape, layout);
            Array b(float32, shape);
            a.randomize(3);
            b.randomize(4);
            Array want(float32, shape);
            const cpu::ConstView first[2] = {a.view(), b.view()};
            cpu::run_map(sub, first, want.view());
            cpu::run_map(sub, first, a.view());
            ASSERT_EQ(a.logical_bytes(), want.logical_bytes()) << to_string(a.shape());
        }
    }
}

TEST(MapLayout, WhereOfThreeLayoutsAndItemSizes) {
    const Instruction& where = *find_instruction("where");
    for (const Dims64& shape : kShapes) {
        const auto layouts = layouts_of(shape.size(), false);
        for (size_t i = 0; i < layouts.size(); ++i) {
            Array condition(bool_, shape, layouts[(i + 1) % layouts.size()]);
            Array a(float64, shape, layouts[i]);
            Array b(float64, shape, layouts[(i + 2) % layouts.size()]);
            for (int64_t k = 0; k < condition.numel(); ++k)
                condition.set_number(k, (k * 7 / 3) % 2);
            a.randomize(1);
            b.randomize(2);
            Array out(float64, shape);
            const cpu::ConstView inputs[3] = {condition.view(), a.view(), b.view()};
            cpu::run_map(where, inputs, out.view());
            for (int64_t k = 0; k < out.numel(); ++k) {
                ASSERT_EQ(out.get<double>(k),
                          (condition.get<uint8_t>(k) != 0 ? a : b).get<double>(k));
            }
        }
    }
}

TEST(MapLayout, CopyBetweenLayouts) {
    for (Dtype dtype : {uint8, float16, float32, float64, complex128}) {
        for (const Dims64& shape : kShapes) {
            for (const Layout& from : layouts_of(shape.size(), false)) {
                for (const Layout& to : layouts_of(shape.size(), true)) {
                    Array in(dtype, shape, from);
                    in.randomize(5);
                    Array out(dtype, shape, to);
                    cpu::copy(in.view(), out.view());
                    ASSERT_EQ(out.logical_bytes(), in.logical_bytes())
                        << name_of(dtype) << " " << to_string(out.shape());
                }
            }
        }
    }
}

TEST(MapLayout, CopyConvertsBetweenAllDtypes) {
    for (int i = 0; i < kNumDtypes; ++i) {
        for (int j = 0; j < kNumDtypes; ++j) {
            Array in(static_cast<Dtype>(i), {37, 3}, {{1, 0}, {}, {}, 1});
            in.randomize(6);
            Array out(static_cast<Dtype>(j), {37, 3}, {{}, {1}, {}, 1});
            Array plain = contiguous(in, {37, 3});
            Array want(static_cast<Dtype>(j), {37, 3});
            cpu::copy(in.view(), out.view());
            cpu::copy(plain.view(), want.view());
            ASSERT_EQ(out.logical_bytes(), want.logical_bytes());
        }
    }
}

// Sizes that the pool shares: the same bytes with one thread and with many.
TEST(MapLayout, LargeOperands) {
    const Instruction& add = *find_instruction("add");
    const Dims64 shapes[] = {{300007}, {517, 601}, {3, 100003}, {90001, 3}, {40, 50, 60, 2}};
    for (const Dims64& shape : shapes) {
        const auto layouts = layouts_of(shape.size(), false);
        for (size_t i = 0; i < layouts.size(); ++i) {
            Array a(float32, shape, layouts[i]);
            Array b(float32, shape, layouts[(i + 2) % layouts.size()]);
            for (int64_t k = 0; k < a.numel(); ++k) {
                a.set<float>(k, static_cast<float>(k % 1013));
                b.set<float>(k, static_cast<float>(k % 509) * 0.37f);
            }
            Array out(float32, shape);
            Array single(float32, shape);
            Array copied(float32, shape);
            const cpu::ConstView inputs[2] = {a.view(), b.view()};
            set_num_threads(1);
            cpu::run_map(add, inputs, single.view());
            set_num_threads(4);
            cpu::run_map(add, inputs, out.view());
            cpu::copy(a.view(), copied.view());
            ASSERT_EQ(out.logical_bytes(), single.logical_bytes());
            ASSERT_EQ(copied.logical_bytes(), a.logical_bytes());
            for (int64_t k = 0; k < out.numel(); k += 97) {
                ASSERT_EQ(out.get<float>(k), a.get<float>(k) + b.get<float>(k)) << k;
            }
        }
    }
    set_num_threads(1);
}

}  // namespace
