#include "lucid/core/DeferredDelete.h"

LUCID_NAMESPACE_BEGIN

void DeferredDelete::destroy() noexcept {
    // Zero-initialised thread-locals of trivial type: usable during the exit of a thread as well.
    static thread_local DeferredDelete* doomed = nullptr;
    static thread_local bool draining = false;
    next_doomed_ = doomed;
    doomed = this;
    if (draining) return;
    draining = true;
    while (doomed != nullptr) {
        DeferredDelete* victim = doomed;
        doomed = victim->next_doomed_;
        delete victim;
    }
    draining = false;
}

LUCID_NAMESPACE_END
