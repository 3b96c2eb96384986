#include "lucid/bindings/Autograd.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <unordered_map>

#include "lucid/autograd/Accumulate.h"
#include "lucid/autograd/GradWalk.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyNode.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/nanobind_caster.h"
#include "lucid/core/Context.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

// grad_fn as Python sees it: one object per node while Python holds it.
struct NodeHandle {
    explicit NodeHandle(Ref<Node> held) : node(std::move(held)) {}
    NodeHandle(NodeHandle&&) = default;
    ~NodeHandle();
    Ref<Node> node;
};

// Handles that are alive; guarded by the GIL.
std::unordered_map<Node*, PyObject*>& live_handles() {
    static auto* handles = new std::unordered_map<Node*, PyObject*>();
    return *handles;
}

NodeHandle::~NodeHandle() {
    if (node) live_handles().erase(node.get());
}

Ref<Node> as_node(const Ref<GraphNode>& node) { return Ref<Node>(dynamic_cast<Node*>(node.get())); }

nb::tuple next_functions(const NodeHandle& self) {
    nb::list list;
    for (const Edge& edge : self.node->edges()) {
        nb::object next = nb::steal(node_to_python(as_node(edge.node)));
        list.append(nb::make_tuple(next, edge.output_nr));
    }
    return nb::tuple(list);
}

// None where nothing is given.
std::vector<Tensor> gradients_of(const std::vector<std::optional<Tensor>>& given) {
    std::vector<Tensor> gradients;
    for (const auto& each : given) gradients.push_back(each.value_or(Tensor()));
    return gradients;
}

BackwardOptions options_of(std::optional<bool> retain_graph, bool create_graph, bool allow_unused) {
    BackwardOptions options;
    options.create_graph = create_graph;
    options.retain_graph = retain_graph.value_or(create_graph);
    options.allow_unused = allow_unused;
    return options;
}

void run_backward(const std::vector<Tensor>& outputs,
                  const std::vector<std::optional<Tensor>>& gradients,
                  std::optional<bool> retain_graph, bool create_graph,
                  const std::vector<Tensor>& inputs) {
    const std::vector<Tensor> grads = gradients_of(gradients);
    const GilRelease release;
    backward(outputs, grads, options_of(retain_graph, create_graph, false), inputs);
}

nb::object run_grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                    const std::vector<std::optional<Tensor>>& gradients,
                    std::optional<bool> retain_graph, bool create_graph, bool allow_unused) {
    const std::vector<Tensor> grads = gradients_of(gradients);
    std::vector<Tensor> results;
    {
        const GilRelease release;
        results =
            grad(outputs, inputs, grads, options_of(retain_graph, create_graph, allow_unused));
    }
    return nb::steal(wrap_tuple(std::move(results)));
}

// An output of forward becomes output number `i` of the node. `flows`: it is differentiable.
void attach_output(const Ref<PyNode>& node, const Tensor& tensor, bool flows, bool dirty) {
    if (!flows) {
        node->add_output(tensor.storage());
        return;
    }
    AutogradMeta* meta = tensor->autograd();
    if (dirty && meta != nullptr && meta->base) {
        throw NotImplementedOp(std::string(node->name()) +
                               ": changing a view in place inside a Function is not supported");
    }
    if (dirty && tensor->is_leaf() && tensor.requires_grad()) {
        throw Error(ErrorKind::Lucid,
                    std::string(node->name()) +
                        ": a leaf that requires grad was marked dirty; leaves cannot "
                        "be changed");
    }
    // A view made inside forward has its history from this node, not from its base.
    if (meta != nullptr) meta->base = nullptr;
    set_edge(tensor, node, node->add_output(tensor.storage()));
}

// The second half of Function.apply: outputs become outputs of a PyNode. `inputs` has one entry per
// argument of forward, `outputs` one per result (None for what is no tensor), `flows` and `dirty` a
// flag for each of these.
void attach_function(nb::object ctx, const std::string& name, nb::list inputs, nb::list outputs,
                     const std::vector<bool>& flows, const std::vector<bool>& dirty, nb::list saved,
                     bool materialize) {
    auto node = make_ref<PyNode>(ctx.ptr(), name);
    PooledVector<Edge> edges;
    for (nb::handle input : inputs) {
        const bool wants = is_tensor(input.ptr()) && requires_grad(unwrap(input.ptr()));
        edges.push_back(wants ? gradient_edge(unwrap(input.ptr())) : Edge());
    }
    node->set_edges(std::move(edges));
    node->set_materialize(materialize);
    for (size_t i = 0; i < nb::len(outputs); ++i) {
        const nb::object output = outputs[i];
        if (output.is_none()) {
            node->add_placeholder();
        } else {
            attach_output(node, unwrap(output.ptr()), flows.at(i), dirty.at(i));
        }
    }
    std::vector<Tensor> kept;
    for (nb::handle each : saved) kept.push_back(each.is_none() ? Tensor() : unwrap(each.ptr()));
    node->save(kept);
}

// Sets a grad mode and returns the one before: (grad_enabled, inference).
nb::tuple set_modes(bool grad_enabled, bool inference) {
    Context& modes = context();
    const nb::tuple before = nb::make_tuple(modes.grad_enabled, modes.inference);
    modes.grad_enabled = grad_enabled;
    modes.inference = inference;
    return before;
}

}  // namespace

PyObject* node_to_python(const Ref<Node>& node) {
    if (!node) return Py_NewRef(Py_None);
    const auto found = live_handles().find(node.get());
    if (found != live_handles().end()) return Py_NewRef(found->second);
    PyObject* handle = nb::cast(NodeHandle(node)).release().ptr();
    live_handles().emplace(node.get(), handle);
    return handle;
}

void init_autograd(PyObject* module) {
    set_trace_provider(&python_stack);
    nb::module_ m = nb::borrow<nb::module_>(module);
    nb::class_<NodeHandle>(m, "Node", "A node of the backward graph.")
        .def("name", [](const NodeHandle& self) { return std::string(self.node->name()); })
        .def_prop_ro("next_functions", &next_functions)
        .def_prop_ro("variable",
                     [](const NodeHandle& self) {
                         const AccumulateGrad* sink = as_accumulate_grad(self.node.get());
                         if (sink == nullptr) {
                             throw nb::attribute_error("only AccumulateGrad has a variable");
                         }
                         return nb::steal(wrap(Tensor(sink->leaf())));
                     })
        .def_prop_ro(
            "saved_tensors",
            [](const NodeHandle& self) {
                auto* python = dynamic_cast<PyNode*>(self.node.get());
                if (python == nullptr) {
                    throw InvalidArgument("only the nodes of autograd.Function have saved_tensors");
                }
                return nb::steal(wrap_tuple(python->unpack_saved()));
            })
        .def_prop_ro("_sequence_nr", [](const NodeHandle& self) { return self.node->sequence(); })
        .def_prop_ro("_trace", [](const NodeHandle& self) { return self.node->trace(); })
        .def("__repr__",
             [](const NodeHandle& self) { return "<" + std::string(self.node->name()) + ">"; });
    m.def("_backward", &run_backward, nb::arg("outputs"), nb::arg("gradients"),
          nb::arg("retain_graph").none(), nb::arg("create_graph"), nb::arg("inputs"));
    m.def("_grad", &run_grad, nb::arg("outputs"), nb::arg("inputs"), nb::arg("gradients"),
          nb::arg("retain_graph").none(), nb::arg("create_graph"), nb::arg("allow_unused"));
    m.def("_attach_function", &attach_function, nb::arg("ctx"), nb::arg("name"), nb::arg("inputs"),
          nb::arg("outputs"), nb::arg("flows"), nb::arg("dirty"), nb::arg("saved"),
          nb::arg("materialize"));
    m.def("_set_modes", &set_modes);
    m.def(
        "is_grad_enabled", [] { return context().grad_enabled; },
        "Whether operations record graph on this thread.");
    m.def(
        "is_inference_mode_enabled", [] { return context().inference; },
        "Whether inference mode is on on this thread.");
    // Traces and the check for nan come together: without the check there is nothing to report.
    m.def("_set_anomaly", [](bool on, bool check_nan) {
        const bool before = std::exchange(context().anomaly, on && check_nan);
        return nb::make_tuple(before, true);
    });
    m.def("_is_anomaly_enabled", [] { return context().anomaly; });
}

}  // namespace bindings
LUCID_NAMESPACE_END
