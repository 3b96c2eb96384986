#include "lucid/autograd/CoreOps.h"

LUCID_NAMESPACE_BEGIN

CoreOps& core_ops() noexcept {
    static CoreOps table{};
    return table;
}

LUCID_NAMESPACE_END
