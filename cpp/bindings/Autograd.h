// lucid.autograd and the grad modes as functions of the module.
#pragma once

#include <Python.h>

#include "lucid/autograd/Node.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

void init_autograd(PyObject* module);
// A new reference; None for no node.
PyObject* node_to_python(const Ref<Node>& node);

}  // namespace bindings
LUCID_NAMESPACE_END
