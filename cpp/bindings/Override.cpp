#include "lucid/bindings/Override.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <vector>

#include "lucid/bindings/PyError.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

thread_local std::vector<PyObject*> modes;  // owned
thread_local int disabled = 0;
// Classes whose handler runs on this thread: inside it their objects are plain tensors.
thread_local std::vector<PyTypeObject*> running;

bool has_protocol(PyObject* object) {
    PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(object));
    return PyObject_HasAttrString(type, "__lucid_function__") != 0;
}

nb::object call_handler(PyObject* handler, PyObject* function, const nb::object& types,
                        const nb::object& args, PyObject* kwargs) {
    nb::object method = nb::steal(checked(PyObject_GetAttrString(handler, "__lucid_function__")));
    nb::object keywords = kwargs != nullptr ? nb::borrow(kwargs) : nb::object(nb::dict());
    return nb::steal(checked(PyObject_CallFunctionObjArgs(method.ptr(), function, types.ptr(),
                                                          args.ptr(), keywords.ptr(), nullptr)));
}

class Running {
public:
    explicit Running(PyTypeObject* type) { running.push_back(type); }
    ~Running() { running.pop_back(); }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
};

// Runs a mode's handler with that mode popped.
class ModePopped {
public:
    ModePopped() : mode_(modes.back()) {
        modes.pop_back();
        --active_modes;
    }
    ~ModePopped() {
        modes.push_back(mode_);
        ++active_modes;
    }
    ModePopped(const ModePopped&) = delete;
    ModePopped& operator=(const ModePopped&) = delete;
    PyObject* mode() const noexcept { return mode_; }

private:
    PyObject* mode_;
};

}  // namespace

bool wants_override(PyObject* object) {
    if (disabled > 0 || is_exact_tensor(object)) return false;
    // The usual operand: looking up an attribute that a float lacks costs more than the op.
    if (PyFloat_CheckExact(object) || PyLong_CheckExact(object) || PyBool_Check(object))
        return false;
    const bool wants = is_tensor(object) ? as_py_tensor(object)->overrides : has_protocol(object);
    return wants && std::find(running.begin(), running.end(), Py_TYPE(object)) == running.end();
}

bool mode_wants_override() noexcept { return !modes.empty() && disabled == 0; }

PyObject* try_override(PyObject* function, std::span<PyObject* const> args, PyObject* kwargs) {
    std::vector<PyObject*> handlers;  // one object of each class, subclasses before their bases
    const auto add = [&](PyObject* object) {
        if (!wants_override(object)) return;
        PyTypeObject* type = Py_TYPE(object);
        for (size_t i = 0; i < handlers.size(); ++i) {
            if (Py_TYPE(handlers[i]) == type) return;
            if (PyType_IsSubtype(type, Py_TYPE(handlers[i])) != 0) {
                handlers.insert(handlers.begin() + static_cast<std::ptrdiff_t>(i), object);
                return;
            }
        }
        handlers.push_back(object);
    };
    for (PyObject* arg : args) {
        add(arg);
        if (PyList_Check(arg) || PyTuple_Check(arg)) {
            const Py_ssize_t size = PySequence_Size(arg);
            for (Py_ssize_t i = 0; i < size; ++i) {
                add(PyList_Check(arg) ? PyList_GetItem(arg, i) : PyTuple_GetItem(arg, i));
            }
        }
    }
    const bool by_mode = mode_wants_override();
    if (handlers.empty() && !by_mode) return nullptr;
    nb::object types = nb::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(handlers.size()))));
    for (size_t i = 0; i < handlers.size(); ++i) {
        PyTuple_SetItem(types.ptr(), static_cast<Py_ssize_t>(i),
                        Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(handlers[i]))));
    }
    nb::object call_args = nb::steal(checked(PyTuple_New(static_cast<Py_ssize_t>(args.size()))));
    for (size_t i = 0; i < args.size(); ++i) {
        PyTuple_SetItem(call_args.ptr(), static_cast<Py_ssize_t>(i), Py_NewRef(args[i]));
    }
    if (by_mode) {
        const ModePopped popped;
        nb::object result = call_handler(popped.mode(), function, types, call_args, kwargs);
        if (result.ptr() != Py_NotImplemented) return result.release().ptr();
    }
    for (PyObject* handler : handlers) {
        PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(handler));
        const Running inside(Py_TYPE(handler));
        nb::object result = call_handler(type, function, types, call_args, kwargs);
        if (result.ptr() != Py_NotImplemented) return result.release().ptr();
    }
    PyErr_Format(PyExc_TypeError, "no __lucid_function__ of the arguments implements %R", function);
    throw PythonError();
}

void init_overrides(PyObject* module) {
    nb::module_ m = nb::borrow<nb::module_>(module);
    m.def("_push_mode", [](nb::object mode) {
        modes.push_back(mode.release().ptr());
        ++active_modes;
    });
    m.def("_pop_mode", [] {
        if (modes.empty()) throw InvalidArgument("there is no active override mode on this thread");
        Py_DECREF(modes.back());
        modes.pop_back();
        --active_modes;
    });
    m.def("_disable_overrides", [] { ++disabled; });
    m.def("_enable_overrides", [] { disabled = std::max(0, disabled - 1); });
}

}  // namespace bindings
LUCID_NAMESPACE_END
