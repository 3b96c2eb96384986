// Tensors from Python data and from memory that others own, and back.
#pragma once

#include <Python.h>

#include <optional>

#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// lucid.tensor(data): numbers, nested sequences, arrays, tensors; always a copy.
Tensor make_tensor(PyObject* data, std::optional<Dtype> dtype);
// Zero elements of the default dtype.
Tensor make_empty();
// Another impl over the same Box, outside the graph.
Tensor alias_of(const Tensor& tensor);

// Zero copy over an object with the buffer protocol (lucid.from_numpy); the object stays alive.
Tensor from_buffer(PyObject* object, const char* who);
// A copy of such an object.
Tensor copy_buffer(PyObject* object);
// Zero copy over foreign memory: `strides` in elements, `data` the first element. `free_context`
// runs when the memory is not needed any more, in any thread.
struct ForeignMemory {
    void* data;
    Dtype dtype;
    Shape shape;
    Strides strides;
    Device device;
    bool read_only;
};
Tensor import_memory(const ForeignMemory& memory, void* context,
                     void (*free_context)(void*) noexcept);

// Nested lists of Python numbers; a number for 0-d.
PyObject* to_list(const Tensor& tensor);
// The bytes of the elements in row-major order, and back.
PyObject* to_bytes(const Tensor& tensor);
Tensor from_bytes(const void* data, size_t nbytes, Dtype dtype, const Shape& shape);

// Forces the value, without the GIL when there is something to wait for; the address of element 0.
const char* force_data(const Tensor& tensor);
// A fresh row-major tensor on the CPU and the memory to fill.
Tensor allocate_tensor(Dtype dtype, const Shape& shape, char*& data);

// DLPack.cpp: from_dlpack(object), and the two methods of Tensor.
Tensor from_dlpack(PyObject* object);
PyObject* to_dlpack(const Tensor& tensor, bool versioned);

}  // namespace bindings
LUCID_NAMESPACE_END
