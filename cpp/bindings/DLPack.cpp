// DLPack in both directions and both versions of its capsule, without copies. The structs are those
// of dlpack.h 1.0 (https://github.com/dmlc/dlpack), written out because they are the whole
// dependency.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "lucid/backend/Export.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/TensorMake.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

struct DLDevice {
    int32_t device_type;
    int32_t device_id;
};
struct DLDataType {
    uint8_t code;
    uint8_t bits;
    uint16_t lanes;
};
struct DLTensor {
    void* data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t* shape;
    int64_t* strides;
    uint64_t byte_offset;
};
struct DLManagedTensor {
    DLTensor tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor* self);
};
struct DLPackVersion {
    uint32_t major;
    uint32_t minor;
};
struct DLManagedTensorVersioned {
    DLPackVersion version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned* self);
    uint64_t flags;
    DLTensor tensor;
};

constexpr int32_t kDLCPU = 1;
constexpr uint64_t kReadOnlyFlag = 1;
enum Code : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };
constexpr const char* kName = "dltensor";
constexpr const char* kUsed = "used_dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";
constexpr const char* kVersionedUsed = "used_dltensor_versioned";

DLDataType to_dl(Dtype dtype) {
    const auto bits = static_cast<uint8_t>(size_of(dtype) * 8);
    if (dtype == Dtype::Bool) return {kBool, bits, 1};
    if (dtype == Dtype::BFloat16) return {kBfloat, bits, 1};
    if (is_floating(dtype)) return {kFloat, bits, 1};
    if (is_complex(dtype)) return {kComplex, bits, 1};
    return {static_cast<uint8_t>(issubdtype(dtype, DtypeCategory::Unsigned) ? kUInt : kInt), bits,
            1};
}

Dtype from_dl(DLDataType type) {
    for (int i = 0; i < kNumDtypes; ++i) {
        const DLDataType known = to_dl(static_cast<Dtype>(i));
        if (known.code == type.code && known.bits == type.bits && type.lanes == 1) {
            return static_cast<Dtype>(i);
        }
    }
    throw DtypeMismatch("from_dlpack: no dtype for code " + std::to_string(type.code) + " with " +
                        std::to_string(type.bits) + " bits and " + std::to_string(type.lanes) +
                        " lanes");
}

// What an exported capsule keeps alive. No Python object: a consumer may let go in any thread.
template <typename Managed>
struct Exported {
    Managed managed{};
    Ref<Buffer> buffer;
    std::vector<int64_t> shape;
    std::vector<int64_t> strides;
};

template <typename Managed>
Managed* export_tensor(const Tensor& x) {
    auto exported = std::make_unique<Exported<Managed>>();
    {
        const GilRelease release(x.storage().box()->value().is_pending());
        exported->buffer = export_memory(x.storage());
    }
    exported->shape.assign(x.shape().begin(), x.shape().end());
    exported->strides.assign(x.strides().begin(), x.strides().end());
    DLTensor& tensor = exported->managed.tensor;
    tensor.data =
        static_cast<char*>(exported->buffer->data()) + x.storage().offset() * x.itemsize();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = static_cast<int32_t>(x.ndim());
    tensor.dtype = to_dl(x.dtype());
    tensor.shape = exported->shape.data();
    tensor.strides = exported->strides.data();
    tensor.byte_offset = 0;
    exported->managed.manager_ctx = exported.get();
    exported->managed.deleter = [](Managed* self) {
        delete static_cast<Exported<Managed>*>(self->manager_ctx);
    };
    if constexpr (requires(Managed m) { m.version; }) {
        exported->managed.version = {1, 0};
        exported->managed.flags = exported->buffer->read_only() ? kReadOnlyFlag : 0;
    } else if (exported->buffer->read_only()) {
        throw InvalidArgument("__dlpack__: read-only memory needs max_version=(1, 0) or a copy");
    }
    return &exported.release()->managed;
}

template <typename Managed>
void free_capsule(PyObject* capsule, const char* name) {
    if (PyCapsule_IsValid(capsule, name) == 0) return;  // consumed
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
}

// Calls the producer's deleter; some of them need the GIL.
template <typename Managed>
void free_import(void* context) noexcept {
    run_with_gil_later(
        [](void* managed) noexcept {
            auto* self = static_cast<Managed*>(managed);
            if (self->deleter != nullptr) self->deleter(self);
        },
        context);
}

template <typename Managed>
Tensor import_capsule(PyObject* capsule, const char* name, const char* used) {
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
    if (managed == nullptr) throw PythonError();
    const DLTensor& tensor = managed->tensor;
    ForeignMemory memory;
    memory.read_only = false;
    if constexpr (requires(Managed m) { m.version; }) {
        if (managed->version.major != 1) {
            throw InvalidArgument("from_dlpack: DLPack " + std::to_string(managed->version.major) +
                                  " is not known; version 1 is");
        }
        memory.read_only = (managed->flags & kReadOnlyFlag) != 0;
    }
    if (tensor.device.device_type != kDLCPU) {
        throw DeviceMismatch("from_dlpack: the memory is on a device of kind " +
                             std::to_string(tensor.device.device_type) +
                             ", this build knows the CPU");
    }
    memory.dtype = from_dl(tensor.dtype);
    memory.device = kCpu;
    memory.data = static_cast<char*>(tensor.data) + tensor.byte_offset;
    memory.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
    if (tensor.strides != nullptr) {
        memory.strides.assign(tensor.strides, tensor.strides + tensor.ndim);
    } else {
        memory.strides = contiguous_strides(memory.shape);
    }
    Tensor result = import_memory(memory, managed, &free_import<Managed>);
    checked_status(PyCapsule_SetName(capsule, used));
    return result;
}

}  // namespace

PyObject* to_dlpack(const Tensor& tensor, bool versioned) {
    if (tensor.requires_grad()) {
        PyErr_SetString(PyExc_BufferError, "__dlpack__: the tensor requires grad; use x.detach()");
        throw PythonError();
    }
    if (versioned) {
        return checked(PyCapsule_New(
            export_tensor<DLManagedTensorVersioned>(tensor), kVersionedName, [](PyObject* capsule) {
                free_capsule<DLManagedTensorVersioned>(capsule, kVersionedName);
            }));
    }
    return checked(
        PyCapsule_New(export_tensor<DLManagedTensor>(tensor), kName,
                      [](PyObject* capsule) { free_capsule<DLManagedTensor>(capsule, kName); }));
}

Tensor from_dlpack(PyObject* object) {
    nb::object capsule = nb::borrow(object);
    if (!PyCapsule_CheckExact(object)) {
        nb::object method = nb::steal(checked(PyObject_GetAttrString(object, "__dlpack__")));
        nb::dict keywords;
        keywords["max_version"] = nb::make_tuple(1, 0);
        nb::tuple none = nb::make_tuple();
        capsule = nb::steal(PyObject_Call(method.ptr(), none.ptr(), keywords.ptr()));
        if (!capsule.is_valid() && PyErr_ExceptionMatches(PyExc_TypeError) != 0) {
            PyErr_Clear();  // a producer from before version 1
            capsule = nb::steal(PyObject_CallNoArgs(method.ptr()));
        }
        if (!capsule.is_valid()) throw PythonError();
    }
    if (PyCapsule_IsValid(capsule.ptr(), kVersionedName) != 0) {
        return import_capsule<DLManagedTensorVersioned>(capsule.ptr(), kVersionedName,
                                                        kVersionedUsed);
    }
    if (PyCapsule_IsValid(capsule.ptr(), kName) != 0) {
        return import_capsule<DLManagedTensor>(capsule.ptr(), kName, kUsed);
    }
    throw_type_error(
        "from_dlpack: needs an object with __dlpack__ (or a capsule not consumed before)");
}

}  // namespace bindings
LUCID_NAMESPACE_END
