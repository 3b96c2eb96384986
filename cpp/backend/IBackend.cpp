#include "lucid/backend/IBackend.h"

#include "lucid/backend/StreamOrDevice.h"

LUCID_NAMESPACE_BEGIN

IBackend::~IBackend() = default;

std::vector<Storage> IBackend::call(OpId op, std::span<const Storage* const> inputs,
                                    const Attrs& attrs) {
    const OpKernels& kernels = KernelTable::get(op);
    if (kernels.view != nullptr) return {kernels.view(*inputs[0], attrs)};
    std::vector<OutputSpec> specs;
    infer_outputs(op, inputs, attrs, specs);
    std::vector<Storage> outputs(specs.size());
    OpCall call;
    call.op = op;
    call.inputs = inputs;
    call.outputs = specs;
    call.attrs = &attrs;
    call.stream = stream_for({}, device(), OpRegistry::schema(op).name);
    submit(call, outputs);
    return outputs;
}

Storage IBackend::call_one(OpId op, std::span<const Storage* const> inputs, const Attrs& attrs) {
    return std::move(call(op, inputs, attrs).front());
}

LUCID_NAMESPACE_END
