#include "lucid/core/Scalar.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

template <typename T>
constexpr bool kIsComplex = std::is_same_v<T, complex64_t> || std::is_same_v<T, complex128_t>;

// The whole number a float truncates to fits T (nan does not). 2^digits is exact as a double; the
// largest value of a 64-bit type is not.
template <typename T>
bool truncation_fits(double value) noexcept {
    const double whole = std::trunc(value);
    return whole >= static_cast<double>(std::numeric_limits<T>::min()) &&
           whole < std::ldexp(1.0, std::numeric_limits<T>::digits);
}

template <typename T>
[[noreturn]] void raise_overflow(const Scalar& scalar) {
    throw Overflow("value " + scalar.to_string() + " does not fit in " +
                   name_of(DtypeOf<T>::value) + " (" +
                   std::to_string(std::numeric_limits<T>::min()) + " to " +
                   std::to_string(std::numeric_limits<T>::max()) + ")");
}

[[noreturn]] void raise_complex_to_real(const Scalar& scalar, Dtype dtype) {
    throw DtypeMismatch("value " + scalar.to_string() + " does not fit in " + name_of(dtype) +
                        " (its imaginary part is not 0)");
}

// As Python's repr: the shortest digits that read back, an exponent below 1e-4 and from 1e16 on.
std::string float_text(double value, const char* whole_suffix) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    const double magnitude = std::fabs(value);
    const bool fixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
    char text[40];
    const auto result =
        std::to_chars(text, text + sizeof(text), value,
                      fixed ? std::chars_format::fixed : std::chars_format::scientific);
    std::string out(text, result.ptr);
    if (fixed && out.find('.') == std::string::npos) out += whole_suffix;
    return out;
}

std::string complex_text(double real, double imag) {
    const std::string imag_text = float_text(imag, "") + "j";
    if (real == 0 && !std::signbit(real)) return imag_text;
    const bool has_sign = imag_text[0] == '-';
    return "(" + float_text(real, "") + (has_sign ? "" : "+") + imag_text + ")";
}

}  // namespace

bool Scalar::to_bool() const noexcept {
    switch (kind_) {
        case Kind::Float: return real_ != 0;
        case Kind::Complex: return real_ != 0 || imag_ != 0;
        default: return int_ != 0;
    }
}

int64_t Scalar::to_int() const noexcept {
    if (kind_ != Kind::Float && kind_ != Kind::Complex) return int_;
    if (truncation_fits<int64_t>(real_)) return static_cast<int64_t>(real_);
    // Outside: the nearest end, and 0 for nan, instead of undefined behaviour. store() raises.
    if (std::isnan(real_)) return 0;
    return real_ < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

double Scalar::to_double() const noexcept {
    switch (kind_) {
        case Kind::Float:
        case Kind::Complex: return real_;
        case Kind::UInt: return static_cast<double>(static_cast<uint64_t>(int_));
        default: return static_cast<double>(int_);
    }
}

std::complex<double> Scalar::to_complex() const noexcept { return {to_double(), imag_}; }

void Scalar::store(Dtype dtype, void* out) const {
    const bool real_target = !lucid::is_complex(dtype) && dtype != Dtype::Bool;
    if (real_target && imag_ != 0) raise_complex_to_real(*this, dtype);
    const bool from_float = kind_ == Kind::Float || kind_ == Kind::Complex;
    dispatch_dtype(dtype, [&]<typename T>() {
        T value{};
        if constexpr (std::is_same_v<T, bool>) {
            value = to_bool();
        } else if constexpr (kIsComplex<T>) {
            using Part = typename T::value_type;
            value = T(static_cast<Part>(to_double()), static_cast<Part>(imag_));
        } else if constexpr (std::is_integral_v<T>) {
            if (from_float) {
                if (!truncation_fits<T>(real_)) raise_overflow<T>(*this);
                value = static_cast<T>(real_);
            } else {
                const bool fits = kind_ == Kind::UInt
                                      ? std::in_range<T>(static_cast<uint64_t>(int_))
                                      : std::in_range<T>(int_);
                if (!fits) raise_overflow<T>(*this);
                value = static_cast<T>(int_);
            }
        } else if constexpr (std::is_same_v<T, double>) {
            value = to_double();
        } else {
            // Rounds to float32 once, straight from the integer; the 16-bit types go on from there,
            // as the casts of tensors do.
            float rounded;
            if (from_float) {
                rounded = static_cast<float>(real_);
            } else if (kind_ == Kind::UInt) {
                rounded = static_cast<float>(static_cast<uint64_t>(int_));
            } else {
                rounded = static_cast<float>(int_);
            }
            value = T(rounded);
        }
        std::memcpy(out, &value, sizeof(T));
    });
}

Scalar Scalar::load(Dtype dtype, const void* in) noexcept {
    return dispatch_dtype(dtype, [&]<typename T>() -> Scalar {
        if constexpr (std::is_same_v<T, bool>) {
            // Any nonzero byte of foreign memory is true; reading it as a C++ bool would be
            // undefined.
            unsigned char byte;
            std::memcpy(&byte, in, 1);
            return byte != 0;
        } else {
            T value;
            std::memcpy(&value, in, sizeof(T));
            if constexpr (kIsComplex<T>) {
                return std::complex<double>(value);
            } else if constexpr (!std::is_integral_v<T>) {
                return static_cast<double>(value);
            } else if constexpr (std::is_signed_v<T>) {
                return static_cast<int64_t>(value);
            } else {
                return static_cast<uint64_t>(value);
            }
        }
    });
}

Dtype Scalar::natural_dtype(Dtype default_dtype) const {
    switch (kind_) {
        case Kind::Bool: return Dtype::Bool;
        case Kind::Int: return Dtype::Int64;
        case Kind::UInt: return Dtype::UInt64;
        case Kind::Float: return default_dtype;
        case Kind::Complex: return complex_dtype(default_dtype);
    }
    assertion_failed("a valid scalar kind", __FILE__, __LINE__);
}

std::string Scalar::to_string() const {
    switch (kind_) {
        case Kind::Bool: return int_ != 0 ? "True" : "False";
        case Kind::Int: return std::to_string(int_);
        case Kind::UInt: return std::to_string(static_cast<uint64_t>(int_));
        case Kind::Float: return float_text(real_, ".0");
        case Kind::Complex: return complex_text(real_, imag_);
    }
    assertion_failed("a valid scalar kind", __FILE__, __LINE__);
}

LUCID_NAMESPACE_END
