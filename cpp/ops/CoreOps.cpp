// Fills autograd's table of the ops that it needs itself (a declared inversion:
// autograd/CoreOps.h).
#include "lucid/autograd/CoreOps.h"

#include "lucid/ops/Install.h"
#include "lucid/ops/memory/WriteMemory.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

// The inverse of broadcasting: sums the axes that `shape` lacks or has at size 1.
Tensor sum_to(const Tensor& x, const Shape& shape) {
    LUCID_ASSERT(x.shape().size() >= shape.size());
    const size_t missing = x.shape().size() - shape.size();
    Dims axes;
    for (size_t i = 0; i < x.shape().size(); ++i) {
        if (i < missing || (shape[i - missing] == 1 && x.shape()[i] != 1)) {
            axes.push_back(static_cast<int64_t>(i));
        }
    }
    const Tensor summed = axes.empty() ? x : sum(x, axes, /*keepdim=*/true, x.dtype());
    return missing == 0 ? summed : reshape(summed, Dims(shape));
}

}  // namespace

void install_core_ops() {
    CoreOps& ops = core_ops();
    ops.add = [](const Tensor& a, const Tensor& b) { return add(a, b); };
    ops.sum_to = &sum_to;
    ops.broadcast_to = [](const Tensor& x, const Shape& shape) {
        return broadcast_to(x, Dims(shape));
    };
    ops.reshape = [](const Tensor& x, const Shape& shape) { return reshape(x, Dims(shape)); };
    ops.cast = [](const Tensor& x, Dtype dtype) { return cast(x, dtype); };
    ops.full = [](const Shape& shape, Scalar value, Dtype dtype, Device device) {
        return full(Dims(shape), value, dtype, device);
    };
    ops.where = [](const Tensor& condition, const Tensor& a, const Tensor& b) {
        return where(condition, a, b);
    };
    ops.clone = [](const Tensor& x) { return clone(x); };
    ops.as_strided = [](const Tensor& x, const Shape& shape, const Strides& strides,
                        int64_t offset) {
        return as_strided(x, Dims(shape), Dims(strides), offset);
    };
    ops.as_strided_scatter = [](const Tensor& x, const Tensor& source, const Shape& shape,
                                const Strides& strides, int64_t offset) {
        return as_strided_scatter(x, source, Dims(shape), Dims(strides), offset);
    };
    ops.isnan_any = [](const Tensor& x) { return any(ne(x, x)); };
    ops.write_memory = &write_memory;
}

LUCID_NAMESPACE_END
