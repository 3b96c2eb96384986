#include "lucid/core/Context.h"

LUCID_NAMESPACE_BEGIN

Context& context() noexcept {
    static constinit thread_local Context instance;
    return instance;
}

LUCID_NAMESPACE_END
