// Programs of the tile interpreter give the bytes of their instructions run one by one through
// memory, whatever the layouts, the threads, and the inputs whose memory the outputs take.
#include "lucid/backend/LoopKernel.h"

#include <gtest/gtest.h>

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
constexpr int kTrials = 60;
#else
constexpr int kTrials = 500;
#endif

using Dims64 = std::vector<int64_t>;

class LoopProgram : public testing::Test {
protected:
    void TearDown() override { set_num_threads(1); }
};

struct Program {
    LoopKernel kernel;
    std::vector<Dtype> dtypes;  // of the registers

    LoopRegister add_register(Dtype dtype) {
        dtypes.push_back(dtype);
        return kernel.num_registers++;
    }
    LoopRegister input(Dtype dtype) {
        kernel.inputs.push_back({dtype, add_register(dtype)});
        return kernel.inputs.back().reg;
    }
    LoopRegister apply(const char* name, Dtype out, std::initializer_list<LoopRegister> sources) {
        LoopInstruction step{find_instruction(name), dtypes[*(sources.end() - 1)], out, 0, {}};
        std::copy(sources.begin(), sources.end(), step.sources.begin());
        step.destination = add_register(out);
        kernel.instructions.push_back(step);
        return step.destination;
    }
    void output(LoopRegister reg) { kernel.outputs.push_back({dtypes[reg], reg}); }
};

// The outputs, each register a dense array.
std::vector<Array> through_memory(const Program& program, const Dims64& shape,
                                  const std::vector<Array>& inputs) {
    std::vector<Array> registers;
    for (Dtype dtype : program.dtypes) registers.emplace_back(dtype, shape);
    for (size_t k = 0; k < inputs.size(); ++k)
        registers[program.kernel.inputs[k].reg].copy_logical(inputs[k]);
    for (const LoopInstruction& step : program.kernel.instructions) {
        std::vector<cpu::ConstView> views;
        for (int k = 0; k < step.instruction->arity; ++k) {
            views.push_back(registers[step.sources[static_cast<size_t>(k)]].view());
        }
        cpu::run_map(*step.instruction, views, registers[step.destination].view());
    }
    std::vector<Array> outputs;
    for (const LoopOperand& output : program.kernel.outputs)
        outputs.push_back(registers[output.reg]);
    return outputs;
}
// `place[k]`: the input whose memory output k takes, or -1 for its own in `layout`.
void check(const Program& program, const Dims64& shape, std::vector<Array> inputs,
           const std::vector<int>& place, const Layout& layout, const std::string& what) {
    const std::vector<Array> want = through_memory(program, shape, inputs);
    std::vector<Array> own;
    own.reserve(place.size());
    std::vector<cpu::ConstView> in;
    std::vector<cpu::View> out;
    std::vector<Array*> results;
    for (Array& input : inputs) in.push_back(input.view());
    for (size_t k = 0; k < place.size(); ++k) {
        if (place[k] < 0)
            own.emplace_back(program.kernel.outputs[k].dtype, shape,
                             k % 2 == 0 ? layout : Layout{});
        results.push_back(place[k] < 0 ? &own.back() : &inputs[static_cast<size_t>(place[k])]);
        out.push_back(results.back()->view());
    }
    cpu::run_map(program.kernel, in, out);
    for (size_t k = 0; k < results.size(); ++k) {
        ASSERT_TRUE(results[k]->logical_bytes() == want[k].logical_bytes())
            << what << ", output " << k << " of shape " << to_string(want[k].shape());
    }
}

const Dims64 kShapes[] = {
    {},          {1},       {15},         {16},        {1023},         {1024},  {1025},
    {4099},      {0},       {5, 0},       {0, 5},      {3, 0, 70000},  {7, 11}, {129, 130},
    {1, 300, 1}, {5, 6, 7}, {2, 1, 3, 5}, {131, 1031}, {2, 3, 4, 5, 6}};

std::vector<Array> random_inputs(const Program& program, const Dims64& shape, unsigned seed) {
    std::vector<Array> inputs;
    for (const LoopOperand& input : program.kernel.inputs) {
        inputs.emplace_back(input.dtype, shape);
        inputs.back().randomize(seed++);
    }
    return inputs;
}

TEST_F(LoopProgram, Chain) {
    Program p;
    const LoopRegister x = p.input(float32);
    const LoopRegister y = p.input(float32);
    LoopRegister value = p.apply("add", float32, {x, y});
    for (int i = 0; i < 20; ++i) {
        value = p.apply("mul", float32, {value, x});
        value = p.apply("tanh", float32, {value});
        value = p.apply("sub", float32, {y, value});
    }
    p.output(value);
    for (const Dims64& shape : kShapes)
        check(p, shape, random_inputs(p, shape, 1), {-1}, {}, "chain");
}

// A mask, values of three item sizes, a constant, and outputs of each dtype; one register stored
// twice.
TEST_F(LoopProgram, SeveralOutputsAndWhere) {
    Program p;
    const LoopRegister x = p.input(float32);
    const LoopRegister n = p.input(int64);
    const LoopRegister scalar = p.input(float32);
    const LoopRegister number = p.apply("cast", float32, {n});
    const LoopRegister mask = p.apply("lt", bool_, {x, scalar});
    const LoopRegister chosen = p.apply("where", float32, {mask, number, x});
    const LoopRegister wide = p.apply("cast", complex128, {chosen});
    p.output(mask);
    p.output(chosen);
    p.output(p.apply("mul", complex128, {wide, wide}));
    p.output(p.apply("cast", uint8, {n}));
    p.output(chosen);
    p.output(n);
    for (int threads : {1, 4}) {
        set_num_threads(threads);
        for (const Dims64& shape : kShapes) {
            std::vector<Array> inputs = random_inputs(p, shape, 2);
            Layout constant;
            for (size_t axis = 0; axis < shape.size(); ++axis)
                constant.expanded.push_back(static_cast<int>(axis));
            inputs[2] = Array(float32, shape, constant);
            inputs[2].randomize(9);
            check(p, shape, inputs, {-1, -1, -1, -1, -1, -1}, {}, "where");
        }
    }
}

// x, y = y - x, x * y written over x and y, in both orders: no output may be stored before the
// reads.
TEST_F(LoopProgram, OutputsOverInputs) {
    Program p;
    const LoopRegister x = p.input(float32);
    const LoopRegister y = p.input(float32);
    const LoopRegister difference = p.apply("sub", float32, {y, x});
    p.output(difference);
    p.output(p.apply("mul", float32, {x, y}));
    Program one;
    const LoopRegister a = one.input(float32);
    const LoopRegister b = one.input(float32);
    one.output(one.apply("sub", float32, {b, one.apply("mul", float32, {a, a})}));
    for (const Dims64& shape : kShapes) {
        check(p, shape, random_inputs(p, shape, 3), {0, 1}, {}, "x, y");
        check(p, shape, random_inputs(p, shape, 3), {1, 0}, {}, "y, x");
        check(one, shape, random_inputs(one, shape, 3), {0}, {}, "one over a");
        check(one, shape, random_inputs(one, shape, 3), {1}, {}, "one over b");
    }
}

// An instruction of random dtypes that reads registers of the program; false when the dtype has
// none.
bool add_random_step(Program& p, std::mt19937& engine) {
    const std::span<const Instruction> table = instruction_table();
    const Instruction& instruction = table[engine() % table.size()];
    const auto any = [&] { return static_cast<LoopRegister>(engine() % p.dtypes.size()); };
    const LoopRegister last = any();
    const Dtype out =
        engine() % 2 == 0 ? p.dtypes[last] : static_cast<Dtype>(engine() % kNumDtypes);
    if (!instruction_supports(instruction, p.dtypes[last], out)) return false;
    LoopRegister sources[3] = {any(), any(), any()};
    const auto find = [&](Dtype dtype, LoopRegister& found) {
        for (size_t i = 0; i < p.dtypes.size(); ++i) {
            const LoopRegister candidate = static_cast<LoopRegister>((found + i) % p.dtypes.size());
            if (p.dtypes[candidate] != dtype) continue;
            found = candidate;
            return true;
        }
        return false;
    };
    const int arity = instruction.arity;
    sources[arity - 1] = last;
    for (int k = 0; k + 1 < arity; ++k) {
        const bool condition = arity == 3 && k == 0;
        if (!find(condition ? Dtype::Bool : p.dtypes[last], sources[k])) return false;
    }
    switch (arity) {
        case 1: p.apply(instruction.name, out, {sources[0]}); break;
        case 2: p.apply(instruction.name, out, {sources[0], sources[1]}); break;
        default: p.apply(instruction.name, out, {sources[0], sources[1], sources[2]}); break;
    }
    return true;
}
Layout random_layout(size_t rank, bool output, std::mt19937& engine) {
    Layout layout;
    for (size_t i = 0; i < rank; ++i) layout.order.push_back(static_cast<int>(i));
    if (engine() % 2 == 0) std::shuffle(layout.order.begin(), layout.order.end(), engine);
    for (size_t i = 0; i < rank; ++i) {
        const unsigned kind = engine() % 6;
        if (kind == 0) layout.flipped.push_back(static_cast<int>(i));
        if (kind == 1 && !output) layout.expanded.push_back(static_cast<int>(i));
    }
    if (engine() % 5 == 0) layout.gap = 3;
    return layout;
}

TEST_F(LoopProgram, RandomPrograms) {
    std::mt19937 engine(11);
    for (int trial = 0; trial < kTrials; ++trial) {
        Program p;
        const size_t num_inputs = 1 + engine() % 4;
        for (size_t i = 0; i < num_inputs; ++i) p.input(static_cast<Dtype>(engine() % kNumDtypes));
        const size_t steps = engine() % 20;
        for (size_t done = 0, tries = 0; done < steps && tries < 500; ++tries)
            done += add_random_step(p, engine);
        const Dims64 shape = kShapes[engine() % std::size(kShapes)];
        std::vector<Array> inputs;
        for (const LoopOperand& input : p.kernel.inputs) {
            inputs.emplace_back(input.dtype, shape,
                                random_layout(shape.size(), engine() % 2 == 0, engine));
            inputs.back().randomize(engine());
        }
        const size_t num_outputs = 1 + engine() % 4;
        std::vector<int> place;
        for (size_t i = 0; i < num_outputs; ++i) {
            const size_t back = engine() % std::min<size_t>(p.dtypes.size(), 6);
            p.output(static_cast<LoopRegister>(p.dtypes.size() - 1 - back));
            place.push_back(-1);
            // Over an input of one size that nobody else took and that does not overlap itself.
            const size_t candidate = engine() % num_inputs;
            bool free =
                size_of(inputs[candidate].dtype()) == size_of(p.kernel.outputs.back().dtype) &&
                inputs[candidate].dtype() == p.kernel.outputs.back().dtype;
            for (int taken : place) free &= taken != static_cast<int>(candidate);
            const cpu::View view = inputs[candidate].view();
            for (size_t axis = 0; axis < shape.size(); ++axis) free &= view.strides[axis] != 0;
            if (free) place.back() = static_cast<int>(candidate);
        }
        set_num_threads(1 + trial % 3);
        const Layout layout = random_layout(shape.size(), true, engine);
        check(p, shape, inputs, place, layout, "program " + std::to_string(trial));
        if (HasFatalFailure()) return;
    }
}

}  // namespace
