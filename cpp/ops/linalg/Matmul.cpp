// matmul: NumPy's product of matrices, vectors and batches of them, over cpu::gemm_batched.
#include "lucid/backend/cpu/Gemm.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

// An operand as a stack of matrices: a vector becomes a row (left) or a column (right), a
// transposed one is seen through exchanged strides.
struct Matrices {
    Shape shape;  // (..., rows, columns)
    Strides strides;
    bool is_vector = false;

    Matrices(DimSpan s, DimSpan t, bool transposed, bool left) : shape(s), strides(t) {
        is_vector = shape.size() == 1;
        if (is_vector) {
            shape.insert(left ? shape.begin() : shape.end(), 1);
            strides.insert(left ? strides.begin() : strides.end(), 0);
        } else if (transposed) {
            std::swap(shape[shape.size() - 2], shape.back());
            std::swap(strides[strides.size() - 2], strides.back());
        }
    }
    int64_t rows() const { return shape[shape.size() - 2]; }
    int64_t columns() const { return shape.back(); }
    DimSpan batch() const { return shape.span().first(shape.size() - 2); }
    // The strides under a larger batch: 0 where this operand is repeated.
    void expand_batch(DimSpan batch) {
        const size_t missing = batch.size() + 2 - shape.size();
        Shape wide(batch);
        Strides wide_strides(batch.size(), 0);
        for (size_t i = missing; i < batch.size(); ++i) {
            if (shape[i - missing] != 1) wide_strides[i] = strides[i - missing];
        }
        wide.push_back(rows());
        wide.push_back(columns());
        wide_strides.push_back(strides[strides.size() - 2]);
        wide_strides.push_back(strides.back());
        shape = std::move(wide);
        strides = std::move(wide_strides);
    }
};

std::string padded(std::string text, size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

[[noreturn]] void wrong_shapes(const Storage& a, const Storage& b, const char* what,
                               std::string of_a, std::string of_b) {
    const std::string text_a = std::string(name_of(a.dtype())) + " " + to_string(a.shape());
    const std::string text_b = std::string(name_of(b.dtype())) + " " + to_string(b.shape());
    const size_t width = std::max(text_a.size(), text_b.size());
    auto line = [&](const std::string& text, const Storage& x, const std::string& detail) {
        const std::string where = padded(text, width) + "  " + to_string(x.device());
        return detail.empty() ? where : where + "   " + detail;
    };
    ErrorBuilder("matmul(a, b)", what)
        .given("a", line(text_a, a, of_a))
        .given("b", line(text_b, b, of_b))
        .rule("(..., n, k) @ (..., k, m) -> (..., n, m)")
        .raise<ShapeMismatch>();
}

// "a.shape[-2] = 64"
std::string axis_text(const char* name, int64_t axis, int64_t size) {
    return std::string(name) + ".shape[" + std::to_string(axis) + "] = " + std::to_string(size);
}

void check_shapes(const Storage& a, const Storage& b, bool trans_a, bool trans_b) {
    if (a.ndim() == 0 || b.ndim() == 0) {
        wrong_shapes(a, b, "both need at least one dimension", "", "");
    }
    const int64_t axis_a = trans_a && a.ndim() > 1 ? -2 : -1;
    const int64_t axis_b = b.ndim() == 1 || trans_b ? -1 : -2;
    if (a.size(axis_a) != b.size(axis_b)) {
        wrong_shapes(a, b, "inner dimensions differ", axis_text("a", axis_a, a.size(axis_a)),
                     axis_text("b", axis_b, b.size(axis_b)));
    }
    for (int64_t axis = -3; axis >= -std::min(a.ndim(), b.ndim()); --axis) {
        if (a.size(axis) == b.size(axis) || a.size(axis) == 1 || b.size(axis) == 1) continue;
        wrong_shapes(a, b, "batch dimensions do not broadcast", axis_text("a", axis, a.size(axis)),
                     axis_text("b", axis, b.size(axis)));
    }
}

Tensor conjugated(const Tensor& x) { return is_complex(x.dtype()) ? conj(x) : x; }

// (..., n, m) -> (rows, m)
Tensor as_rows(const Tensor& x) {
    const int64_t columns = x.size(-1);
    return reshape(x, Dims{numel_of(x.shape().span().first(x.shape().size() - 1)), columns});
}

struct MatmulBackward : NaryKernel<MatmulBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        check_shapes(*inputs[0], *inputs[1], attrs.flag(0), attrs.flag(1));
        const Matrices a(inputs[0]->shape(), inputs[0]->strides(), attrs.flag(0), true);
        const Matrices b(inputs[1]->shape(), inputs[1]->strides(), attrs.flag(1), false);
        Shape shape = broadcast_shapes("matmul", a.batch(), b.batch());
        if (!a.is_vector) shape.push_back(a.rows());
        if (!b.is_vector) shape.push_back(b.columns());
        outputs.push_back(OutputSpec::dense(inputs[0]->dtype(), std::move(shape)));
    }
    static void kernel(const CpuCall& call) {
        // a (..., M, K), b (..., K, N) -> c (..., M, N)
        const cpu::View& out = call.outputs[0];
        if (numel_of(out.shape) == 0) return;
        Matrices a(call.inputs[0].shape, call.inputs[0].strides, call.attrs.flag(0), true);
        Matrices b(call.inputs[1].shape, call.inputs[1].strides, call.attrs.flag(1), false);
        if (a.columns() == 0) return fill_zero(out);
        Shape shape = broadcast_shapes("matmul", a.batch(), b.batch());
        a.expand_batch(shape);
        b.expand_batch(shape);
        const int64_t batch = numel_of(shape);
        shape.push_back(a.rows());
        shape.push_back(b.columns());
        // One matrix b for every a: a single product, when the rows of all a lie evenly.
        const bool one_b = std::all_of(b.strides.begin(), b.strides.end() - 2,
                                       [](int64_t stride) { return stride == 0; });
        if (batch > 1 && one_b) {
            const Shape rows{batch * a.rows(), a.columns()};
            if (auto strides = view_strides(a.shape, a.strides, rows)) {
                a.shape = rows;
                a.strides = std::move(*strides);
                b.shape = Shape{b.rows(), b.columns()};
                b.strides = Strides(b.strides.end() - 2, b.strides.end());
                shape = Shape{rows[0], b.columns()};
            }
        }
        const Strides strides = contiguous_strides(shape);
        cpu::gemm_batched({call.inputs[0].data, call.inputs[0].dtype, a.shape, a.strides},
                          {call.inputs[1].data, call.inputs[1].dtype, b.shape, b.strides},
                          {out.data, out.dtype, shape, strides});
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        // The rank of an input without gradient is that of the saved one, which is then needed.
        Tensor a = ctx.needs(1) ? ctx.input(0) : Tensor();
        Tensor b = ctx.needs(0) ? ctx.input(1) : Tensor();
        const bool row = (a.defined() ? a.shape().size() : ctx.input_shape(0).size()) == 1;
        const bool column = (b.defined() ? b.shape().size() : ctx.input_shape(1).size()) == 1;
        const bool trans_a = ctx.attrs().flag(0) && !row;
        const bool trans_b = ctx.attrs().flag(1) && !column;
        Tensor grad = grads[0];
        if (column) grad = unsqueeze(grad, -1);
        if (row) grad = unsqueeze(grad, -2);
        if (a.defined()) a = conjugated(row ? unsqueeze(a, 0) : a);
        if (b.defined()) b = conjugated(column ? unsqueeze(b, 1) : b);
        if (ctx.needs(0)) {
            const Tensor grad_a =
                trans_a ? matmul(b, grad, trans_b, true) : matmul(grad, b, false, !trans_b);
            out[0] = row ? squeeze(grad_a, Dims{-2}) : grad_a;
        }
        if (!ctx.needs(1)) return;
        if (ctx.input_shape(1).size() <= 2 && a.ndim() > 2 && !trans_a) {
            // One b for the whole batch: its gradient is one product over all rows.
            a = as_rows(a);
            grad = as_rows(grad);
        }
        const Tensor grad_b =
            trans_b ? matmul(grad, a, true, trans_a) : matmul(a, grad, !trans_a, false);
        out[1] = column ? squeeze(grad_b, Dims{-1}) : grad_b;
    }
};

const OpSchema MatmulBackward::schema_v1{
    .name = "matmul",
    .signature = "matmul(Tensor a, Tensor b, *, bool trans_a=False, bool trans_b=False) -> Tensor",
    .backward_name = "MatmulBackward",
    .dtype_rule = DtypeRule::Promote,
    .dtypes = kNumberDtypes,
    .dtype_reason = "bool has no matrix product; cast to an integer dtype first",
    .amp = AmpPolicy::Promote,
    .saves = {.inputs = 0b11},
    .cost = CostClass::Heavy,
    .python = kFunction | kMethod,
    .doc = R"(The matrix product of a and b, in their common dtype.

Vectors multiply as a row on the left and a column on the right; more than two dimensions are a
batch of matrices, which broadcasts. trans_a and trans_b exchange the last two dimensions of a
matrix first. float16 and bfloat16 accumulate in float32.

Shapes: a (..., n, k), b (..., k, m), result (..., n, m); (k,) @ (k,) -> ().
Raises ShapeMismatch when the inner dimensions differ or the batches do not broadcast, DtypeMismatch
for bool.

>>> lucid.matmul(lucid.tensor([[1, 2], [3, 4]]), lucid.tensor([1, 1])).tolist()
[3, 7]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Matmul) {
    static const OpDef defs[] = {MatmulBackward::op()};
    return defs;
}
