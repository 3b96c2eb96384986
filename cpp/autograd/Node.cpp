#include "lucid/autograd/Node.h"

#include <atomic>

#include "lucid/autograd/RuleTable.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

std::atomic<std::string (*)()> trace_provider{nullptr};

// One counter a thread: what other threads record cannot change the order within this one's graph.
uint64_t next_sequence() noexcept {
    static thread_local uint64_t counter = 0;
    return counter++;
}

// Bit 31 stands for every position from 31 on (lists of tensors).
bool saves(uint32_t mask, size_t position) noexcept {
    return ((mask >> (position < 31 ? position : 31)) & 1u) != 0;
}

}  // namespace

void set_trace_provider(std::string (*provider)()) noexcept { trace_provider.store(provider); }

void raise_released(const char* node_name) {
    const std::string text =
        ErrorBuilder("backward()", "the graph's saved values were released by an earlier backward")
            .given("node", node_name)
            .rule("a graph is walked once; call the earlier backward with retain_graph=True")
            .text();
    throw Error(ErrorKind::Lucid, text);
}

Node::Node() : sequence_(next_sequence()) {
    if (!context().anomaly) return;
    if (auto* provider = trace_provider.load()) trace_ = provider();
}

Node::~Node() = default;

uint32_t Node::add_output(const Storage& storage) {
    metas_.push_back({storage.shape(), storage.dtype(), storage.device()});
    return static_cast<uint32_t>(metas_.size() - 1);
}

const TensorMeta& Node::input_meta(size_t input) const noexcept {
    LUCID_ASSERT(needs(input));
    const Edge& edge = edges_[input];
    return static_cast<const Node*>(edge.node.get())->output_meta(edge.output_nr);
}

const char* OpNode::name() const noexcept { return OpRegistry::schema(op_).backward_name; }

void OpNode::backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) {
    if (released_) raise_released(name());
    const VjpFn vjp = RuleTable::get(op_).vjp;
    if (vjp == nullptr) {
        ErrorBuilder(OpRegistry::schema(op_).name, "the op has no vjp rule")
            .raise<NotImplementedOp>();
    }
    vjp(VjpContext(*this), grads, grad_inputs);
}

void OpNode::release_saved() noexcept {
    // A node that saves nothing can be walked again.
    if (inputs_.empty() && outputs_.empty()) return;
    released_ = true;
    inputs_.clear();
    outputs_.clear();
}

void OpNode::save_inputs(std::span<const Tensor* const> inputs) {
    const uint32_t mask = OpRegistry::schema(op_).saves.inputs;
    inputs_.resize(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
        if (saves(mask, i) && inputs[i]->defined()) inputs_[i] = SavedTensor::of_input(*inputs[i]);
    }
}

void OpNode::save_outputs(std::span<const Tensor> outputs, Node* self) {
    LUCID_ASSERT(self == this);
    const uint32_t mask = OpRegistry::schema(op_).saves.outputs;
    outputs_.resize(outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
        if (saves(mask, i) && outputs[i].defined()) {
            outputs_[i] = SavedTensor::of_output(outputs[i], static_cast<uint32_t>(i));
        }
    }
}

Tensor VjpContext::input(size_t i) const {
    LUCID_ASSERT(saves(OpRegistry::schema(node_.op()).saves.inputs, i));
    if (i >= node_.inputs_.size() || node_.inputs_[i].empty())
        return {};  // an optional one, absent
    return node_.inputs_[i].unpack(node_.name(), "input " + std::to_string(i),
                                   const_cast<OpNode*>(&node_));
}

Tensor VjpContext::output(size_t i) const {
    LUCID_ASSERT(saves(OpRegistry::schema(node_.op()).saves.outputs, i) &&
                 i < node_.outputs_.size());
    return node_.outputs_[i].unpack(node_.name(), "output " + std::to_string(i),
                                    const_cast<OpNode*>(&node_));
}

LUCID_NAMESPACE_END
