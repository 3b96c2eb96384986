// The simple instructions of the floating dtypes.
#include "lucid/backend/cpu/Instructions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/InstructionsReal.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "lucid/backend/cpu/InstructionsOps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

template <typename T>
void set_real(InstructionRows& rows) {
    set_binary<T, Add>(rows);
    set_binary<T, Sub>(rows);
    set_binary<T, Mul>(rows);
    set_binary<T, Div>(rows);
    set_unary<T, Neg>(rows);
    set_unary<T, AbsFloat>(rows);
    set_unary<T, Sign>(rows);
    set_unary<T, Reciprocal>(rows);
    set_unary<T, Sqrt>(rows);
    set_binary<T, Maximum>(rows);
    set_binary<T, Minimum>(rows);
    set_unary<T, Relu>(rows);
    set_binary<T, ReluBackward>(rows);
    set_binary<T, TanhBackward>(rows);
    set_binary<T, SigmoidBackward>(rows);
    set_comparisons<T>(rows);
}

void real_rows(InstructionRows& rows) {
    set_real<float>(rows);
    set_real<double>(rows);
    set_real<float16_t>(rows);
    set_real<bfloat16_t>(rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

HWY_EXPORT(real_rows);

void fill_real_instructions(InstructionRows& rows) { HWY_DYNAMIC_DISPATCH(real_rows)(rows); }

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
