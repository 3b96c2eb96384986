#include "lucid/autograd/DoubleBackward.h"

#include "lucid/autograd/GradWalk.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

// One place in the graph for one operand, so that an operand that is given twice has two gradients.
// A target of grad(); under create_graph gradients flow on through it.
class AliasBackward final : public Node {
public:
    AliasBackward(Edge edge, const Storage& storage) {
        set_edges({std::move(edge)});
        add_output(storage);
    }
    const char* name() const noexcept override { return "AliasBackward"; }
    void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) override {
        if (needs(0)) grad_inputs[0] = grads[0];
    }
    void release_saved() noexcept override {}
};

Tensor alias_of(const Tensor& operand) {
    if (!operand.defined()) return {};
    Tensor alias(operand.storage());
    if (is_inexact(operand.dtype())) {
        set_edge(alias, make_ref<AliasBackward>(gradient_edge(operand), operand.storage()), 0);
    }
    return alias;
}

class DoubleBackward final : public Node {
public:
    explicit DoubleBackward(const FirstBackward& first)
        : name_(std::string(first.schema->backward_name) + "Backward"),
          schema_(first.schema),
          decompose_(first.decompose),
          attrs_(*first.attrs),
          num_grads_(first.grads.size()) {
        PooledVector<Edge> edges;
        auto save = [&](const Tensor& operand) {
            saved_.push_back(operand.defined() ? SavedTensor::of_input(operand) : SavedTensor());
            edges.push_back(operand.defined() ? gradient_edge(operand) : Edge());
        };
        for (const Tensor& grad : first.grads) save(grad);
        for (const Tensor& input : first.inputs) save(input);
        set_edges(std::move(edges));
    }
    const char* name() const noexcept override { return name_.c_str(); }
    void release_saved() noexcept override {
        released_ = true;
        saved_.clear();
    }

    // grads: with respect to each gradient of an input, `slot_of_output_` says which. grad_inputs:
    // of the gradients of the outputs, then of the inputs.
    void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) override {
        if (released_) raise_released(name());
        const bool create_graph = context().grad_enabled;
        Scoped<bool> recording(context().grad_enabled, true);
        std::vector<Tensor> operands;
        for (size_t i = 0; i < saved_.size(); ++i) {
            const SavedTensor& saved = saved_[i];
            operands.push_back(saved.empty() ? Tensor()
                                             : alias_of(saved.unpack(name(), what(i), this)));
        }
        const std::span<const Tensor> all(operands);
        std::vector<Tensor> first = first_gradients(all.first(num_grads_), all.subspan(num_grads_));

        std::vector<Tensor> roots;
        std::vector<Tensor> root_gradients;
        for (size_t i = 0; i < slot_of_output_.size(); ++i) {
            const Tensor& gradient = first[slot_of_output_[i]];
            if (!grads[i].defined() || !gradient.defined() || !gradient.requires_grad()) continue;
            roots.push_back(gradient);
            root_gradients.push_back(grads[i]);
        }
        if (roots.empty()) return;
        std::vector<Tensor> wanted;
        std::vector<size_t> positions;
        for (size_t i = 0; i < operands.size(); ++i) {
            if (!needs(i)) continue;
            wanted.push_back(operands[i]);
            positions.push_back(i);
        }
        const BackwardOptions options{true, create_graph, true};
        std::vector<Tensor> second = grad(roots, wanted, root_gradients, options);
        for (size_t i = 0; i < positions.size(); ++i)
            grad_inputs[positions[i]] = std::move(second[i]);
    }

    void add_gradient(size_t slot, const Tensor& gradient) {
        add_output(gradient.storage());
        slot_of_output_.push_back(slot);
    }

private:
    std::string what(size_t i) const {
        if (i < num_grads_) return "the gradient of output " + std::to_string(i);
        return "input " + std::to_string(i - num_grads_);
    }

    // The vjp of decompose(), recorded: one entry per input.
    std::vector<Tensor> first_gradients(std::span<const Tensor> grads,
                                        std::span<const Tensor> inputs) {
        std::vector<const Tensor*> arguments;
        for (const Tensor& input : inputs) arguments.push_back(&input);
        const std::vector<Tensor> outputs = decompose_(arguments, attrs_);
        if (outputs.size() != grads.size()) {
            const std::string text = std::string(schema_->name) + ": decompose() returned " +
                                     std::to_string(outputs.size()) + " outputs, the op has " +
                                     std::to_string(grads.size());
            throw Error(ErrorKind::Lucid, text);
        }
        std::vector<Tensor> roots;
        std::vector<Tensor> root_gradients;
        for (size_t i = 0; i < grads.size(); ++i) {
            if (!grads[i].defined() || !outputs[i].requires_grad()) continue;
            roots.push_back(outputs[i]);
            root_gradients.push_back(grads[i]);
        }
        std::vector<Tensor> wanted;
        std::vector<size_t> positions;
        for (const size_t slot : slot_of_output_) {
            wanted.push_back(inputs[slot]);
            positions.push_back(slot);
        }
        std::vector<Tensor> result(inputs.size());
        if (roots.empty() || wanted.empty()) return result;
        const BackwardOptions options{true, true, true};
        std::vector<Tensor> gradients = grad(roots, wanted, root_gradients, options);
        for (size_t i = 0; i < positions.size(); ++i)
            result[positions[i]] = std::move(gradients[i]);
        return result;
    }

    std::string name_;
    const OpSchema* schema_;
    DecomposeFn decompose_;
    Attrs attrs_;
    size_t num_grads_;
    std::vector<SavedTensor> saved_;
    std::vector<size_t> slot_of_output_;
    bool released_ = false;
};

}  // namespace

void attach_double_backward(const FirstBackward& first, std::span<Tensor> gradients) {
    auto node = make_ref<DoubleBackward>(first);
    uint32_t output_nr = 0;
    for (size_t slot = 0; slot < gradients.size(); ++slot) {
        Tensor& gradient = gradients[slot];
        if (!gradient.defined() || !is_inexact(gradient.dtype())) continue;
        node->add_gradient(slot, gradient);
        set_edge(gradient, node, output_nr++);
    }
}

LUCID_NAMESPACE_END
