// eq, ne, lt, le, gt, ge: elementwise comparisons, with bool results.
#include "lucid/ops/elementwise/ExactComparison.h"
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kNoOrder = "complex numbers have no order; compare their parts or abs";

// Derived: schema_v1 and kComparison.
template <typename Derived>
struct ComparisonKernel : BinaryKernel<Derived> {
    static std::vector<Tensor> entry(std::span<const Tensor* const> inputs, const Attrs& attrs) {
        static const OpId id = OpRegistry::require(Derived::schema_v1.name);
        if (is_number_for(*inputs[1], *inputs[0])) {
            return with_number(id, Derived::kComparison, *inputs[0], *inputs[1], false);
        }
        if (is_number_for(*inputs[0], *inputs[1])) {
            return with_number(id, mirrored(Derived::kComparison), *inputs[1], *inputs[0], true);
        }
        return {run_op(id, inputs, attrs)};
    }
    static OpDef op() {
        OpDef def = BinaryKernel<Derived>::op(Derived::schema_v1.name, ResultDtype::Bool);
        def.entry = &entry;
        return def;
    }

private:
    // A real Python number that meets an integer tensor.
    static bool is_number_for(const Tensor& number, const Tensor& x) {
        return number.defined() && x.defined() && number->is_weak() && !x->is_weak() &&
               is_integral(x.dtype()) && !is_complex(number.dtype()) &&
               number.dtype() != Dtype::Bool;
    }
    static std::vector<Tensor> with_number(OpId id, Comparison comparison, const Tensor& x,
                                           const Tensor& number, bool number_first) {
        const auto exact = exact_comparison(comparison, x.dtype(), number.item());
        if (const bool* answer = std::get_if<bool>(&exact)) {
            return {full(Dims(x.shape()), Scalar(*answer), Dtype::Bool, x.device())};
        }
        const Tensor bound = weak_scalar(std::get<Scalar>(exact));
        const Tensor* const operands[] = {number_first ? &bound : &x, number_first ? &x : &bound};
        return {run_op(id, operands, Attrs())};
    }
};

struct Eq : ComparisonKernel<Eq> {
    static const OpSchema schema_v1;
    static constexpr Comparison kComparison = Comparison::Eq;
};

const OpSchema Eq::schema_v1{.name = "eq",
                             .signature = "eq(Tensor a, Tensor b) -> Tensor",
                             .python = kFunction | kMethod,
                             .no_gradient_reason = "bool result",
                             .doc = R"(a == b, elementwise; nan equals nothing.

Integers compare exactly with Python numbers; an integer and a floating tensor compare in their
common dtype.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not.

>>> lucid.eq(lucid.tensor([1, 2]), 2).tolist()
[False, True]
)"};

struct Ne : ComparisonKernel<Ne> {
    static const OpSchema schema_v1;
    static constexpr Comparison kComparison = Comparison::Ne;
};

const OpSchema Ne::schema_v1{.name = "ne",
                             .signature = "ne(Tensor a, Tensor b) -> Tensor",
                             .python = kFunction | kMethod,
                             .no_gradient_reason = "bool result",
                             .doc = R"(a != b, elementwise; nan differs from everything.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not.

>>> lucid.ne(lucid.tensor([1, 2]), 2).tolist()
[True, False]
)"};

struct Lt : ComparisonKernel<Lt> {
    static const OpSchema schema_v1;
    static constexpr Comparison kComparison = Comparison::Lt;
};

const OpSchema Lt::schema_v1{.name = "lt",
                             .signature = "lt(Tensor a, Tensor b) -> Tensor",
                             .dtypes = kRealDtypes,
                             .dtype_reason = kNoOrder,
                             .python = kFunction | kMethod,
                             .no_gradient_reason = "bool result",
                             .doc = R"(a < b, elementwise; false where one is nan.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not, DtypeMismatch for complex tensors.

>>> lucid.lt(lucid.tensor([1, 2]), 2).tolist()
[True, False]
)"};

struct Le : ComparisonKernel<Le> {
    static const OpSchema schema_v1;
    static constexpr Comparison kComparison = Comparison::Le;
};

const OpSchema Le::schema_v1{.name = "le",
                             .signature = "le(Tensor a, Tensor b) -> Tensor",
                             .dtypes = kRealDtypes,
                             .dtype_reason = kNoOrder,
                             .python = kFunction | kMethod,
                             .no_gradient_reason = "bool result",
                             .doc = R"(a <= b, elementwise; false where one is nan.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not, DtypeMismatch for complex tensors.

>>> lucid.le(lucid.tensor([1, 2, 3]), 2).tolist()
[True, True, False]
)"};

struct Gt : ComparisonKernel<Gt> {
    static const OpSchema schema_v1;
    static constexpr Comparison kComparison = Comparison::Gt;
};

const OpSchema Gt::schema_v1{.name = "gt",
                             .signature = "gt(Tensor a, Tensor b) -> Tensor",
                             .dtypes = kRealDtypes,
                             .dtype_reason = kNoOrder,
                             .python = kFunction | kMethod,
                             .no_gradient_reason = "bool result",
                             .doc = R"(a > b, elementwise; false where one is nan.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not, DtypeMismatch for complex tensors.

>>> lucid.gt(lucid.tensor([1, 2, 3]), 2).tolist()
[False, False, True]
)"};

struct Ge : ComparisonKernel<Ge> {
    static const OpSchema schema_v1;
    static constexpr Comparison kComparison = Comparison::Ge;
};

const OpSchema Ge::schema_v1{.name = "ge",
                             .signature = "ge(Tensor a, Tensor b) -> Tensor",
                             .dtypes = kRealDtypes,
                             .dtype_reason = kNoOrder,
                             .python = kFunction | kMethod,
                             .no_gradient_reason = "bool result",
                             .doc = R"(a >= b, elementwise; false where one is nan.

Shapes: a and b broadcast to the result, which is bool.
Raises ShapeMismatch when they do not, DtypeMismatch for complex tensors.

>>> lucid.ge(lucid.tensor([1, 2, 3]), 2).tolist()
[False, True, True]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Compare) {
    static const OpDef defs[] = {Eq::op(), Ne::op(), Lt::op(), Le::op(), Gt::op(), Ge::op()};
    return defs;
}
