// In-place writes as PyTorch defines them; the expected numbers are worked out by hand.
#include "autograd/numbers.h"
#include "lucid/backend/Export.h"

namespace {

using namespace lucid_test;

TEST(InPlace, ReplacesTheNode) {
    const Tensor x = leaf({1, 2}), y = mul(x, scalar(3));
    in_place("mul", {y, y});  // (3x)^2
    EXPECT_EQ(numbers(y), (Numbers{9, 36}));
    backward(sum(y));
    EXPECT_EQ(grad_numbers(x), (Numbers{18, 36}));
}

TEST(InPlace, MayUseTheOldValue) {
    // mul_ saves the old y for the gradient of w.
    const Tensor x = leaf({2}), w = leaf({5}), y = mul(x, scalar(3));
    in_place("mul", {y, w});
    backward(sum(y));
    EXPECT_EQ(grad_numbers(w), (Numbers{6}));
    EXPECT_EQ(grad_numbers(x), (Numbers{15}));
}

TEST(InPlace, ChangedSavedValueRaises) {
    const Tensor y = leaf({1, 2, 3}), z = exp(y);
    in_place("mul", {z, scalar(2)});
    const std::string text = error_text<VersionMismatch>([&] { backward(sum(z)); });
    EXPECT_TRUE(contains(text, "ExpBackward") && contains(text, "output 0")) << text;
    // Also when the write goes through an alias outside the graph.
    const Tensor w = mul(y, scalar(1)), product = mul(w, y);
    in_place("add", {detach(w), scalar(1)});
    EXPECT_TRUE(contains(error_text<VersionMismatch>([&] { backward(sum(product)); }), "input 0"));
}

TEST(InPlace, TargetStartsToRequireGrad) {
    const Tensor w = leaf({2, 3}), x = tensor({1, 1});
    in_place("mul", {x, w});
    EXPECT_EQ(name_of_grad_fn(x), "MulBackward");
    backward(sum(mul(x, x)));
    EXPECT_EQ(grad_numbers(w), (Numbers{4, 6}));
}

TEST(InPlace, OverwrittenByConstants) {
    const Tensor x = leaf({1, 2}), y = mul(x, scalar(3));
    write_inplace("copy_", y, tensor({7, 8}));
    EXPECT_EQ(numbers(y), (Numbers{7, 8}));
    EXPECT_TRUE(y.requires_grad());
    backward(sum(y));
    EXPECT_EQ(grad_numbers(x), (Numbers{0, 0}));
}

TEST(InPlace, CopyFromATensorThatLivesOn) {
    const Tensor w = leaf({1, 2}), x = tensor({0, 0});
    write_inplace("copy_", x, w);
    EXPECT_EQ(name_of_grad_fn(x), "CloneBackward");
    const Tensor plain = tensor({5, 6}), copy = tensor({0, 0});
    write_inplace("copy_", copy, plain);
    plain.data<double>()[0] = 9;  // as NumPy would
    EXPECT_EQ(numbers(copy), (Numbers{5, 6}));
    backward(sum(mul(x, x)));
    EXPECT_EQ(grad_numbers(w), (Numbers{2, 4}));
}

TEST(InPlace, NoGradKeepsTheEdgeAndBumpsTheVersion) {
    const Tensor x = leaf({1, 2});
    const uint32_t version = x.storage().box()->version();
    {
        Scoped<bool> no_grad(context().grad_enabled, false);
        in_place("add", {x, scalar(1)});
    }
    EXPECT_EQ(numbers(x), (Numbers{2, 3}));
    EXPECT_TRUE(x->is_leaf() && x.requires_grad());
    EXPECT_EQ(x.storage().box()->version(), version + 1);
}

TEST(InPlace, Refusals) {
    const Tensor x = leaf({1, 2});
    auto refused = [](const Tensor& t, const std::string& why) {
        const std::string text = error_text<Error>([&] { in_place("add", {t, scalar(1)}); });
        EXPECT_TRUE(contains(text, why)) << text;
    };
    refused(x, "a leaf that requires grad cannot be written in place");
    refused(slice(x, 0, 0, 1), "a view of a leaf that requires grad");
    refused(expand(tensor({1}), {3}), "share one element");
    error_text<ShapeMismatch>([] { in_place("add", {tensor({1}), tensor({1, 2})}); });
    const Ref<Buffer> memory = export_memory(tensor({1, 2}).storage());
    memory->set_read_only();
    refused(Tensor(Storage::dense(Value(memory), Dtype::Float64, kCpu, Shape{2})), "read-only");
}

TEST(InPlace, PinnedMemoryIsWrittenItself) {
    const Tensor x = tensor({1, 2});
    const Ref<Buffer> memory = export_memory(x.storage());
    in_place("mul", {x, leaf({3, 4})});
    EXPECT_EQ(x.storage().box()->value().force(), memory);
    EXPECT_EQ(numbers(x), (Numbers{3, 8}));
    EXPECT_TRUE(x.requires_grad());
    // mul_ needs the old x, which is gone: an error, not a wrong gradient.
    error_text<VersionMismatch>([&] { backward(sum(x)); });
}

TEST(Views, SharesMemoryBothWays) {
    const Tensor x = tensor({1, 2, 3, 4}), v = slice(x, 0, 1, 3);
    in_place("mul", {v, scalar(10)});
    EXPECT_EQ(numbers(x), (Numbers{1, 20, 30, 4}));
    in_place("add", {x, scalar(1)});
    EXPECT_EQ(numbers(v), (Numbers{21, 31}));
}

TEST(Views, WriteThroughAViewRebasesTheBase) {
    const Tensor x = leaf({1, 2, 3}), y = mul(x, scalar(1)), v = slice(y, 0, 0, 2);
    in_place("mul", {v, scalar(5)});
    EXPECT_EQ(numbers(y), (Numbers{5, 10, 3}));
    EXPECT_EQ(name_of_grad_fn(v), "AsStridedBackward");
    backward(sum(mul(y, y)));  // (25x^2, 25x^2, x^2)
    EXPECT_EQ(grad_numbers(x), (Numbers{50, 100, 6}));
}

TEST(Views, SiblingsFollow) {
    const Tensor x = leaf({1, 2, 3}), y = mul(x, scalar(1));
    const Tensor v = slice(y, 0, 0, 2), sibling = slice(y, 0, 1, 3);
    in_place("mul", {v, scalar(5)});
    backward(sum(sibling));
    EXPECT_EQ(grad_numbers(x), (Numbers{0, 5, 1}));
}

// reported_bugs 40.
TEST(Views, OfABaseThatIsWrittenItself) {
    const Tensor x = leaf({1, 1, 1, 1}), y = clone(x), v = slice(y, 0, 0, 2);
    in_place("mul", {y, scalar(2)});
    std::vector<Numbers> seen;
    register_hook(
        v, [&](const Tensor& g) { return seen.push_back(numbers(g)), Tensor(); }, nullptr);
    backward(sum(v));
    EXPECT_EQ(grad_numbers(x), (Numbers{2, 2, 0, 0}));
    EXPECT_EQ(seen, (std::vector<Numbers>{{1, 1}}));
}

TEST(Views, OfAConstantTakeInAGradient) {
    const Tensor w = leaf({2, 3}), x = tensor({1, 1, 1}), v = slice(x, 0, 1, 3),
                 all = slice(x, 0, 0, 3);
    in_place("mul", {v, w});
    EXPECT_TRUE(requires_grad(all));
    EXPECT_TRUE(requires_grad(x));
    backward(sum(mul(all, all)));
    EXPECT_EQ(grad_numbers(w), (Numbers{4, 6}));
}

TEST(Views, ChainsTransposesAndStridesReachTheRoot) {
    const Tensor x = leaf({1, 2, 3, 4, 5, 6}), y = mul(x, scalar(1));
    const Tensor m = transpose(view(y, {2, 3}), 0, 1);  // (3, 2)
    const Tensor column = select(m, 1, 1);              // y[3:6]
    const Tensor odd = slice(column, 0, 0, 3, 2);       // y[3], y[5]
    in_place("mul", {odd, tensor({10, 100})});
    EXPECT_EQ(numbers(y), (Numbers{1, 2, 3, 40, 5, 600}));
    backward(sum(m));
    EXPECT_EQ(grad_numbers(x), (Numbers{1, 1, 1, 10, 1, 100}));
}

TEST(Views, OfABaseThatShowsPartOfItsMemory) {
    const Tensor memory = tensor({0, 1, 2, 3, 4});
    const Tensor base = detach(slice(memory, 0, 1, 4));  // 1, 2, 3
    const Tensor w = leaf({7});
    in_place("mul", {slice(base, 0, 1, 2), w});
    EXPECT_EQ(numbers(memory), (Numbers{0, 1, 14, 3, 4}));
    EXPECT_EQ(numbers(base), (Numbers{1, 14, 3}));
    backward(sum(mul(base, tensor({1, 10, 100}))));
    EXPECT_EQ(grad_numbers(w), (Numbers{20}));
}

TEST(Views, LoopOfWrites) {
    const Tensor x = leaf({2}), buffer = zeros({4}, Dtype::Float64);
    Tensor power = x;
    for (int64_t i = 0; i < 4; ++i) {
        write_inplace("copy_", slice(buffer, 0, i, i + 1), power);
        power = mul(power, x);
    }
    EXPECT_EQ(numbers(buffer), (Numbers{2, 4, 8, 16}));
    backward(sum(buffer));  // 1 + 2x + 3x^2 + 4x^3
    EXPECT_EQ(grad_numbers(x), (Numbers{49}));
}

TEST(Views, MadeUnderNoGrad) {
    const Tensor x = leaf({1, 2}), y = mul(x, scalar(1));
    Tensor v;
    {
        Scoped<bool> no_grad(context().grad_enabled, false);
        v = slice(y, 0, 0, 1);
    }
    EXPECT_FALSE(v.requires_grad());
    in_place("mul", {v, scalar(3)});
    backward(sum(y));
    EXPECT_EQ(grad_numbers(x), (Numbers{3, 1}));
}

TEST(Views, PinnedBase) {
    const Tensor x = leaf({1, 2}), y = mul(x, scalar(1));
    const Ref<Buffer> memory = export_memory(y.storage());
    in_place("mul", {slice(y, 0, 1, 2), scalar(4)});
    EXPECT_EQ(static_cast<double*>(memory->data())[1], 8);
    backward(sum(y));
    EXPECT_EQ(grad_numbers(x), (Numbers{1, 4}));
}

TEST(RetainGrad, MovesToTheNewNode) {
    const Tensor x = leaf({1}), y = mul(x, scalar(2));
    retain_grad(y);
    in_place("mul", {y, scalar(3)});
    backward(sum(mul(y, scalar(7))));
    EXPECT_EQ(grad_numbers(y), (Numbers{7}));
}

}  // namespace
