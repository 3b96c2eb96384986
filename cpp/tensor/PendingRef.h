// A value that some backend has promised but not computed (declared inversion: the backend derives
// from it). All members may be called from any thread.
#pragma once

#include "lucid/core/Buffer.h"
#include "lucid/core/DeferredDelete.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API PendingRef : public DeferredDelete {
public:
    // Computes the value, or waits for it. Throws the error of the op that failed to make it; every
    // later call throws the same.
    virtual Ref<Buffer> force() = 0;
    // Starts the computation without waiting for it.
    virtual void start() = 0;
    virtual bool is_ready() const noexcept = 0;
    // The size of the memory that it will be.
    virtual size_t nbytes() const noexcept = 0;
};

LUCID_NAMESPACE_END
