#include "lucid/backend/SmallWork.h"

#include <array>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/Engine.h"
#include "lucid/backend/InstructionTable.h"

LUCID_NAMESPACE_BEGIN

Storage run_small(const Instruction& instruction, std::span<const SmallOperand> inputs, Dtype dtype,
                  Dtype out) {
    constexpr int64_t kMaxElems = 16'384;
    constexpr size_t kMaxInputs = 3;
    const RowFn row = instruction.row(dtype, out);
    if (row == nullptr || inputs.size() > kMaxInputs) return {};
    std::array<Ref<Buffer>, kMaxInputs> buffers;
    std::array<const void*, kMaxInputs> data;
    std::array<int64_t, kMaxInputs> strides;
    const Storage* first = nullptr;
    for (size_t i = 0; i < inputs.size(); ++i) {
        strides[i] = inputs[i].storage != nullptr ? 1 : 0;
        data[i] = inputs[i].scalar;
        if (inputs[i].storage == nullptr) continue;
        const Storage& input = *inputs[i].storage;
        if (first == nullptr) first = &input;
        if (!(input.shape() == first->shape()) || !input.is_contiguous()) return {};
        buffers[i] = input.box()->ready();
        if (!buffers[i]) return {};
        data[i] =
            static_cast<const std::byte*>(buffers[i]->data()) + input.offset() * input.itemsize();
    }
    const int64_t n = first->numel();
    if (n == 0 || n > kMaxElems) return {};
    backend::Engine::instance().kernels_run.fetch_add(1, std::memory_order_relaxed);
    Ref<Buffer> result = allocate_cpu(static_cast<size_t>(n * size_of(out)));
    row(static_cast<size_t>(n), result->data(), data.data(), strides.data());
    return Storage(make_ref<Box>(Value(std::move(result))), out, kCpu, first->shape(),
                   contiguous_strides(first->shape()), 0);
}

LUCID_NAMESPACE_END
