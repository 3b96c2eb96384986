// Methods of Tensor that are no ops: sizes, reading, in-place fills, graph handling. The sugar on
// top is Python (python/lucid/_tensor.py).
#include <nanobind/nanobind.h>

#include <optional>

#include "lucid/autograd/GradWalk.h"
#include "lucid/autograd/InPlace.h"
#include "lucid/backend/Export.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/OpIds.h"
#include "lucid/bindings/PyNode.h"
#include "lucid/bindings/PyScalar.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/TensorMake.h"
#include "lucid/core/Context.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

// A method without arguments from a function of the tensor.
template <auto Function>
PyObject* plain(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* { return Function(unwrap(self)); });
}
// With one argument.
template <auto Function>
PyObject* with_one(PyObject* self, PyObject* argument) {
    return guarded([&]() -> PyObject* { return Function(self, argument); });
}

PyObject* numel(const Tensor& x) { return PyLong_FromLongLong(x.numel()); }
PyObject* dim(const Tensor& x) { return PyLong_FromLongLong(x.ndim()); }
PyObject* element_size(const Tensor& x) { return PyLong_FromLongLong(x.itemsize()); }
PyObject* storage_offset(const Tensor& x) { return PyLong_FromLongLong(x.storage().offset()); }
PyObject* contiguous_now(const Tensor& x) { return PyBool_FromLong(x.is_contiguous()); }
PyObject* floating(const Tensor& x) { return PyBool_FromLong(is_floating(x.dtype())); }
PyObject* complex_now(const Tensor& x) { return PyBool_FromLong(is_complex(x.dtype())); }
PyObject* tolist(const Tensor& x) { return to_list(x); }
PyObject* bytes(const Tensor& x) { return to_bytes(x); }
PyObject* detached(const Tensor& x) { return wrap(detach(x)); }

PyObject* item(const Tensor& x) {
    {
        const GilRelease release(x.storage().box()->value().is_pending());
        if (x.numel() == 1) x.storage().data();
    }
    return scalar_to_python(x.item());
}

PyObject* complex_number(const Tensor& x) {
    const std::complex<double> value = x.item().to_complex();
    return PyComplex_FromDoubles(value.real(), value.imag());
}

PyObject* data_ptr(const Tensor& x) {
    Ref<Buffer> buffer;
    {
        const GilRelease release(x.storage().box()->value().is_pending());
        buffer = export_memory(x.storage());
    }
    const char* data =
        static_cast<const char*>(buffer->data()) + x.storage().offset() * x.itemsize();
    return PyLong_FromVoidPtr(const_cast<char*>(data));
}

PyObject* dims_or_one(DimSpan dims, PyObject* const* args, Py_ssize_t nargs, const char* name) {
    if (nargs > 1)
        throw_type_error(std::string(name) + "() takes at most one argument, the dimension");
    if (nargs == 1) {
        const Py_ssize_t axis = PyNumber_AsSsize_t(args[0], PyExc_OverflowError);
        if (axis == -1 && PyErr_Occurred() != nullptr) throw PythonError();
        const int64_t rank = static_cast<int64_t>(dims.size());
        if (axis < -rank || axis >= rank) {
            throw IndexOutOfRange(std::string(name) + "(" + std::to_string(axis) +
                                  "): the dimension is out of range for rank " +
                                  std::to_string(rank));
        }
        return PyLong_FromLongLong(dims[static_cast<size_t>(axis < 0 ? axis + rank : axis)]);
    }
    PyObject* tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(dims.size())));
    for (size_t i = 0; i < dims.size(); ++i) {
        PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(dims[i]));
    }
    return tuple;
}

PyObject* size(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
    return guarded([&] { return dims_or_one(unwrap(self).shape(), args, nargs, "size"); });
}

PyObject* stride(PyObject* self, PyObject* const* args, Py_ssize_t nargs) {
    return guarded([&] { return dims_or_one(unwrap(self).strides(), args, nargs, "stride"); });
}

PyObject* numpy_array(const Tensor& x, PyObject* self) {
    if (x.requires_grad()) {
        throw Error(ErrorKind::Lucid, "Can't call numpy() on Tensor that requires grad. Use "
                                      "tensor.detach().numpy() instead.");
    }
    if (x.dtype() == Dtype::BFloat16) {
        throw DtypeMismatch("numpy(): NumPy has no bfloat16; use x.float().numpy()");
    }
    nb::object numpy = nb::steal(checked(PyImport_ImportModule("numpy")));
    nb::object view = nb::steal(checked(PyMemoryView_FromObject(self)));
    return checked(PyObject_CallMethod(numpy.ptr(), "asarray", "O", view.ptr()));
}

PyObject* numpy(PyObject* self, PyObject*) {
    return guarded([&] { return numpy_array(unwrap(self), self); });
}

PyObject* requires_grad_inplace(PyObject* self, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject* flag = Py_True;
        if (PyArg_ParseTuple(args, "|O:requires_grad_", &flag) == 0) throw PythonError();
        const int on = PyObject_IsTrue(flag);
        checked_status(on);
        set_requires_grad(unwrap(self), on != 0);
        return Py_NewRef(self);
    });
}

PyObject* detach_inplace(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Tensor& x = unwrap(self);
        AutogradMeta* meta = x->autograd();
        if (meta != nullptr) {
            if (meta->base) {
                throw InvalidArgument(
                    "detach_(): a view cannot be detached in place; use detach()");
            }
            const Edge edge = std::exchange(meta->edge, {});
            meta->requires_grad = false;
        }
        return Py_NewRef(self);
    });
}

PyObject* retain_grad_method(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        retain_grad(unwrap(self));
        return Py_NewRef(Py_None);
    });
}

Tensor cast_like(const Tensor& source, const Tensor& target) {
    if (source.dtype() == target.dtype()) return source;
    const Tensor* const inputs[] = {&source};
    return call_op_one(require_op(Operator::Cast), inputs, Attrs::of(target.dtype()));
}

PyObject* write(PyObject* self, const char* name, const Tensor& source) {
    const Tensor& x = unwrap(self);
    check_inplace(name, x);
    const Tensor value = cast_like(source, x);
    {
        const GilRelease release(is_large(x));
        write_inplace(name, x, value);
    }
    return Py_NewRef(self);
}

PyObject* fill(PyObject* self, PyObject* value) {
    Scalar scalar;
    if (scalar_from_python(value, scalar))
        return write(self, "fill_", Tensor(scalar, unwrap(self).dtype()));
    Tensor holder;
    const Tensor* tensor = operand_from_python(value, holder);
    if (tensor == nullptr || tensor->ndim() != 0)
        throw_type_error("fill_() takes a number or a 0-d Tensor");
    return write(self, "fill_", *tensor);
}

PyObject* zero(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        return write(self, "zero_", Tensor(Scalar(0), unwrap(self).dtype()));
    });
}

PyObject* copy_from(PyObject* self, PyObject* value) {
    Tensor holder;
    const Tensor* source = operand_from_python(value, holder);
    if (source == nullptr) throw_type_error("copy_() takes a Tensor");
    if (source->impl() == unwrap(self).impl()) return Py_NewRef(self);
    return write(self, "copy_", *source);
}

uint64_t add_hook(const Tensor& x, PyObject* callable, bool late) {
    auto hook = make_hook(callable);
    return late ? register_post_accumulate_hook(x, std::move(hook), callable)
                : register_hook(x, std::move(hook), callable);
}

PyObject* hook_method(PyObject* self, PyObject* callable) {
    return PyLong_FromUnsignedLongLong(add_hook(unwrap(self), callable, false));
}

// The hook gets the tensor itself, which it must not keep alive: it finds it through the impl.
PyObject* post_hook_method(PyObject* self, PyObject* callable) {
    return PyLong_FromUnsignedLongLong(add_hook(unwrap(self), callable, true));
}

PyObject* remove_hook_method(PyObject* self, PyObject* id) {
    const unsigned long long number = PyLong_AsUnsignedLongLong(id);
    if (PyErr_Occurred() != nullptr) throw PythonError();
    remove_hook(unwrap(self), number);
    return Py_NewRef(Py_None);
}

// Tensor._make_subclass(cls, data, requires_grad=False): the same memory as an object of a
// subclass.
PyObject* make_subclass(PyObject*, PyObject* args) {
    return guarded([&]() -> PyObject* {
        PyObject* cls = nullptr;
        PyObject* data = nullptr;
        int requires_grad = 0;
        if (PyArg_ParseTuple(args, "OO|p:_make_subclass", &cls, &data, &requires_grad) == 0) {
            throw PythonError();
        }
        if (!PyType_Check(cls) ||
            PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(cls), tensor_type) == 0 ||
            !is_tensor(data)) {
            throw_type_error(
                "_make_subclass(cls, data): cls is a subclass of Tensor, data a Tensor");
        }
        Tensor alias = detach(unwrap(data));
        if (requires_grad != 0) set_requires_grad(alias, true);
        return wrap_as(reinterpret_cast<PyTypeObject*>(cls), std::move(alias));
    });
}

PyObject* dlpack(PyObject* self, PyObject* args) {
    return guarded([&]() -> PyObject* {
        int versioned = 0;
        if (PyArg_ParseTuple(args, "p:_to_dlpack", &versioned) == 0) throw PythonError();
        return to_dlpack(unwrap(self), versioned != 0);
    });
}

PyCFunction fast(PyObject* (*function)(PyObject*, PyObject* const*, Py_ssize_t)) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyMethodDef methods[] = {
    {"numel", &plain<numel>, METH_NOARGS, "The number of elements."},
    {"dim", &plain<dim>, METH_NOARGS, "The number of dimensions."},
    {"element_size", &plain<element_size>, METH_NOARGS, "Bytes of one element."},
    {"storage_offset", &plain<storage_offset>, METH_NOARGS,
     "Where it starts in its memory, in elements."},
    {"is_contiguous", &plain<contiguous_now>, METH_NOARGS, "Whether it is dense and row-major."},
    {"is_floating_point", &plain<floating>, METH_NOARGS, "Whether its dtype is floating."},
    {"is_complex", &plain<complex_now>, METH_NOARGS, "Whether its dtype is complex."},
    {"item", &plain<item>, METH_NOARGS, "Its one element as a Python number."},
    {"tolist", &plain<tolist>, METH_NOARGS, "Nested lists of Python numbers."},
    {"__complex__", &plain<complex_number>, METH_NOARGS, "Its one element as a complex number."},
    {"data_ptr", &plain<data_ptr>, METH_NOARGS,
     "The address of its first element; pins the memory."},
    {"detach", &plain<detached>, METH_NOARGS, "The same memory outside the graph."},
    {"detach_", &detach_inplace, METH_NOARGS, "Leaves the graph."},
    {"retain_grad", &retain_grad_method, METH_NOARGS, "Keeps .grad of a tensor that is no leaf."},
    {"numpy", &numpy, METH_NOARGS, "A NumPy array over the same memory."},
    {"zero_", &zero, METH_NOARGS, "Fills with zeros."},
    {"fill_", &with_one<fill>, METH_O, "Fills with a number."},
    {"copy_", &with_one<copy_from>, METH_O,
     "Takes the elements of another tensor, broadcast and cast."},
    {"requires_grad_", &requires_grad_inplace, METH_VARARGS, "Sets requires_grad; returns self."},
    {"size", fast(&size), METH_FASTCALL, "The sizes, or one of them."},
    {"stride", fast(&stride), METH_FASTCALL, "The strides in elements, or one of them."},
    {"_register_hook", &with_one<hook_method>, METH_O, nullptr},
    {"_register_post_accumulate_grad_hook", &with_one<post_hook_method>, METH_O, nullptr},
    {"_remove_hook", &with_one<remove_hook_method>, METH_O, nullptr},
    {"_to_bytes", &plain<bytes>, METH_NOARGS, nullptr},
    {"_to_dlpack", &dlpack, METH_VARARGS, nullptr},
    {"_make_subclass", &make_subclass, METH_VARARGS | METH_STATIC, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void add_method_slots(Slots& slots) { slots.push_back({Py_tp_methods, methods}); }

}  // namespace bindings
LUCID_NAMESPACE_END
