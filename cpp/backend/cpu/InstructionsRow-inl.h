// The one SIMD loop of all instructions, compiled once per target. A kernel says the storage type
// of its inputs and result, its number of lanes, and what it does to vectors; row() walks n
// elements.
//
// The law (a value depends on its inputs only) holds because every element goes through the same
// full-vector expression: a tail is the last full vector, which overlaps the one before; fewer
// elements than one vector are padded to one; a broadcast value is read from a vector filled with
// it.
#include "lucid/backend/cpu/Instructions.h"
#include "lucid/backend/cpu/InstructionsVector-inl.h"

#if defined(LUCID_INSTRUCTIONS_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef LUCID_INSTRUCTIONS_ROW_INL_H_
#undef LUCID_INSTRUCTIONS_ROW_INL_H_
#else
#define LUCID_INSTRUCTIONS_ROW_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

// One input of a row of at least N elements.
template <typename T, size_t N>
struct RowInput {
    const T* from;
    size_t mask;  // all ones, or zero for a broadcast value
    T filled[N];

    HWY_INLINE RowInput(const void* in, int64_t stride) {
        from = static_cast<const T*>(in);
        mask = ~size_t{0};
        if (stride == 0) {
            const T value = *from;
            for (size_t i = 0; i < N; ++i) filled[i] = value;
            from = filled;
            mask = 0;
        }
    }
    HWY_INLINE Vec<T, N> at(size_t i) const { return load<T, N>(from + (i & mask)); }
};

// One input of a row of n < N elements, padded with zeros.
template <typename T, size_t N>
HWY_INLINE Vec<T, N> load_few(const void* in, int64_t stride, size_t n) {
    T values[N] = {};
    const T* from = static_cast<const T*>(in);
    for (size_t i = 0; i < n; ++i) values[i] = from[stride == 0 ? 0 : i];
    return load<T, N>(values);
}
template <typename V, typename T>
HWY_INLINE void store_few(T* out, V result, size_t n) {
    T values[kLanesOf<V>];
    store(values, result);
    for (size_t i = 0; i < n; ++i) out[i] = values[i];
}

template <typename K>
void unary_row(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    using A = typename K::In0;
    using R = typename K::Out;
    constexpr size_t N = K::kLanes;
    R* out = static_cast<R*>(out_);
    if (n < N) {
        if (n == 0) return;
        store_few(out, K::apply(load_few<A, N>(in[0], strides[0], n)), n);
        return;
    }
    const RowInput<A, N> a(in[0], strides[0]);
    const size_t tail = n % N;
    // Computed before the loop, which may overwrite its inputs when `out` is an input.
    Vec<R, N> last{};
    if (tail != 0) last = K::apply(a.at(n - N));
    for (size_t i = 0; i + N <= n; i += N) store(out + i, K::apply(a.at(i)));
    if (tail != 0) store(out + n - N, last);
}

template <typename K>
void binary_row(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    using A = typename K::In0;
    using B = typename K::In1;
    using R = typename K::Out;
    constexpr size_t N = K::kLanes;
    R* out = static_cast<R*>(out_);
    if (n < N) {
        if (n == 0) return;
        store_few(
            out,
            K::apply(load_few<A, N>(in[0], strides[0], n), load_few<B, N>(in[1], strides[1], n)),
            n);
        return;
    }
    const RowInput<A, N> a(in[0], strides[0]);
    const RowInput<B, N> b(in[1], strides[1]);
    const size_t tail = n % N;
    Vec<R, N> last{};
    if (tail != 0) last = K::apply(a.at(n - N), b.at(n - N));
    for (size_t i = 0; i + N <= n; i += N) store(out + i, K::apply(a.at(i), b.at(i)));
    if (tail != 0) store(out + n - N, last);
}

template <typename K>
void ternary_row(size_t n, void* out_, const void* const* in, const int64_t* strides) {
    using A = typename K::In0;
    using B = typename K::In1;
    using C = typename K::In2;
    using R = typename K::Out;
    constexpr size_t N = K::kLanes;
    R* out = static_cast<R*>(out_);
    if (n < N) {
        if (n == 0) return;
        store_few(
            out,
            K::apply(load_few<A, N>(in[0], strides[0], n), load_few<B, N>(in[1], strides[1], n),
                     load_few<C, N>(in[2], strides[2], n)),
            n);
        return;
    }
    const RowInput<A, N> a(in[0], strides[0]);
    const RowInput<B, N> b(in[1], strides[1]);
    const RowInput<C, N> c(in[2], strides[2]);
    const size_t tail = n % N;
    Vec<R, N> last{};
    if (tail != 0) last = K::apply(a.at(n - N), b.at(n - N), c.at(n - N));
    for (size_t i = 0; i + N <= n; i += N) store(out + i, K::apply(a.at(i), b.at(i), c.at(i)));
    if (tail != 0) store(out + n - N, last);
}

// The dtype of T for the table; a mask becomes bool.
template <typename T>
inline constexpr size_t kComputeLanes = kVectorBytes / sizeof(typename Element<T>::Compute);

// An Op on vectors of T's computing type, to T.
template <typename Op, typename T>
struct SameKernel {
    using In0 = typename Element<T>::Storage;
    using In1 = In0;
    using Out = In0;
    static constexpr size_t kLanes = kComputeLanes<T>;
    template <typename V>
    static HWY_INLINE Vec<Out, kLanes> apply(V a) {
        return Element<T>::narrow(Op::run(Element<T>::widen(a)));
    }
    template <typename V>
    static HWY_INLINE Vec<Out, kLanes> apply(V a, V b) {
        return Element<T>::narrow(Op::run(Element<T>::widen(a), Element<T>::widen(b)));
    }
};
// An Op that gives a mask, to bool.
template <typename Op, typename T>
struct MaskKernel {
    using In0 = typename Element<T>::Storage;
    using In1 = In0;
    using Out = uint8_t;
    static constexpr size_t kLanes = kComputeLanes<T>;
    template <typename V>
    static HWY_INLINE Vec<Out, kLanes> apply(V a) {
        return convert<uint8_t>(Op::run(Element<T>::widen(a))) & uint8_t{1};
    }
    template <typename V>
    static HWY_INLINE Vec<Out, kLanes> apply(V a, V b) {
        return convert<uint8_t>(Op::run(Element<T>::widen(a), Element<T>::widen(b))) & uint8_t{1};
    }
};

template <typename T, typename Op>
void set_unary(InstructionRows& rows) {
    rows.set(Op::kName, DtypeOf<T>::value, DtypeOf<T>::value, unary_row<SameKernel<Op, T>>);
}
template <typename T, typename Op>
void set_binary(InstructionRows& rows) {
    rows.set(Op::kName, DtypeOf<T>::value, DtypeOf<T>::value, binary_row<SameKernel<Op, T>>);
}
template <typename T, typename Op>
void set_unary_mask(InstructionRows& rows) {
    rows.set(Op::kName, DtypeOf<T>::value, Dtype::Bool, unary_row<MaskKernel<Op, T>>);
}
template <typename T, typename Op>
void set_binary_mask(InstructionRows& rows) {
    rows.set(Op::kName, DtypeOf<T>::value, Dtype::Bool, binary_row<MaskKernel<Op, T>>);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
