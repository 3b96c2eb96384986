#include "lucid/core/Dtype.h"

#include <string>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

// bool < integer < floating < complex.
int category_rank(Dtype dtype) noexcept {
    if (is_complex(dtype)) return 3;
    if (is_floating(dtype)) return 2;
    return is_integral(dtype) ? 1 : 0;
}

bool is_half(Dtype dtype) noexcept { return dtype == Dtype::Float16 || dtype == Dtype::BFloat16; }

Dtype wider(Dtype a, Dtype b) noexcept { return size_of(a) >= size_of(b) ? a : b; }

Dtype promote_integers(Dtype a, Dtype b) {
    const bool a_signed = issubdtype(a, DtypeCategory::Signed);
    if (a_signed == issubdtype(b, DtypeCategory::Signed)) return wider(a, b);
    const Dtype with_sign = a_signed ? a : b;
    const Dtype without = a_signed ? b : a;
    if (size_of(with_sign) > size_of(without)) return with_sign;
    switch (without) {
        case Dtype::UInt8: return Dtype::Int16;
        case Dtype::UInt16: return Dtype::Int32;
        case Dtype::UInt32: return Dtype::Int64;
        default: break;
    }
    ErrorBuilder("promote_types(a, b)", "no dtype holds both")
        .given("a", name_of(a))
        .given("b", name_of(b))
        .rule("uint64 does not mix with a signed integer; cast one of the two first")
        .raise<DtypeMismatch>();
}

}  // namespace

Dtype promote_types(Dtype a, Dtype b) {
    if (a == b) return a;
    const int rank_a = category_rank(a);
    const int rank_b = category_rank(b);
    if (rank_a == 1 && rank_b == 1) return promote_integers(a, b);
    if (rank_a == rank_b) {
        if (is_half(a) && is_half(b)) return Dtype::Float32;
        return wider(a, b);
    }
    const Dtype high = rank_a > rank_b ? a : b;
    const Dtype low = rank_a > rank_b ? b : a;
    if (high == Dtype::Complex64 && low == Dtype::Float64) return Dtype::Complex128;
    return high;
}

bool can_cast(Dtype from, Dtype to) noexcept { return category_rank(from) <= category_rank(to); }

Dtype real_dtype(Dtype dtype) noexcept {
    if (dtype == Dtype::Complex64) return Dtype::Float32;
    if (dtype == Dtype::Complex128) return Dtype::Float64;
    return dtype;
}

Dtype complex_dtype(Dtype dtype) {
    if (is_complex(dtype)) return dtype;
    if (dtype == Dtype::Float64) return Dtype::Complex128;
    // The 16-bit types have no complex of their own; the smallest that holds them.
    if (is_floating(dtype)) return Dtype::Complex64;
    ErrorBuilder("complex_dtype(dtype)", "no complex dtype belongs to this one")
        .given("dtype", name_of(dtype))
        .rule("the dtype must be floating or complex")
        .raise<DtypeMismatch>();
}

Dtype dtype_from_name(std::string_view name) {
    std::string known;
    for (int i = 0; i < kNumDtypes; ++i) {
        if (name == kDtypeInfo[i].name) return static_cast<Dtype>(i);
        known += i == 0 ? "" : ", ";
        known += kDtypeInfo[i].name;
    }
    ErrorBuilder("dtype", "no dtype has this name")
        .given("name", "'" + std::string(name) + "'")
        .rule("one of " + known)
        .raise<DtypeMismatch>();
}

LUCID_NAMESPACE_END
