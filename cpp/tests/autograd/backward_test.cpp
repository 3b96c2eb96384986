#include <thread>

#include "autograd/numbers.h"
#include "lucid/autograd/CoreOps.h"

namespace {

using namespace lucid_test;

constexpr BackwardOptions kRetain{.retain_graph = true};
constexpr BackwardOptions kCreate{.create_graph = true};

TEST(Backward, SumsOverUses) {
    const Tensor x = leaf({1, 2, 3});
    backward(sum(add(mul(x, x), x)));
    EXPECT_EQ(grad_numbers(x), (Numbers{3, 5, 7}));
}

TEST(Backward, AccumulatesIntoTheSameGrad) {
    const Tensor x = leaf({1, 2});
    backward(sum(mul(x, scalar(3))));
    const Tensor before = grad_of(x);
    backward(sum(mul(x, scalar(4))));
    EXPECT_EQ(grad_of(x), before);
    EXPECT_EQ(numbers(before), (Numbers{7, 7}));
}

TEST(Backward, TheFirstGradIsNobodyElses) {
    // Both leaves get the same gradient; each must own its .grad.
    const Tensor x = leaf({1}), y = leaf({2});
    backward(sum(add(x, y)));
    in_place("mul", {grad_of(x), scalar(5)});
    EXPECT_EQ(grad_numbers(y), (Numbers{1}));
    // Nor may a gradient that the caller gave become one.
    const Tensor z = leaf({1}), given = tensor({2});
    lucid::backward(std::vector{z}, std::vector{given}, {});
    in_place("mul", {grad_of(z), scalar(5)});
    EXPECT_EQ(numbers(given), (Numbers{2}));
}

TEST(Backward, BroadcastAndDtypeComeBack) {
    const Tensor x = leaf({1, 2}), w = zeros({}, Dtype::Float32);
    set_requires_grad(w, true);
    backward(sum(mul(x, cast(w, Dtype::Float64))));
    EXPECT_EQ(grad_of(w).dtype(), Dtype::Float32);
    EXPECT_EQ(grad_of(w).shape(), Shape{});
    EXPECT_EQ(grad_of(w).item().to_double(), 3);
}

TEST(Backward, SecondWalkNeedsRetainGraph) {
    const Tensor x = leaf({2});
    const Tensor y = sum(mul(x, x));
    backward(y, kRetain);
    backward(y);
    EXPECT_EQ(grad_numbers(x), (Numbers{8}));
    const std::string text = error_text<Error>([&] { backward(y); });
    EXPECT_TRUE(contains(text, "retain_graph=True")) << text;
    // What saves nothing can be walked again.
    const Tensor z = sum(add(x, x));
    backward(z);
    backward(z);
}

TEST(Backward, RootErrors) {
    const Tensor x = leaf({1, 2});
    EXPECT_TRUE(contains(error_text<ShapeMismatch>([&] { backward(mul(x, x)); }),
                         "grad can be implicitly created only for scalar outputs"));
    EXPECT_TRUE(
        contains(error_text<Error>([&] { backward(sum(tensor({1}))); }), "does not require grad"));
    const Tensor y = mul(x, x);
    auto give = [&](const Tensor& g) { lucid::backward(std::vector{y}, std::vector{g}, {}); };
    error_text<ShapeMismatch>([&] { give(tensor({1})); });
    error_text<DtypeMismatch>([&] { give(ones({2}, Dtype::Float32)); });
    give(tensor({1, 10}));
    EXPECT_EQ(grad_numbers(x), (Numbers{2, 40}));
}

TEST(Backward, InputsRestrictAccumulation) {
    const Tensor x = leaf({2}), w = leaf({3});
    const Tensor h = mul(x, w), y = sum(mul(h, h));
    lucid::backward(std::vector{y}, {}, {}, std::vector{w, h});
    EXPECT_FALSE(x->autograd()->grad);
    EXPECT_EQ(grad_numbers(w), (Numbers{24}));
    EXPECT_EQ(grad_numbers(h), (Numbers{12}));
}

TEST(Grad, CapturesAtLeavesAndInside) {
    const Tensor x = leaf({2}), unused = leaf({1});
    const Tensor h = mul(x, x), y = sum(mul(h, x));
    const std::vector<Tensor> g = grad(y, {x, h}, kRetain);
    EXPECT_EQ(numbers(g[0]), (Numbers{12}));
    EXPECT_EQ(numbers(g[1]), (Numbers{2}));
    EXPECT_FALSE(x->autograd()->grad);
    EXPECT_TRUE(contains(error_text<Error>([&] { grad(y, {unused}, kRetain); }), "allow_unused"));
    EXPECT_FALSE(grad(y, {unused}, {.allow_unused = true})[0].defined());
}

TEST(Grad, OfGrad) {
    const Tensor x = leaf({2});
    const Tensor y = sum(mul(mul(x, x), mul(x, x)));  // x^4
    const Tensor first = grad(y, {x}, kCreate)[0];
    EXPECT_EQ(numbers(first), (Numbers{32}));
    const Tensor second = grad(sum(first), {x}, kCreate)[0];
    EXPECT_EQ(numbers(second), (Numbers{48}));
    EXPECT_EQ(numbers(grad(sum(second), {x})[0]), (Numbers{48}));
}

TEST(Grad, OfGradThroughASavedOutput) {
    const Tensor x = leaf({0});
    const Tensor y = exp(x);
    const Tensor first = grad(sum(y), {x}, kCreate)[0];
    const Tensor second = grad(sum(first), {x}, kCreate)[0];
    EXPECT_EQ(numbers(second), (Numbers{1}));
}

TEST(Backward, CreateGraphLeavesADifferentiableGrad) {
    const Tensor x = leaf({3});
    backward(sum(mul(mul(x, x), x)), kCreate);
    const Tensor g = grad_of(x);
    EXPECT_TRUE(g.requires_grad());
    EXPECT_EQ(numbers(grad(sum(g), {x})[0]), (Numbers{18}));
    x->autograd()->grad.reset();  // the cycle of create_graph
}

TEST(Hooks, SeeAndReplace) {
    const Tensor x = leaf({1}), h = mul(x, scalar(2));
    std::vector<Numbers> seen;
    const uint64_t id = register_hook(
        h,
        [&](const Tensor& g) {
            seen.push_back(numbers(g));
            return mul(g, scalar(10));
        },
        nullptr);
    register_hook(
        x,
        [&](const Tensor& g) {
            seen.push_back(numbers(g));
            return Tensor();
        },
        nullptr);
    register_post_accumulate_hook(
        x,
        [&](const Tensor& p) {
            seen.push_back(grad_numbers(p));
            return Tensor();
        },
        nullptr);
    const Tensor y = sum(h);
    EXPECT_EQ(numbers(grad(y, {x}, kRetain)[0]), (Numbers{20}));
    EXPECT_EQ(seen, (std::vector<Numbers>{{1}, {20}}));
    seen.clear();
    remove_hook(h, id);
    backward(y);
    EXPECT_EQ(seen, (std::vector<Numbers>{{1 * 2}, {2}}));
}

TEST(Hooks, RemovedAfterAnInPlaceWrite) {
    const Tensor x = leaf({1}), h = mul(x, scalar(2));
    const uint64_t id = register_hook(
        h, [](const Tensor& g) { return mul(g, scalar(10)); }, nullptr);
    in_place("mul", {h, scalar(3)});
    remove_hook(h, id);
    backward(sum(h));
    EXPECT_EQ(grad_numbers(x), (Numbers{6}));
}

TEST(Hooks, OnALeafThatOnlyTheGraphKeeps) {
    int fired = 0;
    Tensor x = leaf({1});
    register_hook(
        x, [&](const Tensor&) { return ++fired, Tensor(); }, nullptr);
    const Tensor y = sum(mul(x, x));
    x = Tensor();
    backward(y);
    EXPECT_EQ(fired, 1);
}

TEST(Hooks, MayWalkAnotherGraph) {
    const Tensor x = leaf({2}), inner = leaf({3});
    const Tensor h = mul(x, x);
    register_hook(
        h,
        [&](const Tensor& g) {
            Scoped<bool> record(context().grad_enabled, true);
            backward(sum(mul(inner, inner)));
            return g;
        },
        nullptr);
    backward(sum(h));
    EXPECT_EQ(grad_numbers(x), (Numbers{4}));
    EXPECT_EQ(grad_numbers(inner), (Numbers{6}));
}

TEST(Hooks, AThrowingOneLeavesTheGraphUsable) {
    const Tensor x = leaf({2}), h = mul(x, x), y = sum(h);
    const uint64_t id = register_hook(
        h, [](const Tensor&) -> Tensor { throw ShapeMismatch("mine"); }, nullptr);
    EXPECT_EQ(error_text<ShapeMismatch>([&] { backward(y, kRetain); }), "mine");
    EXPECT_TRUE(context().grad_enabled);
    remove_hook(h, id);
    backward(y);
    EXPECT_EQ(grad_numbers(x), (Numbers{4}));
    EXPECT_TRUE(contains(error_text<ShapeMismatch>([&] {
                             const Tensor z = mul(x, x);
                             register_hook(
                                 z,
                                 [](const Tensor&) {
                                     return tensor({1, 2, 3});
                                 },
                                 nullptr);
                             backward(sum(z));
                         }),
                         "MulBackward"));
}

TEST(RetainGrad, OfANonLeafAlsoAfterItsDeath) {
    const Tensor x = leaf({2});
    Tensor h = mul(x, x);
    retain_grad(h);
    const Tensor y = sum(mul(h, scalar(5)));
    backward(y, kRetain);
    EXPECT_EQ(grad_numbers(h), (Numbers{5}));
    h = Tensor();
    backward(y);  // nobody is left to retain it
    EXPECT_EQ(grad_numbers(x), (Numbers{40}));
}

TEST(RequiresGrad, Rules) {
    error_text<DtypeMismatch>([] { set_requires_grad(ones({2}, Dtype::Int64), true); });
    const Tensor x = leaf({1}), y = mul(x, x);
    EXPECT_TRUE(contains(error_text<Error>([&] { set_requires_grad(y, false); }), "MulBackward"));
    EXPECT_EQ(name_of_grad_fn(y), "MulBackward");
    EXPECT_EQ(name_of_grad_fn(x), "");
    EXPECT_FALSE(detach(y).requires_grad());
    Scoped<bool> no_grad(context().grad_enabled, false);
    EXPECT_FALSE(mul(x, x).requires_grad());
}

TEST(Backward, RunsWithAutocastOff) {
    const Tensor x = leaf({1}), h = mul(x, x);
    bool inside = true;
    register_hook(
        h, [&](const Tensor&) { return inside = context().autocast[0].enabled, Tensor(); },
        nullptr);
    const Tensor y = sum(h);
    Scoped<bool> autocast(context().autocast[0].enabled, true);
    backward(y);
    EXPECT_FALSE(inside);
    EXPECT_TRUE(context().autocast[0].enabled);
}

TEST(Backward, AnomalyModeNamesTheNode) {
    Scoped<bool> anomaly(context().anomaly, true);
    set_trace_provider([] { return std::string("here.py:7"); });
    const Tensor x = leaf({0});
    const Tensor y = sum(mul(log(x), scalar(0)));  // 0 * inf
    const std::string text = error_text<Error>([&] { backward(y); });
    set_trace_provider(nullptr);
    EXPECT_TRUE(contains(text, "LogBackward")) << text;
    EXPECT_TRUE(contains(text, "here.py:7")) << text;
}

TEST(Backward, LongChainsNeitherRecurseNorLeak) {
    const Tensor x = leaf({1});
    {
        Tensor y = x;
        for (int i = 0; i < 100'000; ++i) y = add(y, x);
        backward(sum(y));
        EXPECT_EQ(grad_numbers(x), (Numbers{100'001}));
    }
    Tensor unwalked = x;
    for (int i = 0; i < 100'000; ++i) unwalked = mul(unwalked, x);
    unwalked = Tensor();
    EXPECT_EQ(x.impl()->use_count(), 1);
}

TEST(Backward, SharedNodesAreVisitedOnce) {
    const Tensor x = leaf({1});
    Tensor p = x;
    int visits = 0;
    for (int i = 0; i < 60; ++i) {
        p = add(p, p);
        register_hook(
            p, [&](const Tensor&) { return ++visits, Tensor(); }, nullptr);
    }
    backward(sum(p));
    EXPECT_EQ(visits, 60);
    EXPECT_EQ(grad_numbers(x), (Numbers{1152921504606846976.0}));
}

TEST(Backward, ThreadsShareALeaf) {
    const Tensor x = leaf({1, 2});
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 200; ++i) backward(sum(mul(x, scalar(2))));
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(grad_numbers(x), (Numbers{1600, 1600}));
}

}  // namespace
