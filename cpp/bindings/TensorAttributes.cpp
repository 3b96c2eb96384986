// Attributes of Tensor: shape, dtype, grad and the like.
#include <nanobind/nanobind.h>

#include "lucid/autograd/Graph.h"
#include "lucid/bindings/Autograd.h"
#include "lucid/bindings/OpIds.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/PyValues.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

PyObject* tuple_of(DimSpan dims) {
    PyObject* tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(dims.size())));
    for (size_t i = 0; i < dims.size(); ++i) {
        PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(dims[i]));
    }
    return tuple;
}

// A getter from a function of the tensor.
template <auto Function>
PyObject* get(PyObject* self, void*) {
    return guarded([&]() -> PyObject* { return Function(unwrap(self)); });
}

PyObject* get_shape(const Tensor& x) { return tuple_of(x.shape()); }
PyObject* get_dtype(const Tensor& x) { return dtype_to_python(x.dtype()); }
PyObject* get_device(const Tensor& x) { return device_to_python(x.device()); }
PyObject* get_ndim(const Tensor& x) { return PyLong_FromLongLong(x.ndim()); }
PyObject* get_nbytes(const Tensor& x) { return PyLong_FromLongLong(x.nbytes()); }
PyObject* get_itemsize(const Tensor& x) { return PyLong_FromLongLong(x.itemsize()); }
PyObject* get_requires_grad(const Tensor& x) { return PyBool_FromLong(lucid::requires_grad(x)); }
PyObject* get_is_leaf(const Tensor& x) { return PyBool_FromLong(!grad_fn(x)); }
PyObject* get_version(const Tensor& x) {
    return PyLong_FromUnsignedLong(x.storage().box()->version());
}
PyObject* get_data(const Tensor& x) { return wrap(detach(x)); }
PyObject* get_grad_fn(const Tensor& x) { return node_to_python(grad_fn(x)); }
PyObject* get_retains_grad(const Tensor& x) {
    return PyBool_FromLong(x->autograd() != nullptr && x->autograd()->retains_grad);
}
PyObject* get_output_nr(const Tensor& x) {
    const Ref<Node> node = grad_fn(x);
    return PyLong_FromUnsignedLong(node ? x->autograd()->edge.output_nr : 0);
}
PyObject* get_grad(const Tensor& x) {
    if (x->autograd() == nullptr) return Py_NewRef(Py_None);
    return wrap(Tensor(x->autograd()->grad));
}

Tensor transposed(const Tensor& x, int64_t a, int64_t b) {
    const Tensor* const inputs[] = {&x};
    return call_op_one(require_op(Operator::Transpose), inputs, Attrs::of(Scalar(a), Scalar(b)));
}
PyObject* get_mT(const Tensor& x) {
    if (x.ndim() < 2) {
        throw ShapeMismatch("x.mT: needs at least two dimensions\n  x  " + describe(x));
    }
    return wrap(transposed(x, -2, -1));
}
PyObject* get_T(const Tensor& x) {
    if (x.ndim() == 2) return wrap(transposed(x, 0, 1));
    Dims dims;
    for (int64_t i = x.ndim(); i-- > 0;) dims.push_back(i);
    const Tensor* const inputs[] = {&x};
    return wrap(call_op_one(require_op(Operator::Permute), inputs, Attrs::of(std::move(dims))));
}

int refuse_delete(PyObject* value, const char* name) {
    if (value != nullptr) return 0;
    PyErr_Format(PyExc_AttributeError, "cannot delete %s", name);
    return -1;
}

int set_requires_grad_slot(PyObject* self, PyObject* value, void*) {
    return guarded_int([&]() -> int {
        if (refuse_delete(value, "requires_grad") != 0) return -1;
        if (!PyBool_Check(value)) throw_type_error("requires_grad must be a bool");
        set_requires_grad(unwrap(self), value == Py_True);
        return 0;
    });
}

int set_grad(PyObject* self, PyObject* value, void*) {
    return guarded_int([&]() -> int {
        const Tensor& x = unwrap(self);
        if (value == nullptr || value == Py_None) {
            // Dropped after the slot is empty: what it frees may look at this tensor.
            const TensorImplPtr old =
                x->autograd() != nullptr ? std::move(x->autograd()->grad) : nullptr;
            return 0;
        }
        if (!is_tensor(value)) throw_type_error("grad must be a Tensor or None");
        const Tensor& grad = unwrap(value);
        if (grad.dtype() != x.dtype() || !(grad.shape() == x.shape()) ||
            !(grad.device() == x.device())) {
            ErrorBuilder("x.grad = g", "a gradient has its tensor's shape, dtype and device")
                .given("x", describe(x))
                .given("g", describe(grad))
                .raise<ShapeMismatch>();
        }
        if (grad == x) throw InvalidArgument("x.grad = x: a tensor cannot be its own gradient");
        x->ensure_autograd().grad = grad.impl();
        return 0;
    });
}

int set_data(PyObject* self, PyObject* value, void*) {
    return guarded_int([&]() -> int {
        if (refuse_delete(value, "data") != 0) return -1;
        if (!is_tensor(value)) throw_type_error("data must be a Tensor");
        const Tensor& x = unwrap(self);
        const Tensor& data = unwrap(value);
        if (x.requires_grad() && !is_inexact(data.dtype())) {
            ErrorBuilder("x.data = y", "a tensor that requires grad is floating or complex")
                .given("y", describe(data))
                .raise<DtypeMismatch>();
        }
        x->set_storage(data.storage());
        return 0;
    });
}

PyGetSetDef getset[] = {
    {"shape", &get<get_shape>, nullptr, "The sizes, a tuple.", nullptr},
    {"dtype", &get<get_dtype>, nullptr, "The element type.", nullptr},
    {"device", &get<get_device>, nullptr, "Where it lives.", nullptr},
    {"ndim", &get<get_ndim>, nullptr, "How many dimensions.", nullptr},
    {"nbytes", &get<get_nbytes>, nullptr, "Bytes of all elements.", nullptr},
    {"itemsize", &get<get_itemsize>, nullptr, "Bytes of one element.", nullptr},
    {"requires_grad", &get<get_requires_grad>, &set_requires_grad_slot,
     "Whether gradients flow to or through it.", nullptr},
    {"is_leaf", &get<get_is_leaf>, nullptr, "Whether no recorded op made it.", nullptr},
    {"grad", &get<get_grad>, &set_grad, "The accumulated gradient, or None.", nullptr},
    {"grad_fn", &get<get_grad_fn>, nullptr, "The node that made it, or None.", nullptr},
    {"retains_grad", &get<get_retains_grad>, nullptr, "Whether retain_grad() was called.", nullptr},
    {"output_nr", &get<get_output_nr>, nullptr, "Which output of grad_fn it is.", nullptr},
    {"_version", &get<get_version>, nullptr, "How often its memory was written in place.", nullptr},
    {"data", &get<get_data>, &set_data, "The same memory outside the graph.", nullptr},
    {"T", &get<get_T>, nullptr, "The dimensions in reverse order, a view.", nullptr},
    {"mT", &get<get_mT>, nullptr, "The last two dimensions swapped, a view.", nullptr},
    {"__dict__", &PyObject_GenericGetDict, &PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace

void add_attribute_slots(Slots& slots) { slots.push_back({Py_tp_getset, getset}); }

}  // namespace bindings
LUCID_NAMESPACE_END
