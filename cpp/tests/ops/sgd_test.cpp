#include "lucid/ops/optim/SGD.h"

#include <gtest/gtest.h>

#include "lucid/autograd/CoreOps.h"
#include "lucid/autograd/Graph.h"
#include "lucid/core/Error.h"

namespace {

using namespace lucid;

Tensor number(double value) {
    return core_ops().full(Shape{1}, Scalar(value), Dtype::Float64, kCpu);
}

Tensor parameter(double value) {
    const Tensor param = number(value);
    set_requires_grad(param, true);
    return param;
}

void set_grad(const Tensor& param, double value) {
    param->ensure_autograd().grad = number(value).impl();
}

// torch.optim.SGD's documentation, on one number.
class Reference {
public:
    Reference(double value, SGDOptions options) : value_(value), options_(options) {}
    void step(double grad) {
        const SGDOptions& o = options_;
        double g = o.maximize ? -grad : grad;
        g += o.weight_decay * value_;
        if (o.momentum != 0) {
            buffer_ = first_ ? g : o.momentum * buffer_ + (1 - o.dampening) * g;
            first_ = false;
            g = o.nesterov ? g + o.momentum * buffer_ : buffer_;
        }
        value_ -= o.lr * g;
    }
    double value() const { return value_; }

private:
    double value_;
    double buffer_ = 0;
    bool first_ = true;
    SGDOptions options_;
};

TEST(SGD, FollowsTheFormulaForEveryOption) {
    const SGDOptions all[] = {
        {.lr = 0.1},
        {.lr = 0.1, .weight_decay = 0.25},
        {.lr = 0.1, .momentum = 0.9},
        {.lr = 0.1, .momentum = 0.9, .dampening = 0.5},
        {.lr = 0.1, .momentum = 0.9, .weight_decay = 0.25, .nesterov = true},
        {.lr = 0.1, .momentum = 0.5, .weight_decay = 0.125, .maximize = true},
    };
    for (const SGDOptions& options : all) {
        const Tensor param = parameter(2);
        Reference reference(2, options);
        SGD sgd({{{param}, options}});
        for (double grad : {1.0, -0.5, 3.0, 0.25}) {
            set_grad(param, grad);
            sgd.step();
            reference.step(grad);
            EXPECT_DOUBLE_EQ(param.item().to_double(), reference.value());
        }
        EXPECT_TRUE(param->is_leaf());
    }
}

TEST(SGD, SkipsParametersWithoutGradientAndReadsOptionsAtEachStep) {
    const Tensor a = parameter(1);
    const Tensor b = parameter(1);
    SGD sgd({{{a, b}, {.lr = 0.5}}});
    set_grad(a, 1);
    sgd.step();
    sgd.groups()[0].options.lr = 0.25;
    sgd.step();
    EXPECT_EQ(a.item().to_double(), 0.25);
    EXPECT_EQ(b.item().to_double(), 1);
    sgd.zero_grad(/*set_to_none=*/false);
    EXPECT_EQ(Tensor(a->autograd()->grad).item().to_double(), 0);
    sgd.zero_grad();
    EXPECT_FALSE(a->autograd()->grad);
}

TEST(SGD, GoesOnFromExportedBuffers) {
    const SGDOptions options{.lr = 0.1, .momentum = 0.9};
    const Tensor a = parameter(1);
    SGD first({{{a}, options}});
    set_grad(a, 2);
    first.step();
    const Tensor b = parameter(a.item().to_double());
    SGD second({{{b}, options}});
    second.set_momentum_buffers(first.momentum_buffers());
    set_grad(b, -1);
    set_grad(a, -1);
    first.step();
    second.step();
    EXPECT_EQ(a.item().to_double(), b.item().to_double());
    EXPECT_THROW(second.set_momentum_buffers({}), ShapeMismatch);
    EXPECT_THROW(
        second.set_momentum_buffers({core_ops().full(Shape{2}, Scalar(0), Dtype::Float64, kCpu)}),
        ShapeMismatch);
}

TEST(SGD, RefusesBadArguments) {
    const Tensor a = parameter(1);
    EXPECT_THROW(SGD(std::vector<SGDGroup>()), InvalidArgument);
    EXPECT_THROW(SGD(std::vector<SGDGroup>{{{}, {}}}), InvalidArgument);
    EXPECT_THROW(SGD({{{a, a}, {}}}), InvalidArgument);
    EXPECT_THROW(SGD({{{a}, {.lr = -1}}}), InvalidArgument);
    EXPECT_THROW(SGD({{{a}, {.nesterov = true}}}), InvalidArgument);
    EXPECT_THROW(SGD({{{a}, {.momentum = 0.9, .dampening = 0.1, .nesterov = true}}}),
                 InvalidArgument);
    const Tensor result = core_ops().add(a, a);
    EXPECT_THROW(SGD({{{result}, {}}}), InvalidArgument);
}

}  // namespace
