// Python on the tape: the node of autograd.Function, Python hooks, and where a node was made.
#pragma once

#include <Python.h>

#include "lucid/autograd/Node.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// The node of one call of an autograd.Function. `ctx` is the Python context; its class's
// `_backward(ctx, grads)` computes the gradients. Takes the GIL only in backward().
class PyNode final : public Node {
public:
    PyNode(PyObject* ctx, std::string name);  // keeps a reference on ctx
    ~PyNode() override;

    const char* name() const noexcept override { return name_.c_str(); }
    void backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) override;
    void release_saved() noexcept override;

    // ctx.save_for_backward, once forward has run; outputs of this node are saved without a cycle.
    void save(std::span<const Tensor> tensors);
    PyObject* ctx() const noexcept { return ctx_; }
    void clear_ctx() noexcept;
    void set_materialize(bool on) noexcept { materialize_ = on; }
    // An output that is no tensor: its gradient is always None.
    void add_placeholder();

    // What was saved, as it was. Throws when it is gone, or changed in place since.
    std::vector<Tensor> unpack_saved();

private:
    void check_not_released() const;

    PyObject* ctx_;
    std::string name_;
    std::vector<SavedTensor> saved_;
    std::vector<bool> placeholders_;  // by output
    bool released_ = false;
    bool materialize_ = true;
};

// For the garbage collector: the hooks of a node and the context of a PyNode.
int visit_python_node(GraphNode* node, visitproc visit, void* arg);
void clear_python_node(GraphNode* node) noexcept;

// The calling thread's Python stack as text, for set_trace_provider.
std::string python_stack();

// A Python callable as a hook; it keeps its own reference.
std::function<Tensor(const Tensor&)> make_hook(PyObject* callable);

}  // namespace bindings
LUCID_NAMESPACE_END
