// The graph side of an in-place write. The value always moves by rebinding the Box, or through
// core_ops().write_memory where the memory itself has to change.
#include "lucid/autograd/InPlace.h"

#include "lucid/autograd/Accumulate.h"
#include "lucid/autograd/CoreOps.h"
#include "lucid/autograd/View.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

[[noreturn]] void refuse(const char* op, const Tensor& target, const char* what, const char* rule) {
    const std::string text =
        ErrorBuilder(op, what).given("target", describe(target)).rule(rule).text();
    throw Error(ErrorKind::Lucid, text);
}

bool is_leaf_requiring_grad(const TensorImpl& impl) {
    return impl.requires_grad() && impl.is_leaf();
}

// The grad_fn of a tensor that required grad and was overwritten by constants: nothing flows
// further, but what it was computed from is still part of the graph and gets zeros.
class CopyBackward final : public Node {
public:
    CopyBackward(Edge edge, const Storage& storage) {
        set_edges({std::move(edge)});
        add_output(storage);
    }
    const char* name() const noexcept override { return "CopyBackward"; }
    void backward(std::span<const Tensor>, std::span<Tensor> grad_inputs) override {
        const TensorMeta& meta = input_meta(0);
        grad_inputs[0] = core_ops().full(meta.shape, Scalar(0), meta.dtype, meta.device);
    }
    void release_saved() noexcept override {}
};

// What is written; `owned` when no other tensor will use it, nor look at its memory.
struct Result {
    const Tensor& tensor;
    bool owned;
};

// (What a node has saved of the result shares its Box, but is never written.)
bool is_only_handle(const Tensor& result) {
    const TensorImpl& impl = *result.impl();
    return impl.use_count() == 1 && !base_of(impl) &&
           (impl.requires_grad() || impl.storage().box()->use_count() == 1);
}

// `storage` shows its whole memory, each element once.
bool covers_memory(const Storage& storage, const Value& value) {
    return storage.offset() == 0 && is_dense(storage.shape(), storage.strides()) &&
           value.nbytes() == static_cast<size_t>(storage.nbytes());
}

void write_value(const Tensor& target, Result result) {
    const Storage& to = target.storage();
    const Storage& from = result.tensor.storage();
    Value current = to.box()->value();
    Value value = from.box()->value();
    if (result.owned && !current.pinned() && !value.pinned() && to.shape() == from.shape() &&
        to.strides() == from.strides() && covers_memory(to, current) &&
        covers_memory(from, value)) {
        to.box()->rebind(std::move(value));
        return;
    }
    // A copy held here would keep write_memory from working in place.
    current = Value();
    value = Value();
    core_ops().write_memory(to, from);
}

// A tensor of target's shape whose edge the target may take over: it belongs to no other tensor.
Tensor own_result(const Tensor& target, Result result) {
    const Tensor& x = result.tensor;
    if (!(x.shape() == target.shape())) return core_ops().broadcast_to(x, target.shape());
    return result.owned && !x->is_leaf() ? x : core_ops().clone(x);
}

// target owns its Box.
void write_with_graph(const Tensor& target, Result result) {
    Edge before = gradient_edge(target);
    Edge after;
    if (result.tensor.requires_grad()) {
        after = gradient_edge(own_result(target, result));
    } else {
        after = {make_ref<CopyBackward>(std::move(before), target.storage()), 0};
    }
    write_value(target, result);
    target.storage().box()->bump_version();
    set_edge(target, Ref<Node>(as_node(after)), after.output_nr);
}

// target looks into the Box of `base`, whose new value is a scatter of result into the old one. The
// edges of target and of every other view are made again when somebody asks for them.
void write_view_with_graph(const char* op, const Tensor& target, const Tensor& base,
                           const Tensor& result) {
    if (target.dtype() != base.dtype()) {
        ErrorBuilder(op, "a view in another dtype cannot be written where gradients flow")
            .given("target", describe(target))
            .given("base", describe(base))
            .rule("write into the base, or use the functional form")
            .raise<NotImplementedOp>();
    }
    const Storage& region = target.storage();
    const Tensor source =
        result.shape() == target.shape() ? result : core_ops().broadcast_to(result, target.shape());
    const Tensor scattered = core_ops().as_strided_scatter(base, source, region.shape(),
                                                           region.strides(), region.offset());
    const Ref<Box>& box = region.box();
    Value current = box->value();
    Value written = scattered.storage().box()->value();
    const bool same_layout = scattered.storage().offset() == base.storage().offset() &&
                             scattered.strides() == base.strides() &&
                             written.nbytes() == current.nbytes();
    if (same_layout && !current.pinned()) {
        box->rebind(std::move(written));
    } else {
        current = Value();
        core_ops().write_memory(region, source.storage());
    }
    box->bump_version();
    const Edge edge = gradient_edge(scattered);
    set_edge(base, Ref<Node>(as_node(edge)), edge.output_nr);
}

}  // namespace

void check_inplace_shape(const char* op, const Tensor& target, const Tensor& result) {
    const Shape& to = target.shape();
    const Shape& from = result.shape();
    bool fits = from.size() <= to.size();
    for (size_t i = 1; fits && i <= from.size(); ++i) {
        const int64_t size = from[from.size() - i];
        fits = size == 1 || size == to[to.size() - i];
    }
    if (fits) return;
    ErrorBuilder(op, "the result does not fit into the target")
        .given("target", describe(target))
        .given("result", describe(result))
        .rule("an in-place op keeps the target's shape; use the functional form")
        .raise<ShapeMismatch>();
}

void check_inplace(const char* op, const Tensor& target) {
    const AutogradMeta* meta = target->autograd();
    if (meta != nullptr && meta->inference && !context().inference) {
        refuse(op, target, "an inference tensor cannot be written outside inference_mode",
               "clone it, or write under lucid.inference_mode()");
    }
    if (context().grad_enabled && meta != nullptr) {
        const TensorImplPtr base = base_of(*target.impl());
        if (base && is_leaf_requiring_grad(*base)) {
            refuse(op, target, "a view of a leaf that requires grad cannot be written in place",
                   "write under lucid.no_grad(), or use the functional form");
        }
        // A view that was made under no_grad joins the graph when it is written.
        if (base && base->requires_grad() && !target.requires_grad())
            refresh_view_edge(*target.impl());
        refresh_if_stale(*target.impl());
        if (is_leaf_requiring_grad(*target.impl())) {
            refuse(op, target, "a leaf that requires grad cannot be written in place",
                   "write under lucid.no_grad(), or use the functional form");
        }
    }
    const Storage& storage = target.storage();
    if (may_self_overlap(storage.shape(), storage.strides())) {
        refuse(
            op, target,
            "several positions of the target share one element (an expanded or overlapping view)",
            "write into a clone");
    }
    const Value value = storage.box()->value();
    const Buffer* buffer = value.ready_buffer();
    if (buffer != nullptr && buffer->read_only()) {
        refuse(op, target, "the memory is read-only (an imported array)", "write into a clone");
    }
}

namespace {

void write(const char* op, const Tensor& target, Result made) {
    const Tensor& result = made.tensor;
    check_inplace_shape(op, target, result);
    if (target.dtype() != result.dtype()) {
        ErrorBuilder(op, "the result has another dtype than the target")
            .given("target", describe(target))
            .given("result", describe(result))
            .raise<DtypeMismatch>();
    }
    if (context().grad_enabled) {
        const TensorImplPtr base_impl = base_of(*target.impl());
        const Tensor base(base_impl);
        const Tensor* operands[] = {&target, &base, &result};
        if (any_requires_grad(operands)) {
            if (base_impl) {
                write_view_with_graph(op, target, base, result);
            } else {
                write_with_graph(target, made);
            }
            return;
        }
    }
    write_value(target, made);
    target.storage().box()->bump_version();
}

}  // namespace

void write_inplace(const char* op, const Tensor& target, const Tensor& result) {
    write(op, target, {result, false});
}

void write_inplace(const char* op, const Tensor& target, Tensor&& result) {
    const Tensor owned = std::move(result);
    write(op, target, {owned, is_only_handle(owned)});
}

Tensor snapshot_for_inplace(const Tensor& target) {
    if (!context().grad_enabled) return target;
    const Storage& storage = target.storage();
    // The bytes of pinned memory change under any snapshot. Sharing the Box makes a backward that
    // needs the old value raise VersionMismatch instead.
    Tensor before(storage.box()->value().pinned() ? storage : storage.snapshot());
    if (target->is_weak()) before->set_weak();
    if (requires_grad(target)) before->ensure_autograd().edge = gradient_edge(target);
    return before;
}

LUCID_NAMESPACE_END
