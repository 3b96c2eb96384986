// What autograd remembers of a differentiable view: its base, and when its edge must be made again.
#pragma once

#include "lucid/autograd/Node.h"

LUCID_NAMESPACE_BEGIN

// The tensor that owns the Box which `impl` looks into; null when impl is no view (any more).
inline TensorImplPtr base_of(const TensorImpl& impl) noexcept {
    const AutogradMeta* meta = impl.autograd();
    if (meta == nullptr || !meta->base) return {};
    // set_data() on either end takes them apart.
    if (!(meta->base->storage().box() == impl.storage().box())) return {};
    return meta->base;
}

// When the Box was written since the edge of the view `impl` was made, makes that edge again from
// the base's current one. Does nothing for a tensor that is no view.
void refresh_view_edge(TensorImpl& impl);
inline void refresh_if_stale(TensorImpl& impl) {
    const AutogradMeta* meta = impl.autograd();
    if (meta == nullptr || !meta->base || meta->edge_version == impl.storage().box()->version())
        return;
    refresh_view_edge(impl);
}

LUCID_NAMESPACE_END
