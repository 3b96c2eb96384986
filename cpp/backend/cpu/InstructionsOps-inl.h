// The SIMD expressions of the simple instructions, on vectors of the computing type. They hold for
// every dtype that the sources Instructions*.cpp list them with.
#include "lucid/backend/cpu/InstructionsRow-inl.h"

#if defined(LUCID_INSTRUCTIONS_OPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LUCID_INSTRUCTIONS_OPS_INL_H_
#undef LUCID_INSTRUCTIONS_OPS_INL_H_
#else
#define LUCID_INSTRUCTIONS_OPS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

// b, but a where a is NaN. Which of two NaNs an operation returns depends on the order of its
// operands, which compilers are free to change from one loop to the next; this makes it the first
// one of the source text.
template <typename V>
HWY_INLINE V after(V a, V b) {
    return a != a ? a : b;
}

#define LUCID_UNARY_OP(Name, name, expression)     \
    struct Name {                                  \
        static constexpr const char* kName = name; \
        template <typename V>                      \
        static HWY_INLINE auto run(V a) {          \
            return expression;                     \
        }                                          \
    }
#define LUCID_BINARY_OP(Name, name, expression)    \
    struct Name {                                  \
        static constexpr const char* kName = name; \
        template <typename V>                      \
        static HWY_INLINE auto run(V a, V b) {     \
            return expression;                     \
        }                                          \
    }

LUCID_BINARY_OP(Add, "add", a + after(a, b));
LUCID_BINARY_OP(Sub, "sub", a - after(a, b));
LUCID_BINARY_OP(Mul, "mul", a* after(a, b));
LUCID_BINARY_OP(Div, "div", a / after(a, b));
LUCID_UNARY_OP(Neg, "neg", -a);
LUCID_UNARY_OP(AbsFloat, "abs", magnitude(a));
LUCID_UNARY_OP(Reciprocal, "reciprocal", splat<V>(1) / a);
LUCID_UNARY_OP(Sqrt, "sqrt", square_root(a));
// PyTorch's: zero for NaN (NumPy's is NaN).
LUCID_UNARY_OP(Sign, "sign", a > V{} ? splat<V>(1) : (a < V{} ? V{} - 1 : V{}));
LUCID_BINARY_OP(Maximum, "maximum", ((a > b) | (a != a)) ? a : b);
LUCID_BINARY_OP(Minimum, "minimum", ((a < b) | (a != a)) ? a : b);
LUCID_UNARY_OP(Relu, "relu", a < V{} ? V{} : a);
LUCID_BINARY_OP(ReluBackward, "relu_backward", b > V{} ? a : V{});
LUCID_BINARY_OP(TanhBackward, "tanh_backward", a* after(a, splat<V>(1) - b * b));
LUCID_BINARY_OP(SigmoidBackward, "sigmoid_backward", a* after(a, b*(splat<V>(1) - b)));

LUCID_BINARY_OP(Equal, "eq", a == b);
LUCID_BINARY_OP(NotEqual, "ne", a != b);
LUCID_BINARY_OP(Less, "lt", a < b);
LUCID_BINARY_OP(LessEqual, "le", a <= b);
LUCID_BINARY_OP(Greater, "gt", a > b);
LUCID_BINARY_OP(GreaterEqual, "ge", a >= b);
LUCID_UNARY_OP(LogicalNot, "logical_not", a == V{});
LUCID_BINARY_OP(LogicalAnd, "logical_and", (a != V{}) & (b != V{}));
LUCID_BINARY_OP(LogicalOr, "logical_or", (a != V{}) | (b != V{}));
LUCID_BINARY_OP(LogicalXor, "logical_xor", (a != V{}) ^ (b != V{}));

// Integers: signed overflow wraps, so the sums are unsigned.
LUCID_BINARY_OP(AddInt, "add", (V)((UIntVec<V>)a + (UIntVec<V>)b));
LUCID_BINARY_OP(SubInt, "sub", (V)((UIntVec<V>)a - (UIntVec<V>)b));
LUCID_BINARY_OP(MulInt, "mul", (V)((UIntVec<V>)a*(UIntVec<V>)b));
LUCID_UNARY_OP(NegInt, "neg", (V)(UIntVec<V>{} - (UIntVec<V>)a));
LUCID_UNARY_OP(AbsInt, "abs", a < V{} ? (V)(UIntVec<V>{} - (UIntVec<V>)a) : a);
LUCID_UNARY_OP(AbsUnsigned, "abs", a);
LUCID_UNARY_OP(ReluUnsigned, "relu", a);
LUCID_UNARY_OP(SignUnsigned, "sign", a != V{} ? splat<V>(1) : V{});
LUCID_BINARY_OP(AddBool, "add", a | b);
LUCID_BINARY_OP(MulBool, "mul", a& b);
LUCID_UNARY_OP(Copy, "copy", a);
#undef LUCID_UNARY_OP
#undef LUCID_BINARY_OP

// All that gives bool and needs an order.
template <typename T>
void set_comparisons(InstructionRows& rows) {
    set_binary_mask<T, Equal>(rows);
    set_binary_mask<T, NotEqual>(rows);
    set_binary_mask<T, Less>(rows);
    set_binary_mask<T, LessEqual>(rows);
    set_binary_mask<T, Greater>(rows);
    set_binary_mask<T, GreaterEqual>(rows);
    set_unary_mask<T, LogicalNot>(rows);
    set_binary_mask<T, LogicalAnd>(rows);
    set_binary_mask<T, LogicalOr>(rows);
    set_binary_mask<T, LogicalXor>(rows);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
