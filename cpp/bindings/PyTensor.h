// lucid.Tensor as a Python object. wrap() and unwrap() are the only doors between a Tensor and its
// object; one object exists per TensorImpl while either lives. Read TensorType.cpp for the life
// cycle.
#pragma once

#include <Python.h>

#include <vector>

#include "lucid/bindings/PyError.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

struct PyTensor {
    PyObject_HEAD Tensor tensor;  // undefined while the impl owns this object
    TensorImpl* owner;            // then the impl, for a weak reference that finds the object
    PyObject* dict;
    PyObject* weakrefs;
    bool overrides;  // its type defines __lucid_function__
};

// lucid.Tensor; set once at import.
extern PyTypeObject* tensor_type;
// How many __lucid_function__ modes are active in the process: one load keeps operators fast.
extern int active_modes;

inline bool is_exact_tensor(PyObject* object) noexcept { return Py_TYPE(object) == tensor_type; }
inline bool is_tensor(PyObject* object) noexcept {
    return is_exact_tensor(object) || PyType_IsSubtype(Py_TYPE(object), tensor_type) != 0;
}
inline PyTensor* as_py_tensor(PyObject* object) noexcept {
    return reinterpret_cast<PyTensor*>(object);
}

// The object has left its impl's care through a weak reference: takes the impl back, or throws.
const Tensor& reclaim(PyTensor* self);

// Of an object that is_tensor().
inline const Tensor& unwrap(PyObject* object) {
    PyTensor* self = as_py_tensor(object);
    if (self->tensor.defined()) [[likely]]
        return self->tensor;
    return reclaim(self);
}
// A new reference; None for an undefined tensor.
PyObject* wrap(Tensor tensor);
// A new object of a subclass over a fresh impl.
PyObject* wrap_as(PyTypeObject* type, Tensor tensor);
// A tuple of wrapped tensors.
PyObject* wrap_tuple(std::vector<Tensor> tensors);

// Work that may take longer than about 20 us on the host: the GIL is released around it.
inline constexpr int64_t kLargeElems = 65536;
inline bool is_large(const Tensor& tensor) noexcept { return tensor.numel() > kLargeElems; }

// Creates the type and puts it into `module`.
void init_tensor_type(PyObject* module);

// The parts of the type; each file brings its own slots.
using Slots = std::vector<PyType_Slot>;
void add_number_slots(Slots& slots);
void add_index_slots(Slots& slots);
void add_buffer_slots(Slots& slots);
void add_attribute_slots(Slots& slots);
void add_method_slots(Slots& slots);

}  // namespace bindings
LUCID_NAMESPACE_END
