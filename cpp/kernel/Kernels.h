// The CRTP bases of ops: an op class names its schema and writes its gradient; the base turns that
// into an OpDef. UnaryKernel and BinaryKernel are elementwise over an instruction, ReduceKernel
// reduces axes, NaryKernel is everything else with a shape rule and a kernel.
//
//     struct ExpBackward : UnaryKernel<ExpBackward> {
//         static const OpSchema schema_v1;
//         static Tensor gradient(const VjpContext& ctx, const Tensor& grad) {
//             return mul(grad, conj_if_complex(ctx.output(0)));
//         }
//     };
#pragma once

#include <tuple>
#include <utility>

#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN

// grad(ctx, g) -> the gradient of input 0.
template <typename Derived>
struct UnaryKernel {
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        out[0] = Derived::gradient(ctx, grads[0]);
    }
    static OpDef op(const char* instruction, ResultDtype result = ResultDtype::Same) {
        OpDef def{.schema = &Derived::schema_v1,
                  .result = result,
                  .cpu = Kernel::of_instruction(instruction)};
        if constexpr (requires { &Derived::gradient; }) def.vjp = &vjp;
        return def;
    }
};

// gradient(ctx, g) -> {of a, of b}; leave undefined what ctx does not need.
template <typename Derived>
struct BinaryKernel {
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        std::tie(out[0], out[1]) = Derived::gradient(ctx, grads[0]);
    }
    static OpDef op(const char* instruction, ResultDtype result = ResultDtype::Same) {
        OpDef def{.schema = &Derived::schema_v1,
                  .result = result,
                  .cpu = Kernel::of_instruction(instruction)};
        if constexpr (requires { &Derived::gradient; }) def.vjp = &vjp;
        return def;
    }
};

// Attributes: dims (absent: every axis), keepdim, then the op's own. Derived writes `infer`,
// `kernel` and `gradient(ctx, g)`.
template <typename Derived>
struct ReduceKernel {
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        out[0] = Derived::gradient(ctx, grads[0]);
    }
    static OpDef op() {
        OpDef def{.schema = &Derived::schema_v1,
                  .infer = &Derived::infer,
                  .cpu = Kernel::of_call(&Derived::kernel)};
        if constexpr (requires { &Derived::gradient; }) def.vjp = &vjp;
        return def;
    }
};

// Derived writes `infer`, `kernel` and, when it has a gradient, `vjp`.
template <typename Derived>
struct NaryKernel {
    static OpDef op() {
        OpDef def{.schema = &Derived::schema_v1,
                  .infer = &Derived::infer,
                  .cpu = Kernel::of_call(&Derived::kernel)};
        if constexpr (requires { &Derived::vjp; }) def.vjp = &Derived::vjp;
        return def;
    }
};

// A view: `static Storage view(const Storage&, const Attrs&)` and a gradient.
template <typename Derived>
struct ViewKernel {
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        out[0] = Derived::gradient(ctx, grads[0]);
    }
    static OpDef op() {
        return {.schema = &Derived::schema_v1,
                .view = &Derived::view,
                .vjp = &vjp,
                .cpu = Kernel::view(),
                .cuda = Kernel::view()};
    }
};

// An op that is a few other ops; its gradient is theirs. `body` is an EntryFn.
inline OpDef composition(const OpSchema& schema, EntryFn body) {
    return {.schema = &schema,
            .entry = body,
            .cpu = Kernel::composition(),
            .cuda = Kernel::composition()};
}

// A FuncOp class: forward(x, W, b) as in the seed, or forward(inputs, attrs) when it takes
// attributes.
template <typename Derived>
OpDef func_op() {
    EntryFn entry = [](std::span<const Tensor* const> inputs,
                       const Attrs& attrs) -> std::vector<Tensor> {
        if constexpr (requires { Derived::forward(inputs, attrs); }) {
            return Derived::forward(inputs, attrs);
        } else {
            return [&]<size_t... I>(std::index_sequence<I...>) {
                return std::vector<Tensor>{Tensor(Derived::forward(inputs[I]->impl()...))};
            }
            (std::make_index_sequence<Derived::kNumSlots>());
        }
    };
    return {.schema = &Derived::schema_v1,
            .entry = entry,
            .is_func_op = true,
            .cpu = Kernel::composition(),
            .cuda = Kernel::composition()};
}

LUCID_NAMESPACE_END
