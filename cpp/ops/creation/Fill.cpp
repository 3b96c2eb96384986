// zeros, ones, full and their _like forms: tensors of one value.
#include "lucid/backend/cpu/Fill.h"

#include "lucid/ops/creation/TensorOptions.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

using Inputs = std::span<const Tensor* const>;

struct Fill : CreationKernel<Fill> {
    static const OpSchema schema_v1;
    static void kernel(const CpuCall& call) { cpu::fill(call.outputs[0], call.attrs.scalar(2)); }
};

const OpSchema Fill::schema_v1{
    .name = "_fill",
    .signature = "_fill(int[] size, Dtype dtype, Scalar value) -> Tensor",
    .dtype_rule = DtypeRule::Explicit,
    .python = kInternal,
    .no_gradient_reason = kNoTensorInput,
    .doc = "A tensor of one value."};

std::vector<Tensor> filled(const char* op, const Dims& size, const Scalar& value,
                           const TensorOptions& options) {
    checked_size(op, size);
    check_fits(op, value, options.dtype);
    return make_tensor(op, options, [&] { return _fill(size, options.dtype, value); });
}

std::vector<Tensor> zeros_entry(Inputs, const Attrs& attrs) {
    return filled("zeros", attrs.dims(0), Scalar(0),
                  TensorOptions::from(attrs, 1, TensorOptions::default_dtype()));
}
std::vector<Tensor> ones_entry(Inputs, const Attrs& attrs) {
    return filled("ones", attrs.dims(0), Scalar(1),
                  TensorOptions::from(attrs, 1, TensorOptions::default_dtype()));
}
std::vector<Tensor> full_entry(Inputs, const Attrs& attrs) {
    const Scalar& value = attrs.scalar(1);
    const Dtype natural = value.natural_dtype(TensorOptions::default_dtype());
    return filled("full", attrs.dims(0), value, TensorOptions::from(attrs, 2, natural));
}
std::vector<Tensor> zeros_like_entry(Inputs inputs, const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    return filled("zeros_like", Dims(x.shape()), Scalar(0), TensorOptions::like(x, attrs, 0));
}
std::vector<Tensor> ones_like_entry(Inputs inputs, const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    return filled("ones_like", Dims(x.shape()), Scalar(1), TensorOptions::like(x, attrs, 0));
}
std::vector<Tensor> full_like_entry(Inputs inputs, const Attrs& attrs) {
    const Tensor& x = *inputs[0];
    return filled("full_like", Dims(x.shape()), attrs.scalar(0), TensorOptions::like(x, attrs, 1));
}

const OpSchema kZeros{.name = "zeros",
                      .signature = "zeros(int[] size, *, Dtype? dtype=None, Device? device=None, "
                                   "bool requires_grad=False) -> Tensor",
                      .doc = R"(A tensor of zeros, of the default dtype unless one is given.

Shapes: result `size`.
Raises ShapeMismatch for a negative size.

>>> lucid.zeros(2).tolist()
[0.0, 0.0]
)"};

const OpSchema kOnes{.name = "ones",
                     .signature = "ones(int[] size, *, Dtype? dtype=None, Device? device=None, "
                                  "bool requires_grad=False) -> Tensor",
                     .doc = R"(A tensor of ones, of the default dtype unless one is given.

Shapes: result `size`.
Raises ShapeMismatch for a negative size.

>>> lucid.ones(2, dtype=lucid.int64).tolist()
[1, 1]
)"};

const OpSchema kFull{
    .name = "full",
    .signature = "full(int[] size, Scalar fill_value, *, Dtype? dtype=None, Device? device=None, "
                 "bool requires_grad=False) -> Tensor",
    .doc = R"(A tensor of one value; without a dtype, bool, int64, or the default dtype by its kind.

Shapes: result `size`.
Raises ShapeMismatch for a negative size, OverflowError when an integer does not fit the dtype,
DtypeMismatch for a complex value in a real dtype.

>>> lucid.full((2,), 2.5).tolist()
[2.5, 2.5]
)"};

const OpSchema kZerosLike{
    .name = "zeros_like",
    .signature = "zeros_like(Tensor x, *, Dtype? dtype=None, Device? device=None, "
                 "bool requires_grad=False) -> Tensor",
    .dtype_rule = DtypeRule::First,
    .doc = R"(Zeros with the shape and, unless given, the dtype and device of x.

Shapes: result as x, row-major.
Raises nothing of its own.

>>> lucid.zeros_like(lucid.tensor([1, 2])).tolist()
[0, 0]
)"};

const OpSchema kOnesLike{.name = "ones_like",
                         .signature =
                             "ones_like(Tensor x, *, Dtype? dtype=None, Device? device=None, "
                             "bool requires_grad=False) -> Tensor",
                         .dtype_rule = DtypeRule::First,
                         .doc = R"(Ones with the shape and, unless given, the dtype and device of x.

Shapes: result as x, row-major.
Raises nothing of its own.

>>> lucid.ones_like(lucid.tensor([2.0, 3.0])).tolist()
[1.0, 1.0]
)"};

const OpSchema kFullLike{
    .name = "full_like",
    .signature = "full_like(Tensor x, Scalar fill_value, *, Dtype? dtype=None, "
                 "Device? device=None, bool requires_grad=False) -> Tensor",
    .dtype_rule = DtypeRule::First,
    .doc = R"(One value with the shape and, unless given, the dtype and device of x.

Shapes: result as x, row-major.
Raises OverflowError when an integer does not fit the dtype, DtypeMismatch for a complex value in a
real dtype.

>>> lucid.full_like(lucid.tensor([1, 2]), 7).tolist()
[7, 7]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Fill) {
    static const OpDef defs[] = {Fill::op(),
                                 composition(kZeros, &zeros_entry),
                                 composition(kOnes, &ones_entry),
                                 composition(kFull, &full_entry),
                                 composition(kZerosLike, &zeros_like_entry),
                                 composition(kOnesLike, &ones_like_entry),
                                 composition(kFullLike, &full_like_entry)};
    return defs;
}
