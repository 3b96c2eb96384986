#include "lucid/bindings/TensorMake.h"

#include <nanobind/nanobind.h>

#include <cstring>
#include <vector>

#include "lucid/autograd/Graph.h"
#include "lucid/backend/Dispatcher.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/OpIds.h"
#include "lucid/bindings/PyScalar.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/core/Context.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

constexpr int kMaxNesting = 64;

Tensor cast_to(const Tensor& x, Dtype dtype) {
    if (x.dtype() == dtype) return x;
    const Tensor* const inputs[] = {&x};
    return call_op_one(require_op(Operator::Cast), inputs, Attrs::of(dtype));
}

Tensor copy_of(const Tensor& x) {
    const Tensor* const inputs[] = {&x};
    return call_op_one(require_op(Operator::Clone), inputs, Attrs());
}

// Collects nested sequences: the shape from the first elements, then every number in order.
class Collector {
public:
    void collect(PyObject* data, int depth) {
        if (depth > kMaxNesting) {
            throw ShapeMismatch("tensor(): the data is nested deeper than 64 levels");
        }
        Scalar scalar;
        if (scalar_from_python(data, scalar)) {
            leaf(depth, {});
            weak_ = true;
            kind_ = std::max(kind_, scalar.kind());
            values_.push_back(scalar);
        } else if (is_tensor(data)) {
            append(unwrap(data), depth);
        } else if (PyList_Check(data) || PyTuple_Check(data)) {
            sequence(data, depth);
        } else if (PyObject_CheckBuffer(data) != 0) {
            append(copy_buffer(data), depth);
        } else if (PySequence_Check(data) != 0 && !PyUnicode_Check(data)) {
            sequence(data, depth);
        } else {
            throw_type_error("tensor(): cannot make a number of " + type_of(data));
        }
    }

    Tensor finish(std::optional<Dtype> dtype) const {
        Dtype result = dtype.value_or(natural_dtype());
        char* out = nullptr;
        Tensor tensor = allocate_tensor(result, shape_, out);
        const size_t itemsize = static_cast<size_t>(size_of(result));
        for (const Scalar& value : values_) {
            value.store(result, out);
            out += itemsize;
        }
        return tensor;
    }

private:
    static std::string type_of(PyObject* object) {
        nb::object name = nb::steal(checked(
            PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__")));
        return nb::str(name).c_str();
    }

    Dtype natural_dtype() const {
        const Dtype real = context().default_dtype;
        if (strong_ && !weak_) return *strong_;
        if (values_.empty()) return real;
        switch (kind_) {
            case Scalar::Kind::Bool: return Dtype::Bool;
            case Scalar::Kind::Int: return Dtype::Int64;
            case Scalar::Kind::UInt: return Dtype::UInt64;
            case Scalar::Kind::Float: return real;
            case Scalar::Kind::Complex: return complex_dtype(real);
        }
        return real;
    }

    // The first leaf fixes the rank; later ones must agree.
    void leaf(int depth, DimSpan inner) {
        if (!rank_known_) {
            rank_known_ = true;
            for (int64_t size : inner) shape_.push_back(size);
        }
        const auto rank = static_cast<size_t>(depth) + inner.size();
        bool same = rank == shape_.size();
        for (size_t i = 0; same && i < inner.size(); ++i) {
            same = inner[i] == shape_[static_cast<size_t>(depth) + i];
        }
        if (!same) {
            throw ShapeMismatch(
                "tensor(): the nesting is ragged: numbers and sequences at one depth");
        }
    }

    void sequence(PyObject* data, int depth) {
        nb::object fast = nb::steal(checked(PySequence_Tuple(data)));
        const Py_ssize_t size = PyTuple_Size(fast.ptr());
        const auto level = static_cast<size_t>(depth);
        if (!rank_known_ && level == shape_.size()) {
            shape_.push_back(size);
        } else if (level >= shape_.size()) {
            throw ShapeMismatch(
                "tensor(): the nesting is ragged: numbers and sequences at one depth");
        } else if (shape_[level] != size) {
            throw ShapeMismatch("tensor(): expected a sequence of length " +
                                std::to_string(shape_[level]) + " at dim " + std::to_string(depth) +
                                ", got " + std::to_string(size));
        }
        for (Py_ssize_t i = 0; i < size; ++i) collect(PyTuple_GetItem(fast.ptr(), i), depth + 1);
        if (size == 0) rank_known_ = true;
    }

    void append(const Tensor& tensor, int depth) {
        leaf(depth, tensor.shape());
        const Dtype dtype = tensor.dtype();
        strong_ = strong_ ? promote_types(*strong_, dtype) : dtype;
        nb::object bytes = nb::steal(checked(to_bytes(tensor)));
        const char* data = PyBytes_AsString(bytes.ptr());
        const int64_t count = tensor.numel();
        for (int64_t i = 0; i < count; ++i) {
            values_.push_back(Scalar::load(dtype, data + i * size_of(dtype)));
            kind_ = std::max(kind_, values_.back().kind());
        }
    }

    Shape shape_;
    bool rank_known_ = false;
    std::vector<Scalar> values_;
    Scalar::Kind kind_ = Scalar::Kind::Bool;
    std::optional<Dtype> strong_;  // of the tensors and NumPy scalars met so far
    bool weak_ = false;            // a Python number was met
};

// Copies a strided array to row-major memory.
void copy_strided(char*& out, const char* in, const int64_t* shape, const int64_t* strides_bytes,
                  size_t rank, size_t itemsize) {
    if (rank == 0) {
        std::memcpy(out, in, itemsize);
        out += itemsize;
        return;
    }
    if (rank == 1 && strides_bytes[0] == static_cast<int64_t>(itemsize)) {
        const size_t nbytes = static_cast<size_t>(shape[0]) * itemsize;
        if (nbytes != 0) std::memcpy(out, in, nbytes);
        out += nbytes;
        return;
    }
    for (int64_t i = 0; i < shape[0]; ++i) {
        copy_strided(out, in + i * strides_bytes[0], shape + 1, strides_bytes + 1, rank - 1,
                     itemsize);
    }
}

void copy_elements(const Storage& storage, const char* data, char* out) {
    const size_t itemsize = static_cast<size_t>(storage.itemsize());
    if (storage.numel() == 0) return;
    Strides bytes = storage.strides();
    for (int64_t& stride : bytes) stride *= storage.itemsize();
    if (storage.is_contiguous()) {
        std::memcpy(out, data, static_cast<size_t>(storage.nbytes()));
    } else {
        copy_strided(out, data, storage.shape().data(), bytes.data(), bytes.size(), itemsize);
    }
}

PyObject* list_of(const Storage& storage, const char* data, size_t axis) {
    if (axis == storage.shape().size()) return checked(element_to_python(storage.dtype(), data));
    const int64_t size = storage.shape()[axis];
    nb::object list = nb::steal(checked(PyList_New(size)));
    const int64_t stride = storage.strides()[axis] * storage.itemsize();
    for (int64_t i = 0; i < size; ++i) {
        PyList_SetItem(list.ptr(), i, list_of(storage, data + i * stride, axis + 1));
    }
    return list.release().ptr();
}

}  // namespace

Tensor make_tensor(PyObject* data, std::optional<Dtype> dtype) {
    if (is_tensor(data)) {
        const Scoped<bool> no_grad(context().grad_enabled, false);
        const Tensor& source = unwrap(data);
        const bool converts = dtype && *dtype != source.dtype();
        return converts ? cast_to(source, *dtype) : copy_of(source);
    }
    if (PyObject_CheckBuffer(data) != 0) {
        const Tensor copy = copy_buffer(data);
        return cast_to(copy, dtype.value_or(copy.dtype()));
    }
    // Foreign arrays without the buffer protocol.
    const bool plain = PyList_Check(data) || PyTuple_Check(data) || PyNumber_Check(data) != 0;
    if (!plain && PyObject_HasAttrString(data, "__dlpack__") != 0) {
        const Tensor copy = copy_of(from_dlpack(data));
        return cast_to(copy, dtype.value_or(copy.dtype()));
    }
    if (!plain && PyObject_HasAttrString(data, "__array__") != 0) {
        nb::object array = nb::steal(checked(PyObject_CallMethod(data, "__array__", nullptr)));
        if (!is_tensor(array.ptr()) && PyObject_CheckBuffer(array.ptr()) == 0) {
            throw_type_error("tensor: __array__() did not return an array");
        }
        return make_tensor(array.ptr(), dtype);
    }
    Collector collector;
    collector.collect(data, 0);
    return collector.finish(dtype);
}

Tensor make_empty() {
    char* data = nullptr;
    return allocate_tensor(context().default_dtype, Shape{0}, data);
}

Tensor alias_of(const Tensor& tensor) { return detach(tensor); }

Tensor allocate_tensor(Dtype dtype, const Shape& shape, char*& data) {
    const size_t nbytes = static_cast<size_t>(numel_of(shape) * size_of(dtype));
    Ref<Buffer> buffer = Dispatcher::for_device(kCpu)->allocate(nbytes);
    data = static_cast<char*>(buffer->data());
    return Tensor(Storage::dense(Value(std::move(buffer)), dtype, kCpu, shape));
}

const char* force_data(const Tensor& tensor) {
    const GilRelease release(tensor.storage().box()->value().is_pending());
    return static_cast<const char*>(tensor.storage().data());
}

PyObject* to_list(const Tensor& tensor) { return list_of(tensor.storage(), force_data(tensor), 0); }

PyObject* to_bytes(const Tensor& tensor) {
    const char* data = force_data(tensor);
    PyObject* bytes = checked(PyBytes_FromStringAndSize(nullptr, tensor.nbytes()));
    copy_elements(tensor.storage(), data, PyBytes_AsString(bytes));
    return bytes;
}

Tensor from_bytes(const void* data, size_t nbytes, Dtype dtype, const Shape& shape) {
    char* out = nullptr;
    Tensor tensor = allocate_tensor(dtype, shape, out);
    if (static_cast<size_t>(tensor.nbytes()) != nbytes) {
        throw ShapeMismatch("from_bytes: " + std::to_string(nbytes) + " bytes do not fill " +
                            describe(tensor));
    }
    if (nbytes != 0) std::memcpy(out, data, nbytes);
    return tensor;
}

Tensor import_memory(const ForeignMemory& memory, void* context,
                     void (*free_context)(void*) noexcept) {
    const int64_t itemsize = size_of(memory.dtype);
    int64_t lowest = 0;  // in elements, relative to the first one
    int64_t highest = 0;
    if (numel_of(memory.shape) > 0) {
        for (size_t i = 0; i < memory.shape.size(); ++i) {
            const int64_t reach = (memory.shape[i] - 1) * memory.strides[i];
            (reach < 0 ? lowest : highest) += reach;
        }
    }
    const bool none = numel_of(memory.shape) == 0;
    const int64_t extent = none ? 0 : highest - lowest + 1;
    char* base = static_cast<char*>(memory.data) + lowest * itemsize;
    Ref<Buffer> buffer = Buffer::wrap(base, static_cast<size_t>(extent * itemsize), memory.device,
                                      context, free_context);
    buffer->pin();
    if (memory.read_only) buffer->set_read_only();
    return Tensor(Storage(make_ref<Box>(Value(std::move(buffer))), memory.dtype, memory.device,
                          memory.shape, memory.strides, none ? 0 : -lowest));
}

Tensor copy_buffer(PyObject* object) {
    const Tensor view = from_buffer(object, "tensor()");
    char* out = nullptr;
    Tensor copy = allocate_tensor(view.dtype(), view.shape(), out);
    copy_elements(view.storage(), static_cast<const char*>(view.storage().data()), out);
    return copy;
}

}  // namespace bindings
LUCID_NAMESPACE_END
