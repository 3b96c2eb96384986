// Tensors, dtypes, devices and streams as Python objects, for extension modules: a table of
// functions that lucid._C.engine publishes in a capsule. The casters in lucid/nanobind.h and
// lucid/pybind11.h use it, so they work whatever binding library, or version of it, an extension
// was built with.
#pragma once

#include <Python.h>

#include "lucid/backend/StreamOrDevice.h"
#include "lucid/tensor/AbiTag.h"

LUCID_NAMESPACE_BEGIN

// The GIL must be held. wrap functions return new references, or nullptr with the Python error set;
// unwrap functions return false, without an error, for an object of another type.
struct PythonApi {
    const char* abi_tag;
    PyObject* (*wrap_tensor)(const Tensor& tensor);
    bool (*unwrap_tensor)(PyObject* object, Tensor& out);
    PyObject* (*wrap_dtype)(Dtype dtype);
    bool (*unwrap_dtype)(PyObject* object, Dtype& out);
    PyObject* (*wrap_device)(Device device);
    bool (*unwrap_device)(PyObject* object, Device& out);
    PyObject* (*wrap_stream)(Stream stream);
    bool (*unwrap_stream)(PyObject* object, Stream& out);
    // None, a stream, a device, or the name of a device.
    bool (*unwrap_where)(PyObject* object, StreamOrDevice& out);
    // Sets the Python error for the C++ exception that is being handled.
    void (*set_error)();
};

inline constexpr const char* kPythonApiName = "lucid._C.engine._C_API";

// The table, importing lucid when nobody has. nullptr with ImportError set when it cannot be had.
inline const PythonApi* python_api() noexcept {
    static const PythonApi* api = nullptr;
    if (api != nullptr) return api;
    PyObject* package = PyImport_ImportModule("lucid");
    PyObject* module = package != nullptr ? PyImport_ImportModule("lucid._C.engine") : nullptr;
    PyObject* capsule = module != nullptr ? PyObject_GetAttrString(module, "_C_API") : nullptr;
    const auto* found =
        capsule == nullptr
            ? nullptr
            : static_cast<const PythonApi*>(PyCapsule_GetPointer(capsule, kPythonApiName));
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    Py_XDECREF(package);
    if (found == nullptr) return nullptr;
    if (compiled_abi_tag() != found->abi_tag) {
        PyErr_Format(
            PyExc_ImportError,
            "this extension was built for (%s) but the installed lucid is (%s); build it again",
            compiled_abi_tag().c_str(), found->abi_tag);
        return nullptr;
    }
    api = found;
    return api;
}

LUCID_NAMESPACE_END
