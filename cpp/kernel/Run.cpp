#include "lucid/kernel/Run.h"

#include <algorithm>
#include <array>

#include "lucid/autograd/CoreOps.h"
#include "lucid/autograd/InPlace.h"
#include "lucid/backend/Dispatcher.h"
#include "lucid/backend/Engine.h"
#include "lucid/backend/SmallWork.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Promotion.h"

LUCID_NAMESPACE_BEGIN

namespace {

// The tape node of a call whose inputs require grad; its outputs become non-leaves.
void record(OpId op, const Attrs& attrs, std::span<const Tensor* const> inputs,
            std::span<const Tensor> outputs) {
    auto node = make_ref<OpNode>(op, attrs);
    PooledVector<Edge> edges(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i]->requires_grad()) edges[i] = gradient_edge(*inputs[i]);
    }
    node->set_edges(std::move(edges));
    const Saves saves = OpRegistry::schema(op).saves;
    if (saves.inputs != 0) node->save_inputs(inputs);
    for (const Tensor& output : outputs) {
        const uint32_t output_nr = node->add_output(output.storage());
        if (is_inexact(output.dtype())) set_edge(output, node, output_nr);
    }
    if (saves.outputs != 0) node->save_outputs(outputs, node.get());
}

bool should_record(const OpSchema& schema, std::span<const Tensor* const> inputs) {
    return schema.backward_name != nullptr && context().grad_enabled && any_requires_grad(inputs);
}

// Shared by the one-output and many-output forms: `specs` and `storages` have as many entries as
// outputs.
void submit(const OpSchema& schema, OpId op, const PreparedInputs& prepared, const Attrs& attrs,
            const StreamOrDevice& where, std::span<const OutputSpec> specs,
            std::span<Storage> storages) {
    const auto inputs = prepared.storages();
    const Device device = inputs.empty() ? context().default_device : inputs[0]->device();
    OpCall call;
    call.op = op;
    call.inputs = inputs;
    call.outputs = specs;
    call.attrs = &attrs;
    call.stream = stream_for(where, device, schema.name);
    Dispatcher::for_device(device)->submit(call, storages);
}

// Small elementwise work whose dtypes, devices and stream need no thought; an undefined Tensor
// otherwise.
Tensor run_one_small(const OpSchema& schema, OpId op, std::span<const Tensor* const> inputs,
                     const Attrs& attrs, const StreamOrDevice& where) {
    constexpr size_t kMaxInputs = 3;
    const OpKernels& kernels = KernelTable::get(op);
    if (kernels.instruction == nullptr || kernels.infer != nullptr || inputs.size() > kMaxInputs)
        return {};
    if (schema.dtype_rule == DtypeRule::Explicit || schema.dtype_rule == DtypeRule::PromoteTail)
        return {};
    const Context& modes = context();
    if (modes.has_stream || modes.autocast[static_cast<int>(DeviceType::CPU)].enabled) return {};
    if (where.index() != 0 || backend::Engine::instance().always_delay()) return {};
    std::array<SmallOperand, kMaxInputs> operands;
    const Tensor* strong = nullptr;
    const Tensor* weak = nullptr;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i]->defined()) return {};
        if ((*inputs[i])->is_weak()) {
            weak = inputs[i];
            continue;
        }
        if (strong == nullptr) strong = inputs[i];
        operands[i].storage = &inputs[i]->storage();
        if (!(inputs[i]->device() == kCpu) || inputs[i]->dtype() != strong->dtype()) return {};
    }
    if (strong == nullptr || (weak != nullptr && inputs.size() > 2)) return {};
    const Dtype dtype = strong->dtype();
    if ((schema.dtypes & dtype_bit(dtype)) == 0) return {};
    if (schema.dtype_rule == DtypeRule::PromoteToFloat && !is_inexact(dtype)) return {};
    const bool recording = should_record(schema, inputs);
    alignas(16) std::array<std::byte, 16> scalar;
    Tensor materialized;  // what the tape keeps of a weak scalar
    std::array<const Tensor*, kMaxInputs> recorded{};
    std::copy(inputs.begin(), inputs.end(), recorded.begin());
    if (weak != nullptr) {
        // A scalar of a higher category changes the dtype: the general path.
        if (!can_cast(weak->dtype(), dtype)) return {};
        const Scalar value = Scalar::load(weak->dtype(), weak->storage().data());
        value.store(dtype, scalar.data());
        if (recording) materialized = Tensor(value, dtype);
        for (size_t i = 0; i < inputs.size(); ++i) {
            if (inputs[i] != weak) continue;
            operands[i].scalar = scalar.data();
            recorded[i] = &materialized;
        }
    }
    Storage storage = run_small(*kernels.instruction, {operands.data(), inputs.size()}, dtype,
                                result_dtype(kernels.result, dtype));
    if (!storage) return {};
    Tensor output(std::move(storage));
    if (recording) record(op, attrs, {recorded.data(), inputs.size()}, {&output, 1});
    return output;
}

Tensor run_one(const OpSchema& schema, OpId op, std::span<const Tensor* const> inputs,
               const Attrs& attrs, const StreamOrDevice& where) {
    if (Tensor small = run_one_small(schema, op, inputs, attrs, where); small.defined())
        return small;
    const PreparedInputs prepared(schema, inputs);
    const OpKernels& kernels = KernelTable::get(op);
    Storage storage;
    if (kernels.infer == nullptr) {
        const Dtype dtype = result_dtype(kernels.result, prepared.storages().back()->dtype());
        const OutputSpec spec = elementwise_spec(op, prepared.storages(), dtype);
        submit(schema, op, prepared, attrs, where, {&spec, 1}, {&storage, 1});
    } else {
        std::vector<OutputSpec> specs;
        kernels.infer(prepared.storages(), attrs, specs);
        LUCID_ASSERT(specs.size() == 1);
        submit(schema, op, prepared, attrs, where, specs, {&storage, 1});
    }
    Tensor output(std::move(storage));
    if (should_record(schema, prepared.tensors())) {
        record(op, attrs, prepared.tensors(), {&output, 1});
    }
    return output;
}

std::vector<Tensor> run_many(const OpSchema& schema, OpId op, std::span<const Tensor* const> inputs,
                             const Attrs& attrs, const StreamOrDevice& where) {
    const PreparedInputs prepared(schema, inputs);
    std::vector<OutputSpec> specs;
    infer_outputs(op, prepared.storages(), attrs, specs);
    std::vector<Storage> storages(specs.size());
    submit(schema, op, prepared, attrs, where, specs, storages);
    std::vector<Tensor> outputs;
    outputs.reserve(storages.size());
    for (Storage& storage : storages) outputs.emplace_back(std::move(storage));
    if (should_record(schema, prepared.tensors())) record(op, attrs, prepared.tensors(), outputs);
    return outputs;
}

// Makes `where` the current stream for an entry of its own, which calls other ops.
class StreamScope {
public:
    explicit StreamScope(const StreamOrDevice& where) : before_(context()) {
        if (std::holds_alternative<std::monostate>(where)) return;
        const Stream stream = to_stream(where);
        if (!Dispatcher::for_device(stream.device)->has_stream(stream)) {
            ErrorBuilder("lucid", "there is no such stream")
                .given("stream", to_string(stream))
                .rule("make one with lucid.new_stream(device)")
                .raise<DeviceMismatch>();
        }
        active_ = true;
        context().stream[static_cast<int>(stream.device.type)] = stream;
        context().has_stream = true;
    }
    ~StreamScope() {
        if (!active_) return;
        std::copy(std::begin(before_.stream), std::end(before_.stream),
                  std::begin(context().stream));
        context().has_stream = before_.has_stream;
    }
    StreamScope(const StreamScope&) = delete;
    StreamScope& operator=(const StreamScope&) = delete;

private:
    Context before_;
    bool active_ = false;
};

}  // namespace

Tensor run_op(OpId op, std::span<const Tensor* const> inputs, const Attrs& attrs) {
    return run_one(OpRegistry::schema(op), op, inputs, attrs, {});
}

std::vector<Tensor> run_op_many(OpId op, std::span<const Tensor* const> inputs,
                                const Attrs& attrs) {
    return run_many(OpRegistry::schema(op), op, inputs, attrs, {});
}

Tensor run_view(OpId op, const Tensor& input, const Attrs& attrs) {
    const OpSchema& schema = OpRegistry::schema(op);
    const Tensor* inputs[] = {&input};
    if (!input.defined()) throw InvalidArgument(std::string(schema.name) + ": x is missing");
    Tensor output(KernelTable::get(op).view(input.storage(), attrs));
    // A view made under inference_mode is an inference tensor when what it looks at is one.
    if (AutogradMeta* meta = output->autograd()) {
        meta->inference = input->autograd() != nullptr && input->autograd()->inference;
    }
    if (should_record(schema, inputs)) record(op, attrs, inputs, {&output, 1});
    mark_view(output, input);
    return output;
}

std::vector<Tensor> call_op(OpId op, std::span<const Tensor* const> inputs, const Attrs& attrs,
                            const StreamOrDevice& where) {
    const OpDef& def = op_def(op);
    if (def.entry != nullptr) {
        StreamScope scope(where);
        return def.entry(inputs, attrs);
    }
    if (def.view != nullptr) return {run_view(op, *inputs[0], attrs)};
    return run_many(*def.schema, op, inputs, attrs, where);
}

Tensor call_op_one(OpId op, std::span<const Tensor* const> inputs, const Attrs& attrs,
                   const StreamOrDevice& where) {
    const OpDef& def = op_def(op);
    if (def.entry != nullptr) {
        StreamScope scope(where);
        return std::move(def.entry(inputs, attrs).front());
    }
    if (def.view != nullptr) return run_view(op, *inputs[0], attrs);
    return run_one(*def.schema, op, inputs, attrs, where);
}

void call_op_inplace(OpId op, std::span<const Tensor* const> inputs, const Attrs& attrs) {
    const OpSchema& schema = OpRegistry::schema(op);
    const std::string name = std::string(schema.name) + "_";
    const Tensor& target = *inputs[0];
    check_inplace(name.c_str(), target);
    const Tensor before = snapshot_for_inplace(target);
    std::vector<const Tensor*> operands(inputs.begin(), inputs.end());
    for (const Tensor*& operand : operands) {
        if (operand->impl() == target.impl()) operand = &before;
    }
    Tensor result = call_op_one(op, operands, attrs);
    check_inplace_shape(name.c_str(), target, result);
    if (result.dtype() != target.dtype()) {
        if (!can_cast(result.dtype(), target.dtype())) {
            ErrorBuilder(name, "the result's dtype cannot be stored in the target")
                .given("target", describe(target))
                .given("result", describe(result))
                .rule("an in-place op keeps dtype; use the functional form")
                .raise<DtypeMismatch>();
        }
        result = core_ops().cast(result, target.dtype());
    }
    write_inplace(name.c_str(), target, std::move(result));
}

LUCID_NAMESPACE_END
