// The defaults that a signature writes as text, as attributes.
#pragma once

#include "lucid/core/Attrs.h"
#include "lucid/core/OpSchema.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// Absent for None, and for an argument without a default.
AttrValue default_value(const ArgSpec& spec);
// Of every non-tensor argument, in order: what a call that names none of them passes.
Attrs default_attrs(const Signature& signature);

}  // namespace bindings
LUCID_NAMESPACE_END
