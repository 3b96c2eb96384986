// The shape rules and kernels of the ops, keyed by OpId. An op's kernel on a device is an
// instruction (it becomes part of a Map), a view (metadata only), a call, or a composition of other
// ops.
#pragma once

#include <span>
#include <vector>

#include "lucid/backend/OpCall.h"
#include "lucid/backend/cpu/View.h"

LUCID_NAMESPACE_BEGIN

struct Instruction;

// What a CPU kernel gets: Ready inputs, allocated outputs (row-major unless the shape rule said
// else).
struct CpuCall {
    std::span<const cpu::ConstView> inputs;
    std::span<const cpu::View> outputs;
    const Attrs& attrs;
};
using CpuKernel = void (*)(const CpuCall& call);
// The results' dtypes and layouts from the inputs' metadata; throws on bad shapes.
using InferFn = void (*)(std::span<const Storage* const> inputs, const Attrs& attrs,
                         std::vector<OutputSpec>& outputs);
using ViewFn = Storage (*)(const Storage& input, const Attrs& attrs);

struct Kernel {
    enum class Kind : uint8_t { None, Instruction, View, Call, Composition };
    Kind kind = Kind::None;
    const char* instruction = nullptr;
    CpuKernel call = nullptr;

    static constexpr Kernel of_instruction(const char* name) {
        return {Kind::Instruction, name, nullptr};
    }
    static constexpr Kernel of_call(CpuKernel call) { return {Kind::Call, nullptr, call}; }
    static constexpr Kernel view() { return {Kind::View, nullptr, nullptr}; }
    static constexpr Kernel composition() { return {Kind::Composition, nullptr, nullptr}; }
};

// The dtype of an elementwise result relative to the dtype it computes in.
enum class ResultDtype : uint8_t { Same, Bool, Real };

struct OpKernels {
    InferFn infer = nullptr;  // nullptr: elementwise, the inputs broadcast
    ResultDtype result = ResultDtype::Same;
    ViewFn view = nullptr;
    Kernel kernels[kNumDeviceTypes];
    const Instruction* instruction = nullptr;  // resolved from kernels[CPU]
};

class LUCID_API KernelTable {
public:
    static void set(OpId op, OpKernels kernels);
    static const OpKernels& get(OpId op) noexcept;
};

// The common shape of inputs that broadcast; throws ShapeMismatch naming the op and all of them.
LUCID_API Shape broadcast_inputs(const char* op, std::span<const Storage* const> inputs);
// Broadcasts the inputs' shapes, naming the op in the error; keeps a dense layout that all inputs
// share.
LUCID_API OutputSpec elementwise_spec(OpId op, std::span<const Storage* const> inputs, Dtype dtype);
LUCID_API Dtype result_dtype(ResultDtype rule, Dtype computed) noexcept;
// Either the op's shape rule or the elementwise one.
LUCID_API void infer_outputs(OpId op, std::span<const Storage* const> inputs, const Attrs& attrs,
                             std::vector<OutputSpec>& outputs);

LUCID_NAMESPACE_END
