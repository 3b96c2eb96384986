// Errors across the border. C++ errors become the Python classes of the same names; a Python error
// that must cross C++ (a hook, Function.backward, Ctrl-C) travels as a PythonError and comes out
// unchanged.
#pragma once

#include <Python.h>

#include <exception>
#include <memory>
#include <string>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// An Error, so that an extension's translator (lucid/nanobind.h) lets it through too.
class PythonError final : public Error {
public:
    // Takes the current error of the interpreter; the GIL must be held.
    PythonError();
    // Makes it the current error again, with its traceback; the GIL must be held.
    void restore() const noexcept;

private:
    struct State;
    explicit PythonError(std::shared_ptr<State> state);
    static std::shared_ptr<State> fetch();
    std::shared_ptr<State> state_;
};

// Creates lucid.LucidError and its children in `module`.
void init_errors(PyObject* module);
// Turns the exception that is being handled into the current Python error; returns nullptr.
PyObject* set_python_error() noexcept;
// A TypeError as an exception.
[[noreturn]] void throw_type_error(const std::string& text);

// Runs a body of a slot: its result, or nullptr with the Python error set.
template <typename F>
PyObject* guarded(F&& body) noexcept {
    try {
        return body();
    } catch (...) {
        return set_python_error();
    }
}
template <typename F>
int guarded_int(F&& body) noexcept {
    try {
        return body();
    } catch (...) {
        set_python_error();
        return -1;
    }
}
// For calls of the C API that report failure by nullptr.
inline PyObject* checked(PyObject* result) {
    if (result == nullptr) throw PythonError();
    return result;
}
inline void checked_status(int status) {
    if (status < 0) throw PythonError();
}

}  // namespace bindings
LUCID_NAMESPACE_END
