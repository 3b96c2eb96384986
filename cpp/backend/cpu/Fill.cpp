#include "lucid/backend/cpu/Fill.h"

#include <algorithm>
#include <cstring>

#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/ReduceLoad.h"
#include "lucid/backend/cpu/ReducePlan.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

constexpr int64_t kUnitElems = 65536;

template <int64_t kBytes>
struct Element {
    unsigned char bytes[kBytes];
};

template <int64_t kBytes>
void fill_elements(const StridedSpace& space, void* out, const void* value_bytes) {
    using E = Element<kBytes>;
    E value;
    std::memcpy(&value, value_bytes, sizeof(value));
    parallel_for((space.size + kUnitElems - 1) / kUnitElems, [&](int64_t unit) {
        const int64_t end = std::min(space.size, (unit + 1) * kUnitElems);
        space.for_runs(unit * kUnitElems, end, [&](int64_t offset, int64_t stride, int64_t n) {
            E* to = static_cast<E*>(out) + offset;
            if (stride == 1) {
                std::fill_n(to, n, value);
            } else {
                for (int64_t i = 0; i < n; ++i) to[i * stride] = value;
            }
        });
    });
}

}  // namespace

void fill(View out, const Scalar& value) {
    alignas(16) unsigned char bytes[16];
    value.store(out.dtype, bytes);
    StridedSpace space;
    for (size_t i = 0; i < out.shape.size(); ++i) space.push(out.shape[i], out.strides[i]);
    switch (size_of(out.dtype)) {
        case 1: return fill_elements<1>(space, out.data, bytes);
        case 2: return fill_elements<2>(space, out.data, bytes);
        case 4: return fill_elements<4>(space, out.data, bytes);
        case 8: return fill_elements<8>(space, out.data, bytes);
        default: return fill_elements<16>(space, out.data, bytes);
    }
}

void arange(View out, const Scalar& start, const Scalar& step) {
    LUCID_ASSERT(out.shape.size() == 1);
    constexpr int64_t kBlock = 512;
    const int64_t n = out.shape[0];
    const int64_t stride = out.strides[0];
    const int64_t item = size_of(out.dtype);
    const bool integral = is_integral(out.dtype);
    const StoreFn store = store_function(integral ? Dtype::Int64 : Dtype::Float64, out.dtype);
    // Unsigned, so that they wrap.
    const uint64_t first_int = static_cast<uint64_t>(start.to_int());
    const uint64_t step_int = static_cast<uint64_t>(step.to_int());
    const double first_real = start.to_double();
    const double step_real = step.to_double();
    parallel_for((n + kUnitElems - 1) / kUnitElems, [&](int64_t unit) {
        const int64_t end = std::min(n, (unit + 1) * kUnitElems);
        for (int64_t at = unit * kUnitElems; at < end; at += kBlock) {
            const int64_t count = std::min(kBlock, end - at);
            char* to = static_cast<char*>(out.data) + at * stride * item;
            if (integral) {
                int64_t values[kBlock];
                for (int64_t i = 0; i < count; ++i) {
                    values[i] =
                        static_cast<int64_t>(first_int + static_cast<uint64_t>(at + i) * step_int);
                }
                store(values, count, to, stride);
            } else {
                double values[kBlock];
                for (int64_t i = 0; i < count; ++i) {
                    values[i] = first_real + static_cast<double>(at + i) * step_real;
                }
                store(values, count, to, stride);
            }
        }
    });
}

void eye(View out) {
    LUCID_ASSERT(out.shape.size() == 2);
    fill(out, Scalar(int64_t{0}));
    const int64_t shape[1] = {std::min(out.shape[0], out.shape[1])};
    const int64_t strides[1] = {out.strides[0] + out.strides[1]};
    fill(View{out.data, out.dtype, shape, strides}, Scalar(int64_t{1}));
}

}  // namespace cpu
LUCID_NAMESPACE_END
