#include "lucid/backend/KernelTable.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "lucid/backend/InstructionTable.h"
#include "lucid/core/Error.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

namespace {

// Readers take no lock: a slot is written once, before its id is known to anybody.
constexpr OpId kMaxOps = 8192;
std::array<std::atomic<const OpKernels*>, kMaxOps> slots{};

}  // namespace

void KernelTable::set(OpId op, OpKernels kernels) {
    if (op >= kMaxOps) throw InvalidArgument("KernelTable: more than 8191 ops");
    const Kernel& cpu = kernels.kernels[static_cast<int>(DeviceType::CPU)];
    if (cpu.kind == Kernel::Kind::Instruction) {
        kernels.instruction = find_instruction(cpu.instruction);
        if (kernels.instruction == nullptr) {
            ErrorBuilder("register_op", "there is no instruction of this name")
                .given("op", OpRegistry::schema(op).name)
                .given("instruction", cpu.instruction)
                .raise<InvalidArgument>();
        }
    }
    slots[op].store(new OpKernels(kernels), std::memory_order_release);
}

const OpKernels& KernelTable::get(OpId op) noexcept {
    LUCID_ASSERT(op < kMaxOps);
    const OpKernels* kernels = slots[op].load(std::memory_order_acquire);
    LUCID_ASSERT(kernels != nullptr);
    return *kernels;
}

Dtype result_dtype(ResultDtype rule, Dtype computed) noexcept {
    switch (rule) {
        case ResultDtype::Same: return computed;
        case ResultDtype::Bool: return Dtype::Bool;
        case ResultDtype::Real: return real_dtype(computed);
    }
    return computed;
}

Shape broadcast_inputs(const char* op, std::span<const Storage* const> inputs) {
    Shape shape = inputs[0]->shape();
    for (const Storage* input : inputs.subspan(1)) {
        const Shape& other = input->shape();
        const size_t common = std::min(shape.size(), other.size());
        for (size_t i = 1; i <= common; ++i) {
            const int64_t x = shape[shape.size() - i];
            const int64_t y = other[other.size() - i];
            if (x == y || x == 1 || y == 1) continue;
            ErrorBuilder error(op, "shapes do not broadcast");
            for (size_t k = 0; k < inputs.size(); ++k) {
                const char letter = static_cast<char>('a' + k);
                error.given(std::string_view(&letter, 1), describe(*inputs[k]));
            }
            error.given("axis", "-" + std::to_string(i) + ": " + std::to_string(x) + " and " +
                                    std::to_string(y));
            error.rule("counted from the last axis, two sizes must be equal or one of them 1")
                .raise<ShapeMismatch>();
        }
        shape = broadcast_shapes(op, shape, other);
    }
    return shape;
}

OutputSpec elementwise_spec(OpId op, std::span<const Storage* const> inputs, Dtype dtype) {
    OutputSpec spec;
    spec.dtype = dtype;
    spec.shape = inputs[0]->shape();
    for (const Storage* input : inputs.subspan(1)) {
        if (!(input->shape() == spec.shape)) {
            spec.shape = broadcast_inputs(OpRegistry::schema(op).name, inputs);
            break;
        }
    }
    // A dense layout that every full-sized input shares is kept (a transposed matrix stays
    // transposed).
    const Storage* layout = nullptr;
    bool shared = true;
    for (const Storage* input : inputs) {
        if (!(input->shape() == spec.shape)) continue;
        if (layout == nullptr) {
            layout = input;
        } else if (!(layout->strides() == input->strides())) {
            shared = false;
        }
    }
    if (layout != nullptr && shared && !layout->is_contiguous() &&
        is_dense(layout->shape(), layout->strides())) {
        bool positive = true;
        for (int64_t stride : layout->strides()) positive = positive && stride > 0;
        if (positive) {
            spec.strides = layout->strides();
            return spec;
        }
    }
    spec.strides = contiguous_strides(spec.shape);
    return spec;
}

void infer_outputs(OpId op, std::span<const Storage* const> inputs, const Attrs& attrs,
                   std::vector<OutputSpec>& outputs) {
    const OpKernels& kernels = KernelTable::get(op);
    if (kernels.infer != nullptr) {
        kernels.infer(inputs, attrs, outputs);
        return;
    }
    const Dtype computed = inputs.back()->dtype();
    outputs.push_back(elementwise_spec(op, inputs, result_dtype(kernels.result, computed)));
}

LUCID_NAMESPACE_END
