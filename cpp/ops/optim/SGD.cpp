#include "lucid/ops/optim/SGD.h"

#include <algorithm>
#include <cmath>

#include "lucid/autograd/CoreOps.h"
#include "lucid/autograd/InPlace.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Run.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kName = "SGD";

void check_option(const char* name, double value, bool non_negative) {
    if (std::isnan(value) || (non_negative && value < 0)) {
        ErrorBuilder(kName, "a bad option")
            .given(name, Scalar(value).to_string())
            .rule(non_negative ? "not negative" : "a number")
            .raise<InvalidArgument>();
    }
}

void check_options(const SGDOptions& options) {
    check_option("lr", options.lr, true);
    check_option("momentum", options.momentum, true);
    check_option("weight_decay", options.weight_decay, true);
    check_option("dampening", options.dampening, false);
    if (options.nesterov && (options.momentum <= 0 || options.dampening != 0)) {
        throw InvalidArgument("SGD: nesterov needs a momentum above 0 and a dampening of 0");
    }
}

Tensor times(const Tensor& x, double factor) { return mul(x, weak_scalar(Scalar(factor))); }

// a + factor * b
Tensor add_scaled(const Tensor& a, const Tensor& b, double factor) {
    return add(a, factor == 1 ? b : times(b, factor));
}

}  // namespace

SGD::SGD(std::vector<SGDGroup> groups) {
    if (groups.empty()) throw InvalidArgument("SGD: there are no parameters");
    for (SGDGroup& group : groups) add_group(std::move(group));
}

void SGD::add_group(SGDGroup group) {
    check_options(group.options);
    if (group.params.empty()) throw InvalidArgument("SGD: a group has no parameters");
    for (size_t i = 0; i < group.params.size(); ++i) {
        const Tensor& param = group.params[i];
        if (!param.defined()) throw InvalidArgument("SGD: a parameter is missing");
        if (!param->is_leaf()) {
            ErrorBuilder(kName, "a parameter is the result of an op, not a leaf")
                .given("parameter", describe(param))
                .raise<InvalidArgument>();
        }
        bool twice =
            std::find(group.params.begin(), group.params.begin() + static_cast<std::ptrdiff_t>(i),
                      param) != group.params.begin() + static_cast<std::ptrdiff_t>(i);
        for (const SGDGroup& other : groups_) {
            twice = twice || std::find(other.params.begin(), other.params.end(), param) !=
                                 other.params.end();
        }
        if (twice) {
            ErrorBuilder(kName, "a parameter appears twice")
                .given("parameter", describe(param))
                .raise<InvalidArgument>();
        }
    }
    buffers_.resize(buffers_.size() + group.params.size());
    groups_.push_back(std::move(group));
}

void SGD::step() {
    const Scoped no_grad(context().grad_enabled, false);
    size_t at = 0;
    for (const SGDGroup& group : groups_) {
        for (const Tensor& param : group.params) update(param, group.options, buffers_[at++]);
    }
}

void SGD::update(const Tensor& param, const SGDOptions& options, Tensor& buffer) {
    const AutogradMeta* meta = param->autograd();
    if (meta == nullptr || !meta->grad) return;
    Tensor grad(meta->grad);
    if (options.maximize) grad = neg(grad);
    if (options.weight_decay != 0) grad = add_scaled(grad, param, options.weight_decay);
    if (options.momentum != 0) {
        if (!buffer.defined()) {
            buffer = core_ops().clone(grad);
        } else {
            write_inplace("SGD.step", buffer,
                          add_scaled(times(buffer, options.momentum), grad, 1 - options.dampening));
        }
        grad = options.nesterov ? add_scaled(grad, buffer, options.momentum) : buffer;
    }
    write_inplace("SGD.step", param, add_scaled(param, grad, -options.lr));
}

void SGD::zero_grad(bool set_to_none) {
    const Scoped no_grad(context().grad_enabled, false);
    for (const SGDGroup& group : groups_) {
        for (const Tensor& param : group.params) {
            AutogradMeta* meta = param->autograd();
            if (meta == nullptr || !meta->grad) continue;
            if (set_to_none) {
                meta->grad.reset();
                continue;
            }
            // A gradient with a graph (create_graph) keeps it for others; this one starts afresh.
            const Tensor grad(meta->grad);
            if (grad.requires_grad()) {
                meta->grad =
                    core_ops().full(grad.shape(), Scalar(0), grad.dtype(), grad.device()).impl();
            } else {
                write_inplace("SGD.zero_grad", grad,
                              core_ops().full(Shape(), Scalar(0), grad.dtype(), grad.device()));
            }
        }
    }
}

void SGD::set_momentum_buffers(const std::vector<Tensor>& buffers) {
    if (buffers.size() != buffers_.size()) {
        ErrorBuilder(kName, "another number of momentum buffers than of parameters")
            .given("buffers", std::to_string(buffers.size()))
            .given("parameters", std::to_string(buffers_.size()))
            .raise<ShapeMismatch>();
    }
    std::vector<Tensor> copies;
    copies.reserve(buffers.size());
    const Scoped no_grad(context().grad_enabled, false);
    for (const SGDGroup& group : groups_) {
        for (const Tensor& param : group.params) {
            const Tensor& buffer = buffers[copies.size()];
            if (!buffer.defined()) {
                copies.emplace_back();
                continue;
            }
            ErrorBuilder error(kName, "a momentum buffer does not fit its parameter");
            error.given("parameter", describe(param)).given("buffer", describe(buffer));
            if (!(buffer.shape() == param.shape())) error.raise<ShapeMismatch>();
            if (buffer.dtype() != param.dtype()) error.raise<DtypeMismatch>();
            copies.push_back(core_ops().clone(buffer));
        }
    }
    buffers_ = std::move(copies);
}

LUCID_NAMESPACE_END
