// run_map and copy against an oracle that walks indices one by one, over random layouts and at the
// sizes where the kernels change their ways: a vector, a tile, a chunk, and what one thread takes.
// Whole memory is compared, so that a write between or beside the elements shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "backend/kernel_arrays.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/MapKernel.h"

using namespace lucid;
using lucid_tests::Array;
using lucid_tests::Layout;

namespace {

#ifdef LUCID_ONE_TARGET  // a sanitizer build
constexpr bool kSanitized = true;
constexpr int kTrials = 100;
#else
constexpr bool kSanitized = false;
constexpr int kTrials = 1200;
#endif

using Dims64 = std::vector<int64_t>;

class MapOracle : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

Layout random_layout(size_t rank, bool output, std::mt19937& engine) {
    Layout layout;
    for (size_t i = 0; i < rank; ++i) layout.order.push_back(static_cast<int>(i));
    if (engine() % 2 == 0) std::shuffle(layout.order.begin(), layout.order.end(), engine);
    const unsigned plain = engine() % 3;  // a third has neither
    for (size_t i = 0; i < rank && plain != 0; ++i) {
        const unsigned kind = engine() % 5;
        if (kind == 0) layout.flipped.push_back(static_cast<int>(i));
        if (kind == 1 && !output) layout.expanded.push_back(static_cast<int>(i));
    }
    if (engine() % 4 == 0) layout.gap = 2 + engine() % 3;
    return layout;
}

// One element at a time through the row function: what the values are is instruction_test.cpp's
// matter.
void one_by_one(const Instruction& instruction, const std::vector<const Array*>& inputs,
                Array& out) {
    const RowFn row = instruction.row(inputs.back()->dtype(), out.dtype());
    const int64_t strides[3] = {1, 1, 1};
    for (int64_t i = 0; i < out.numel(); ++i) {
        const void* in[3];
        for (size_t k = 0; k < inputs.size(); ++k) in[k] = inputs[k]->at(i);
        row(1, out.at(i), in, strides);
    }
}
void run(const Instruction& instruction, const std::vector<const Array*>& inputs, Array& out) {
    std::vector<cpu::ConstView> views;
    for (const Array* input : inputs) views.push_back(input->view());
    cpu::run_map(instruction, views, out.view());
}
std::string describe(const Array& array) {
    const cpu::ConstView view = array.view();
    return std::string(name_of(array.dtype())) + " " + to_string(array.shape()) + " strides " +
           to_string(Shape(view.strides.begin(), view.strides.end()));
}
std::string describe(const std::vector<const Array*>& inputs, const Array& out) {
    std::string text = "to " + describe(out);
    for (const Array* input : inputs) text += "\n  from " + describe(*input);
    return text;
}

struct Case {
    const char* name;
    std::vector<Dtype> in;
    Dtype out;
};
// Operands of one and of different item sizes; the second input matters otherwise than the first.
const Case kCases[] = {
    {"sub", {float32, float32}, float32},
    {"sub", {uint8, uint8}, uint8},
    {"sub", {bfloat16, bfloat16}, bfloat16},
    {"sub", {complex128, complex128}, complex128},
    {"lt", {float64, float64}, bool_},
    {"where", {bool_, int16, int16}, int16},
    {"where", {bool_, complex64, complex64}, complex64},
    {"cast", {int8}, float64},
    {"cast", {complex128}, bool_},
    {"neg", {int64}, int64},
};

Dims64 random_shape(std::mt19937& engine, int64_t most) {
    static const int64_t kSizes[] = {1,  1,  2,  3,   5,   7,   15,  16,   17,
                                     31, 33, 64, 127, 128, 129, 211, 1023, 1025};
    Dims64 shape(engine() % 6);
    int64_t numel = 1;
    for (int64_t& size : shape) {
        size = kSizes[engine() % std::size(kSizes)];
        if (numel * size > most) size = 1 + engine() % 2;
        numel *= size;
    }
    std::shuffle(shape.begin(), shape.end(), engine);
    if (!shape.empty() && engine() % 25 == 0) shape[engine() % shape.size()] = 0;
    return shape;
}

TEST_F(MapOracle, RandomLayouts) {
    std::mt19937 engine(5);
    for (int trial = 0; trial < kTrials; ++trial) {
        const Case& chosen = kCases[static_cast<size_t>(trial) % std::size(kCases)];
        const Instruction& instruction = *find_instruction(chosen.name);
        const Dims64 shape = random_shape(engine, 6000);
        std::vector<Array> arrays;
        std::vector<const Array*> inputs;
        for (Dtype dtype : chosen.in) {
            arrays.emplace_back(dtype, shape, random_layout(shape.size(), false, engine));
            arrays.back().randomize(engine());
        }
        for (const Array& array : arrays) inputs.push_back(&array);
        Array out(chosen.out, shape, random_layout(shape.size(), true, engine));
        Array want = out;
        one_by_one(instruction, inputs, want);
        run(instruction, inputs, out);
        ASSERT_TRUE(out.memory() == want.memory()) << chosen.name << " " << describe(inputs, out);
        // The same with `out` in place of the last input, in one layout.
        if (chosen.in.back() != chosen.out) continue;
        Array place(chosen.out, shape, random_layout(shape.size(), true, engine));
        place.randomize(engine());
        inputs.back() = &place;
        Array in_place_want = place;
        one_by_one(instruction, inputs, in_place_want);
        run(instruction, inputs, place);
        ASSERT_TRUE(place.memory() == in_place_want.memory())
            << chosen.name << " in place " << describe(inputs, out);
    }
}

// Sizes around every threshold and primes, in 1, 2, 3 and 5 axes; the bytes of 1, 2 and 4 threads.
TEST_F(MapOracle, ThresholdsAndThreads) {
    std::vector<Dims64> shapes = {{}, {0}, {4, 0}, {0, 4}, {100000, 0}, {0, 100000}, {2, 0, 70000}};
    for (int64_t border : {16, 1024, 32768, 65536}) {
        for (int64_t n = border - 1; n <= border + 1; ++n) shapes.push_back({n});
        shapes.push_back({border / 8, 8});
        shapes.push_back({8, border / 8 + 1});
        shapes.push_back({2, border / 8, 1, 4});
    }
    for (const Dims64& shape : {Dims64{131071},
                                {257, 263},
                                {2, 40009},
                                {40009, 2},
                                {41, 43, 47},
                                {1, 98317, 1},
                                {7, 11, 13, 17, 5},
                                {3, 2, 127, 2, 61}}) {
        shapes.push_back(shape);
    }
    const Instruction& sub = *find_instruction("sub");
    std::mt19937 engine(6);
    int combination = 0;
    for (const Dims64& shape : shapes) {
        const size_t rank = shape.size();
        Layout reversed;
        for (size_t i = rank; i-- > 0;) reversed.order.push_back(static_cast<int>(i));
        Layout row;  // a value per index of the last axis
        for (size_t i = 0; i + 1 < rank; ++i) row.expanded.push_back(static_cast<int>(i));
        Layout column;  // a value per index of the others
        if (rank > 0) column.expanded.push_back(static_cast<int>(rank) - 1);
        const Layout layouts[][3] = {
            {{}, {}, {}},
            {{}, reversed, {}},
            {row, {}, {}},
            {column, {}, {}},
            {column, row, reversed},
            {random_layout(rank, false, engine), random_layout(rank, false, engine),
             random_layout(rank, true, engine)}};
        for (const auto& [first, second, third] : layouts) {
            if (kSanitized && ++combination % 3 != 0) continue;
            Array a(float32, shape, first);
            Array b(float32, shape, second);
            for (int64_t i = 0; i < a.numel(); ++i) a.set(i, static_cast<float>(i * 37 % 1009));
            for (int64_t i = 0; i < b.numel(); ++i)
                b.set(i, static_cast<float>(i * 11 % 499) * 0.37f);
            const Array blank(float32, shape, third);
            Array want = blank;
            for (int64_t i = 0; i < want.numel(); ++i)
                want.set(i, a.get<float>(i) - b.get<float>(i));
            for (int threads : {1, 2, 4}) {
                if (kSanitized && threads == 2) continue;
                set_num_threads(threads);
                Array out = blank;
                run(sub, {&a, &b}, out);
                ASSERT_TRUE(out.memory() == want.memory())
                    << threads << " threads " << describe({&a, &b}, out);
                Array copied = blank;
                cpu::copy(a.view(), copied.view());
                ASSERT_TRUE(copied.logical_bytes() == a.logical_bytes())
                    << threads << " threads, copy " << describe({&a}, copied);
            }
        }
    }
}

// All pairs of dtypes; a transpose with remainders of every block size, flipped and gapped.
TEST_F(MapOracle, CopiesOfAllDtypes) {
    const Instruction& cast = *find_instruction("cast");
    const Layout from_layouts[] = {
        {}, {{1, 0}, {}, {}, 1}, {{1, 0}, {1}, {}, 1}, {{0, 1}, {}, {0}, 1}};
    const Layout to_layouts[] = {{}, {{1, 0}, {0}, {}, 2}};
    for (const Dims64& shape : {Dims64{37, 45}, {67, 131}}) {
        if (kSanitized && shape[0] != 37) continue;
        for (int i = 0; i < kNumDtypes; ++i) {
            for (int o = 0; o < kNumDtypes; ++o) {
                for (const Layout& from : from_layouts) {
                    Array in(static_cast<Dtype>(i), shape, from);
                    in.randomize(static_cast<unsigned>(i + 1));
                    for (const Layout& to : to_layouts) {
                        Array out(static_cast<Dtype>(o), shape, to);
                        Array want = out;
                        one_by_one(cast, {&in}, want);
                        cpu::copy(in.view(), out.view());
                        ASSERT_TRUE(out.memory() == want.memory()) << describe({&in}, out);
                    }
                }
            }
        }
    }
}
TEST_F(MapOracle, CopiesOfRandomLayouts) {
    std::mt19937 engine(8);
    const Instruction& cast = *find_instruction("cast");
    for (int trial = 0; trial < kTrials; ++trial) {
        const Dtype dtype = static_cast<Dtype>(trial % kNumDtypes);
        const Dims64 shape = random_shape(engine, 9000);
        Array in(dtype, shape, random_layout(shape.size(), false, engine));
        in.randomize(engine());
        Array out(dtype, shape, random_layout(shape.size(), true, engine));
        Array want = out;
        one_by_one(cast, {&in}, want);
        cpu::copy(in.view(), out.view());
        ASSERT_TRUE(out.memory() == want.memory()) << describe({&in}, out);
        const std::vector<std::byte> before = out.memory();
        cpu::copy(out.view(), out.view());
        ASSERT_TRUE(out.memory() == before) << describe({&out}, out);
    }
}

}  // namespace
