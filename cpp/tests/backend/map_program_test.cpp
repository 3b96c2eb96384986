// The tile interpreter gives the bytes of running the instructions one by one through memory.
#include <gtest/gtest.h>

#include <memory>
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

// Builds programs over named instructions.
struct Builder {
    LoopKernel program;
    std::vector<Dtype> dtypes;

    LoopRegister reg(Dtype dtype) {
        dtypes.push_back(dtype);
        return program.num_registers++;
    }
    LoopRegister input(Dtype dtype) {
        program.inputs.push_back({dtype, reg(dtype)});
        return program.inputs.back().reg;
    }
    LoopRegister step(const char* name, Dtype out, std::vector<LoopRegister> sources) {
        LoopInstruction instruction{
            find_instruction(name), dtypes[sources.back()], out, reg(out), {}};
        for (size_t i = 0; i < sources.size(); ++i) instruction.sources[i] = sources[i];
        program.instructions.push_back(instruction);
        return instruction.destination;
    }
    void output(LoopRegister reg) { program.outputs.push_back({dtypes[reg], reg}); }
};

// One by one, each register a contiguous array.
std::vector<Array> run_steps(const LoopKernel& program, const std::vector<Dtype>& dtypes,
                             const std::vector<int64_t>& shape, std::vector<Array>& inputs) {
    std::vector<Array> registers;
    for (Dtype dtype : dtypes) registers.emplace_back(dtype, shape);
    for (size_t k = 0; k < inputs.size(); ++k)
        registers[program.inputs[k].reg].copy_logical(inputs[k]);
    for (const LoopInstruction& step : program.instructions) {
        std::vector<cpu::ConstView> views;
        for (int i = 0; i < step.instruction->arity; ++i) {
            views.push_back(registers[step.sources[static_cast<size_t>(i)]].view());
        }
        cpu::run_map(*step.instruction, views, registers[step.destination].view());
    }
    std::vector<Array> results;
    for (const LoopOperand& output : program.outputs) results.push_back(registers[output.reg]);
    return results;
}

void check(const Builder& built, const std::vector<int64_t>& shape, std::vector<Array>& inputs,
           std::vector<Array>& outputs) {
    std::vector<Array> want = run_steps(built.program, built.dtypes, shape, inputs);
    std::vector<cpu::ConstView> in;
    std::vector<cpu::View> out;
    for (Array& array : inputs) in.push_back(array.view());
    for (Array& array : outputs) out.push_back(array.view());
    cpu::run_map(built.program, in, out);
    for (size_t k = 0; k < outputs.size(); ++k) {
        ASSERT_EQ(outputs[k].logical_bytes(), want[k].logical_bytes()) << "output " << k;
    }
}

const std::vector<int64_t> kShapes[] = {{},     {1},         {17},      {1000},    {1025},
                                        {5000}, {3, 700},    {70, 90},  {4, 5, 6}, {300, 3},
                                        {0},    {2, 100000}, {400, 500}};

TEST(MapProgram, FusedGeluLikeChain) {
    Builder b;
    const LoopRegister x = b.input(float32);
    const LoopRegister y = b.input(float32);
    const LoopRegister sum = b.step("add", float32, {x, y});
    const LoopRegister t = b.step("tanh", float32, {sum});
    const LoopRegister product = b.step("mul", float32, {t, x});
    const LoopRegister low = b.step("cast", bfloat16, {product});
    const LoopRegister mask = b.step("lt", bool_, {x, y});
    const LoopRegister wide = b.step("cast", float64, {sum});
    b.output(b.step("where", float32, {mask, product, y}));
    b.output(low);
    b.output(mask);
    b.output(b.step("exp", float64, {wide}));
    set_num_threads(3);
    for (const auto& shape : kShapes) {
        for (int variant = 0; variant < 4; ++variant) {
            Layout layout;
            if (variant == 1) layout.gap = 2;
            if (variant == 2 && shape.size() == 2) layout.order = {1, 0};
            if (variant == 3 && !shape.empty()) layout.expanded = {0};
            std::vector<Array> inputs;
            inputs.emplace_back(float32, shape, layout);
            inputs.emplace_back(float32, shape);
            inputs[0].randomize(1);
            inputs[1].randomize(2);
            std::vector<Array> outputs;
            Layout out_layout = variant == 3 ? Layout{} : layout;
            outputs.emplace_back(float32, shape, out_layout);
            outputs.emplace_back(bfloat16, shape);
            outputs.emplace_back(bool_, shape, out_layout);
            outputs.emplace_back(float64, shape);
            check(b, shape, inputs, outputs);
        }
    }
    set_num_threads(1);
}

TEST(MapProgram, OneResultInPlace) {
    Builder b;
    const LoopRegister x = b.input(float32);
    const LoopRegister y = b.input(float32);
    const LoopRegister scaled = b.step("mul", float32, {x, y});
    b.output(b.step("sub", float32, {x, scaled}));
    for (const auto& shape : kShapes) {
        std::vector<Array> inputs(2, Array(float32, shape));
        inputs[0].randomize(1);
        inputs[1].randomize(2);
        std::vector<Array> want = run_steps(b.program, b.dtypes, shape, inputs);
        const cpu::ConstView in[2] = {inputs[0].view(), inputs[1].view()};
        const cpu::View out[1] = {inputs[0].view()};
        cpu::run_map(b.program, in, out);
        ASSERT_EQ(inputs[0].logical_bytes(), want[0].logical_bytes());
    }
}

// Inputs stored as outputs, into each other's memory.
TEST(MapProgram, Swap) {
    Builder b;
    const LoopRegister x = b.input(float32);
    const LoopRegister y = b.input(float32);
    b.output(y);
    b.output(x);
    for (const auto& shape : kShapes) {
        std::vector<Array> pair(2, Array(float32, shape));
        pair[0].randomize(1);
        pair[1].randomize(2);
        const auto first = pair[0].logical_bytes();
        const auto second = pair[1].logical_bytes();
        const cpu::ConstView in[2] = {pair[0].view(), pair[1].view()};
        const cpu::View out[2] = {pair[0].view(), pair[1].view()};
        cpu::run_map(b.program, in, out);
        ASSERT_EQ(pair[0].logical_bytes(), second);
        ASSERT_EQ(pair[1].logical_bytes(), first);
    }
}

// Random straight-line programs over one dtype.
TEST(MapProgram, RandomPrograms) {
    const char* const names[] = {"add", "sub",  "mul",  "maximum", "minimum",      "neg",
                                 "abs", "sign", "relu", "copy",    "relu_backward"};
    const char* const inexact_names[] = {
        "div",     "sqrt", "exp",        "log",           "tanh",
        "sigmoid", "pow",  "reciprocal", "tanh_backward", "sigmoid_backward"};
    std::mt19937 engine(3);
    for (int trial = 0; trial < 300; ++trial) {
        const Dtype all[] = {float32, float64, float16, bfloat16, int32, int8, uint16};
        const Dtype dtype = all[trial % std::size(all)];
        Builder b;
        const size_t count = 1 + engine() % 3;
        for (size_t i = 0; i < count; ++i) b.input(dtype);
        const size_t steps = 1 + engine() % 12;
        for (size_t i = 0; i < steps; ++i) {
            const bool elementary = is_floating(dtype) && engine() % 2 == 0;
            const char* name = elementary ? inexact_names[engine() % std::size(inexact_names)]
                                          : names[engine() % std::size(names)];
            std::vector<LoopRegister> sources;
            for (int k = 0; k < find_instruction(name)->arity; ++k) {
                sources.push_back(static_cast<LoopRegister>(engine() % b.dtypes.size()));
            }
            b.step(name, dtype, sources);
        }
        const size_t results = 1 + engine() % 3;
        for (size_t i = 0; i < results; ++i) {
            b.output(
                static_cast<LoopRegister>(b.dtypes.size() - 1 - engine() % b.dtypes.size() / 2));
        }
        const std::vector<int64_t> shape = kShapes[engine() % 11];
        std::vector<Array> inputs;
        for (size_t i = 0; i < count; ++i) {
            Layout layout;
            if (engine() % 3 == 0 && !shape.empty()) layout.flipped = {0};
            if (engine() % 3 == 0 && !shape.empty()) {
                layout.expanded = {static_cast<int>(engine() % shape.size())};
                layout.flipped.clear();
            }
            inputs.emplace_back(dtype, shape, layout);
            inputs.back().randomize(engine());
        }
        std::vector<Array> outputs(results, Array(dtype, shape));
        check(b, shape, inputs, outputs);
    }
}

}  // namespace
