// The two 16-bit floating types. Storage only: arithmetic is done in float32 and rounded to
// nearest-even. NaN stays NaN (quiet, sign kept), infinities and subnormals are exact.
#pragma once

#include <bit>
#include <cstdint>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

// IEEE binary16 <-> binary32, round to nearest, ties to even.
LUCID_API uint16_t float_to_half_bits(float value) noexcept;
LUCID_API float half_bits_to_float(uint16_t bits) noexcept;

// bfloat16 is the upper half of a binary32.
inline uint16_t float_to_bfloat16_bits(float value) noexcept {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x0040u);
    return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline float bfloat16_bits_to_float(uint16_t bits) noexcept {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

struct float16_t {
    uint16_t bits = 0;
    float16_t() = default;
    explicit float16_t(float value) noexcept : bits(float_to_half_bits(value)) {}
    operator float() const noexcept { return half_bits_to_float(bits); }
};

struct bfloat16_t {
    uint16_t bits = 0;
    bfloat16_t() = default;
    explicit bfloat16_t(float value) noexcept : bits(float_to_bfloat16_bits(value)) {}
    operator float() const noexcept { return bfloat16_bits_to_float(bits); }
};

static_assert(sizeof(float16_t) == 2 && sizeof(bfloat16_t) == 2);

LUCID_NAMESPACE_END
