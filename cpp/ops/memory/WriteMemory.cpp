#include "lucid/ops/memory/WriteMemory.h"

#include "lucid/backend/Dispatcher.h"
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"

LUCID_NAMESPACE_BEGIN

namespace {

// memory (n,), source (shape) -> memory (n,) with the region {shape, strides, offset} replaced.
struct WriteMemory : NaryKernel<WriteMemory> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs&,
                      std::vector<OutputSpec>& outputs) {
        outputs.push_back(OutputSpec::dense(inputs[0]->dtype(), inputs[0]->shape()));
    }
    static void kernel(const CpuCall& call) {
        const cpu::View& out = call.outputs[0];
        cpu::copy(call.inputs[0], out);
        const Dims& shape = call.attrs.dims(0);
        auto* start =
            static_cast<std::byte*>(out.data) + call.attrs.integer(2) * size_of(out.dtype);
        cpu::copy(call.inputs[1], {start, out.dtype, shape, call.attrs.dims(1)});
    }
};

const OpSchema WriteMemory::schema_v1{
    .name = "_write_memory",
    .signature = "_write_memory(Tensor memory, Tensor source, int[] size, int[] stride, "
                 "int offset) -> Tensor",
    .dtype_rule = DtypeRule::Explicit,
    .python = kInternal,
    .no_gradient_reason = "in-place writes are recorded as as_strided_scatter",
    .doc = "A flat memory with one strided region replaced by `source`.",
};

Storage broadcast_to(const Storage& source, const Shape& shape) {
    if (source.shape() == shape) return source;
    const size_t missing = shape.size() - source.shape().size();
    Strides strides(shape.size(), 0);
    for (size_t i = missing; i < shape.size(); ++i) {
        if (source.shape()[i - missing] != 1) strides[i] = source.strides()[i - missing];
    }
    return source.view(shape, std::move(strides), source.offset());
}

}  // namespace

void write_memory(const Storage& target, const Storage& source) {
    LUCID_ASSERT(target.dtype() == source.dtype());
    if (target.numel() == 0) return;
    const Storage from = broadcast_to(source, target.shape());
    const Ref<Box>& box = target.box();
    const bool same_box = box == source.box();
    const bool in_place = box->uniquely_held();
    const Value current = box->value();
    if (current.pinned() && same_box) {
        // The source views the pinned memory itself: a copy of it first.
        write_memory(target, Dispatcher::for_device(target.device())->clone(from));
        return;
    }
    if (current.pinned() || (in_place && !same_box)) {
        const Ref<Buffer> memory = current.force();
        if (memory->read_only()) {
            throw Error(ErrorKind::Lucid,
                        "in-place write: the memory is read-only (an imported array)");
        }
        const Ref<Buffer> source_memory = from.box()->value().force();
        auto address = [](const Ref<Buffer>& buffer, const Storage& s) {
            return static_cast<std::byte*>(buffer->data()) + s.offset() * s.itemsize();
        };
        cpu::copy({address(source_memory, from), from.dtype(), from.shape(), from.strides()},
                  {address(memory, target), target.dtype(), target.shape(), target.strides()});
        return;
    }
    const int64_t extent = static_cast<int64_t>(current.nbytes()) / target.itemsize();
    const Storage memory(make_ref<Box>(current), target.dtype(), target.device(), Shape{extent},
                         Strides{1}, 0);
    const Storage written = Dispatcher::for_device(target.device())
                                ->_write_memory(memory, from, Dims(target.shape().span()),
                                                Dims(target.strides().span()), target.offset());
    box->rebind(written.box()->value());
}

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(WriteMemory) {
    static const OpDef defs[] = {WriteMemory::op()};
    return defs;
}
