// A node of the backward graph as the tensor layer knows it (declared inversion: autograd derives
// from it). An Edge says which output of which node a gradient flows into.
#pragma once

#include "lucid/core/DeferredDelete.h"
#include "lucid/core/Dtype.h"
#include "lucid/core/Shape.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API GraphNode : public DeferredDelete {
public:
    // "AddBackward"; "AccumulateGrad" for the sink of a leaf.
    virtual const char* name() const noexcept = 0;
};

struct Edge {
    Ref<GraphNode> node;
    uint32_t output_nr = 0;
    explicit operator bool() const noexcept { return static_cast<bool>(node); }
};

LUCID_NAMESPACE_END
