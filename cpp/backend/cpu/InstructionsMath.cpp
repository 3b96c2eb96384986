// exp, log, tanh, sigmoid and pow of the floating dtypes.
#include "lucid/backend/cpu/Instructions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/InstructionsMath.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "lucid/backend/cpu/InstructionsRow-inl.h"
#include "lucid/backend/cpu/Math-inl.h"
#include "lucid/backend/cpu/MathPow-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

// pow computes in double whatever T is; a 16-bit result is rounded from the float32 one.
template <typename T, typename Op>
struct PowKernel {
    using In0 = typename Element<T>::Storage;
    using In1 = In0;
    using Out = In0;
    static constexpr size_t kLanes = kVectorBytes / sizeof(double);
    template <typename V>
    static HWY_INLINE Vec<Out, kLanes> apply(V a, V b) {
        using C = typename Element<T>::Compute;
        const auto result =
            Op::run(convert<double>(Element<T>::widen(a)), convert<double>(Element<T>::widen(b)));
        return Element<T>::narrow(convert<C>(result));
    }
};

template <typename T>
void set_math(InstructionRows& rows) {
    set_unary<T, Exp>(rows);
    set_unary<T, Log>(rows);
    set_unary<T, Tanh>(rows);
    set_unary<T, Sigmoid>(rows);
    using Op = std::conditional_t<std::is_same_v<T, double>, PowWide, PowNarrow>;
    constexpr Dtype kDtype = DtypeOf<T>::value;
    rows.set("pow", kDtype, kDtype, binary_row<PowKernel<T, Op>>);
}

void math_rows(InstructionRows& rows) {
    set_math<float>(rows);
    set_math<double>(rows);
    set_math<float16_t>(rows);
    set_math<bfloat16_t>(rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

HWY_EXPORT(math_rows);

void fill_math_instructions(InstructionRows& rows) { HWY_DYNAMIC_DISPATCH(math_rows)(rows); }

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
