// Birth, death and resurrection of Tensor objects.
//
// Normally the object holds one count on its impl and the impl knows the object (unowned). When the
// last Python reference goes while C++ still holds the impl, an object that carries state (a
// subclass, a __dict__, weak references) is handed to the impl, which then owns one reference on
// it; wrap() hands it back. An object without state is unlinked; a new one is made when it is asked
// for.
#include <Python.h>
#include <structmember.h>  // after Python.h

#include <mutex>
#include <new>

#include "lucid/autograd/Node.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyNode.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/TensorMake.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

PyTypeObject* tensor_type = nullptr;
int active_modes = 0;

namespace {

// Dead objects of the exact type, kept for reuse: saves two calls of the allocator an op.
constexpr int kFreeListSize = 256;
PyTensor* free_list[kFreeListSize];
int num_free = 0;

// Guards PyTensor::owner against an impl that dies in another thread.
std::mutex& owner_mutex() noexcept {
    static std::mutex* mutex = new std::mutex();
    return *mutex;
}

// ~TensorImpl, in any thread: the impl owned its object.
void release_owned(void* object) noexcept {
    {
        const std::lock_guard<std::mutex> lock(owner_mutex());
        static_cast<PyTensor*>(object)->owner = nullptr;
    }
    decref_anywhere(static_cast<PyObject*>(object));
}

PyTensor* allocate() {
    if (num_free > 0) {
        PyTensor* self = free_list[--num_free];
        PyObject_Init(reinterpret_cast<PyObject*>(self), tensor_type);
        return self;
    }
    PyTensor* self = PyObject_GC_New(PyTensor, tensor_type);
    if (self == nullptr) throw PythonError();
    return self;
}

void adopt(PyTensor* self, Tensor tensor) noexcept {
    tensor->set_python_object(self);
    self->tensor = std::move(tensor);
}

bool carries_state(PyTensor* self) noexcept {
    return !is_exact_tensor(reinterpret_cast<PyObject*>(self)) || self->weakrefs != nullptr ||
           (self->dict != nullptr && PyDict_Size(self->dict) > 0);
}

// In tp_dealloc: gives the object to its impl when C++ still holds it. The object may be gone on
// return.
bool hand_over(PyTensor* self) noexcept {
    TensorImpl* impl = self->tensor.impl().get();
    if (impl == nullptr || impl->use_count() == 1 || !carries_state(self)) return false;
    PyObject* object = reinterpret_cast<PyObject*>(self);
    Py_INCREF(object);  // from zero to one: the impl's
    PyObject_GC_Track(object);
    self->owner = impl;
    const Tensor dropped = std::move(self->tensor);
    self->tensor = Tensor();
    impl->set_owns_python_object(true);
    // If C++ let go meanwhile, `dropped` is the last count: ~TensorImpl then ends the object for
    // good.
    return true;
}

void unlink(PyTensor* self) noexcept {
    if (TensorImpl* impl = self->tensor.impl().get()) impl->set_python_object(nullptr);
    self->tensor.~Tensor();
}

void tensor_dealloc(PyObject* object) {
    PyTensor* self = as_py_tensor(object);
    PyObject_GC_UnTrack(object);
    if (hand_over(self)) return;
    if (self->weakrefs != nullptr) PyObject_ClearWeakRefs(object);
    unlink(self);
    Py_CLEAR(self->dict);
    PyTypeObject* type = Py_TYPE(object);
    if (type == tensor_type && num_free < kFreeListSize) {
        free_list[num_free++] = self;
    } else {
        reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
    }
    Py_DECREF(reinterpret_cast<PyObject*>(type));
}

// What only this object keeps alive may be visited; an impl that C++ shares hides it, so that the
// collector takes it for reachable from outside.
int tensor_traverse(PyObject* object, visitproc visit, void* arg) {
    PyTensor* self = as_py_tensor(object);
    Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(object)));
    const TensorImpl* impl = self->tensor.impl().get();
    // Owned by its impl, or not filled yet: the impl's reference is not seen by the collector.
    if (impl == nullptr) {
        Py_VISIT(self->dict);
        return 0;
    }
    if (impl->use_count() != 1) return 0;
    Py_VISIT(self->dict);
    const AutogradMeta* meta = impl->autograd();
    if (meta == nullptr) return 0;
    for (const TensorHook& hook : meta->hooks) Py_VISIT(static_cast<PyObject*>(hook.owner));
    for (const TensorHook& hook : meta->post_accumulate_hooks) {
        Py_VISIT(static_cast<PyObject*>(hook.owner));
    }
    if (const TensorImpl* grad = meta->grad.get();
        grad != nullptr && grad->use_count() == 1 && grad->owns_python_object()) {
        Py_VISIT(static_cast<PyObject*>(grad->python_object()));
    }
    if (GraphNode* node = meta->edge.node.get(); node != nullptr && node->use_count() == 1) {
        return visit_python_node(node, visit, arg);
    }
    return 0;
}

int tensor_clear(PyObject* object) {
    PyTensor* self = as_py_tensor(object);
    Py_CLEAR(self->dict);
    TensorImpl* impl = self->tensor.impl().get();
    if (impl == nullptr || impl->use_count() != 1 || impl->autograd() == nullptr) return 0;
    AutogradMeta& meta = *impl->autograd();
    // Moved out first: dropping them may run Python, which may look at this tensor.
    const std::vector<TensorHook> hooks = std::exchange(meta.hooks, {});
    const std::vector<TensorHook> late = std::exchange(meta.post_accumulate_hooks, {});
    const TensorImplPtr grad = std::exchange(meta.grad, nullptr);
    if (GraphNode* node = meta.edge.node.get(); node != nullptr && node->use_count() == 1) {
        clear_python_node(node);
    }
    return 0;
}

// Tensor(data): data as tensor() takes it, or a Tensor, whose memory is shared.
PyObject* tensor_new(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
    return guarded([&]() -> PyObject* {
        PyObject* data = nullptr;
        const Py_ssize_t count = PyTuple_Size(args);
        if (count > 1 && type == tensor_type) {
            throw_type_error("Tensor() takes one argument, the data; use lucid.zeros and its like");
        }
        if (count > 0) data = PyTuple_GetItem(args, 0);
        if (type == tensor_type && kwargs != nullptr && PyDict_Size(kwargs) > 0) {
            throw_type_error("Tensor() takes no keyword arguments; use lucid.tensor()");
        }
        if (data == nullptr) return wrap_as(type, make_empty());
        return wrap_as(type, is_tensor(data) ? alias_of(unwrap(data)) : make_tensor(data, {}));
    });
}

PyMemberDef members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(PyTensor, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(PyTensor, weakrefs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

constexpr const char* kDoc = "A typed, strided array on a device. Made by lucid.tensor, "
                             "lucid.zeros, lucid.from_numpy and ops.";

}  // namespace

const Tensor& reclaim(PyTensor* self) {
    bool alive = false;
    {
        const std::lock_guard<std::mutex> lock(owner_mutex());
        if (self->owner != nullptr && self->owner->try_retain()) {
            self->tensor = Tensor(TensorImplPtr::adopt(self->owner));
            self->owner->set_owns_python_object(false);
            self->owner = nullptr;
            alive = true;
        }
    }
    if (!alive) throw Error(ErrorKind::Lucid, "this Tensor object has no value any more");
    Py_DECREF(reinterpret_cast<PyObject*>(self));  // the impl's; the caller holds another
    return self->tensor;
}

PyObject* wrap(Tensor tensor) {
    TensorImpl* impl = tensor.impl().get();
    if (impl == nullptr) return Py_NewRef(Py_None);
    if (void* existing = impl->python_object()) {
        PyTensor* self = static_cast<PyTensor*>(existing);
        PyObject* object = reinterpret_cast<PyObject*>(self);
        if (!impl->owns_python_object()) return Py_NewRef(object);
        impl->set_owns_python_object(false);
        self->owner = nullptr;
        self->tensor = std::move(tensor);
        return object;  // the impl's reference becomes the caller's
    }
    PyTensor* self = allocate();
    self->dict = nullptr;
    self->weakrefs = nullptr;
    self->owner = nullptr;
    self->overrides = false;
    impl->set_python_object(self);
    new (&self->tensor) Tensor(std::move(tensor));
    PyObject_GC_Track(reinterpret_cast<PyObject*>(self));
    return reinterpret_cast<PyObject*>(self);
}

PyObject* wrap_as(PyTypeObject* type, Tensor tensor) {
    if (type == tensor_type) return wrap(std::move(tensor));
    const auto alloc = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
    PyTensor* self = as_py_tensor(checked(alloc(type, 0)));
    new (&self->tensor) Tensor();
    adopt(self, std::move(tensor));
    self->overrides =
        PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), "__lucid_function__") != 0;
    return reinterpret_cast<PyObject*>(self);
}

PyObject* wrap_tuple(std::vector<Tensor> tensors) {
    PyObject* tuple = checked(PyTuple_New(static_cast<Py_ssize_t>(tensors.size())));
    for (size_t i = 0; i < tensors.size(); ++i) {
        PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), wrap(std::move(tensors[i])));
    }
    return tuple;
}

void init_tensor_type(PyObject* module) {
    Slots slots = {
        {Py_tp_new, reinterpret_cast<void*>(&tensor_new)},
        {Py_tp_dealloc, reinterpret_cast<void*>(&tensor_dealloc)},
        {Py_tp_traverse, reinterpret_cast<void*>(&tensor_traverse)},
        {Py_tp_clear, reinterpret_cast<void*>(&tensor_clear)},
        {Py_tp_members, members},
        {Py_tp_doc, const_cast<char*>(kDoc)},
    };
    add_number_slots(slots);
    add_index_slots(slots);
    add_buffer_slots(slots);
    add_attribute_slots(slots);
    add_method_slots(slots);
    slots.push_back({0, nullptr});
    PyType_Spec spec = {"lucid.Tensor", static_cast<int>(sizeof(PyTensor)), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                        slots.data()};
    tensor_type = reinterpret_cast<PyTypeObject*>(checked(PyType_FromSpec(&spec)));
    checked_status(
        PyObject_SetAttrString(module, "Tensor", reinterpret_cast<PyObject*>(tensor_type)));
    TensorImpl::set_python_release(&release_owned);
}

}  // namespace bindings
LUCID_NAMESPACE_END
