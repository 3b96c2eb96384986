// lucid.dtype and lucid.device as Python objects. The fifteen dtypes are singletons; devices
// compare by value. Streams, events and generators are nanobind classes (Execution.cpp).
#pragma once

#include <Python.h>

#include "lucid/backend/StreamOrDevice.h"
#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

void init_values(PyObject* module);

// New references.
PyObject* dtype_to_python(Dtype dtype);
PyObject* device_to_python(Device device);

bool is_dtype(PyObject* object) noexcept;
// A lucid.dtype, or Python's bool, int, float, complex. Throws TypeError naming `who`.
Dtype dtype_from_python(PyObject* object, const char* who);

bool is_device(PyObject* object) noexcept;
// A lucid.device or a text such as "cuda:1". Throws TypeError naming `who`.
Device device_from_python(PyObject* object, const char* who);

// None, a lucid.Stream, a lucid.device or its text (Execution.cpp).
StreamOrDevice where_from_python(PyObject* object, const char* who);
bool is_stream(PyObject* object) noexcept;
Stream stream_from_python(PyObject* object, const char* who);
PyObject* stream_to_python(Stream stream);

}  // namespace bindings
LUCID_NAMESPACE_END
