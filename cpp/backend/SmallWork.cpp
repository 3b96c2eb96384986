#include "lucid/backend/SmallWork.h"

#include <array>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/Engine.h"
#include "lucid/backend/InstructionTable.h"

LUCID_NAMESPACE_BEGIN

Storage run_small(const Instruction& instruction, std::span<const Storage* const> inputs,
                  Dtype out) {
    constexpr int64_t kMaxElems = 16'384;
    constexpr size_t kMaxInputs = 3;
    const Storage& first = *inputs[0];
    const int64_t n = first.numel();
    const RowFn row = instruction.row(inputs.back()->dtype(), out);
    if (n == 0 || n > kMaxElems || row == nullptr || inputs.size() > kMaxInputs) return {};
    std::array<Ref<Buffer>, kMaxInputs> buffers;
    std::array<const void*, kMaxInputs> data;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Storage& input = *inputs[i];
        if (i > 0 && !(input.shape() == first.shape())) return {};
        if (!input.is_contiguous()) return {};
        buffers[i] = input.box()->ready();
        if (!buffers[i]) return {};
        data[i] =
            static_cast<const std::byte*>(buffers[i]->data()) + input.offset() * input.itemsize();
    }
    backend::Engine::instance().kernels_run.fetch_add(1, std::memory_order_relaxed);
    static constexpr std::array<int64_t, kMaxInputs> kStrides{1, 1, 1};
    Ref<Buffer> result = allocate_cpu(static_cast<size_t>(n * size_of(out)));
    row(static_cast<size_t>(n), result->data(), data.data(), kStrides.data());
    return Storage(make_ref<Box>(Value(std::move(result))), out, kCpu, first.shape(),
                   contiguous_strides(first.shape()), 0);
}

LUCID_NAMESPACE_END
