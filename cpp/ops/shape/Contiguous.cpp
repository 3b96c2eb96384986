// contiguous: the tensor itself when it is row-major, else a row-major copy.
#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/kernel/Kernels.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct ContiguousBackward : NaryKernel<ContiguousBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs&,
                      std::vector<OutputSpec>& outputs) {
        outputs.push_back(OutputSpec::dense(inputs[0]->dtype(), inputs[0]->shape()));
    }
    static void kernel(const CpuCall& call) { cpu::copy(call.inputs[0], call.outputs[0]); }
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require("contiguous");
        if (inputs[0]->is_contiguous()) return {*inputs[0]};
        return {run_op(id, inputs, attrs)};
    }
    static void vjp(const VjpContext&, std::span<const Tensor> grads, std::span<Tensor> out) {
        out[0] = grads[0];
    }
    static OpDef op() {
        OpDef def = NaryKernel::op();
        def.entry = &entry;
        return def;
    }
};

const OpSchema ContiguousBackward::schema_v1{
    .name = "contiguous",
    .signature = "contiguous(Tensor x) -> Tensor",
    .backward_name = "ContiguousBackward",
    .dtype_rule = DtypeRule::First,
    .python = kMethod,
    .doc =
        R"(x itself when its elements lie in row-major order without gaps, otherwise a copy.

Shapes: x any, result as x.

>>> lucid.zeros(2, 3).transpose().contiguous().is_contiguous()
True
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Contiguous) {
    static const OpDef defs[] = {ContiguousBackward::op()};
    return defs;
}
