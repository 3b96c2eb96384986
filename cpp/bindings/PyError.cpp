#include "lucid/bindings/PyError.h"

#include <nanobind/nanobind.h>

#include <array>
#include <new>

#include "lucid/bindings/Gil.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

struct PythonError::State {
    PyObject* type = nullptr;
    PyObject* value = nullptr;
    PyObject* traceback = nullptr;
    std::string text;
    ~State() {
        decref_anywhere(type);
        decref_anywhere(value);
        decref_anywhere(traceback);
    }
};

std::shared_ptr<PythonError::State> PythonError::fetch() {
    auto state = std::make_shared<State>();
    PyErr_Fetch(&state->type, &state->value, &state->traceback);
    PyErr_NormalizeException(&state->type, &state->value, &state->traceback);
    if (state->traceback != nullptr && state->value != nullptr) {
        PyException_SetTraceback(state->value, state->traceback);
    }
    state->text = "a Python error";
    PyObject* text = state->value != nullptr ? PyObject_Str(state->value) : nullptr;
    if (text != nullptr) {
        if (const char* utf8 = PyUnicode_AsUTF8AndSize(text, nullptr)) state->text = utf8;
        Py_DECREF(text);
    }
    PyErr_Clear();
    return state;
}

PythonError::PythonError() : PythonError(fetch()) {}

PythonError::PythonError(std::shared_ptr<State> state)
    : Error(ErrorKind::Lucid, state->text), state_(std::move(state)) {}

void PythonError::restore() const noexcept {
    if (state_->type == nullptr) {
        PyErr_SetString(PyExc_SystemError, "lucid: an error without a Python error set");
        return;
    }
    PyErr_Restore(Py_NewRef(state_->type), Py_XNewRef(state_->value),
                  Py_XNewRef(state_->traceback));
}

namespace {

constexpr size_t kNumKinds = static_cast<size_t>(ErrorKind::Overflow) + 1;
std::array<PyObject*, kNumKinds> classes{};

PyObject* make_class(PyObject* module, const char* name, PyObject* first, PyObject* second) {
    nb::object bases = second != nullptr
                           ? nb::object(nb::make_tuple(nb::borrow(first), nb::borrow(second)))
                           : nb::object(nb::make_tuple(nb::borrow(first)));
    const std::string qualified = std::string("lucid.") + name;
    PyObject* type = checked(PyErr_NewException(qualified.c_str(), bases.ptr(), nullptr));
    checked_status(PyObject_SetAttrString(module, name, type));
    return type;  // kept for ever
}

PyObject*& class_of(ErrorKind kind) { return classes[static_cast<size_t>(kind)]; }

}  // namespace

void init_errors(PyObject* module) {
    PyObject* base = make_class(module, "LucidError", PyExc_RuntimeError, nullptr);
    struct Row {
        ErrorKind kind;
        const char* name;
        PyObject* also;
    };
    const Row rows[] = {
        {ErrorKind::ShapeMismatch, "ShapeMismatch", PyExc_ValueError},
        {ErrorKind::DtypeMismatch, "DtypeMismatch", PyExc_TypeError},
        {ErrorKind::DeviceMismatch, "DeviceMismatch", nullptr},
        {ErrorKind::VersionMismatch, "VersionMismatch", nullptr},
        {ErrorKind::OutOfMemory, "OutOfMemory", PyExc_MemoryError},
        {ErrorKind::IndexOutOfRange, "IndexOutOfRange", PyExc_IndexError},
    };
    class_of(ErrorKind::Lucid) = base;
    for (const Row& row : rows) class_of(row.kind) = make_class(module, row.name, base, row.also);
    // NotImplementedError is a RuntimeError itself, so the order of the bases matters.
    class_of(ErrorKind::NotImplementedOp) =
        make_class(module, "NotImplementedOp", base, PyExc_NotImplementedError);
    class_of(ErrorKind::InvalidArgument) = PyExc_ValueError;
    class_of(ErrorKind::Overflow) = PyExc_OverflowError;
}

PyObject* set_python_error() noexcept {
    try {
        throw;
    } catch (const PythonError& error) {
        error.restore();
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const Error& error) {
        PyObject* type = class_of(error.kind());
        PyErr_SetString(type != nullptr ? type : PyExc_RuntimeError, error.what());
    } catch (const std::bad_alloc&) {
        PyErr_SetString(class_of(ErrorKind::OutOfMemory), "the host is out of memory");
    } catch (const std::out_of_range& error) {
        PyErr_SetString(PyExc_IndexError, error.what());
    } catch (const std::invalid_argument& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    } catch (...) {
        PyErr_SetString(PyExc_RuntimeError, "an unknown C++ exception");
    }
    return nullptr;
}

void throw_type_error(const std::string& text) {
    PyErr_SetString(PyExc_TypeError, text.c_str());
    throw PythonError();
}

}  // namespace bindings
LUCID_NAMESPACE_END
