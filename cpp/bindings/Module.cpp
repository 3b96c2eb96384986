// lucid._C.engine: fills the module (liblucid registered the ops when it was loaded). Everything
// that users see is put together from it by python/lucid.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "lucid/bindings/Autograd.h"
#include "lucid/bindings/Execution.h"
#include "lucid/bindings/OpBinder.h"
#include "lucid/bindings/OpIds.h"
#include "lucid/bindings/Override.h"
#include "lucid/bindings/PyError.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/PyValues.h"
#include "lucid/bindings/nanobind_caster.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

// A free-threaded Python would run everything here without the lock that it relies on.
void refuse_free_threading() {
    PyObject* enabled = PySys_GetObject("_is_gil_enabled");  // borrowed; from 3.13 on
    if (enabled != nullptr && !nb::cast<bool>(nb::borrow(enabled)())) {
        throw nb::import_error(
            "lucid 0.x does not run on a free-threaded Python; use the regular build");
    }
}

void check_abi() {
    const std::string ours = compiled_abi_tag();
    if (ours != lucid_abi_tag()) {
        throw nb::import_error(("lucid._C.engine was built for (" + ours +
                                ") but the liblucid that was "
                                "loaded is (" +
                                lucid_abi_tag() + "); reinstall lucid")
                                   .c_str());
    }
}

// The capsule of lucid/python_api.h.
template <auto Convert, typename T>
bool try_convert(PyObject* object, T& out) {
    try {
        out = Convert(object, "the argument");
        return true;
    } catch (const PythonError&) {
        return false;
    } catch (const Error&) {
        return false;
    }
}

const PythonApi& api() {
    static const PythonApi table = {
        .abi_tag = lucid_abi_tag(),
        .wrap_tensor = [](const Tensor& tensor) { return guarded([&] { return wrap(tensor); }); },
        .unwrap_tensor =
            [](PyObject* object, Tensor& out) {
                if (!is_tensor(object)) return false;
                try {
                    out = unwrap(object);
                } catch (const Error&) {
                    return false;
                }
                return true;
            },
        .wrap_dtype = &dtype_to_python,
        .unwrap_dtype = [](PyObject* o,
                           Dtype& out) { return try_convert<dtype_from_python>(o, out); },
        .wrap_device =
            [](Device device) { return guarded([&] { return device_to_python(device); }); },
        .unwrap_device = [](PyObject* o,
                            Device& out) { return try_convert<device_from_python>(o, out); },
        .wrap_stream =
            [](Stream stream) { return guarded([&] { return stream_to_python(stream); }); },
        .unwrap_stream = [](PyObject* o,
                            Stream& out) { return try_convert<stream_from_python>(o, out); },
        .unwrap_where = [](PyObject* o,
                           StreamOrDevice& out) { return try_convert<where_from_python>(o, out); },
        .set_error = [] { set_python_error(); },
    };
    return table;
}

void fill(nb::module_& m) {
    refuse_free_threading();
    check_abi();
    init_errors(m.ptr());
    nb::register_exception_translator([](const std::exception_ptr& error, void*) {
        try {
            std::rethrow_exception(error);
        } catch (const PythonError& python) {
            python.restore();
        } catch (const Error&) {
            set_python_error();
        }
    });
    init_operator_ids();
    init_values(m.ptr());
    init_tensor_type(m.ptr());
    init_streams(m.ptr());
    m.attr("_C_API") =
        nb::steal(checked(PyCapsule_New(const_cast<PythonApi*>(&api()), kPythonApiName, nullptr)));
    init_overrides(m.ptr());
    init_autograd(m.ptr());
    init_execution(m.ptr());
    init_op_table(m.ptr());
    init_optim(m.ptr());
    nb::dict functions;
    nb::dict network;
    bind_ops(functions.ptr(), network.ptr());
    m.attr("_functions") = functions;
    m.attr("_network_functions") = network;
    m.def(
        "_bind_new_ops", [functions, network] { bind_ops(functions.ptr(), network.ptr()); },
        "Binds ops that an extension has registered since.");
    m.attr("__version__") = LUCID_VERSION;
    m.attr("_abi_tag") = lucid_abi_tag();
}

}  // namespace
}  // namespace bindings
LUCID_NAMESPACE_END

NB_MODULE(engine, m) { lucid::bindings::fill(m); }
