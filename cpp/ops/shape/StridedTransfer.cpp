// The linear map behind the gradients of memory-level views: x is added into a memory of zeros
// under one geometry and read back under another. Its transpose is the same op with the geometries
// exchanged.
#include <memory>

#include "lucid/backend/cpu/MapKernel.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/ops.h"
#include "lucid/ops/shape/Geometry.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr const char* kName = "strided_transfer";

// float16 and bfloat16 add up in float32, booleans by "or".
template <typename T>
struct Accumulator {
    using Type = T;
};
template <>
struct Accumulator<float16_t> {
    using Type = float;
};
template <>
struct Accumulator<bfloat16_t> {
    using Type = float;
};

// Calls f(position in x, position in memory) for every index, row-major.
template <typename F>
void for_each_position(const cpu::ConstView& x, DimSpan strides, int64_t start, F&& f) {
    const size_t rank = x.shape.size();
    const int64_t numel = numel_of(x.shape);
    Dims index(rank, 0);
    int64_t from = 0;
    int64_t to = start;
    for (int64_t i = 0; i < numel; ++i) {
        f(from, to);
        for (size_t axis = rank; axis-- > 0;) {
            from += x.strides[axis];
            to += strides[axis];
            if (++index[axis] < x.shape[axis]) break;
            from -= x.strides[axis] * x.shape[axis];
            to -= strides[axis] * x.shape[axis];
            index[axis] = 0;
        }
    }
}

template <typename T>
void add_overlapping(const cpu::ConstView& x, DimSpan strides, int64_t start, T* memory,
                     int64_t elements) {
    using Sum = typename Accumulator<T>::Type;
    const T* from = x.as<T>();
    if constexpr (std::is_same_v<T, bool>) {
        for_each_position(x, strides, start, [&](int64_t i, int64_t at) { memory[at] |= from[i]; });
    } else if constexpr (std::is_same_v<T, Sum>) {
        for_each_position(x, strides, start, [&](int64_t i, int64_t at) {
            memory[at] = static_cast<T>(memory[at] + from[i]);
        });
    } else {
        std::vector<Sum> sums(static_cast<size_t>(elements), Sum(0));
        for_each_position(x, strides, start, [&](int64_t i, int64_t at) {
            sums[static_cast<size_t>(at)] += Sum(from[i]);
        });
        for (int64_t at = 0; at < elements; ++at) memory[at] = T(sums[static_cast<size_t>(at)]);
    }
}

struct StridedTransferBackward : NaryKernel<StridedTransferBackward> {
    static const OpSchema schema_v1;

    static void infer(std::span<const Storage* const> inputs, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        extent_of(kName, inputs[0]->shape(), attrs.dims(0), attrs.integer(1));
        extent_of(kName, attrs.dims(2), attrs.dims(3), attrs.integer(4));
        outputs.push_back(OutputSpec::dense(inputs[0]->dtype(), attrs.dims(2)));
    }
    static void kernel(const CpuCall& call) {
        // x (from) -> memory (elements,) -> out (to)
        const cpu::ConstView& x = call.inputs[0];
        const cpu::View& out = call.outputs[0];
        const Attrs& attrs = call.attrs;
        const auto from = extent_of(kName, x.shape, attrs.dims(0), attrs.integer(1));
        const auto to = extent_of(kName, attrs.dims(2), attrs.dims(3), attrs.integer(4));
        if (!to) return;
        if (!from) return fill_zero(out);
        const int64_t low = std::min(from->low, to->low);
        const int64_t elements = std::max(from->high, to->high) - low + 1;
        const auto itemsize = static_cast<size_t>(size_of(x.dtype));
        const auto memory = std::make_unique<std::byte[]>(static_cast<size_t>(elements) * itemsize);
        auto address = [&](int64_t offset) {
            return memory.get() + static_cast<size_t>(offset - low) * itemsize;
        };
        if (may_self_overlap(x.shape, attrs.dims(0))) {
            dispatch_dtype(x.dtype, [&]<typename T>() {
                add_overlapping<T>(x, attrs.dims(0), attrs.integer(1) - low,
                                   reinterpret_cast<T*>(memory.get()), elements);
            });
        } else {
            cpu::copy(x, {address(attrs.integer(1)), x.dtype, x.shape, attrs.dims(0)});
        }
        cpu::copy({address(attrs.integer(4)), x.dtype, attrs.dims(2), attrs.dims(3)}, out);
    }
    static void vjp(const VjpContext& ctx, std::span<const Tensor> grads, std::span<Tensor> out) {
        const Attrs& attrs = ctx.attrs();
        out[0] = strided_transfer(grads[0], attrs.dims(3), attrs.integer(4), ctx.input_shape(0),
                                  attrs.dims(0), attrs.integer(1));
    }
};

const OpSchema StridedTransferBackward::schema_v1{
    .name = kName,
    .signature = "strided_transfer(Tensor x, int[] from_stride, int from_offset, int[] size, "
                 "int[] stride, int offset) -> Tensor",
    .backward_name = "StridedTransferBackward",
    .dtype_rule = DtypeRule::First,
    .python = kInternal,
    .doc = "x added into zeros at x.shape, from_stride, from_offset and read at size, stride, "
           "offset."};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(StridedTransfer) {
    static const OpDef defs[] = {StridedTransferBackward::op()};
    return defs;
}
