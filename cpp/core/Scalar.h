// One number of any category, as attributes and Python scalars carry it: int64, uint64 (only above
// the int64 range), double, complex or bool. Casting to a dtype checks the range of integers.
#pragma once

#include <bit>
#include <complex>
#include <concepts>
#include <cstdint>
#include <string>

#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API Scalar {
public:
    enum class Kind : uint8_t { Bool, Int, UInt, Float, Complex };

    constexpr Scalar() noexcept : kind_(Kind::Int), int_(0), imag_(0) {}
    // Only bool itself: a pointer would convert to bool, and `Scalar("text")` would be True.
    template <std::same_as<bool> B>
    constexpr Scalar(B value) noexcept : kind_(Kind::Bool), int_(value), imag_(0) {}
    constexpr Scalar(int value) noexcept : kind_(Kind::Int), int_(value), imag_(0) {}
    constexpr Scalar(int64_t value) noexcept : kind_(Kind::Int), int_(value), imag_(0) {}
    constexpr Scalar(uint64_t value) noexcept
        : kind_(value >> 63 ? Kind::UInt : Kind::Int),
          int_(static_cast<int64_t>(value)),
          imag_(0) {}
    constexpr Scalar(double value) noexcept : kind_(Kind::Float), real_(value), imag_(0) {}
    constexpr Scalar(std::complex<double> value) noexcept
        : kind_(Kind::Complex), real_(value.real()), imag_(value.imag()) {}

    Kind kind() const noexcept { return kind_; }
    bool is_complex() const noexcept { return kind_ == Kind::Complex; }
    bool is_floating() const noexcept { return kind_ == Kind::Float; }
    bool is_integral() const noexcept { return kind_ == Kind::Int || kind_ == Kind::UInt; }
    bool is_bool() const noexcept { return kind_ == Kind::Bool; }

    bool to_bool() const noexcept;
    int64_t to_int() const noexcept;    // truncates a float
    double to_double() const noexcept;  // drops an imaginary part
    std::complex<double> to_complex() const noexcept;

    // Writes the value as `dtype` at `out`. Throws Overflow, naming the number, when an integer
    // does not fit an integral dtype.
    void store(Dtype dtype, void* out) const;
    static Scalar load(Dtype dtype, const void* in) noexcept;
    // The dtype of `lucid.tensor(scalar)`: bool, int64 (uint64 above), the default float or
    // complex.
    Dtype natural_dtype(Dtype default_dtype) const;
    std::string to_string() const;
    // Bitwise (so nan equals itself): for hashing and merging.
    friend bool operator==(const Scalar& a, const Scalar& b) noexcept {
        return a.kind_ == b.kind_ && a.int_ == b.int_ &&
               std::bit_cast<int64_t>(a.imag_) == std::bit_cast<int64_t>(b.imag_);
    }

private:
    Kind kind_;
    union {
        int64_t int_;
        double real_;
    };
    double imag_;
};

LUCID_NAMESPACE_END
