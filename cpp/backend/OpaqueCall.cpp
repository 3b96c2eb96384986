#include "lucid/backend/OpaqueCall.h"

LUCID_NAMESPACE_BEGIN

OpaqueCall::~OpaqueCall() = default;

LUCID_NAMESPACE_END
