// clone and conj: the values again, in memory of their own.
#include "lucid/ops/elementwise/Gradients.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct CloneBackward : UnaryKernel<CloneBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext&, const Tensor& grad) { return grad; }
};

const OpSchema CloneBackward::schema_v1{
    .name = "clone",
    .signature = "clone(Tensor x) -> Tensor",
    .backward_name = "CloneBackward",
    .python = kFunction | kMethod,
    .doc = R"(A copy of x in memory of its own; the gradient flows through.

A dense layout is kept.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.clone(lucid.tensor([1, 2])).tolist()
[1, 2]
)"};

struct ConjBackward : UnaryKernel<ConjBackward> {
    static const OpSchema schema_v1;
    static Tensor gradient(const VjpContext&, const Tensor& grad) { return conj_if_complex(grad); }
};

const OpSchema ConjBackward::schema_v1{
    .name = "conj",
    .signature = "conj(Tensor x) -> Tensor",
    .backward_name = "ConjBackward",
    .python = kFunction | kMethod,
    .doc = R"(The complex conjugate of x, elementwise; a copy of a real x.

Shapes: result as x.
Raises nothing of its own.

>>> lucid.conj(lucid.tensor([1 + 2j])).tolist()
[(1-2j)]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Copy) {
    static const OpDef defs[] = {CloneBackward::op("copy"), ConjBackward::op("conj")};
    return defs;
}
