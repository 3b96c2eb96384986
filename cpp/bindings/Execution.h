// Streams, events, generators, threads, memory and the engine's switches as functions of the
// module.
#pragma once

#include <Python.h>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

void init_streams(PyObject* module);
void init_execution(PyObject* module);
// lucid.ops.table() as a list of dictionaries.
void init_op_table(PyObject* module);
// _SGD.
void init_optim(PyObject* module);

}  // namespace bindings
LUCID_NAMESPACE_END
