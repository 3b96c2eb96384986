// Python and NumPy numbers as Scalars and operands.
#pragma once

#include <Python.h>

#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// Of a bool, int, float or complex (subclasses too, but no NumPy scalar): false for anything else.
// Throws Overflow, naming the number, for an int outside the int64 and uint64 ranges.
bool scalar_from_python(PyObject* object, Scalar& out);
// A new reference.
PyObject* scalar_to_python(const Scalar& scalar);
// The value of one element at `data`.
PyObject* element_to_python(Dtype dtype, const void* data);

// An argument in the place of a tensor. A Tensor is borrowed; a Python number becomes a weak 0-d
// tensor in `holder`, a NumPy scalar a 0-d tensor of its dtype. nullptr when the object is none of
// these.
const Tensor* operand_from_python(PyObject* object, Tensor& holder);

// Whether the object is a NumPy scalar (np.float32(1)) or another 0-d buffer with
// __array_interface__.
bool is_numpy_scalar(PyObject* object);

}  // namespace bindings
LUCID_NAMESPACE_END
