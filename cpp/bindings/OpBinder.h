// Every op of the registry as Python callables: lucid.name, Tensor.name, Tensor.name_ and
// lucid.nn.functional.name, from its schema alone.
#pragma once

#include <Python.h>

#include "lucid/core/OpRegistry.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// Binds the ops that are registered and not bound yet: functions into `functions` and `network`
// (dictionaries), methods onto Tensor.
void bind_ops(PyObject* functions, PyObject* network);

}  // namespace bindings
LUCID_NAMESPACE_END
