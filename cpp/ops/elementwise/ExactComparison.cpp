#include "lucid/ops/elementwise/ExactComparison.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

LUCID_NAMESPACE_BEGIN

namespace {

// The answer when every x lies below the number, or every x above it.
bool all_below(Comparison comparison) noexcept {
    return comparison == Comparison::Ne || comparison == Comparison::Lt ||
           comparison == Comparison::Le;
}
bool all_above(Comparison comparison) noexcept {
    return comparison == Comparison::Ne || comparison == Comparison::Gt ||
           comparison == Comparison::Ge;
}

// x < 2.5 and x >= 2.5 ask about 3, x <= 2.5 and x > 2.5 about 2.
double integer_bound(Comparison comparison, double number) noexcept {
    const bool up = comparison == Comparison::Lt || comparison == Comparison::Ge;
    return up ? std::ceil(number) : std::floor(number);
}

template <typename T>
Scalar scalar_of(T value) {
    if constexpr (std::is_unsigned_v<T>) {
        return static_cast<uint64_t>(value);
    } else {
        return static_cast<int64_t>(value);
    }
}

template <typename T>
std::variant<Scalar, bool> with_integer(Comparison comparison, const Scalar& number) {
    if (number.kind() == Scalar::Kind::UInt) {
        const auto value = static_cast<uint64_t>(number.to_int());
        if (std::in_range<T>(value)) return number;
        return all_below(comparison);
    }
    const int64_t value = number.to_int();
    if (std::in_range<T>(value)) return number;
    return value < 0 ? all_above(comparison) : all_below(comparison);
}

template <typename T>
std::variant<Scalar, bool> with_real(Comparison comparison, double number) {
    if (std::isnan(number)) return comparison == Comparison::Ne;
    const bool equality = comparison == Comparison::Eq || comparison == Comparison::Ne;
    if (equality && number != std::trunc(number)) return comparison == Comparison::Ne;
    const double bound = integer_bound(comparison, number);
    if (bound < static_cast<double>(std::numeric_limits<T>::min())) return all_above(comparison);
    if (bound >= std::ldexp(1.0, std::numeric_limits<T>::digits)) return all_below(comparison);
    return scalar_of(static_cast<T>(bound));
}

}  // namespace

Comparison mirrored(Comparison comparison) noexcept {
    switch (comparison) {
        case Comparison::Lt: return Comparison::Gt;
        case Comparison::Le: return Comparison::Ge;
        case Comparison::Gt: return Comparison::Lt;
        case Comparison::Ge: return Comparison::Le;
        default: return comparison;
    }
}

std::variant<Scalar, bool> exact_comparison(Comparison comparison, Dtype dtype,
                                            const Scalar& number) {
    return dispatch_dtype(dtype, [&]<typename T>() -> std::variant<Scalar, bool> {
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
            if (number.is_floating()) return with_real<T>(comparison, number.to_double());
            return with_integer<T>(comparison, number);
        } else {
            return number;
        }
    });
}

LUCID_NAMESPACE_END
