#include "lucid/bindings/PyScalar.h"

#include <nanobind/nanobind.h>

#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/TensorMake.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

Scalar scalar_from_int(PyObject* object) {
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) {
        if (value == -1 && PyErr_Occurred() != nullptr) throw PythonError();
        return Scalar(static_cast<int64_t>(value));
    }
    if (overflow > 0) {
        const unsigned long long large = PyLong_AsUnsignedLongLong(object);
        if (PyErr_Occurred() == nullptr) return Scalar(static_cast<uint64_t>(large));
        PyErr_Clear();
    }
    std::string text = "(an int too long to print)";
    if (PyObject* str = PyObject_Str(object)) {
        if (const char* utf8 = PyUnicode_AsUTF8AndSize(str, nullptr)) text = utf8;
        Py_DECREF(str);
    }
    PyErr_Clear();
    throw Overflow("the Python int " + text + " fits neither int64 nor uint64");
}

}  // namespace

bool is_numpy_scalar(PyObject* object) {
    PyObject* type = reinterpret_cast<PyObject*>(Py_TYPE(object));
    if (PyObject_HasAttrString(type, "__array_interface__") == 0) return false;
    PyObject* ndim = PyObject_GetAttrString(object, "ndim");
    if (ndim == nullptr) {
        PyErr_Clear();
        return false;
    }
    const bool scalar = PyLong_Check(ndim) && PyLong_AsLong(ndim) == 0;
    Py_DECREF(ndim);
    return scalar;
}

bool scalar_from_python(PyObject* object, Scalar& out) {
    PyTypeObject* type = Py_TYPE(object);
    if (type == &PyFloat_Type) {
        out = Scalar(PyFloat_AsDouble(object));
        return true;
    }
    if (type == &PyLong_Type) {
        out = scalar_from_int(object);
        return true;
    }
    if (type == &PyBool_Type) {
        out = Scalar(object == Py_True);
        return true;
    }
    if (type == &PyComplex_Type) {
        out = Scalar(
            std::complex<double>(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)));
        return true;
    }
    // Subclasses: IntEnum and the like, but np.float64, a float too, is a strong value of its own.
    const bool is_int = PyLong_Check(object);
    const bool is_float = PyFloat_Check(object);
    const bool is_complex = PyComplex_Check(object);
    if (!(is_int || is_float || is_complex) || is_numpy_scalar(object)) return false;
    if (is_int) {
        out = scalar_from_int(object);
    } else if (is_float) {
        out = Scalar(PyFloat_AsDouble(object));
    } else {
        out = Scalar(
            std::complex<double>(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)));
    }
    return true;
}

PyObject* scalar_to_python(const Scalar& scalar) {
    switch (scalar.kind()) {
        case Scalar::Kind::Bool: return PyBool_FromLong(scalar.to_bool());
        case Scalar::Kind::Int: return PyLong_FromLongLong(scalar.to_int());
        case Scalar::Kind::UInt:
            return PyLong_FromUnsignedLongLong(static_cast<unsigned long long>(scalar.to_int()));
        case Scalar::Kind::Float: return PyFloat_FromDouble(scalar.to_double());
        case Scalar::Kind::Complex: {
            const std::complex<double> value = scalar.to_complex();
            return PyComplex_FromDoubles(value.real(), value.imag());
        }
    }
    assertion_failed("a valid kind of scalar", __FILE__, __LINE__);
}

PyObject* element_to_python(Dtype dtype, const void* data) {
    return scalar_to_python(Scalar::load(dtype, data));
}

const Tensor* operand_from_python(PyObject* object, Tensor& holder) {
    if (is_tensor(object)) return &unwrap(object);
    Scalar scalar;
    if (scalar_from_python(object, scalar)) {
        holder = weak_scalar(scalar);
        return &holder;
    }
    if (is_numpy_scalar(object)) {
        holder = copy_buffer(object);
        return &holder;
    }
    return nullptr;
}

}  // namespace bindings
LUCID_NAMESPACE_END
