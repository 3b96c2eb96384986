// Stochastic gradient descent with momentum, in PyTorch's formula and option names.
#pragma once

#include <optional>
#include <vector>

#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

struct SGDOptions {
    double lr = 1e-3;
    double momentum = 0;
    double dampening = 0;
    double weight_decay = 0;
    bool nesterov = false;
    bool maximize = false;
    friend bool operator==(const SGDOptions&, const SGDOptions&) = default;
};

// Parameters that share options; the options may change between steps.
struct SGDGroup {
    std::vector<Tensor> params;
    SGDOptions options;
};

class LUCID_API SGD {
public:
    // Throws InvalidArgument for a bad option, for a parameter that is not a leaf or appears twice,
    // and when there is none.
    explicit SGD(std::vector<SGDGroup> groups);

    // For every parameter that has a gradient g, with momentum buffer b:
    //   g = maximize ? -g : g;  g += weight_decay * p
    //   b = first time ? g : momentum * b + (1 - dampening) * g
    //   p -= lr * (nesterov ? g + momentum * b : b)          (momentum 0: p -= lr * g)
    // Records no graph.
    void step();
    // Forgets the gradients, or fills them with zeros.
    void zero_grad(bool set_to_none = true);

    std::vector<SGDGroup>& groups() noexcept { return groups_; }
    const std::vector<SGDGroup>& groups() const noexcept { return groups_; }
    void add_group(SGDGroup group);

    // The momentum buffers, one per parameter in the order of the groups; undefined before its
    // first step. Exported buffers are the optimizer's own: a step changes them.
    const std::vector<Tensor>& momentum_buffers() const noexcept { return buffers_; }
    // Throws ShapeMismatch or DtypeMismatch when one does not fit its parameter. Copies.
    void set_momentum_buffers(const std::vector<Tensor>& buffers);

private:
    void update(const Tensor& param, const SGDOptions& options, Tensor& buffer);

    std::vector<SGDGroup> groups_;
    std::vector<Tensor> buffers_;
};

LUCID_NAMESPACE_END
