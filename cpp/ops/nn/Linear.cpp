#include "lucid/ops/nn/Linear.h"

#include "lucid/backend/Dispatcher.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/kernel/Promotion.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

void check_shapes(const Storage& x, const Storage& W, const Storage* b) {
    auto wrong = [&](const char* what) {
        ErrorBuilder error("linear(x, weight, bias)", what);
        error.given("x", describe(x)).given("weight", describe(W));
        if (b != nullptr) error.given("bias", describe(*b));
        error.rule("(..., k), (m, k), (m,) -> (..., m)").raise<ShapeMismatch>();
    };
    if (W.ndim() != 2) wrong("weight must have two dimensions");
    if (x.ndim() == 0) wrong("x needs at least one dimension");
    if (x.size(-1) != W.size(1)) wrong("inner dimensions differ");
    if (b != nullptr && (b->ndim() != 1 || b->size(0) != W.size(0))) {
        wrong("bias must have one element for each row of weight");
    }
}

// (..., n) -> (rows, n)
Storage as_rows(IBackend* be, const Storage& x) {
    int64_t rows = 1;
    for (int64_t dim = 0; dim + 1 < x.ndim(); ++dim) rows *= x.size(dim);
    return be->reshape(x, Dims{rows, x.size(-1)});
}

Storage conjugated(IBackend* be, const Storage& x) {
    return is_complex(x.dtype()) ? be->conj(x) : x;
}

std::vector<Tensor> decompose(std::span<const Tensor* const> inputs, const Attrs&) {
    const Tensor y = matmul(*inputs[0], *inputs[1], false, true);
    const bool with_bias = inputs.size() > 2 && inputs[2]->defined();
    return {with_bias ? add(y, *inputs[2]) : y};
}

}  // namespace

TensorImplPtr LinearBackward::forward(const TensorImplPtr& x, const TensorImplPtr& W,
                                      const TensorImplPtr& b) {
    // Autocast and promotion as the schema says; the casts are on the tape.
    const Tensor given[] = {Tensor(x), Tensor(W), Tensor(b)};
    const Tensor* operands[] = {&given[0], &given[1], &given[2]};
    const size_t count = b ? 3 : 2;
    const PreparedInputs prepared(schema_v1, {operands, count});
    const auto tensors = prepared.tensors();
    const Storage& x_storage = tensors[0]->storage();
    const Storage& W_storage = tensors[1]->storage();
    const Storage* b_storage = b ? &tensors[2]->storage() : nullptr;
    check_shapes(x_storage, W_storage, b_storage);

    auto* be = Dispatcher::for_device(x_storage.device());
    Storage y = be->matmul(x_storage, W_storage, /*trans_a=*/false, /*trans_b=*/true);
    if (b_storage != nullptr) y = be->add(y, *b_storage);
    return attach({tensors[0]->impl(), tensors[1]->impl(), b ? tensors[2]->impl() : nullptr},
                  std::move(y));
}

std::vector<Storage> LinearBackward::apply(Storage grad_out) {
    auto* be = Dispatcher::for_device(grad_out.device());
    Storage dx, dW, db;
    if (needs(0)) dx = be->matmul(grad_out, conjugated(be, saved(1)), false, false);
    if (needs(1)) {
        const Storage x = conjugated(be, saved(0));
        dW = be->matmul(as_rows(be, grad_out), as_rows(be, x), /*trans_a=*/true, /*trans_b=*/false);
    }
    if (needs(2)) db = be->sum(as_rows(be, grad_out), Dims{0}, /*keepdim=*/false);
    return {std::move(dx), std::move(dW), std::move(db)};
}

const OpSchema LinearBackward::schema_v1{
    .name = "linear",
    .signature = "linear(Tensor x, Tensor weight, Tensor? bias=None) -> Tensor",
    .backward_name = "LinearBackward",
    .dtype_rule = DtypeRule::Promote,
    .dtypes = kNumberDtypes,
    .dtype_reason = "bool has no matrix product; cast to an integer dtype first",
    .amp = AmpPolicy::Promote,
    .saves = {.inputs = 0b111},
    .cost = CostClass::Heavy,
    .python = kNetwork,
    .doc = R"(x @ weight.T + bias, in their common dtype.

The backward keeps x and weight, and bias for a second derivative.

Shapes: x (..., k), weight (m, k), bias (m,) or None; result (..., m).
Raises ShapeMismatch when they do not fit, DtypeMismatch for bool.

>>> x, w = lucid.ones(2, 3), lucid.ones(1, 3)
>>> lucid.nn.functional.linear(x, w, lucid.tensor([0.5])).tolist()
[[3.5], [3.5]]
)"};

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Linear) {
    static const OpDef defs[] = {[] {
        OpDef def = func_op<LinearBackward>();
        def.decompose = &decompose;
        return def;
    }()};
    return defs;
}
