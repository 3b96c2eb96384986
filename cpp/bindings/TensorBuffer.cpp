// The buffer protocol, both ways: memoryview(tensor) and numpy() give others our memory; from_numpy
// takes theirs. NumPy itself is not needed for either.
#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lucid/backend/Export.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/TensorMake.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

// struct-module codes by dtype; nullptr where the protocol has none.
constexpr const char* kFormats[kNumDtypes] = {"?", "B", "H",     "I", "L", "b",  "h", "i",
                                              "l", "e", nullptr, "f", "d", "Zf", "Zd"};

struct Exported {
    Ref<Buffer> buffer;
    std::vector<Py_ssize_t> shape;
    std::vector<Py_ssize_t> strides;
};

int buffer_error(const std::string& text) {
    PyErr_SetString(PyExc_BufferError, text.c_str());
    return -1;
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
    view->obj = nullptr;
    return guarded_int([&]() -> int {
        const Tensor& x = unwrap(object);
        const char* format = kFormats[static_cast<int>(x.dtype())];
        if (x.requires_grad()) return buffer_error("a tensor that requires grad: use x.detach()");
        if (format == nullptr)
            return buffer_error("the buffer protocol has no bfloat16: cast first");
        if (x.device().type != DeviceType::CPU) return buffer_error("not on the CPU: use x.cpu()");
        const bool wants_strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES;
        const bool wants_row_major = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS;
        if ((!wants_strides || wants_row_major) && !x.is_contiguous()) {
            return buffer_error("the tensor is not contiguous: use x.contiguous()");
        }
        if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && x.ndim() > 1) {
            return buffer_error("column-major memory is not offered");
        }
        auto exported = std::make_unique<Exported>();
        {
            const GilRelease release(x.storage().box()->value().is_pending());
            exported->buffer = export_memory(x.storage());
        }
        if (exported->buffer->read_only() && (flags & PyBUF_WRITABLE) != 0) {
            return buffer_error("the tensor's memory is read-only");
        }
        for (int64_t size : x.shape()) exported->shape.push_back(size);
        for (int64_t stride : x.strides()) exported->strides.push_back(stride * x.itemsize());
        view->buf =
            static_cast<char*>(exported->buffer->data()) + x.storage().offset() * x.itemsize();
        view->len = x.nbytes();
        view->readonly = exported->buffer->read_only() ? 1 : 0;
        view->itemsize = x.itemsize();
        view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
        view->ndim = static_cast<int>(x.ndim());
        view->shape = (flags & PyBUF_ND) != 0 ? exported->shape.data() : nullptr;
        view->strides = wants_strides ? exported->strides.data() : nullptr;
        view->suboffsets = nullptr;
        view->internal = exported.release();
        view->obj = Py_NewRef(object);
        return 0;
    });
}

void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Exported*>(view->internal); }

void free_view(void* context) noexcept {
    run_with_gil_later(
        [](void* view) noexcept {
            PyBuffer_Release(static_cast<Py_buffer*>(view));
            delete static_cast<Py_buffer*>(view);
        },
        context);
}

[[noreturn]] void refuse(const char* who, const std::string& what, const std::string& rule) {
    ErrorBuilder(who, what).rule(rule).raise<DtypeMismatch>();
}

Dtype integer_of(bool is_signed, Py_ssize_t itemsize) {
    switch (itemsize) {
        case 1: return is_signed ? Dtype::Int8 : Dtype::UInt8;
        case 2: return is_signed ? Dtype::Int16 : Dtype::UInt16;
        case 4: return is_signed ? Dtype::Int32 : Dtype::UInt32;
        default: return is_signed ? Dtype::Int64 : Dtype::UInt64;
    }
}

Dtype dtype_of_format(const char* who, const char* format, Py_ssize_t itemsize) {
    std::string code = format != nullptr ? format : "B";
    if (!code.empty() && std::string("@=<>!").find(code[0]) != std::string::npos) {
        if ((code[0] == '>' || code[0] == '!') && itemsize > 1) {
            refuse(who, "the array is big-endian",
                   "convert it first: a.astype(a.dtype.newbyteorder('='))");
        }
        code.erase(0, 1);
    }
    if (code == "?") return Dtype::Bool;
    if (code == "e") return Dtype::Float16;
    if (code == "f") return Dtype::Float32;
    if (code == "d") return Dtype::Float64;
    if (code == "Zf") return Dtype::Complex64;
    if (code == "Zd") return Dtype::Complex128;
    if (code.size() == 1 && std::string("bhilqn").find(code[0]) != std::string::npos) {
        return integer_of(true, itemsize);
    }
    if (code.size() == 1 && std::string("BHILQNc").find(code[0]) != std::string::npos) {
        return integer_of(false, itemsize);
    }
    refuse(who, "no dtype for the buffer format '" + code + "'",
           "bool, integers, float16/32/64 and complex64/128 are known");
}

// ml_dtypes.bfloat16 arrays have no buffer format: look at their bits as uint16.
nb::object bits_of_bfloat16(PyObject* object) {
    nb::object dtype = nb::steal(PyObject_GetAttrString(object, "dtype"));
    if (!dtype.is_valid()) {
        PyErr_Clear();
        return {};
    }
    nb::object name = nb::steal(PyObject_GetAttrString(dtype.ptr(), "name"));
    if (!name.is_valid() || !PyUnicode_Check(name.ptr()) ||
        std::string(nb::str(name).c_str()) != "bfloat16") {
        PyErr_Clear();
        return {};
    }
    return nb::steal(checked(PyObject_CallMethod(object, "view", "s", "uint16")));
}

}  // namespace

Tensor from_buffer(PyObject* object, const char* who) {
    nb::object bits = bits_of_bfloat16(object);
    PyObject* source = bits.is_valid() ? bits.ptr() : object;
    auto view = std::make_unique<Py_buffer>();
    int flags = PyBUF_FULL;
    if (PyObject_GetBuffer(source, view.get(), flags) != 0) {
        PyErr_Clear();
        flags = PyBUF_FULL_RO;
        if (PyObject_GetBuffer(source, view.get(), flags) != 0) {
            const PythonError error;  // NumPy's ValueError for a dtype that no buffer can have
            PyErr_Clear();
            if (PyObject_CheckBuffer(source) != 0)
                refuse(who, error.what(),
                       "bool, integers, float16/32/64 and complex64/128 are known");
            throw_type_error(std::string(who) + ": " + error.what());
        }
    }
    Py_buffer* raw = view.release();
    struct Guard {
        Py_buffer* view;
        ~Guard() {
            if (view != nullptr) free_view(view);
        }
    } guard{raw};
    ForeignMemory memory;
    memory.data = raw->buf;
    memory.dtype =
        bits.is_valid() ? Dtype::BFloat16 : dtype_of_format(who, raw->format, raw->itemsize);
    memory.device = kCpu;
    memory.read_only = raw->readonly != 0;
    const int64_t itemsize = size_of(memory.dtype);
    int64_t dense = raw->itemsize;
    for (int i = raw->ndim - 1; i >= 0; --i) {
        const Py_ssize_t stride = raw->strides != nullptr ? raw->strides[i] : dense;
        if (stride % itemsize != 0 && raw->shape[i] > 1) {
            ErrorBuilder(who, "the array's strides are no multiples of its element size")
                .rule("copy it first: a.copy()")
                .raise<InvalidArgument>();
        }
        memory.shape.insert(memory.shape.begin(), raw->shape[i]);
        memory.strides.insert(memory.strides.begin(), stride / itemsize);
        dense *= raw->shape[i];
    }
    if (reinterpret_cast<uintptr_t>(raw->buf) % static_cast<uintptr_t>(raw->itemsize) != 0 &&
        numel_of(memory.shape) > 0) {
        const uintptr_t needed = is_complex(memory.dtype) ? static_cast<uintptr_t>(itemsize / 2)
                                                          : static_cast<uintptr_t>(itemsize);
        if (reinterpret_cast<uintptr_t>(raw->buf) % needed != 0) {
            ErrorBuilder(who, "the array's memory is not aligned to its elements")
                .rule("copy it first: a.copy()")
                .raise<InvalidArgument>();
        }
    }
    Tensor tensor = import_memory(memory, raw, &free_view);
    guard.view = nullptr;
    return tensor;
}

void add_buffer_slots(Slots& slots) {
    slots.push_back({Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)});
    slots.push_back({Py_bf_releasebuffer, reinterpret_cast<void*>(&release_buffer)});
}

}  // namespace bindings
LUCID_NAMESPACE_END
