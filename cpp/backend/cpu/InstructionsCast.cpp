// cast between real dtypes. Integers wrap; floating to integer truncates, saturates at the type's
// ends, and gives 0 for NaN; to bool is != 0; to a 16-bit type goes through float32, as in PyTorch.
#include "lucid/backend/cpu/Instructions.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/InstructionsCast.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "lucid/backend/cpu/InstructionsRow-inl.h"

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

template <typename To, typename V>
HWY_INLINE Vec<To, kLanesOf<V>> truncate(V v) {
    using F = ElementOf<V>;
    using Limits = std::numeric_limits<To>;
    // 2^digits is exact in F, and the first value that is too large. Only values in range are
    // converted: the others would be undefined, and differ between targets.
    constexpr To kHalfOfEnd = Limits::max() / 2 + 1;
    constexpr F kEnd = static_cast<F>(kHalfOfEnd) * 2;
    constexpr F kLowest = static_cast<F>(Limits::min());
    const auto too_large = v >= kEnd;
    const auto too_small = v < kLowest;
    const V in_range = (too_large | too_small | (v != v)) ? V{} : v;
    // Through a signed type of F's width where To is smaller: one instruction, then integer
    // narrowing.
    using Same = typename IntOf<sizeof(F)>::Signed;
    using Via = std::conditional_t<(sizeof(To) < sizeof(F)), Same, To>;
    Vec<To, kLanesOf<V>> result = convert<To>(convert<Via>(in_range));
    using Mask = typename IntOf<sizeof(To)>::Signed;
    using R = Vec<To, kLanesOf<V>>;
    result = convert<Mask>(too_large) ? splat<R>(Limits::max()) : result;
    result = convert<Mask>(too_small) ? splat<R>(Limits::min()) : result;
    return result;
}

template <typename From, typename To>
struct CastKernel {
    using In0 = typename Element<From>::Storage;
    using Out = typename Element<To>::Storage;
    using A = typename Element<From>::Compute;
    using R = typename Element<To>::Compute;
    static constexpr size_t kLanes = kVectorBytes / (sizeof(A) > sizeof(R) ? sizeof(A) : sizeof(R));
    template <typename V>
    static HWY_INLINE Vec<Out, kLanes> apply(V stored) {
        const auto v = Element<From>::widen(stored);
        if constexpr (std::is_same_v<To, bool>) {
            return convert<uint8_t>(v != decltype(v - v){}) & uint8_t{1};
        } else if constexpr (std::is_floating_point_v<A> && std::is_integral_v<R>) {
            return truncate<R>(v);
        } else if constexpr (std::is_floating_point_v<R> && sizeof(A) < sizeof(int32_t)) {
            // Compilers know no direct way from small integers.
            return Element<To>::narrow(convert<R>(convert<int32_t>(v)));
        } else {
            return Element<To>::narrow(convert<R>(v));
        }
    }
};

template <typename From, typename To>
void set_cast(InstructionRows& rows) {
    if constexpr (!std::is_same_v<From, To>) {
        rows.set("cast", DtypeOf<From>::value, DtypeOf<To>::value, unary_row<CastKernel<From, To>>);
    } else {
        using U = typename IntOf<sizeof(From)>::Unsigned;
        rows.set("cast", DtypeOf<From>::value, DtypeOf<To>::value, unary_row<CastKernel<U, U>>);
    }
}

#define LUCID_FOR_EACH_REAL(X) \
    X(bool)                    \
    X(uint8_t)                 \
    X(uint16_t)                \
    X(uint32_t)                \
    X(uint64_t)                \
    X(int8_t) X(int16_t) X(int32_t) X(int64_t) X(float16_t) X(bfloat16_t) X(float) X(double)

template <typename From>
void set_casts_from(InstructionRows& rows) {
#define LUCID_CAST(To) set_cast<From, To>(rows);
    LUCID_FOR_EACH_REAL(LUCID_CAST)
#undef LUCID_CAST
}

void cast_rows(InstructionRows& rows) {
#define LUCID_CASTS(From) set_casts_from<From>(rows);
    LUCID_FOR_EACH_REAL(LUCID_CASTS)
#undef LUCID_CASTS
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

HWY_EXPORT(cast_rows);

void fill_cast_instructions(InstructionRows& rows) { HWY_DYNAMIC_DISPATCH(cast_rows)(rows); }

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
