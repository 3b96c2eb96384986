// A reference-counted object whose destruction never recurses: a chain of 100,000 nodes dies in a
// loop. The last release links the object into a list of the calling thread; the outermost release
// deletes.
#pragma once

#include "lucid/core/Ref.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API DeferredDelete : public RefCounted {
protected:
    void destroy() noexcept override;

private:
    DeferredDelete* next_doomed_ = nullptr;
};

LUCID_NAMESPACE_END
