// The two index spaces of a reduction: the kept axes (outer) and the reduced ones (inner), each
// without axes of size 1 and with neighbours merged where one stride serves both.
#pragma once

#include "lucid/backend/cpu/View.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// A row-major walk over a strided block: element offsets by flat index.
struct StridedSpace {
    Dims shape;
    Strides strides;
    int64_t size = 1;

    void push(int64_t extent, int64_t stride);
    int64_t offset_of(int64_t flat) const noexcept;
    int64_t inner_size() const noexcept { return shape.empty() ? 1 : shape.back(); }
    int64_t inner_stride() const noexcept { return shape.empty() ? 1 : strides.back(); }

    // Calls run(offset, stride, count) for the runs along the last axis that make up [begin, end).
    template <typename Run>
    void for_runs(int64_t begin, int64_t end, Run&& run) const {
        const int64_t inner = inner_size();
        while (begin < end) {
            const int64_t within = inner == size ? begin : begin % inner;
            const int64_t count = end - begin < inner - within ? end - begin : inner - within;
            run(offset_of(begin), inner_stride(), count);
            begin += count;
        }
    }
};

struct ReducePlan {
    StridedSpace kept;
    StridedSpace reduced;
};

ReducePlan plan_reduction(ConstView in, DimSpan axes);

}  // namespace cpu
LUCID_NAMESPACE_END
