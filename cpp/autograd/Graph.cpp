#include "lucid/autograd/Graph.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <unordered_set>

#include "lucid/autograd/Accumulate.h"
#include "lucid/autograd/View.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

uint64_t next_hook_id() noexcept {
    static std::atomic<uint64_t> counter{1};
    return counter.fetch_add(1, std::memory_order_relaxed);
}

[[noreturn]] void raise(const ErrorBuilder& error) { throw Error(ErrorKind::Lucid, error.text()); }

void need_requires_grad(const char* who, const Tensor& tensor) {
    if (requires_grad(tensor)) return;
    raise(ErrorBuilder(who, "the tensor does not require grad")
              .given("x", describe(tensor))
              .rule("x.requires_grad_() first, or use what was computed from such a tensor"));
}

// Takes the hook out under the lock and lets it die outside: that may run Python.
template <typename Entry, typename IdOf>
bool erase_hook(std::vector<Entry>& hooks, uint64_t id, IdOf id_of) noexcept {
    std::optional<Entry> erased;
    std::lock_guard guard(hooks_mutex());
    for (auto at = hooks.begin(); at != hooks.end(); ++at) {
        if (id_of(*at) != id) continue;
        erased = std::move(*at);
        hooks.erase(at);
        break;
    }
    return erased.has_value();
}

bool erase_hook(std::vector<TensorHook>& hooks, uint64_t id) noexcept {
    return erase_hook(hooks, id, [](const TensorHook& hook) { return hook.id; });
}

bool erase_hook(Node& node, uint64_t id) noexcept {
    return erase_hook(node.hooks(), id, [](const auto& entry) { return entry.hook.id; });
}

// The weak pointer by which nodes know a tensor that retains its gradient.
const Ref<WeakTensor>& weak_self(TensorImpl& impl) {
    TensorSlot& slot = tensor_slot(impl);
    if (!slot.self) slot.self = make_ref<WeakTensor>(&impl);
    return slot.self;
}

void stop_retaining(const Edge& edge, const Ref<WeakTensor>& tensor) {
    if (!edge) return;
    std::erase_if(as_node(edge)->retainers(),
                  [&](const auto& entry) { return entry.second == tensor; });
}

}  // namespace

Edge gradient_edge(const Tensor& tensor) {
    if (!tensor.defined()) return {};
    const TensorImplPtr& impl = tensor.impl();
    AutogradMeta* meta = impl->autograd();
    if (meta == nullptr) return {};
    refresh_if_stale(*impl);
    if (meta->edge) return meta->edge;
    return meta->requires_grad ? accumulator_edge(impl) : Edge{};
}

bool any_requires_grad(std::span<const Tensor* const> inputs) {
    bool any = false;
    for (const Tensor* input : inputs) {
        if (!input->defined()) continue;
        refresh_if_stale(*input->impl());
        any = any || input->requires_grad();
    }
    return any;
}

bool any_requires_grad(std::span<const TensorImplPtr> inputs) {
    bool any = false;
    for (const TensorImplPtr& input : inputs) {
        if (!input) continue;
        refresh_if_stale(*input);
        any = any || input->requires_grad();
    }
    return any;
}

bool requires_grad(const Tensor& tensor) {
    const Tensor* inputs[] = {&tensor};
    return any_requires_grad(inputs);
}

Ref<Node> grad_fn(const Tensor& tensor) {
    if (!requires_grad(tensor)) return {};
    Node* node = as_node(tensor->autograd()->edge);
    return Ref<Node>(as_accumulate_grad(node) != nullptr ? nullptr : node);
}

void set_edge(const Tensor& tensor, Ref<Node> node, uint32_t output_nr) {
    AutogradMeta& meta = tensor->ensure_autograd();
    if (meta.retains_grad && meta.accumulator) {
        const Ref<WeakTensor>& self = weak_self(*tensor.impl());
        stop_retaining(meta.edge, self);
        if (node) node->retainers().emplace_back(output_nr, self);
    }
    if (node) meta.requires_grad = false;
    meta.edge = {std::move(node), output_nr};
    if (meta.base) meta.edge_version = tensor.storage().box()->version();
}

void set_requires_grad(const Tensor& tensor, bool value) {
    refresh_if_stale(*tensor.impl());
    if (!tensor->is_leaf()) {
        if (value) return;
        raise(ErrorBuilder("requires_grad_(False)", "only a leaf can stop requiring grad")
                  .given("x", describe(tensor))
                  .given("grad_fn", tensor->autograd()->edge.node->name())
                  .rule("x.detach() gives the same values outside the graph"));
    }
    if (!value) {
        if (AutogradMeta* meta = tensor->autograd()) meta->requires_grad = false;
        return;
    }
    if (!is_inexact(tensor.dtype())) {
        ErrorBuilder("requires_grad_", "only floating and complex tensors can require grad")
            .given("x", describe(tensor))
            .raise<DtypeMismatch>();
    }
    const AutogradMeta* meta = tensor->autograd();
    if (meta != nullptr && meta->inference && !context().inference) {
        raise(ErrorBuilder("requires_grad_", "an inference tensor outside inference_mode")
                  .given("x", describe(tensor))
                  .rule("clone it first"));
    }
    tensor_slot(*tensor.impl());
    tensor->autograd()->requires_grad = true;
}

Tensor detach(const Tensor& tensor) { return Tensor(tensor.storage()); }

std::mutex& hooks_mutex() noexcept {
    static std::mutex* mutex = new std::mutex;  // never destroyed
    return *mutex;
}

uint64_t register_hook(const Tensor& tensor, std::function<Tensor(const Tensor&)> run,
                       void* owner) {
    need_requires_grad("register_hook", tensor);
    const uint64_t id = next_hook_id();
    AutogradMeta& meta = *tensor->autograd();
    TensorHook hook{id, std::move(run), owner};
    std::lock_guard guard(hooks_mutex());
    if (meta.edge) {
        as_node(meta.edge)->hooks().push_back({meta.edge.output_nr, std::move(hook)});
    } else {
        meta.hooks.push_back(std::move(hook));
    }
    return id;
}

uint64_t register_post_accumulate_hook(const Tensor& tensor,
                                       std::function<Tensor(const Tensor&)> run, void* owner) {
    need_requires_grad("register_post_accumulate_grad_hook", tensor);
    AutogradMeta& meta = *tensor->autograd();
    if (meta.edge) {
        raise(ErrorBuilder("register_post_accumulate_grad_hook", "the tensor is not a leaf")
                  .given("x", describe(tensor))
                  .given("grad_fn", meta.edge.node->name())
                  .rule("only a leaf accumulates; register_hook works on any tensor"));
    }
    const uint64_t id = next_hook_id();
    std::lock_guard guard(hooks_mutex());
    meta.post_accumulate_hooks.push_back({id, std::move(run), owner});
    return id;
}

void remove_hook(const Tensor& tensor, uint64_t id) noexcept {
    AutogradMeta* meta = tensor->autograd();
    if (meta == nullptr) return;
    if (erase_hook(meta->hooks, id) || erase_hook(meta->post_accumulate_hooks, id)) return;
    // In-place writes may have put newer nodes between the tensor and the one with the hook.
    std::vector<Node*> todo;
    std::unordered_set<Node*> seen;
    auto visit = [&](const Edge& edge) {
        if (edge && seen.insert(as_node(edge)).second) todo.push_back(as_node(edge));
    };
    visit(meta->edge);
    while (!todo.empty()) {
        Node* node = todo.back();
        todo.pop_back();
        if (erase_hook(*node, id)) return;
        for (const Edge& edge : node->edges()) visit(edge);
    }
}

void retain_grad(const Tensor& tensor) {
    need_requires_grad("retain_grad", tensor);
    AutogradMeta& meta = *tensor->autograd();
    if (!meta.edge || meta.retains_grad) return;
    meta.retains_grad = true;
    as_node(meta.edge)->retainers().emplace_back(meta.edge.output_nr, weak_self(*tensor.impl()));
}

LUCID_NAMESPACE_END
