// The optimizers' C++ classes; python/lucid/optim wraps them with parameter groups.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "lucid/bindings/Execution.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/nanobind_caster.h"
#include "lucid/ops/optim/SGD.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

SGDOptions sgd_options(double lr, double momentum, double dampening, double weight_decay,
                       bool nesterov, bool maximize) {
    SGDOptions options;
    options.lr = lr;
    options.momentum = momentum;
    options.dampening = dampening;
    options.weight_decay = weight_decay;
    options.nesterov = nesterov;
    options.maximize = maximize;
    return options;
}

nb::object momentum_buffers(const SGD& self) {
    return nb::steal(wrap_tuple(self.momentum_buffers()));
}

void set_momentum_buffers(SGD& self, const std::vector<std::optional<Tensor>>& given) {
    std::vector<Tensor> buffers;
    for (const auto& each : given) buffers.push_back(each.value_or(Tensor()));
    self.set_momentum_buffers(buffers);
}

}  // namespace

void init_optim(PyObject* module) {
    nb::module_ m = nb::borrow<nb::module_>(module);
    nb::class_<SGDOptions>(m, "_SGDOptions")
        .def(
            "__init__",
            [](SGDOptions* self, double lr, double momentum, double dampening, double weight_decay,
               bool nesterov, bool maximize) {
                new (self) SGDOptions(
                    sgd_options(lr, momentum, dampening, weight_decay, nesterov, maximize));
            },
            nb::arg("lr"), nb::arg("momentum"), nb::arg("dampening"), nb::arg("weight_decay"),
            nb::arg("nesterov"), nb::arg("maximize"));
    nb::class_<SGD>(m, "_SGD")
        .def("__init__",
             [](SGD* self, const std::vector<Tensor>& params, const SGDOptions& options) {
                 new (self) SGD({SGDGroup{params, options}});
             })
        .def("add_group",
             [](SGD& self, const std::vector<Tensor>& params, const SGDOptions& options) {
                 self.add_group(SGDGroup{params, options});
             })
        .def("set_options",
             [](SGD& self, size_t group, const SGDOptions& options) {
                 self.groups().at(group).options = options;
             })
        .def("step",
             [](SGD& self) {
                 const GilRelease release;
                 self.step();
             })
        .def("zero_grad", &SGD::zero_grad, nb::arg("set_to_none"))
        .def("momentum_buffers", &momentum_buffers)
        .def("set_momentum_buffers", &set_momentum_buffers);
}

}  // namespace bindings
LUCID_NAMESPACE_END
