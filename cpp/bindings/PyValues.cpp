#include "lucid/bindings/PyValues.h"

#include <nanobind/nanobind.h>

#include <array>
#include <string>

#include "lucid/bindings/PyError.h"
#include "lucid/core/Context.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

struct PyDtype {
    PyObject_HEAD Dtype dtype;
};
struct PyDevice {
    PyObject_HEAD Device device;
};

PyTypeObject* dtype_type = nullptr;
PyTypeObject* device_type = nullptr;
std::array<PyObject*, kNumDtypes> dtypes{};

Dtype dtype_of(PyObject* self) noexcept { return reinterpret_cast<PyDtype*>(self)->dtype; }
Device device_of(PyObject* self) noexcept { return reinterpret_cast<PyDevice*>(self)->device; }

void heap_dealloc(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(reinterpret_cast<PyObject*>(type));
}

PyObject* no_new(PyTypeObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError, "the dtypes are lucid.float32 and its like; none can be made");
    return nullptr;
}

PyObject* dtype_repr(PyObject* self) {
    return PyUnicode_FromFormat("lucid.%s", name_of(dtype_of(self)));
}
PyObject* dtype_str(PyObject* self) { return PyUnicode_FromString(name_of(dtype_of(self))); }
// Pickled as a global of the package: the singleton comes back.
PyObject* dtype_reduce(PyObject* self, PyObject*) { return dtype_str(self); }

PyGetSetDef dtype_getset[] = {
    {"name", [](PyObject* self, void*) { return dtype_str(self); }, nullptr, "Its name.", nullptr},
    {"itemsize", [](PyObject* self, void*) { return PyLong_FromLongLong(size_of(dtype_of(self))); },
     nullptr, "Bytes of one element.", nullptr},
    {"is_floating_point",
     [](PyObject* self, void*) { return PyBool_FromLong(is_floating(dtype_of(self))); }, nullptr,
     "Whether it is a real floating dtype.", nullptr},
    {"is_complex",
     [](PyObject* self, void*) { return PyBool_FromLong(lucid::is_complex(dtype_of(self))); },
     nullptr, "Whether it is complex.", nullptr},
    {"is_signed",
     [](PyObject* self, void*) {
         const Dtype d = dtype_of(self);
         return PyBool_FromLong(d != Dtype::Bool && !issubdtype(d, DtypeCategory::Unsigned));
     },
     nullptr, "Whether it has negative values.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef dtype_methods[] = {
    {"__reduce__", &dtype_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot dtype_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(&no_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&heap_dealloc)},
    {Py_tp_repr, reinterpret_cast<void*>(&dtype_repr)},
    {Py_tp_str, reinterpret_cast<void*>(&dtype_str)},
    {Py_tp_getset, dtype_getset},
    {Py_tp_methods, dtype_methods},
    {Py_tp_doc, const_cast<char*>("The type of a tensor's elements.")},
    {0, nullptr},
};
PyType_Spec dtype_spec = {"lucid.dtype", sizeof(PyDtype), 0, Py_TPFLAGS_DEFAULT, dtype_slots};

PyObject* make_device(PyTypeObject* type, Device device) {
    const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
    PyObject* self = checked(alloc(type, 0));
    reinterpret_cast<PyDevice*>(self)->device = device;
    return self;
}

// device("cuda:1"), device("cuda", 1), device(other).
PyObject* device_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        static const char* const names[] = {"type", "index", nullptr};
        PyObject* what = nullptr;
        PyObject* index = Py_None;
        if (PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:device", const_cast<char**>(names),
                                        &what, &index) == 0) {
            throw PythonError();
        }
        Device device = device_from_python(what, "device()");
        if (index != Py_None) {
            const long number = PyLong_AsLong(index);
            if (number == -1 && PyErr_Occurred() != nullptr) throw PythonError();
            nb::object text = nb::steal(checked(PyObject_Str(what)));
            device =
                device_from_name(std::string(nb::str(text).c_str()) + ":" + std::to_string(number));
        }
        return make_device(type, device);
    });
}

PyObject* device_str(PyObject* self) {
    return PyUnicode_FromString(to_string(device_of(self)).c_str());
}

PyObject* device_repr(PyObject* self) {
    const Device device = device_of(self);
    if (device.type == DeviceType::CPU) return PyUnicode_FromString("device(type='cpu')");
    return PyUnicode_FromFormat("device(type='cuda', index=%d)", static_cast<int>(device.index));
}

Py_hash_t device_hash(PyObject* self) {
    const Device device = device_of(self);
    return (static_cast<Py_hash_t>(device.type) << 16) + device.index + 0x10c1d;
}

PyObject* device_compare(PyObject* a, PyObject* b, int comparison) {
    if (!is_device(a) || !is_device(b) || (comparison != Py_EQ && comparison != Py_NE)) {
        return Py_NewRef(Py_NotImplemented);
    }
    return PyBool_FromLong((device_of(a) == device_of(b)) == (comparison == Py_EQ));
}

PyObject* device_reduce(PyObject* self, PyObject*) {
    return Py_BuildValue("(O(s))", reinterpret_cast<PyObject*>(device_type),
                         to_string(device_of(self)).c_str());
}

PyGetSetDef device_getset[] = {
    {"type",
     [](PyObject* self, void*) {
         return PyUnicode_FromString(device_of(self).type == DeviceType::CPU ? "cpu" : "cuda");
     },
     nullptr, "\"cpu\" or \"cuda\".", nullptr},
    {"index",
     [](PyObject* self, void*) -> PyObject* {
         if (device_of(self).type == DeviceType::CPU) return Py_NewRef(Py_None);
         return PyLong_FromLong(device_of(self).index);
     },
     nullptr, "Which of its kind; None for the CPU.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef device_methods[] = {
    {"__reduce__", &device_reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyType_Slot device_slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(&device_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&heap_dealloc)},
    {Py_tp_repr, reinterpret_cast<void*>(&device_repr)},
    {Py_tp_str, reinterpret_cast<void*>(&device_str)},
    {Py_tp_hash, reinterpret_cast<void*>(&device_hash)},
    {Py_tp_richcompare, reinterpret_cast<void*>(&device_compare)},
    {Py_tp_getset, device_getset},
    {Py_tp_methods, device_methods},
    {Py_tp_doc, const_cast<char*>("Where a tensor lives: device(\"cpu\"), device(\"cuda:1\").")},
    {0, nullptr},
};
PyType_Spec device_spec = {"lucid.device", sizeof(PyDevice), 0, Py_TPFLAGS_DEFAULT, device_slots};

PyTypeObject* add_type(PyObject* module, PyType_Spec& spec, const char* name) {
    PyObject* type = checked(PyType_FromSpec(&spec));
    checked_status(PyObject_SetAttrString(module, name, type));
    return reinterpret_cast<PyTypeObject*>(type);
}

std::string type_name(PyObject* object) {
    nb::object name =
        nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__"));
    return name.is_valid() ? nb::str(name).c_str() : "object";
}

}  // namespace

void init_values(PyObject* module) {
    dtype_type = add_type(module, dtype_spec, "dtype");
    device_type = add_type(module, device_spec, "device");
    const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(dtype_type, Py_tp_alloc));
    for (int i = 0; i < kNumDtypes; ++i) {
        PyObject* self = checked(alloc(dtype_type, 0));
        reinterpret_cast<PyDtype*>(self)->dtype = static_cast<Dtype>(i);
        dtypes[static_cast<size_t>(i)] = self;
        checked_status(PyObject_SetAttrString(module, name_of(static_cast<Dtype>(i)), self));
    }
}

PyObject* dtype_to_python(Dtype dtype) { return Py_NewRef(dtypes[static_cast<size_t>(dtype)]); }
PyObject* device_to_python(Device device) { return make_device(device_type, device); }

bool is_dtype(PyObject* object) noexcept { return Py_TYPE(object) == dtype_type; }
bool is_device(PyObject* object) noexcept { return Py_TYPE(object) == device_type; }

Dtype dtype_from_python(PyObject* object, const char* who) {
    if (is_dtype(object)) return dtype_of(object);
    const Dtype real = context().default_dtype;
    if (object == reinterpret_cast<PyObject*>(&PyFloat_Type)) return real;
    if (object == reinterpret_cast<PyObject*>(&PyLong_Type)) return Dtype::Int64;
    if (object == reinterpret_cast<PyObject*>(&PyBool_Type)) return Dtype::Bool;
    if (object == reinterpret_cast<PyObject*>(&PyComplex_Type)) return complex_dtype(real);
    throw_type_error(std::string(who) + " must be a lucid.dtype such as lucid.float32, not " +
                     type_name(object));
}

Device device_from_python(PyObject* object, const char* who) {
    if (is_device(object)) return device_of(object);
    if (PyUnicode_Check(object)) return device_from_name(nb::str(nb::borrow(object)).c_str());
    throw_type_error(std::string(who) + " must be a lucid.device or a text such as \"cpu\", not " +
                     type_name(object));
}

}  // namespace bindings
LUCID_NAMESPACE_END
