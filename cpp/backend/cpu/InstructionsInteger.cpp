// The instructions of integers and bool; and copy and where, which only move bits, for all dtypes.
#include "lucid/backend/cpu/Instructions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/InstructionsInteger.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "lucid/backend/cpu/InstructionsOps-inl.h"

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

template <typename T>
void set_integer(InstructionRows& rows) {
    set_binary<T, AddInt>(rows);
    set_binary<T, SubInt>(rows);
    set_binary<T, MulInt>(rows);
    set_unary<T, NegInt>(rows);
    set_unary<T, std::conditional_t<std::is_signed_v<T>, AbsInt, AbsUnsigned>>(rows);
    set_unary<T, std::conditional_t<std::is_signed_v<T>, Sign, SignUnsigned>>(rows);
    set_binary<T, Maximum>(rows);
    set_binary<T, Minimum>(rows);
    set_unary<T, std::conditional_t<std::is_signed_v<T>, Relu, ReluUnsigned>>(rows);
    set_binary<T, ReluBackward>(rows);
    set_comparisons<T>(rows);
}

void set_bool(InstructionRows& rows) {
    set_binary<bool, AddBool>(rows);
    set_binary<bool, MulBool>(rows);
    set_unary<bool, SignUnsigned>(rows);
    set_binary<bool, Maximum>(rows);
    set_binary<bool, Minimum>(rows);
    set_comparisons<bool>(rows);
}

// U: the unsigned integer of the dtype's size.
template <typename U>
struct WhereKernel {
    using In0 = uint8_t;
    using In1 = U;
    using In2 = U;
    using Out = U;
    static constexpr size_t kLanes = kVectorBytes / sizeof(U);
    template <typename C, typename V>
    static HWY_INLINE V apply(C condition, V a, V b) {
        return convert<U>(condition) != V{} ? a : b;
    }
};

template <typename U>
void set_moves(InstructionRows& rows) {
    for (int i = 0; i < kNumDtypes; ++i) {
        const Dtype dtype = static_cast<Dtype>(i);
        if (static_cast<size_t>(size_of(dtype)) != sizeof(U)) continue;
        rows.set("copy", dtype, dtype, unary_row<SameKernel<Copy, U>>);
        rows.set("where", dtype, dtype, ternary_row<WhereKernel<U>>);
    }
}

void integer_rows(InstructionRows& rows) {
    set_integer<uint8_t>(rows);
    set_integer<uint16_t>(rows);
    set_integer<uint32_t>(rows);
    set_integer<uint64_t>(rows);
    set_integer<int8_t>(rows);
    set_integer<int16_t>(rows);
    set_integer<int32_t>(rows);
    set_integer<int64_t>(rows);
    set_bool(rows);
    set_moves<uint8_t>(rows);
    set_moves<uint16_t>(rows);
    set_moves<uint32_t>(rows);
    set_moves<uint64_t>(rows);  // complex64 too; complex128 is in InstructionsScalar.cpp
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

HWY_EXPORT(integer_rows);

void fill_integer_instructions(InstructionRows& rows) { HWY_DYNAMIC_DISPATCH(integer_rows)(rows); }

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
