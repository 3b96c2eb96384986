// A node of the tape: edges to where its input gradients flow, the shapes of its outputs, a
// sequence number that fixes the order of the walk. OpNode serves every op of the table; FuncOp,
// AccumulateGrad and Python's autograd.Function derive their own.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lucid/autograd/SavedTensor.h"
#include "lucid/autograd/WeakTensor.h"
#include "lucid/core/Attrs.h"
#include "lucid/core/OpRegistry.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

struct TensorMeta {
    Shape shape;
    Dtype dtype = Dtype::Float32;
    Device device;
};

class LUCID_API Node : public GraphNode {
public:
    Node();
    ~Node() override;

    // From the gradients of the outputs (undefined where nothing flowed) to those of the inputs,
    // one per edge; leave undefined where there is none. Called with grad mode on only under
    // create_graph.
    virtual void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) = 0;
    // Drops what was saved; a second backward then raises.
    virtual void release_saved() noexcept = 0;

    uint64_t sequence() const noexcept { return sequence_; }
    std::span<const Edge> edges() const noexcept { return edges_; }
    const Edge& edge(size_t input) const noexcept { return edges_[input]; }
    bool needs(size_t input) const noexcept {
        return input < edges_.size() && static_cast<bool>(edges_[input]);
    }
    void set_edges(PooledVector<Edge> edges) noexcept { edges_ = std::move(edges); }
    size_t num_outputs() const noexcept { return metas_.size(); }
    const TensorMeta& output_meta(size_t output) const noexcept { return metas_[output]; }
    uint32_t add_output(const Storage& storage);
    // The shape and dtype that the gradient of input i must have: those of what its edge leads to.
    const TensorMeta& input_meta(size_t input) const noexcept;

    // Hooks on the gradient of one output, in order of registration; run before backward().
    struct OutputHook {
        uint32_t output_nr;
        TensorHook hook;
    };
    std::vector<OutputHook>& hooks() noexcept { return hooks_; }
    // Tensors that asked to retain their gradient, by output.
    std::vector<std::pair<uint32_t, Ref<WeakTensor>>>& retainers() noexcept { return retainers_; }
    // Where the node was made (anomaly mode); empty otherwise.
    std::string& trace() noexcept { return trace_; }

protected:
    // With a sequence number of its own; those of Node() count up in each thread.
    explicit Node(uint64_t sequence) noexcept : sequence_(sequence) {}

private:
    uint64_t sequence_;
    PooledVector<Edge> edges_;
    PooledVector<TensorMeta> metas_;
    std::vector<OutputHook> hooks_;
    std::vector<std::pair<uint32_t, Ref<WeakTensor>>> retainers_;
    std::string trace_;
};

// Under anomaly mode a new node asks for the place where it is made (the Python stack).
LUCID_API void set_trace_provider(std::string (*provider)()) noexcept;
// What a second backward raises.
[[noreturn]] LUCID_API void raise_released(const char* node_name);

class VjpContext;
// The vector-Jacobian product of an op, written in tensor ops so that it can be differentiated
// again. `grads` has one entry per output (undefined: zero), `grad_inputs` one per tensor input;
// fill those that ctx.needs(). Broadcast shapes are summed back and dtypes cast back by the caller.
using VjpFn = void (*)(const VjpContext& ctx, std::span<const Tensor> grads,
                       std::span<Tensor> grad_inputs);

class LUCID_API OpNode final : public Node, public Pooled {
public:
    OpNode(OpId op, const Attrs& attrs) : op_(op), attrs_(attrs) {}

    const char* name() const noexcept override;
    void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) override;
    void release_saved() noexcept override;
    OpId op() const noexcept { return op_; }
    const Attrs& attrs() const noexcept { return attrs_; }
    // By position among the op's inputs, outputs; entries that the schema does not save stay empty.
    void save_inputs(std::span<const Tensor* const> inputs);
    void save_outputs(std::span<const Tensor> outputs, Node* self);

private:
    friend class VjpContext;
    OpId op_;
    Attrs attrs_;
    bool released_ = false;
    PooledVector<SavedTensor> inputs_;
    PooledVector<SavedTensor> outputs_;
};

// What a vjp sees of its node.
class LUCID_API VjpContext {
public:
    explicit VjpContext(const OpNode& node) noexcept : node_(node) {}
    const Attrs& attrs() const noexcept { return node_.attrs(); }
    bool needs(size_t input) const noexcept { return node_.needs(input); }
    // Saved values, with their graph under create_graph. Throws VersionMismatch, naming the op and
    // the position, when one was changed in place since.
    Tensor input(size_t i) const;
    Tensor output(size_t i) const;
    // Of an input that needs a gradient.
    const Shape& input_shape(size_t i) const noexcept { return node_.input_meta(i).shape; }
    Dtype input_dtype(size_t i) const noexcept { return node_.input_meta(i).dtype; }

private:
    const OpNode& node_;
};

LUCID_NAMESPACE_END
