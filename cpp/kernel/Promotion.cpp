#include "lucid/kernel/Promotion.h"

#include <optional>

#include "lucid/autograd/CoreOps.h"
#include "lucid/backend/Dispatcher.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN

namespace {

// The result of operands of two priorities: the higher one decides unless the lower one is of a
// higher category (PyTorch's type promotion, "tensor attributes" in its documentation).
Dtype combine(std::optional<Dtype> higher, std::optional<Dtype> lower) {
    if (!higher) return *lower;
    if (!lower) return *higher;
    if (is_complex(*higher)) return *higher;
    if (is_floating(*higher)) return is_complex(*lower) ? complex_dtype(*higher) : *higher;
    if (*higher == Dtype::Bool || is_inexact(*lower)) return promote_types(*higher, *lower);
    return *higher;
}

void include(std::optional<Dtype>& slot, Dtype dtype) {
    slot = slot ? promote_types(*slot, dtype) : dtype;
}

// A weak scalar is kept in double precision, whatever the default dtype; this is what it counts as.
Dtype weak_dtype(const Tensor& weak) {
    const Dtype fallback = context().default_dtype;
    if (is_complex(weak.dtype())) return complex_dtype(fallback);
    return is_floating(weak.dtype()) ? fallback : weak.dtype();
}

// A weak scalar as a strong 0-d value of `dtype`; raises Overflow when an integer does not fit.
Tensor materialize(const Tensor& weak, Dtype dtype) {
    return Tensor(Scalar::load(weak.dtype(), weak.storage().data()), dtype);
}

std::string describe_all(std::span<const Tensor* const> inputs) {
    std::string text;
    for (const Tensor* input : inputs) text += (text.empty() ? "" : ", ") + describe(*input);
    return text;
}

}  // namespace

Dtype common_dtype(std::span<const Tensor* const> inputs) {
    std::optional<Dtype> with_dims, zero_dim, weak;
    for (const Tensor* input : inputs) {
        if ((*input)->is_weak()) {
            include(weak, weak_dtype(*input));
        } else if (input->ndim() == 0) {
            include(zero_dim, input->dtype());
        } else {
            include(with_dims, input->dtype());
        }
    }
    if (!zero_dim && !weak) return *with_dims;
    const std::optional<Dtype> lower =
        zero_dim || weak ? std::optional(combine(zero_dim, weak)) : weak;
    return combine(with_dims, lower);
}

Tensor weak_scalar(Scalar value) {
    // In the widest dtype of its kind: 0.1 must still be 0.1 when it meets float64.
    Tensor tensor(value, value.natural_dtype(Dtype::Float64));
    tensor->set_weak();
    return tensor;
}

PreparedInputs::PreparedInputs(const OpSchema& schema, std::span<const Tensor* const> inputs)
    : inputs_(inputs) {
    if (inputs.size() > kInline) {
        many_.assign(inputs.begin(), inputs.end());
        many_owned_.resize(inputs.size());
        many_storages_.resize(inputs.size());
    } else {
        std::copy(inputs.begin(), inputs.end(), few_.begin());
    }
    check_devices(schema);
    if (schema.amp != AmpPolicy::Preserve && !inputs.empty()) apply_autocast(schema);
    apply_dtype_rule(schema);
    for (size_t i = 0; i < inputs_.size(); ++i) {
        (inputs_.size() <= kInline ? few_storages_[i] : many_storages_[i]) = &at(i)->storage();
    }
}

void PreparedInputs::replace(size_t i, Tensor tensor) {
    Tensor& slot = inputs_.size() <= kInline ? few_owned_[i] : many_owned_[i];
    slot = std::move(tensor);
    at(i) = &slot;
}

void PreparedInputs::check_devices(const OpSchema& schema) {
    for (size_t i = 0; i < inputs_.size(); ++i) {
        if (!inputs_[i]->defined()) {
            ErrorBuilder(schema.name, "a tensor argument is missing")
                .given("position", std::to_string(i))
                .raise<InvalidArgument>();
        }
        if (!(inputs_[i]->device() == inputs_[0]->device())) {
            ErrorBuilder(schema.name, "the tensors are on different devices")
                .given("inputs", describe_all(inputs_))
                .rule("move one of them: x.to(\"" + to_string(inputs_[0]->device()) + "\")")
                .raise<DeviceMismatch>();
        }
    }
}

void PreparedInputs::apply_autocast(const OpSchema& schema) {
    const Autocast& autocast = context().autocast[static_cast<int>(inputs_[0]->device().type)];
    if (!autocast.enabled) return;
    const Dtype target = schema.amp == AmpPolicy::Promote ? autocast.dtype : Dtype::Float32;
    for (size_t i = 0; i < inputs_.size(); ++i) {
        const Dtype dtype = at(i)->dtype();
        const bool half = dtype == Dtype::Float16 || dtype == Dtype::BFloat16;
        const bool eligible = half || dtype == Dtype::Float32;
        if (eligible && dtype != target) replace(i, core_ops().cast(*at(i), target));
    }
}

void PreparedInputs::apply_dtype_rule(const OpSchema& schema) {
    size_t first = 0;
    switch (schema.dtype_rule) {
        case DtypeRule::Explicit:
        case DtypeRule::First:
            for (size_t i = 0; i < inputs_.size(); ++i) {
                if ((*at(i))->is_weak()) replace(i, materialize(*at(i), weak_dtype(*at(i))));
            }
            if (schema.dtype_rule == DtypeRule::Explicit) return;
            break;
        case DtypeRule::PromoteTail: first = 1; [[fallthrough]];
        case DtypeRule::Promote:
        case DtypeRule::PromoteToFloat: {
            bool same = true;
            for (size_t i = first; i < inputs_.size(); ++i) {
                same = same && !(*at(i))->is_weak() && at(i)->dtype() == at(first)->dtype();
            }
            Dtype target = at(first)->dtype();
            if (!same) {
                const auto tensors = this->tensors().subspan(first);
                target = common_dtype(tensors);
            }
            if (schema.dtype_rule == DtypeRule::PromoteToFloat && !is_inexact(target)) {
                target = context().default_dtype;
            }
            for (size_t i = first; i < inputs_.size(); ++i) {
                const Tensor& tensor = *at(i);
                if (tensor->is_weak()) {
                    replace(i, materialize(tensor, target));
                } else if (tensor.dtype() != target) {
                    replace(i, core_ops().cast(tensor, target));
                }
            }
            break;
        }
    }
    if (schema.dtypes == kAllDtypes || inputs_.empty()) return;
    const Dtype dtype = at(first)->dtype();
    if ((schema.dtypes & dtype_bit(dtype)) == 0) {
        ErrorBuilder(schema.name, std::string("not defined for ") + name_of(dtype))
            .given("inputs", describe_all(inputs_))
            .rule(schema.dtype_reason != nullptr ? schema.dtype_reason : "see the op's dtypes")
            .raise<DtypeMismatch>();
    }
}

LUCID_NAMESPACE_END
