// The fifteen element types: names, sizes, categories, promotion, and dispatch from a run-time
// Dtype to a C++ type. Promotion follows PyTorch (docs: numerics); uint16/32/64 follow the array
// API standard.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lucid/core/Config.h"
#include "lucid/core/Half.h"

LUCID_NAMESPACE_BEGIN

enum class Dtype : uint8_t {
    Bool,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Complex64,
    Complex128,
};
inline constexpr int kNumDtypes = 15;

using complex64_t = std::complex<float>;
using complex128_t = std::complex<double>;

// The lower-case constants are what users and extensions write: `lucid::float32`.
inline constexpr Dtype bool_ = Dtype::Bool;
inline constexpr Dtype uint8 = Dtype::UInt8;
inline constexpr Dtype uint16 = Dtype::UInt16;
inline constexpr Dtype uint32 = Dtype::UInt32;
inline constexpr Dtype uint64 = Dtype::UInt64;
inline constexpr Dtype int8 = Dtype::Int8;
inline constexpr Dtype int16 = Dtype::Int16;
inline constexpr Dtype int32 = Dtype::Int32;
inline constexpr Dtype int64 = Dtype::Int64;
inline constexpr Dtype float16 = Dtype::Float16;
inline constexpr Dtype bfloat16 = Dtype::BFloat16;
inline constexpr Dtype float32 = Dtype::Float32;
inline constexpr Dtype float64 = Dtype::Float64;
inline constexpr Dtype complex64 = Dtype::Complex64;
inline constexpr Dtype complex128 = Dtype::Complex128;

// A leaf category is what a dtype has; `number`, `integral`, `inexact` are unions, for issubdtype.
enum class DtypeCategory : uint8_t {
    Bool = 1,
    Unsigned = 2,
    Signed = 4,
    Floating = 8,
    Complex = 16,
    Integral = Unsigned | Signed,
    Inexact = Floating | Complex,
    Number = Integral | Inexact,
};
inline constexpr DtypeCategory inexact = DtypeCategory::Inexact;
inline constexpr DtypeCategory integral = DtypeCategory::Integral;
inline constexpr DtypeCategory floating = DtypeCategory::Floating;

struct DtypeInfo {
    const char* name;
    uint8_t size_bytes;
    DtypeCategory category;
};
inline constexpr DtypeInfo kDtypeInfo[kNumDtypes] = {
    {"bool", 1, DtypeCategory::Bool},           {"uint8", 1, DtypeCategory::Unsigned},
    {"uint16", 2, DtypeCategory::Unsigned},     {"uint32", 4, DtypeCategory::Unsigned},
    {"uint64", 8, DtypeCategory::Unsigned},     {"int8", 1, DtypeCategory::Signed},
    {"int16", 2, DtypeCategory::Signed},        {"int32", 4, DtypeCategory::Signed},
    {"int64", 8, DtypeCategory::Signed},        {"float16", 2, DtypeCategory::Floating},
    {"bfloat16", 2, DtypeCategory::Floating},   {"float32", 4, DtypeCategory::Floating},
    {"float64", 8, DtypeCategory::Floating},    {"complex64", 8, DtypeCategory::Complex},
    {"complex128", 16, DtypeCategory::Complex},
};

constexpr const DtypeInfo& info_of(Dtype dtype) { return kDtypeInfo[static_cast<int>(dtype)]; }
constexpr const char* name_of(Dtype dtype) { return info_of(dtype).name; }
constexpr int64_t size_of(Dtype dtype) { return info_of(dtype).size_bytes; }

constexpr bool issubdtype(Dtype dtype, DtypeCategory category) {
    return (static_cast<uint8_t>(info_of(dtype).category) & static_cast<uint8_t>(category)) != 0;
}
constexpr bool is_integral(Dtype d) { return issubdtype(d, DtypeCategory::Integral); }
constexpr bool is_floating(Dtype d) { return issubdtype(d, DtypeCategory::Floating); }
constexpr bool is_complex(Dtype d) { return issubdtype(d, DtypeCategory::Complex); }
constexpr bool is_inexact(Dtype d) { return issubdtype(d, DtypeCategory::Inexact); }

// The dtype that holds both. Throws DtypeMismatch for uint64 with a signed integer (no dtype holds
// both).
LUCID_API Dtype promote_types(Dtype a, Dtype b);
// Whether values of `from` keep their category in `to` (bool < integer < floating < complex).
LUCID_API bool can_cast(Dtype from, Dtype to) noexcept;
// float32 for complex64, float64 for complex128, otherwise itself; and its inverse.
LUCID_API Dtype real_dtype(Dtype dtype) noexcept;
LUCID_API Dtype complex_dtype(Dtype dtype);
// "float32" -> Float32; throws DtypeMismatch naming the text.
LUCID_API Dtype dtype_from_name(std::string_view name);

// The C++ type of each dtype and back.
template <Dtype D>
struct CppTypeOf;
template <typename T>
struct DtypeOf;
#define LUCID_FOR_EACH_DTYPE(X) \
    X(bool, Bool)               \
    X(uint8_t, UInt8)           \
    X(uint16_t, UInt16)         \
    X(uint32_t, UInt32)         \
    X(uint64_t, UInt64)         \
    X(int8_t, Int8)             \
    X(int16_t, Int16)           \
    X(int32_t, Int32)           \
    X(int64_t, Int64)           \
    X(float16_t, Float16)       \
    X(bfloat16_t, BFloat16)     \
    X(float, Float32)           \
    X(double, Float64)          \
    X(complex64_t, Complex64)   \
    X(complex128_t, Complex128)
#define LUCID_MAP_DTYPE(type, name)                 \
    template <>                                     \
    struct CppTypeOf<Dtype::name> {                 \
        using Type = type;                          \
    };                                              \
    template <>                                     \
    struct DtypeOf<type> {                          \
        static constexpr Dtype value = Dtype::name; \
    };
LUCID_FOR_EACH_DTYPE(LUCID_MAP_DTYPE)
#undef LUCID_MAP_DTYPE

// Calls f.template operator()<T>() with the C++ type of `dtype`.
template <typename F>
decltype(auto) dispatch_dtype(Dtype dtype, F&& f) {
    switch (dtype) {
#define LUCID_CASE(type, name) \
    case Dtype::name: return f.template operator()<type>();
        LUCID_FOR_EACH_DTYPE(LUCID_CASE)
#undef LUCID_CASE
    }
    assertion_failed("a valid dtype", __FILE__, __LINE__);
}

LUCID_NAMESPACE_END
