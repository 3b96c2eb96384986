#include "lucid/backend/cpu/ReducePlan.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

void StridedSpace::push(int64_t extent, int64_t stride) {
    size *= extent;
    if (extent == 1) return;
    if (!shape.empty() && strides.back() == extent * stride) {
        shape.back() *= extent;
        strides.back() = stride;
        return;
    }
    shape.push_back(extent);
    strides.push_back(stride);
}

int64_t StridedSpace::offset_of(int64_t flat) const noexcept {
    if (shape.size() <= 1) return shape.empty() ? 0 : flat * strides[0];
    int64_t offset = 0;
    for (size_t i = shape.size(); i-- > 1;) {
        const int64_t rest = flat / shape[i];
        offset += (flat - rest * shape[i]) * strides[i];
        flat = rest;
    }
    return offset + flat * strides[0];
}

ReducePlan plan_reduction(ConstView in, DimSpan axes) {
    ReducePlan plan;
    size_t next = 0;
    for (size_t i = 0; i < in.shape.size(); ++i) {
        if (next < axes.size() && axes[next] == static_cast<int64_t>(i)) {
            plan.reduced.push(in.shape[i], in.strides[i]);
            ++next;
        } else {
            plan.kept.push(in.shape[i], in.strides[i]);
        }
    }
    LUCID_ASSERT(next == axes.size());
    return plan;
}

}  // namespace cpu
LUCID_NAMESPACE_END
