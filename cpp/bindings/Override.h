// __lucid_function__: the one override protocol, for classes and for modes. A class that defines
// it, or an active mode, gets (func, types, args, kwargs) instead of the call. Costs nothing
// otherwise: an object carries one bit, and the number of active modes is one global.
#pragma once

#include <Python.h>

#include <span>

#include "lucid/bindings/PyTensor.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// Whether this object asks for the override now (its class has it, and it is not switched off by an
// override that runs on this thread).
bool wants_override(PyObject* object);
bool mode_wants_override() noexcept;

// Calls the innermost mode, else the first class (subclasses first) that wants it, until one
// returns something other than NotImplemented. nullptr with no error set: nobody wants it.
PyObject* try_override(PyObject* function, std::span<PyObject* const> args, PyObject* kwargs);

// _push_mode(mode), _pop_mode(), _disable_overrides(), _enable_overrides().
void init_overrides(PyObject* module);

}  // namespace bindings
LUCID_NAMESPACE_END
