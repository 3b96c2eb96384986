#include "lucid/autograd/View.h"

#include "lucid/autograd/Accumulate.h"
#include "lucid/autograd/CoreOps.h"
#include "lucid/autograd/Graph.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

void refresh_view_edge(TensorImpl& impl) {
    AutogradMeta& meta = *impl.autograd();
    const uint32_t version = impl.storage().box()->version();
    const TensorImplPtr base = base_of(impl);
    // Nothing flows to the base, or the view was made a leaf of its own.
    if (!base || !base->requires_grad() || meta.requires_grad) {
        meta.edge_version = version;
        return;
    }
    const Storage& storage = impl.storage();
    if (storage.dtype() != base->storage().dtype()) {
        ErrorBuilder("grad_fn", "a view in another dtype cannot follow an in-place write")
            .given("view", describe(storage))
            .given("base", describe(base->storage()))
            .rule("make the view (real, imag) again after the write")
            .raise<NotImplementedOp>();
    }
    Edge edge;
    if (is_inexact(storage.dtype())) {
        Scoped<bool> grad_mode(context().grad_enabled, true);
        const Tensor again = core_ops().as_strided(Tensor(base), storage.shape(), storage.strides(),
                                                   storage.offset());
        edge = gradient_edge(again);
    }
    set_edge(Tensor(TensorImplPtr(&impl)), Ref<Node>(as_node(edge)), edge.output_nr);
    meta.edge_version = version;
}

void mark_view(const Tensor& view, const Tensor& base) {
    if (context().inference || view.impl() == base.impl()) return;
    if (!(view.storage().box() == base.storage().box())) return;
    TensorImplPtr root = base_of(*base.impl());
    if (!root) root = base.impl();
    AutogradMeta& meta = view->ensure_autograd();
    meta.base = std::move(root);
    meta.edge_version = view.storage().box()->version();
}

LUCID_NAMESPACE_END
