// cross_entropy: log_softmax and the negative log-likelihood of class indices or of probabilities,
// composed of other ops. Half precision is computed in float32 and narrowed at the end.
#include "lucid/autograd/CoreOps.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/kernel/Promotion.h"
#include "lucid/ops/nn/Reduction.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kName = "cross_entropy";

struct Options {
    int64_t ignore_index;
    Reduction reduction;
    double label_smoothing;
};

// The arguments, checked, with the class axis worked out. `log_p` is log_softmax of the input.
struct Problem {
    Tensor log_p;  // (C,), (N, C) or (N, C, d1, ...)
    Tensor target;
    Tensor weight;  // (C,), shaped to broadcast with log_p; or undefined
    int64_t dim;    // the class axis
    int64_t classes;
    Options options;
};

Tensor scalar_times(const Tensor& x, double factor) { return mul(x, weak_scalar(Scalar(factor))); }
Tensor sum_classes(const Problem& p, const Tensor& x) { return sum(x, Dims{p.dim}); }

[[noreturn]] void wrong_shapes(const Tensor& input, const Tensor& target, const char* what) {
    ErrorBuilder("cross_entropy(input, target)", what)
        .given("input", describe(input))
        .given("target", describe(target))
        .rule("input (C,), (N, C) or (N, C, d1, ...); target without C (class indices) or as input "
              "(probabilities)")
        .raise<ShapeMismatch>();
}

// The class index of every position, safe to look up: 0 where it is ignored.
Tensor lookup(const Problem& p, const Tensor& table, const Tensor& ignored, int64_t dim) {
    const Tensor zero = core_ops().full(Shape(), Scalar(0), Dtype::Int64, p.target.device());
    const Tensor index = core_ops().where(ignored, zero, p.target);
    try {
        return squeeze(gather(table, dim, unsqueeze(index, dim)), Dims{dim});
    } catch (const IndexOutOfRange&) {
        ErrorBuilder("cross_entropy(input, target)", "a target is not a class")
            .given("input", describe(p.log_p))
            .given("target", describe(p.target))
            .rule("0 <= target < " + std::to_string(p.classes) +
                  ", or target == ignore_index = " + std::to_string(p.options.ignore_index))
            .raise<IndexOutOfRange>();
    }
}

// (C,) laid out along the class axis of log_p and repeated over the others.
Tensor weight_like_input(const Problem& p) {
    Dims size(p.log_p.shape().size(), 1);
    size[static_cast<size_t>(p.dim)] = p.classes;
    return reshape(p.weight, size);
}

Tensor zero_where(const Tensor& mask, const Tensor& x) {
    return core_ops().where(mask, core_ops().full(Shape(), Scalar(0), x.dtype(), x.device()), x);
}

Tensor index_target_loss(const Problem& p) {
    const Tensor ignored = eq(p.target, weak_scalar(Scalar(p.options.ignore_index)));
    // The weight of each position: that of its class, 0 where it is ignored.
    Tensor share;
    if (p.weight.defined()) {
        const Tensor table = expand(weight_like_input(p), p.log_p.shape());
        share = zero_where(ignored, lookup(p, table, ignored, p.dim));
    }
    Tensor losses = neg(lookup(p, p.log_p, ignored, p.dim));
    if (share.defined()) losses = mul(losses, share);
    losses = zero_where(ignored, losses);
    if (p.options.label_smoothing > 0) {
        const Tensor weighted = p.weight.defined() ? mul(p.log_p, weight_like_input(p)) : p.log_p;
        const Tensor smooth = zero_where(ignored, neg(sum_classes(p, weighted)));
        losses =
            add(scalar_times(losses, 1 - p.options.label_smoothing),
                scalar_times(smooth, p.options.label_smoothing / static_cast<double>(p.classes)));
    }
    if (p.options.reduction == Reduction::None) return losses;
    const Tensor total = sum(losses);
    if (p.options.reduction == Reduction::Sum) return total;
    if (share.defined()) return div(total, sum(share));
    return div(total, sum(core_ops().cast(logical_not(ignored), p.log_p.dtype())));
}

Tensor probability_target_loss(const Problem& p) {
    Tensor target = core_ops().cast(p.target, p.log_p.dtype());
    const double smoothing = p.options.label_smoothing;
    if (smoothing > 0) {
        target = add(scalar_times(target, 1 - smoothing),
                     weak_scalar(Scalar(smoothing / static_cast<double>(p.classes))));
    }
    Tensor terms = mul(p.log_p, target);
    if (p.weight.defined()) terms = mul(terms, weight_like_input(p));
    if (p.options.reduction == Reduction::None) return neg(sum_classes(p, terms));
    const Tensor total = neg(sum(terms));
    if (p.options.reduction == Reduction::Sum) return total;
    int64_t positions = 1;
    for (int64_t dim = 0; dim < p.log_p.ndim(); ++dim) {
        if (dim != p.dim) positions *= p.log_p.size(dim);
    }
    return div(total, weak_scalar(Scalar(static_cast<double>(positions))));
}

void check(const Tensor& input, const Tensor& target, const Tensor& weight,
           const Options& options) {
    if (input.ndim() == 0) wrong_shapes(input, target, "input needs a class dimension");
    const auto dim = static_cast<size_t>(input.ndim() == 1 ? 0 : 1);
    if (is_floating(target.dtype())) {
        if (!(target.shape() == input.shape())) {
            wrong_shapes(input, target, "probabilities need the shape of input");
        }
        if (options.ignore_index >= 0) {
            throw InvalidArgument("cross_entropy: ignore_index has no meaning for probabilities");
        }
    } else if (target.dtype() != Dtype::Int64) {
        ErrorBuilder("cross_entropy(input, target)", "target must be int64 or floating")
            .given("target", describe(target))
            .rule("class indices: target.to(lucid.int64)")
            .raise<DtypeMismatch>();
    } else {
        Shape expected = input.shape();
        expected.erase(expected.begin() + dim);
        if (!(target.shape() == expected)) wrong_shapes(input, target, "the shapes do not fit");
    }
    if (weight.defined() && (weight.ndim() != 1 || weight.size(0) != input.shape()[dim])) {
        ErrorBuilder("cross_entropy(input, target, weight)", "weight must have one element a class")
            .given("input", describe(input))
            .given("weight", describe(weight))
            .raise<ShapeMismatch>();
    }
    if (!(options.label_smoothing >= 0 && options.label_smoothing <= 1)) {
        ErrorBuilder(kName, "label_smoothing must lie between 0 and 1")
            .given("label_smoothing", Scalar(options.label_smoothing).to_string())
            .raise<InvalidArgument>();
    }
}

const OpSchema kCrossEntropy{
    .name = kName,
    .signature =
        "cross_entropy(Tensor input, Tensor target, Tensor? weight=None, *, "
        "int ignore_index=-100, str reduction='mean', float label_smoothing=0.0) -> Tensor",
    .dtype_rule = DtypeRule::Explicit,
    .dtypes = kFloatingDtypes,
    .dtype_reason = "softmax is of floating numbers; cast the input",
    .amp = AmpPolicy::ForceFP32,
    .python = kNetwork,
    .doc =
        R"(The cross entropy of the softmax of input against class indices or class probabilities.

With int64 targets a position costs -weight[t] * log_softmax(input)[t]; positions whose target is
ignore_index cost nothing; 'mean' divides by the sum of the weights used. With floating targets a
position costs -sum(weight * target * log_softmax(input)); 'mean' divides by the number of
positions. label_smoothing mixes the target with the uniform distribution. float16 and bfloat16 are
computed in float32.

Shapes: input (C,), (N, C) or (N, C, d1, ...); target without C, or as input; weight (C,). Result ()
or, for reduction 'none', input without C.
Raises IndexOutOfRange for a target that is no class (on the CPU), ShapeMismatch and DtypeMismatch
when the arguments do not fit, ValueError for a bad option.

>>> logits = lucid.zeros(2, 4)
>>> round(lucid.nn.functional.cross_entropy(logits, lucid.tensor([0, 3])).item(), 4)
1.3863
)"};

std::vector<Tensor> cross_entropy_entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
    const bool weighted = inputs.size() > 2 && inputs[2]->defined();
    // Autocast as the schema says, and one device.
    const PreparedInputs prepared(kCrossEntropy, inputs.first(weighted ? 3 : 2));
    const Tensor& input = *prepared.tensors()[0];
    const Tensor weight = weighted ? *prepared.tensors()[2] : Tensor();
    const Options options{attrs.integer(0), parse_reduction(kName, attrs.text(1)), attrs.real(2)};
    check(input, *prepared.tensors()[1], weight, options);

    if (!is_floating(input.dtype())) {
        ErrorBuilder("cross_entropy(input, target)",
                     std::string("not defined for ") + name_of(input.dtype()))
            .given("input", describe(input))
            .rule(kCrossEntropy.dtype_reason)
            .raise<DtypeMismatch>();
    }
    const bool half = size_of(input.dtype()) == 2;
    const Dtype computed = half ? Dtype::Float32 : input.dtype();
    const int64_t dim = input.ndim() == 1 ? 0 : 1;
    Problem problem{.log_p = log_softmax(input, dim, computed),
                    .target = *prepared.tensors()[1],
                    .weight = weighted ? core_ops().cast(weight, computed) : Tensor(),
                    .dim = dim,
                    .classes = input.size(dim),
                    .options = options};
    const Tensor loss = is_floating(problem.target.dtype()) ? probability_target_loss(problem)
                                                            : index_target_loss(problem);
    return {half ? core_ops().cast(loss, input.dtype()) : loss};
}

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(CrossEntropy) {
    static const OpDef defs[] = {composition(kCrossEntropy, &cross_entropy_entry)};
    return defs;
}
