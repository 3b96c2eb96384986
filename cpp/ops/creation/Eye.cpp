// eye: ones on the main diagonal.
#include "lucid/backend/cpu/Fill.h"
#include "lucid/ops/creation/TensorOptions.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct Eye : CreationKernel<Eye> {
    static const OpSchema schema_v1;
    static void kernel(const CpuCall& call) { cpu::eye(call.outputs[0]); }
};

const OpSchema Eye::schema_v1{.name = "_eye",
                              .signature = "_eye(int[] size, Dtype dtype) -> Tensor",
                              .dtype_rule = DtypeRule::Explicit,
                              .python = kInternal,
                              .no_gradient_reason = kNoTensorInput,
                              .doc = "One on the main diagonal, zero elsewhere."};

std::vector<Tensor> eye_entry(std::span<const Tensor* const>, const Attrs& attrs) {
    const int64_t rows = attrs.integer(0);
    const Dims size{rows, attrs.has(1) ? attrs.integer(1) : rows};
    checked_size("eye", size);
    const TensorOptions options = TensorOptions::from(attrs, 2, TensorOptions::default_dtype());
    return make_tensor("eye", options, [&] { return _eye(size, options.dtype); });
}

const OpSchema kEye{.name = "eye",
                    .signature =
                        "eye(int n, int? m=None, *, Dtype? dtype=None, Device? device=None, "
                        "bool requires_grad=False) -> Tensor",
                    .doc = R"(A matrix with ones on its main diagonal and zeros elsewhere.

Shapes: result (n, m); m is n unless given.
Raises ShapeMismatch for a negative size.

>>> lucid.eye(2).tolist()
[[1.0, 0.0], [0.0, 1.0]]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Eye) {
    static const OpDef defs[] = {Eye::op(), composition(kEye, &eye_entry)};
    return defs;
}
