// FuncOp<Derived, N>: the contract of an op with a hand-written backward over Storages. Derived
// declares `static const OpSchema schema_v1`, `static TensorImplPtr forward(...)` and overrides
// apply(), which returns one gradient for each of the N inputs, in order. See
// docs/design/adding_an_op.md.
#pragma once

#include <array>

#include "lucid/autograd/Graph.h"
#include "lucid/autograd/RuleTable.h"

LUCID_NAMESPACE_BEGIN

// The part that does not depend on Derived.
class LUCID_API FuncOpBase : public Node {
public:
    const char* name() const noexcept final { return schema_->backward_name; }
    void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) final;
    void release_saved() noexcept final;

    // An empty Storage means "no gradient".
    virtual std::vector<Storage> apply(Storage grad_out);
    // For several outputs; an empty Storage means that nothing flowed. The default calls the above.
    virtual std::vector<Storage> apply(std::span<const Storage> grads);

protected:
    FuncOpBase(const OpSchema& schema, size_t num_slots)
        : schema_(&schema), num_slots_(num_slots) {}
    // The i-th value that the schema saves: its saved inputs in order, then its saved outputs.
    // Throws VersionMismatch when it was changed in place since.
    Storage saved(size_t i) const;
    const Attrs& attrs() const noexcept { return attrs_; }
    // Makes `outputs` tensors and, when an input requires grad, `node` their grad_fn.
    static std::vector<Tensor> attach_node(Ref<FuncOpBase> node,
                                           std::span<const TensorImplPtr> inputs,
                                           std::vector<Storage> outputs, const Attrs& attrs);
    static bool needs_node(std::span<const TensorImplPtr> inputs);

private:
    const OpSchema* schema_;
    size_t num_slots_;
    Attrs attrs_;
    std::string saved_name(size_t i) const;
    // The graph of what apply() returned, for create_graph (DoubleBackward.h).
    void record_double_backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs);

    bool released_ = false;
    std::vector<SavedTensor> saved_;
    size_t num_saved_inputs_ = 0;
};

template <typename Derived, size_t N>
class FuncOp : public FuncOpBase {
public:
    static constexpr size_t kNumSlots = N;

protected:
    FuncOp() : FuncOpBase(Derived::schema_v1, N) {}
    // Wraps what forward computed and records this op on the tape.
    static TensorImplPtr attach(const std::array<TensorImplPtr, N>& inputs, Storage output,
                                const Attrs& attrs = {}) {
        std::vector<Storage> outputs;
        outputs.push_back(std::move(output));
        return attach_many(inputs, std::move(outputs), attrs).front().impl();
    }
    static std::vector<Tensor> attach_many(const std::array<TensorImplPtr, N>& inputs,
                                           std::vector<Storage> outputs, const Attrs& attrs = {}) {
        Ref<FuncOpBase> node;
        if (needs_node(inputs)) node = make_ref<Derived>();
        return attach_node(std::move(node), inputs, std::move(outputs), attrs);
    }
};

LUCID_NAMESPACE_END
