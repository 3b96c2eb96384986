#include "lucid/bindings/PyNode.h"

#include <nanobind/nanobind.h>

#include "lucid/autograd/CoreOps.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/core/Context.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

PyNode::PyNode(PyObject* ctx, std::string name) : ctx_(Py_NewRef(ctx)), name_(std::move(name)) {}

PyNode::~PyNode() { decref_anywhere(ctx_); }

void PyNode::clear_ctx() noexcept { decref_anywhere(std::exchange(ctx_, nullptr)); }

void PyNode::release_saved() noexcept {
    saved_.clear();
    released_ = true;
}

void PyNode::add_placeholder() {
    const uint32_t output = add_output(Storage::dense(Value(), Dtype::Float32, kCpu, Shape()));
    placeholders_.resize(output + 1);
    placeholders_[output] = true;
}

void PyNode::save(std::span<const Tensor> tensors) {
    saved_.clear();
    for (const Tensor& tensor : tensors) {
        if (!tensor.defined()) {
            saved_.emplace_back();
            continue;
        }
        const AutogradMeta* meta = tensor->autograd();
        const bool own = meta != nullptr && meta->edge.node.get() == this;
        saved_.push_back(own ? SavedTensor::of_output(tensor, meta->edge.output_nr)
                             : SavedTensor::of_input(tensor));
    }
}

void PyNode::check_not_released() const {
    if (released_ || ctx_ == nullptr) raise_released(name());
}

std::vector<Tensor> PyNode::unpack_saved() {
    check_not_released();
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < saved_.size(); ++i) {
        const std::string what = "saved tensor " + std::to_string(i);
        tensors.push_back(saved_[i].empty() ? Tensor() : saved_[i].unpack(name(), what, this));
    }
    return tensors;
}

void PyNode::backward(std::span<const Tensor> grads, std::span<Tensor> grad_inputs) {
    check_not_released();
    std::vector<Tensor> incoming(grads.begin(), grads.end());
    if (materialize_) {
        for (size_t i = 0; i < incoming.size(); ++i) {
            const bool placeholder = i < placeholders_.size() && placeholders_[i];
            if (incoming[i].defined() || placeholder) continue;
            const TensorMeta& meta = output_meta(i);
            incoming[i] = core_ops().full(meta.shape, Scalar(0), meta.dtype, meta.device);
        }
    }
    std::vector<Tensor> saved = unpack_saved();
    const GilAcquire gil;
    nb::object saved_tuple = nb::steal(checked(wrap_tuple(std::move(saved))));
    nb::object grad_tuple = nb::steal(checked(wrap_tuple(std::move(incoming))));
    nb::object method = nb::steal(checked(PyObject_GetAttrString(ctx_, "_backward")));
    nb::object result = nb::steal(checked(
        PyObject_CallFunctionObjArgs(method.ptr(), saved_tuple.ptr(), grad_tuple.ptr(), nullptr)));
    const Py_ssize_t count = PyTuple_Check(result.ptr()) ? PyTuple_Size(result.ptr()) : -1;
    if (count != static_cast<Py_ssize_t>(grad_inputs.size())) {
        throw Error(ErrorKind::Lucid,
                    ErrorBuilder(name_, "backward returned the wrong number of gradients")
                        .given("returned", std::to_string(count))
                        .given("expected", std::to_string(grad_inputs.size()))
                        .rule("one gradient (or None) for each argument of forward")
                        .text());
    }
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* grad = PyTuple_GetItem(result.ptr(), i);
        if (grad == Py_None) continue;
        if (!is_tensor(grad)) {
            throw_type_error(name_ + ": backward must return Tensors and None");
        }
        if (needs(static_cast<size_t>(i))) grad_inputs[static_cast<size_t>(i)] = unwrap(grad);
    }
}

int visit_python_node(GraphNode* graph_node, visitproc visit, void* arg) {
    auto* node = dynamic_cast<Node*>(graph_node);
    if (node == nullptr) return 0;
    for (const Node::OutputHook& each : node->hooks())
        Py_VISIT(static_cast<PyObject*>(each.hook.owner));
    if (const auto* python = dynamic_cast<PyNode*>(node)) Py_VISIT(python->ctx());
    return 0;
}

void clear_python_node(GraphNode* graph_node) noexcept {
    auto* node = dynamic_cast<Node*>(graph_node);
    if (node == nullptr) return;
    const std::vector<Node::OutputHook> hooks = std::exchange(node->hooks(), {});
    if (auto* python = dynamic_cast<PyNode*>(node)) python->clear_ctx();
}

std::string python_stack() {
    if (PyGILState_GetThisThreadState() == nullptr)
        return {};  // a thread that Python does not know
    const GilAcquire gil;
    nb::object traceback = nb::steal(PyImport_ImportModule("traceback"));
    nb::object lines =
        traceback.is_valid()
            ? nb::steal(PyObject_CallMethod(traceback.ptr(), "format_stack", nullptr))
            : nb::object();
    nb::object text =
        lines.is_valid() ? nb::steal(PyUnicode_Join(nb::str("").ptr(), lines.ptr())) : nb::object();
    PyErr_Clear();
    return text.is_valid() ? std::string(nb::str(text).c_str()) : std::string();
}

std::function<Tensor(const Tensor&)> make_hook(PyObject* callable) {
    if (PyCallable_Check(callable) == 0) throw_type_error("a hook must be callable");
    const std::shared_ptr<PyObject> held(Py_NewRef(callable), &decref_anywhere);
    return [held](const Tensor& grad) -> Tensor {
        const GilAcquire gil;
        nb::object argument = nb::steal(checked(wrap(grad)));
        nb::object result =
            nb::steal(checked(PyObject_CallFunctionObjArgs(held.get(), argument.ptr(), nullptr)));
        if (result.is_none()) return Tensor();
        if (!is_tensor(result.ptr())) {
            throw_type_error("a gradient hook must return a Tensor or None");
        }
        return unwrap(result.ptr());
    };
}

}  // namespace bindings
LUCID_NAMESPACE_END
