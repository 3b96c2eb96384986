#include "lucid/autograd/FuncOp.h"

#include "lucid/autograd/DoubleBackward.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr uint32_t kBits = 32;

uint32_t first_positions(size_t count) noexcept {
    return count >= kBits ? ~0u : (1u << count) - 1u;
}

}  // namespace

bool FuncOpBase::needs_node(std::span<const TensorImplPtr> inputs) {
    return context().grad_enabled && any_requires_grad(inputs);
}

std::vector<Tensor> FuncOpBase::attach_node(Ref<FuncOpBase> node,
                                            std::span<const TensorImplPtr> inputs,
                                            std::vector<Storage> outputs, const Attrs& attrs) {
    std::vector<Tensor> tensors;
    tensors.reserve(outputs.size());
    for (Storage& output : outputs) tensors.emplace_back(std::move(output));
    if (!node) return tensors;
    node->attrs_ = attrs;
    PooledVector<Edge> edges;
    edges.reserve(inputs.size());
    for (const TensorImplPtr& input : inputs) {
        edges.push_back(input ? gradient_edge(Tensor(input)) : Edge());
    }
    node->set_edges(std::move(edges));
    const Saves saves = node->schema_->saves;
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (i >= kBits || ((saves.inputs >> i) & 1u) == 0) continue;
        node->saved_.push_back(inputs[i] ? SavedTensor::of_input(Tensor(inputs[i]))
                                         : SavedTensor());
    }
    node->num_saved_inputs_ = node->saved_.size();
    for (size_t i = 0; i < tensors.size(); ++i) {
        const uint32_t output_nr = node->add_output(tensors[i].storage());
        if (is_inexact(tensors[i].dtype())) set_edge(tensors[i], node, output_nr);
        if (i >= kBits || ((saves.outputs >> i) & 1u) == 0) continue;
        node->saved_.push_back(SavedTensor::of_output(tensors[i], output_nr));
    }
    return tensors;
}

std::string FuncOpBase::saved_name(size_t i) const {
    const bool is_input = i < num_saved_inputs_;
    uint32_t mask = is_input ? schema_->saves.inputs : schema_->saves.outputs;
    size_t skip = is_input ? i : i - num_saved_inputs_;
    for (uint32_t position = 0; position < kBits; ++position, mask >>= 1) {
        if ((mask & 1u) != 0 && skip-- == 0) {
            return (is_input ? "input " : "output ") + std::to_string(position);
        }
    }
    return "saved value " + std::to_string(i);
}

Storage FuncOpBase::saved(size_t i) const {
    if (released_) raise_released(name());
    LUCID_ASSERT(i < saved_.size());
    if (saved_[i].empty()) return {};  // an optional input, absent
    return saved_[i].storage(name(), saved_name(i));
}

void FuncOpBase::release_saved() noexcept {
    // A node that saves nothing can be walked again.
    if (saved_.empty()) return;
    released_ = true;
    saved_.clear();
}

std::vector<Storage> FuncOpBase::apply(Storage) {
    ErrorBuilder(name(), "the op has no apply()")
        .rule("override apply(Storage), or apply(std::span<const Storage>) for several outputs")
        .raise<NotImplementedOp>();
}

std::vector<Storage> FuncOpBase::apply(std::span<const Storage> grads) {
    if (grads.size() == 1) return apply(grads[0]);
    ErrorBuilder(name(), "an op with several outputs needs apply(std::span<const Storage>)")
        .given("outputs", std::to_string(grads.size()))
        .raise<NotImplementedOp>();
}

void FuncOpBase::backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) {
    if (released_) raise_released(name());
    std::vector<Storage> storages;
    storages.reserve(grads.size());
    for (const Tensor& grad : grads)
        storages.push_back(grad.defined() ? grad.storage() : Storage());
    std::vector<Storage> results;
    {
        Scoped<bool> no_grad(context().grad_enabled, false);
        results = apply(std::span<const Storage>(storages));
    }
    if (results.size() != num_slots_) {
        const std::string text = std::string(name()) + ": apply() returned " +
                                 std::to_string(results.size()) + " gradients, the op has " +
                                 std::to_string(num_slots_) + " inputs";
        throw Error(ErrorKind::Lucid, text);
    }
    for (size_t i = 0; i < results.size(); ++i) {
        if (needs(i) && !results[i].empty_handle()) grad_inputs[i] = Tensor(std::move(results[i]));
    }
    if (context().grad_enabled) record_double_backward(grads, grad_inputs);
}

void FuncOpBase::record_double_backward(std::span<const Tensor> grads,
                                        std::span<Tensor> grad_inputs) {
    const OpId op = OpRegistry::find(schema_->name);
    const DecomposeFn decompose = op == kNoOp ? nullptr : RuleTable::get(op).decompose;
    if (decompose == nullptr) {
        ErrorBuilder(schema_->name, "decompose is not implemented")
            .given("node", name())
            .rule("create_graph=True differentiates decompose(); call backward without it")
            .raise<NotImplementedOp>();
    }
    if ((schema_->saves.inputs & first_positions(num_slots_)) != first_positions(num_slots_)) {
        ErrorBuilder(schema_->name,
                     "create_graph=True needs every input, and the schema does not save all")
            .given("node", name())
            .rule("decompose() starts from the inputs: set their bits in OpSchema::saves.inputs")
            .raise<NotImplementedOp>();
    }
    FirstBackward first{schema_, decompose, &attrs_, {}, grads};
    for (size_t i = 0; i < num_slots_; ++i) {
        const SavedTensor& saved = saved_[i];
        first.inputs.push_back(saved.empty() ? Tensor()
                                             : saved.unpack(name(), saved_name(i), this));
    }
    // A result may be one of the gradients that came in; it becomes a tensor of its own.
    attach_double_backward(first, grad_inputs);
}

LUCID_NAMESPACE_END
