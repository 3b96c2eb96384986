// One walk: the nodes reachable from the roots are found and counted by an iterative depth-first
// search; then a heap hands out those whose gradients are complete, latest recorded first. All
// state is local, so a hook or a node may start a walk of its own, and an exception leaves nothing
// behind.
#include "lucid/autograd/GradWalk.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <queue>
#include <unordered_map>

#include "lucid/autograd/Accumulate.h"
#include "lucid/autograd/CoreOps.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

[[noreturn]] void raise(const ErrorBuilder& error) { throw Error(ErrorKind::Lucid, error.text()); }

std::string describe_meta(const TensorMeta& meta) {
    return std::string(name_of(meta.dtype)) + " " + to_string(meta.shape) + "  " +
           to_string(meta.device);
}

// Whether `from` becomes `to` by summing broadcast axes.
bool sums_to(const Shape& from, const Shape& to) {
    if (to.size() > from.size()) return false;
    for (size_t i = 1; i <= to.size(); ++i) {
        const int64_t size = to[to.size() - i];
        if (size != 1 && size != from[from.size() - i]) return false;
    }
    return true;
}

// A gradient as `meta` wants it: broadcast axes summed back, the dtype cast back. `who` made it.
Tensor conform(const char* who, const std::string& what, Tensor grad, const TensorMeta& meta) {
    if (!(grad.device() == meta.device)) {
        ErrorBuilder(who, what + " is on another device than its tensor")
            .given("gradient", describe(grad))
            .given("tensor", describe_meta(meta))
            .raise<DeviceMismatch>();
    }
    if (!(grad.shape() == meta.shape)) {
        if (!sums_to(grad.shape(), meta.shape)) {
            ErrorBuilder(who, what + " has the wrong shape")
                .given("gradient", describe(grad))
                .given("tensor", describe_meta(meta))
                .rule("a gradient has the shape of its tensor, or one that broadcasting it gives")
                .raise<ShapeMismatch>();
        }
        grad = core_ops().sum_to(grad, meta.shape);
    }
    if (grad.dtype() != meta.dtype) grad = core_ops().cast(grad, meta.dtype);
    return grad;
}

std::string input_name(size_t i) { return "the gradient of input " + std::to_string(i); }

class Walk {
public:
    explicit Walk(const BackwardOptions& options)
        : retain_graph_(options.retain_graph || options.create_graph) {}

    void add_root(Edge edge, Tensor gradient) {
        roots_.push_back({std::move(edge), std::move(gradient)});
    }
    // Restricts the walk to what leads to `edge`. captured() has the gradient that arrives there.
    void add_target(Edge edge, bool capture) { targets_.push_back({std::move(edge), capture, {}}); }
    Tensor& captured(size_t target) { return targets_[target].gradient; }

    void run() {
        find_nodes();
        count_dependencies();
        for (Root& root : roots_) {
            State& state = *states_.at(as_node(root.edge));
            add_gradient(state, root.edge.output_nr, std::move(root.gradient));
        }
        for (const Root& root : roots_) {
            State& state = *states_.at(as_node(root.edge));
            if (state.needed && state.dependencies == 0) push(state);
        }
        while (!ready_.empty()) {
            State& state = *ready_.top().state;
            ready_.pop();
            visit(state);
        }
    }

private:
    struct Root {
        Edge edge;
        Tensor gradient;
    };
    struct Target {
        Edge edge;
        bool capture;
        Tensor gradient;
    };
    struct State {
        Node* node = nullptr;
        int64_t dependencies = 0;  // edges into the node that have not delivered yet
        bool needed = false;       // it is a target or leads to one
        bool is_target = false;
        bool runs = false;  // false for a target that leads nowhere else
        bool queued = false;
        std::vector<Tensor> grads;
    };
    struct Ready {
        uint64_t sequence;
        uint64_t arrival;
        State* state;
        // The heap gives the largest: the latest recorded; of equals (leaves) the first to be
        // ready.
        bool operator<(const Ready& other) const noexcept {
            if (sequence != other.sequence) return sequence < other.sequence;
            return arrival > other.arrival;
        }
    };

    // Fills finished_.
    void find_nodes() {
        struct Frame {
            Node* node;
            size_t next_edge;
        };
        std::vector<Frame> stack;
        auto enter = [&](Node* node) {
            auto [at, fresh] = states_.try_emplace(node, nullptr);
            if (!fresh) return;
            storage_.emplace_back().node = node;
            at->second = &storage_.back();
            stack.push_back({node, 0});
        };
        for (const Root& root : roots_) {
            enter(as_node(root.edge));
            while (!stack.empty()) {
                Frame& top = stack.back();
                if (top.next_edge < top.node->edges().size()) {
                    const Edge& edge = top.node->edge(top.next_edge++);
                    if (edge) enter(as_node(edge));
                } else {
                    finished_.push_back(states_.at(top.node));
                    stack.pop_back();
                }
            }
        }
    }

    void count_dependencies() {
        for (const Target& target : targets_) {
            const auto at = states_.find(as_node(target.edge));
            if (at != states_.end()) at->second->is_target = true;
        }
        const bool all = targets_.empty();
        for (State* state : finished_) {
            bool leads_on = all;
            for (const Edge& edge : state->node->edges()) {
                if (edge && states_.at(as_node(edge))->needed) leads_on = true;
            }
            // backward(inputs=...) accumulates into a leaf by running its AccumulateGrad.
            state->runs = leads_on || (state->is_target && !captures_only(*state));
            state->needed = state->runs || state->is_target;
        }
        for (State* state : finished_) {
            if (!state->runs) continue;
            for (const Edge& edge : state->node->edges()) {
                if (!edge) continue;
                State& next = *states_.at(as_node(edge));
                if (next.needed) ++next.dependencies;
            }
        }
    }

    bool captures_only(const State& state) const {
        for (const Target& target : targets_) {
            if (as_node(target.edge) == state.node && !target.capture) return false;
        }
        return true;
    }

    void push(State& state) {
        if (std::exchange(state.queued, true)) return;
        ready_.push({state.node->sequence(), arrivals_++, &state});
    }

    void add_gradient(State& state, uint32_t output_nr, Tensor gradient) {
        if (state.grads.empty()) state.grads.resize(state.node->num_outputs());
        Tensor& sum = state.grads[output_nr];
        sum = sum.defined() ? core_ops().add(sum, gradient) : std::move(gradient);
    }

    void visit(State& state) {
        Node& node = *state.node;
        if (state.grads.empty()) state.grads.resize(node.num_outputs());
        run_hooks(node, state.grads);
        if (state.is_target) {
            for (Target& target : targets_) {
                if (target.capture && as_node(target.edge) == &node) {
                    target.gradient = state.grads[target.edge.output_nr];
                }
            }
        }
        std::vector<Tensor> grads = std::move(state.grads);
        if (!state.runs) return;
        std::vector<Tensor> grad_inputs(node.edges().size());
        const auto is_defined = [](const Tensor& grad) { return grad.defined(); };
        if (std::any_of(grads.begin(), grads.end(), is_defined)) {
            node.backward(grads, grad_inputs);
            if (context().anomaly) check_nan(node, grad_inputs);
        }
        grads.clear();
        if (!retain_graph_) node.release_saved();
        deliver(node, grad_inputs);
    }

    void deliver(const Node& node, std::vector<Tensor>& grad_inputs) {
        for (size_t i = 0; i < grad_inputs.size(); ++i) {
            const Edge& edge = node.edge(i);
            if (!edge) continue;
            State& next = *states_.at(as_node(edge));
            if (!next.needed) continue;
            if (grad_inputs[i].defined()) {
                Tensor gradient = conform(node.name(), input_name(i), std::move(grad_inputs[i]),
                                          next.node->output_meta(edge.output_nr));
                add_gradient(next, edge.output_nr, std::move(gradient));
            }
            if (--next.dependencies == 0) push(next);
        }
    }

    void run_hooks(Node& node, std::vector<Tensor>& grads) {
        auto run = [&](const TensorHook& hook, uint32_t output_nr) {
            Tensor& grad = grads[output_nr];
            if (!grad.defined()) return;
            Tensor replaced = hook.run(grad);
            if (!replaced.defined()) return;
            check_hook_result(node, grad, replaced);
            grad = std::move(replaced);
        };
        // A hook may add or remove hooks: they are copied first.
        auto copied = [](const auto& hooks) {
            std::lock_guard guard(hooks_mutex());
            return hooks;
        };
        if (!node.hooks().empty()) {
            const auto hooks = copied(node.hooks());
            for (const Node::OutputHook& entry : hooks) run(entry.hook, entry.output_nr);
        }
        if (const AccumulateGrad* sink = as_accumulate_grad(&node)) {
            const auto hooks = copied(sink->leaf()->autograd()->hooks);
            for (const TensorHook& hook : hooks) run(hook, 0);
        }
        if (node.retainers().empty()) return;
        const auto retainers = node.retainers();
        for (const auto& [output_nr, weak] : retainers) {
            const TensorImplPtr impl = weak->lock();
            if (impl && grads[output_nr].defined()) {
                add_to_grad(*impl->autograd(), grads[output_nr], false);
            }
        }
    }

    static void check_hook_result(const Node& node, const Tensor& before, const Tensor& after) {
        if (after.shape() == before.shape() && after.dtype() == before.dtype() &&
            after.device() == before.device()) {
            return;
        }
        ErrorBuilder(node.name(), "a hook returned another kind of gradient")
            .given("gradient", describe(before))
            .given("returned", describe(after))
            .rule("a hook keeps shape, dtype and device")
            .raise<ShapeMismatch>();
    }

    static void check_nan(Node& node, const std::vector<Tensor>& grad_inputs) {
        for (size_t i = 0; i < grad_inputs.size(); ++i) {
            const Tensor& grad = grad_inputs[i];
            if (!grad.defined() || !is_inexact(grad.dtype())) continue;
            if (!core_ops().isnan_any(grad).item().to_bool()) continue;
            ErrorBuilder error(node.name(), input_name(i) + " has a nan");
            error.given("gradient", describe(grad));
            if (!node.trace().empty()) error.given("forward ran at", node.trace());
            error.rule("anomaly mode raises at the first node that makes a nan");
            raise(error);
        }
    }

    bool retain_graph_;
    std::vector<Root> roots_;
    std::vector<Target> targets_;
    std::unordered_map<const Node*, State*> states_;
    std::deque<State> storage_;     // owns the states
    std::vector<State*> finished_;  // every node after those that its edges lead to
    std::priority_queue<Ready> ready_;
    uint64_t arrivals_ = 0;
};

// vjps run with autocast off, in the dtypes of the recorded call, and record only under
// create_graph.
class BackwardMode {
public:
    explicit BackwardMode(bool create_graph) : grad_mode_(context().grad_enabled, create_graph) {
        for (int i = 0; i < kNumDeviceTypes; ++i) {
            autocast_[i] = std::exchange(context().autocast[i].enabled, false);
        }
    }
    ~BackwardMode() {
        for (int i = 0; i < kNumDeviceTypes; ++i) context().autocast[i].enabled = autocast_[i];
    }
    BackwardMode(const BackwardMode&) = delete;
    BackwardMode& operator=(const BackwardMode&) = delete;

private:
    Scoped<bool> grad_mode_;
    bool autocast_[kNumDeviceTypes];
};

std::string indexed(const char* name, size_t i, size_t count) {
    return count == 1 ? name : std::string(name) + "s[" + std::to_string(i) + "]";
}

Tensor implicit_gradient(const char* who, const std::string& name, const Tensor& output) {
    if (output.numel() != 1) {
        ErrorBuilder(who, "a gradient can be made up only for an output with one element")
            .given(name, describe(output))
            .rule("grad can be implicitly created only for scalar outputs; give a gradient of its "
                  "shape")
            .raise<ShapeMismatch>();
    }
    if (!is_floating(output.dtype())) {
        ErrorBuilder(who, "a gradient can be made up only for a real output")
            .given(name, describe(output))
            .rule("give the gradient, or take a real loss such as abs(x)")
            .raise<DtypeMismatch>();
    }
    return core_ops().full(output.shape(), Scalar(1), output.dtype(), output.device());
}

void check_root_gradient(const char* who, const std::string& name, const Tensor& output,
                         const Tensor& gradient) {
    auto error = [&](const char* what) {
        return ErrorBuilder(who, what)
            .given(name, describe(output))
            .given("gradient", describe(gradient));
    };
    if (!(gradient.device() == output.device())) {
        error("the gradient is on another device than the output").raise<DeviceMismatch>();
    }
    if (gradient.dtype() != output.dtype()) {
        error("the gradient has another dtype than the output").raise<DtypeMismatch>();
    }
    if (!(gradient.shape() == output.shape())) {
        error("the gradient has another shape than the output").raise<ShapeMismatch>();
    }
}

void add_roots(Walk& walk, const char* who, std::span<const Tensor> outputs,
               std::span<const Tensor> gradients) {
    if (!gradients.empty() && gradients.size() != outputs.size()) {
        ErrorBuilder(who, "there must be one gradient for each output")
            .given("outputs", std::to_string(outputs.size()))
            .given("gradients", std::to_string(gradients.size()))
            .raise<InvalidArgument>();
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        const Tensor& output = outputs[i];
        const std::string name = indexed("output", i, outputs.size());
        if (!output.defined())
            ErrorBuilder(who, name + " is not a tensor").raise<InvalidArgument>();
        Edge edge = gradient_edge(output);
        if (!edge) {
            raise(ErrorBuilder(who, name + " does not require grad and has no grad_fn")
                      .given(name, describe(output))
                      .rule("something that it was computed from must require grad, with grad mode "
                            "on"));
        }
        Tensor gradient = i < gradients.size() ? gradients[i] : Tensor();
        if (gradient.defined()) {
            check_root_gradient(who, name, output, gradient);
        } else {
            gradient = implicit_gradient(who, name, output);
        }
        walk.add_root(std::move(edge), std::move(gradient));
    }
}

Edge target_edge(const char* who, const std::string& name, const Tensor& input) {
    if (!input.defined()) ErrorBuilder(who, name + " is not a tensor").raise<InvalidArgument>();
    Edge edge = gradient_edge(input);
    if (edge) return edge;
    raise(ErrorBuilder(who, name + " does not require grad")
              .given(name, describe(input))
              .rule("call requires_grad_() on it before it is used"));
}

}  // namespace

void backward(std::span<const Tensor> outputs, std::span<const Tensor> gradients,
              const BackwardOptions& options, std::span<const Tensor> inputs) {
    constexpr const char* kWho = "backward()";
    Walk walk(options);
    const BackwardMode mode(options.create_graph);
    add_roots(walk, kWho, outputs, gradients);
    for (size_t i = 0; i < inputs.size(); ++i) {
        Edge edge = target_edge(kWho, indexed("input", i, inputs.size()), inputs[i]);
        const bool leaf = as_accumulate_grad(as_node(edge)) != nullptr;
        if (!leaf) retain_grad(inputs[i]);
        walk.add_target(std::move(edge), !leaf);
    }
    walk.run();
}

std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         std::span<const Tensor> gradients, const BackwardOptions& options) {
    constexpr const char* kWho = "grad()";
    if (inputs.empty()) ErrorBuilder(kWho, "there are no inputs").raise<InvalidArgument>();
    Walk walk(options);
    const BackwardMode mode(options.create_graph);
    add_roots(walk, kWho, outputs, gradients);
    for (size_t i = 0; i < inputs.size(); ++i) {
        walk.add_target(target_edge(kWho, indexed("input", i, inputs.size()), inputs[i]), true);
    }
    walk.run();
    std::vector<Tensor> result(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
        result[i] = std::move(walk.captured(i));
        if (result[i].defined() || options.allow_unused) continue;
        const std::string name = indexed("input", i, inputs.size());
        raise(ErrorBuilder(kWho, name + " was not used to compute the outputs")
                  .given(name, describe(inputs[i]))
                  .rule("pass allow_unused=True to get None for it"));
    }
    return result;
}

LUCID_NAMESPACE_END
