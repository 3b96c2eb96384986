// The two contracts of an op of one's own: FuncOp and Primitive.
#include <cstring>

#include "autograd/numbers.h"
#include "lucid/autograd/FuncOp.h"
#include "lucid/autograd/Primitive.h"
#include "lucid/backend/Allocator.h"
#include "lucid/backend/Dispatcher.h"

namespace {

using namespace lucid_test;

constexpr BackwardOptions kRetain{.retain_graph = true};
constexpr BackwardOptions kCreate{.create_graph = true};

int apply_calls = 0;

// a * b. Its apply() scales by `factor`, so that a test sees where a value comes from.
class ScaledMulBackward : public FuncOp<ScaledMulBackward, 2> {
public:
    static const OpSchema schema_v1;
    static inline double factor = 1;
    static inline size_t num_gradients = 2;
    static Tensor run(const Tensor& a, const Tensor& b) {
        Scoped<bool> no_grad(context().grad_enabled, false);
        const Tensor out = mul(a, b);
        context().grad_enabled = true;
        return Tensor(attach({a.impl(), b.impl()}, out.storage()));
    }
    static std::vector<Tensor> decompose(std::span<const Tensor* const> inputs, const Attrs&) {
        return {mul(*inputs[0], *inputs[1])};
    }
    std::vector<Storage> apply(Storage grad_out) override {
        ++apply_calls;
        const Tensor g = mul(Tensor(grad_out), scalar(factor));
        std::vector<Storage> result{mul(g, Tensor(saved(1))).storage(),
                                    mul(g, Tensor(saved(0))).storage()};
        result.resize(num_gradients);
        return result;
    }
};
const OpSchema ScaledMulBackward::schema_v1{
    .name = "test_scaled_mul",
    .signature = "test_scaled_mul(Tensor a, Tensor b) -> Tensor",
    .backward_name = "ScaledMulBackward",
    .saves = {.inputs = 3}};

class FuncOpTest : public testing::Test {
protected:
    void TearDown() override {
        ScaledMulBackward::factor = 1;
        ScaledMulBackward::num_gradients = 2;
    }
    static void register_decompose() {
        static const bool once = [] {
            const OpId id = OpRegistry::add(ScaledMulBackward::schema_v1, "test");
            RuleTable::set(id, {nullptr, &ScaledMulBackward::decompose});
            return true;
        }();
        EXPECT_TRUE(once);
    }
};

TEST_F(FuncOpTest, AppliesOnce) {
    const Tensor a = leaf({2, 3}), b = leaf({5, 7});
    const Tensor y = ScaledMulBackward::run(a, b);
    EXPECT_EQ(name_of_grad_fn(y), "ScaledMulBackward");
    apply_calls = 0;
    backward(sum(y));
    EXPECT_EQ(apply_calls, 1);
    EXPECT_EQ(grad_numbers(a), (Numbers{5, 7}));
    EXPECT_EQ(grad_numbers(b), (Numbers{2, 3}));
    EXPECT_TRUE(contains(error_text<Error>([&] { backward(sum(y)); }), "retain_graph=True"));
}

TEST_F(FuncOpTest, WrongNumberOfGradients) {
    const Tensor a = leaf({2}), b = leaf({5});
    ScaledMulBackward::num_gradients = 1;
    const Tensor y = ScaledMulBackward::run(a, b);
    EXPECT_EQ(error_text<Error>([&] { backward(sum(y)); }),
              "ScaledMulBackward: apply() returned 1 gradients, the op has 2 inputs");
}

TEST_F(FuncOpTest, ChangedSavedInput) {
    const Tensor a = leaf({2}), b = tensor({5});
    const Tensor y = ScaledMulBackward::run(a, b);
    in_place("add", {b, scalar(1)});
    const std::string text = error_text<VersionMismatch>([&] { backward(sum(y)); });
    EXPECT_TRUE(contains(text, "ScaledMulBackward: input 1")) << text;
}

TEST_F(FuncOpTest, DoubleBackward) {
    const Tensor a = leaf({2}), b = leaf({5});
    auto create = [&] { return grad(sum(ScaledMulBackward::run(a, b)), {a, b}, kCreate); };
    // (Run first: without the rule it is an error that names it.)
    if (OpRegistry::find("test_scaled_mul") == kNoOp) {
        EXPECT_TRUE(contains(error_text<NotImplementedOp>(create), "decompose is not implemented"));
    }
    register_decompose();
    ScaledMulBackward::factor = 100;
    const std::vector<Tensor> first = create();
    EXPECT_EQ(numbers(first[0]), (Numbers{500}));  // the value is apply's
    EXPECT_EQ(name_of_grad_fn(first[0]), "ScaledMulBackwardBackward");
    // d(da)/db = 1 by decompose, and d(db)/da.
    const std::vector<Tensor> second = grad(sum(mul(first[0], first[1])), {a, b}, kRetain);
    EXPECT_EQ(numbers(second[0]), (Numbers{500}));
    EXPECT_EQ(numbers(second[1]), (Numbers{200}));
}

TEST_F(FuncOpTest, DoubleBackwardOfOneTensorTwiceAndThirdOrder) {
    register_decompose();
    const Tensor x = leaf({3});
    const Tensor y = ScaledMulBackward::run(ScaledMulBackward::run(x, x), x);  // x^3
    const Tensor first = grad(sum(y), {x}, kCreate)[0];
    EXPECT_EQ(numbers(first), (Numbers{27}));
    const Tensor second = grad(sum(first), {x}, kCreate)[0];
    EXPECT_EQ(numbers(second), (Numbers{18}));
    EXPECT_EQ(numbers(grad(sum(second), {x})[0]), (Numbers{6}));
}

class Axpby : public Primitive {
public:
    Axpby(Stream stream, double alpha, double beta)
        : Primitive(stream), alpha_(alpha), beta_(beta) {}
    void eval_cpu(const std::vector<array>& inputs, std::vector<array>& outputs) override {
        if (skip_memory) return;
        outputs[0].set_data(allocate_cpu(static_cast<size_t>(outputs[0].nbytes())));
        for (int64_t i = 0; i < outputs[0].size(); ++i) {
            outputs[0].data<double>()[i] =
                alpha_ * inputs[0].data<double>()[i] + beta_ * inputs[1].data<double>()[i];
        }
    }
    std::vector<array> vjp(const std::vector<array>&, const std::vector<array>& cotangents,
                           const std::vector<int>& argnums, const std::vector<array>&) override {
        std::vector<array> out;
        for (const int arg : argnums)
            out.push_back(mul(cotangents[0], scalar(arg == 0 ? alpha_ : beta_)));
        if (drop_one) out.pop_back();
        return out;
    }
    void print(std::ostream& os) override { os << "Axpby"; }
    bool skip_memory = false;
    bool drop_one = false;

private:
    double alpha_, beta_;
};

TEST(Primitive, EvaluatesAndDifferentiates) {
    const Tensor x = leaf({1, 2}), y = tensor({10, 20});
    const array z({2}, Dtype::Float64, std::make_shared<Axpby>(to_stream({}), 4.0, 2.0), {x, y});
    EXPECT_EQ(numbers(z), (Numbers{24, 48}));
    EXPECT_EQ(name_of_grad_fn(z), "AxpbyBackward");
    backward(sum(mul(z, z)));
    EXPECT_EQ(grad_numbers(x), (Numbers{192, 384}));
}

TEST(Primitive, Errors) {
    const Tensor x = leaf({1, 2});
    auto primitive = std::make_shared<Axpby>(to_stream({}), 4.0, 2.0);
    EXPECT_TRUE(contains(error_text<NotImplementedOp>([&] { primitive->vmap({}, {}); }),
                         "[Axpby] vmap is not implemented"));
    EXPECT_FALSE(primitive->is_equivalent(Axpby(to_stream({}), 4.0, 2.0)));
    primitive->drop_one = true;
    const array z({2}, Dtype::Float64, primitive, {x, x});
    EXPECT_TRUE(contains(error_text<InvalidArgument>([&] { backward(sum(z)); }),
                         "[Axpby] vjp returned the wrong number of arrays"));
    primitive->skip_memory = true;
    EXPECT_TRUE(contains(error_text<InvalidArgument>([&] {
                             numbers(array({2}, Dtype::Float64, primitive, {x, x}));
                         }),
                         "[Axpby] eval_cpu gave output 0 no memory"));
    array small({2}, Dtype::Float64, std::make_shared<Axpby>(to_stream({}), 1.0, 1.0), {x, x});
    error_text<InvalidArgument>([&] { small.set_data(allocate_cpu(8)); });
}

}  // namespace
