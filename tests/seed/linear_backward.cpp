// The seed's LinearBackward, built outside the tree against the installed headers. It is registered
// as `seed_linear` and must give the bytes of the built-in `linear`. CHANGES.md names every change.
#include <nanobind/nanobind.h>

#include "lucid/lucid.h"
#include "lucid/nanobind.h"

namespace seed {

using lucid::Dims;
using lucid::Dispatcher;
using lucid::FuncOp;
using lucid::IBackend;
using lucid::OpSchema;
using lucid::Storage;
using lucid::TensorImplPtr;

class LinearBackward : public FuncOp<LinearBackward, 3> {
public:
    static const OpSchema schema_v1;

    // Saves x, W, b; attaches itself as grad_fn of the output.
    static TensorImplPtr forward(const TensorImplPtr& x, const TensorImplPtr& W,
                                 const TensorImplPtr& b);

    // dx = grad_out @ W; dW = grad_out^T @ x; db = sum(grad_out, 0).
    std::vector<Storage> apply(Storage grad_out) override;
};

const OpSchema LinearBackward::schema_v1{
    .name = "seed_linear",
    .signature = "seed_linear(Tensor x, Tensor weight, Tensor? bias=None) -> Tensor",
    .backward_name = "LinearBackward",
    .dtype_rule = lucid::DtypeRule::Promote,
    .dtypes = lucid::kFloatingDtypes,
    .dtype_reason = "the listing does not conjugate",
    .amp = lucid::AmpPolicy::Promote,
    .saves = {.inputs = 0b111},
    .cost = lucid::CostClass::Heavy,
    .doc = "x @ weight.T + bias; x (..., k), weight (m, k), bias (m,) or None; result (..., m).",
};

// (..., n) -> (rows, n)
static Storage as_rows(IBackend* be, const Storage& x) {
    int64_t rows = 1;
    for (int64_t dim = 0; dim + 1 < x.ndim(); ++dim) rows *= x.size(dim);
    return be->reshape(x, Dims{rows, x.size(-1)});
}

TensorImplPtr LinearBackward::forward(const TensorImplPtr& x, const TensorImplPtr& W,
                                      const TensorImplPtr& b) {
    auto* be = Dispatcher::for_device(x->storage().device());
    Storage y = be->matmul(x->storage(), W->storage(), /*trans_a=*/false, /*trans_b=*/true);
    if (b) y = be->add(y, b->storage());
    return attach({x, W, b}, std::move(y));
}

std::vector<Storage> LinearBackward::apply(Storage grad_out) {
    auto* be = Dispatcher::for_device(grad_out.device());
    const Storage x = as_rows(be, saved(0));
    const Storage W = saved(1);
    const Storage grad_rows = as_rows(be, grad_out);
    const Storage grad_out_T = be->transpose(grad_rows);

    auto dx = be->matmul(grad_out, W);
    auto dW = be->matmul(grad_out_T, x, /*trans_a=*/false, /*trans_b=*/false);
    auto db = be->sum(grad_rows, Dims{0});
    return {dx, dW, db};
}

static std::vector<lucid::Tensor> decompose(std::span<const lucid::Tensor* const> inputs,
                                            const lucid::Attrs&) {
    const lucid::Tensor y = lucid::matmul(*inputs[0], *inputs[1], false, true);
    return {inputs[2]->defined() ? lucid::add(y, *inputs[2]) : y};
}

static void register_ops() {
    static const lucid::OpDef defs[] = {[] {
        lucid::OpDef def = lucid::func_op<LinearBackward>();
        def.decompose = &decompose;
        return def;
    }()};
    lucid::register_op_defs(defs, "tests/seed");
}

}  // namespace seed

NB_MODULE(seed_linear, m) {
    seed::register_ops();
    m.def("linear", [](const lucid::Tensor& x, const lucid::Tensor& W, const lucid::Tensor& b) {
        return lucid::Tensor(seed::LinearBackward::forward(x.impl(), W.impl(), b.impl()));
    });
    m.def("linear", [](const lucid::Tensor& x, const lucid::Tensor& W) {
        return lucid::Tensor(seed::LinearBackward::forward(x.impl(), W.impl(), nullptr));
    });
}
