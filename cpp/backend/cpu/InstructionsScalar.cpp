// The instructions whose bits must not depend on a SIMD target and that are rarely hot: all of the
// complex dtypes, and powers of integers. Plain loops, compiled once, for the baseline.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "lucid/backend/cpu/Instructions.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

template <typename Op, typename A, typename R>
void unary_loop(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    const A* a = static_cast<const A*>(in[0]);
    R* out = static_cast<R*>(out_);
    for (size_t i = 0; i < n; ++i, a += strides[0]) out[i] = Op::run(*a);
}
template <typename Op, typename A, typename R>
void binary_loop(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    const A* a = static_cast<const A*>(in[0]);
    const A* b = static_cast<const A*>(in[1]);
    R* out = static_cast<R*>(out_);
    for (size_t i = 0; i < n; ++i, a += strides[0], b += strides[1]) out[i] = Op::run(*a, *b);
}
template <typename T>
void where_loop(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    const uint8_t* condition = static_cast<const uint8_t*>(in[0]);
    const T* a = static_cast<const T*>(in[1]);
    const T* b = static_cast<const T*>(in[2]);
    T* out = static_cast<T*>(out_);
    for (size_t i = 0; i < n; ++i, condition += strides[0], a += strides[1], b += strides[2]) {
        out[i] = *condition != 0 ? *a : *b;
    }
}

// The textbook product; no recovery of infinities as in C's Annex G.
template <typename R>
std::complex<R> product(std::complex<R> a, std::complex<R> b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Smith's method: scaled by the larger part of b. In double, so a float32 quotient neither
// overflows nor underflows on the way; a float64 one is halved first where the sum of b's parts
// could overflow.
template <typename R>
std::complex<R> quotient(std::complex<R> a, std::complex<R> b) {
    double x = a.real();
    double y = a.imag();
    double c = b.real();
    double d = b.imag();
    const double largest = std::max(std::abs(c), std::abs(d));
    if (largest > 0x1p1022 && largest <= std::numeric_limits<double>::max()) {
        x /= 2;
        y /= 2;
        c /= 2;
        d /= 2;
    }
    // Both times -i where that makes the real part of b the larger one.
    const bool turn = std::abs(c) < std::abs(d);
    const double u = turn ? y : x;
    const double v = turn ? -x : y;
    const double p = turn ? d : c;
    const double q = turn ? -c : d;
    const double ratio = p == 0 ? 0 : q / p;  // b = 0: the parts are divided by zero
    const double scale = p + q * ratio;
    const double real = (u + v * ratio) / scale;
    const double imag = (v - u * ratio) / scale;
    return {static_cast<R>(real), static_cast<R>(imag)};
}

template <typename C>
bool truth(C a) {
    return a.real() != 0 || a.imag() != 0;
}

#define LUCID_UNARY_OP(Name, expression) \
    struct Name {                        \
        template <typename C>            \
        static auto run(C a) {           \
            return expression;           \
        }                                \
    }
#define LUCID_BINARY_OP(Name, expression) \
    struct Name {                         \
        template <typename C>             \
        static auto run(C a, C b) {       \
            return expression;            \
        }                                 \
    }
LUCID_UNARY_OP(Copy, a);
LUCID_UNARY_OP(Neg, -a);
LUCID_UNARY_OP(Abs, std::hypot(a.real(), a.imag()));
LUCID_UNARY_OP(Conj, std::conj(a));
LUCID_UNARY_OP(Reciprocal, quotient(C(1), a));
LUCID_UNARY_OP(Exp, std::exp(a));
LUCID_UNARY_OP(Log, std::log(a));
LUCID_UNARY_OP(Sqrt, std::sqrt(a));
LUCID_UNARY_OP(Tanh, std::tanh(a));
LUCID_UNARY_OP(Not, !truth(a));
LUCID_BINARY_OP(Add, a + b);
LUCID_BINARY_OP(Sub, a - b);
LUCID_BINARY_OP(Mul, product(a, b));
LUCID_BINARY_OP(Div, quotient(a, b));
LUCID_BINARY_OP(TanhBackward, product(a, C(1) - product(b, b)));
LUCID_BINARY_OP(SigmoidBackward, product(a, product(b, C(1) - b)));
LUCID_BINARY_OP(Equal, a == b);
LUCID_BINARY_OP(NotEqual, a != b);
LUCID_BINARY_OP(And, truth(a) && truth(b));
LUCID_BINARY_OP(Or, truth(a) || truth(b));
LUCID_BINARY_OP(Xor, truth(a) != truth(b));
#undef LUCID_UNARY_OP
#undef LUCID_BINARY_OP

// With the exponential that does not overflow, as for real numbers.
struct Sigmoid {
    template <typename C>
    static C run(C a) {
        const bool left = a.real() < 0;
        const C e = std::exp(left ? a : -a);
        return quotient(left ? e : C(1), C(1) + e);
    }
};

// std::pow makes a nan of 0 ** y; PyTorch's values: 1 for y = 0, 0 for a positive real part.
struct ComplexPow {
    template <typename C>
    static C run(C a, C b) {
        if (b == C(0)) return C(1);
        if (a == C(0) && b.real() > 0) return C(0);
        return std::pow(a, b);
    }
};

// By squaring, wrapping. A negative exponent gives the truncated quotient: 0 but for the bases 1
// and -1.
struct IntegerPow {
    template <typename T>
    static T run(T base, T exponent) {
        if constexpr (std::is_signed_v<T>) {
            if (exponent < 0) {
                if (base == 1) return 1;
                if (base == -1) return exponent % 2 == 0 ? T(1) : T(-1);
                return 0;
            }
        }
        uint64_t result = 1;
        uint64_t power = static_cast<uint64_t>(base);
        for (uint64_t rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
            if ((rest & 1) != 0) result *= power;
            power *= power;
        }
        return static_cast<T>(result);
    }
};

template <typename To>
struct ComplexCast {
    template <typename C>
    static To run(C a) {
        using R = typename To::value_type;
        return To(static_cast<R>(a.real()), static_cast<R>(a.imag()));
    }
};
struct Truth {
    template <typename C>
    static bool run(C a) {
        return truth(a);
    }
};

// Complex to real drops the imaginary part, real to complex adds a zero one. Both go tile by tile
// through the cast between real dtypes, so that there is one definition of that.
constexpr size_t kTile = 256;

void cast_tile(Dtype from, Dtype to, size_t n, const void* in, void* out) {
    static const Instruction* const cast = find_instruction("cast");
    const void* const inputs[1] = {in};
    const int64_t strides[1] = {1};
    cast->row(from, to)(n, out, inputs, strides);
}

template <typename C, Dtype kTo>
void drop_imaginary(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    using R = typename C::value_type;
    R parts[kTile];
    const C* from = static_cast<const C*>(in[0]);
    char* out = static_cast<char*>(out_);
    for (size_t first = 0; first < n; first += kTile) {
        const size_t count = std::min(n - first, kTile);
        for (size_t i = 0; i < count; ++i, from += strides[0]) parts[i] = from->real();
        cast_tile(DtypeOf<R>::value, kTo, count, parts, out);
        out += count * static_cast<size_t>(size_of(kTo));
    }
}
template <typename C, Dtype kFrom>
void add_imaginary(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    using R = typename C::value_type;
    R parts[kTile];
    const char* from = static_cast<const char*>(in[0]);
    C* out = static_cast<C*>(out_);
    if (strides[0] == 0) {
        cast_tile(kFrom, DtypeOf<R>::value, 1, from, parts);
        std::fill_n(out, n, C(parts[0], 0));
        return;
    }
    for (size_t first = 0; first < n; first += kTile) {
        const size_t count = std::min(n - first, kTile);
        cast_tile(kFrom, DtypeOf<R>::value, count, from, parts);
        // `out` may be `from` when the items are of equal size; this tile of it has been read.
        for (size_t i = 0; i < count; ++i) *out++ = C(parts[i], 0);
        from += count * static_cast<size_t>(size_of(kFrom));
    }
}

template <typename C>
void set_complex(InstructionRows& rows) {
    using R = typename C::value_type;
    constexpr Dtype kComplex = DtypeOf<C>::value;
    rows.set("add", kComplex, kComplex, binary_loop<Add, C, C>);
    rows.set("sub", kComplex, kComplex, binary_loop<Sub, C, C>);
    rows.set("mul", kComplex, kComplex, binary_loop<Mul, C, C>);
    rows.set("div", kComplex, kComplex, binary_loop<Div, C, C>);
    rows.set("neg", kComplex, kComplex, unary_loop<Neg, C, C>);
    rows.set("abs", kComplex, DtypeOf<R>::value, unary_loop<Abs, C, R>);
    rows.set("conj", kComplex, kComplex, unary_loop<Conj, C, C>);
    rows.set("reciprocal", kComplex, kComplex, unary_loop<Reciprocal, C, C>);
    rows.set("exp", kComplex, kComplex, unary_loop<Exp, C, C>);
    rows.set("log", kComplex, kComplex, unary_loop<Log, C, C>);
    rows.set("sqrt", kComplex, kComplex, unary_loop<Sqrt, C, C>);
    rows.set("tanh", kComplex, kComplex, unary_loop<Tanh, C, C>);
    rows.set("sigmoid", kComplex, kComplex, unary_loop<Sigmoid, C, C>);
    rows.set("pow", kComplex, kComplex, binary_loop<ComplexPow, C, C>);
    rows.set("tanh_backward", kComplex, kComplex, binary_loop<TanhBackward, C, C>);
    rows.set("sigmoid_backward", kComplex, kComplex, binary_loop<SigmoidBackward, C, C>);
    rows.set("eq", kComplex, Dtype::Bool, binary_loop<Equal, C, bool>);
    rows.set("ne", kComplex, Dtype::Bool, binary_loop<NotEqual, C, bool>);
    rows.set("logical_not", kComplex, Dtype::Bool, unary_loop<Not, C, bool>);
    rows.set("logical_and", kComplex, Dtype::Bool, binary_loop<And, C, bool>);
    rows.set("logical_or", kComplex, Dtype::Bool, binary_loop<Or, C, bool>);
    rows.set("logical_xor", kComplex, Dtype::Bool, binary_loop<Xor, C, bool>);

    rows.set("cast", kComplex, Dtype::Bool, unary_loop<Truth, C, bool>);
    rows.set("cast", kComplex, Dtype::Complex64,
             unary_loop<ComplexCast<complex64_t>, C, complex64_t>);
    rows.set("cast", kComplex, Dtype::Complex128,
             unary_loop<ComplexCast<complex128_t>, C, complex128_t>);
#define LUCID_CASTS(type, name)                                                      \
    if constexpr (!is_complex(Dtype::name)) {                                        \
        rows.set("cast", Dtype::name, kComplex, add_imaginary<C, Dtype::name>);      \
        if constexpr (Dtype::name != Dtype::Bool) {                                  \
            rows.set("cast", kComplex, Dtype::name, drop_imaginary<C, Dtype::name>); \
        }                                                                            \
    }
    LUCID_FOR_EACH_DTYPE(LUCID_CASTS)
#undef LUCID_CASTS
}

template <typename T>
void set_integer_pow(InstructionRows& rows) {
    rows.set("pow", DtypeOf<T>::value, DtypeOf<T>::value, binary_loop<IntegerPow, T, T>);
}

// The conjugate of a real number is itself, so a composition need not ask.
void set_real_conj(InstructionRows& rows) {
    for (int i = 0; i < kNumDtypes; ++i) {
        const Dtype dtype = static_cast<Dtype>(i);
        if (is_complex(dtype)) continue;
        switch (size_of(dtype)) {
            case 1: rows.set("conj", dtype, dtype, unary_loop<Copy, uint8_t, uint8_t>); break;
            case 2: rows.set("conj", dtype, dtype, unary_loop<Copy, uint16_t, uint16_t>); break;
            case 4: rows.set("conj", dtype, dtype, unary_loop<Copy, uint32_t, uint32_t>); break;
            default: rows.set("conj", dtype, dtype, unary_loop<Copy, uint64_t, uint64_t>); break;
        }
    }
}

}  // namespace

void fill_scalar_instructions(InstructionRows& rows) {
    set_complex<complex64_t>(rows);
    set_complex<complex128_t>(rows);
    rows.set("copy", Dtype::Complex128, Dtype::Complex128,
             unary_loop<Copy, complex128_t, complex128_t>);
    rows.set("where", Dtype::Complex128, Dtype::Complex128, where_loop<complex128_t>);
    set_integer_pow<uint8_t>(rows);
    set_integer_pow<uint16_t>(rows);
    set_integer_pow<uint32_t>(rows);
    set_integer_pow<uint64_t>(rows);
    set_integer_pow<int8_t>(rows);
    set_integer_pow<int16_t>(rows);
    set_integer_pow<int32_t>(rows);
    set_integer_pow<int64_t>(rows);
    set_real_conj(rows);
}

}  // namespace cpu
LUCID_NAMESPACE_END
