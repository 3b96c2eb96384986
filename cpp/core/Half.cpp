// binary16 <-> binary32 in integer arithmetic, so that no compiler flag or rounding mode changes a
// bit. Agrees with the F16C instructions, also in the payload of a NaN.
#include "lucid/core/Half.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr uint32_t kFloatInfinity = 0x7f800000u;
constexpr uint32_t kFloatTwoTo16 = 0x47800000u;        // the first power of two above binary16
constexpr uint32_t kFloatMinNormalHalf = 0x38800000u;  // 2^-14
constexpr uint32_t kFloatHalfOfMinHalf = 0x33000000u;  // 2^-25: a tie between 0 and 2^-24, to even
constexpr uint32_t kRebias = (127u - 15u) << 23;
constexpr int kDroppedBits = 23 - 10;

}  // namespace

uint16_t float_to_half_bits(float value) noexcept {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;

    if (magnitude > kFloatInfinity) {
        const uint32_t payload = (magnitude >> kDroppedBits) & 0x03ffu;
        return static_cast<uint16_t>(sign | 0x7e00u | payload);
    }
    if (magnitude >= kFloatTwoTo16) return static_cast<uint16_t>(sign | 0x7c00u);
    if (magnitude >= kFloatMinNormalHalf) {
        // A carry out of the mantissa raises the exponent, up to infinity: 65520 rounds to it.
        const uint32_t rebiased = magnitude - kRebias;
        const uint32_t odd = (rebiased >> kDroppedBits) & 1u;
        return static_cast<uint16_t>(sign | ((rebiased + 0x0fffu + odd) >> kDroppedBits));
    }
    if (magnitude <= kFloatHalfOfMinHalf) return static_cast<uint16_t>(sign);

    // Subnormal: the result counts units of 2^-24. The exponent is 102 to 112, the shift 24 to 14.
    const uint32_t shift = 126u - (magnitude >> 23);
    const uint32_t significand = (magnitude & 0x007fffffu) | 0x00800000u;
    const uint32_t tie = 1u << (shift - 1);
    const uint32_t dropped = significand & ((1u << shift) - 1u);
    uint32_t units = significand >> shift;
    if (dropped > tie || (dropped == tie && (units & 1u) != 0)) ++units;
    return static_cast<uint16_t>(sign | units);
}

float half_bits_to_float(uint16_t bits) noexcept {
    const uint32_t sign = (bits & 0x8000u) << 16;
    const uint32_t exponent = (bits >> 10) & 0x1fu;
    const uint32_t mantissa = bits & 0x03ffu;

    if (exponent == 0x1fu) {
        const uint32_t quiet = mantissa != 0 ? 0x00400000u : 0u;
        return std::bit_cast<float>(sign | kFloatInfinity | quiet | (mantissa << kDroppedBits));
    }
    if (exponent != 0) {
        const uint32_t rest = (exponent << 23) | (mantissa << kDroppedBits);
        return std::bit_cast<float>(sign | (rest + kRebias));
    }
    if (mantissa == 0) return std::bit_cast<float>(sign);
    // Subnormal, a normal float: move the leading one to bit 10 and lower the exponent as much.
    const uint32_t shift = static_cast<uint32_t>(std::countl_zero(mantissa)) - 21u;
    const uint32_t fraction = (mantissa << shift) & 0x03ffu;
    return std::bit_cast<float>(sign | ((113u - shift) << 23) | (fraction << kDroppedBits));
}

LUCID_NAMESPACE_END
