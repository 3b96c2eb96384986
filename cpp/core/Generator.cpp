#include "lucid/core/Generator.h"

LUCID_NAMESPACE_BEGIN

namespace {

constexpr uint32_t kMultiplier0 = 0xD2511F53u;
constexpr uint32_t kMultiplier1 = 0xCD9E8D57u;
constexpr uint32_t kWeyl0 = 0x9E3779B9u;  // golden ratio
constexpr uint32_t kWeyl1 = 0xBB67AE85u;  // sqrt(3) - 1
constexpr int kRounds = 10;

}  // namespace

PhiloxBlock philox_4x32_10(uint64_t seed, uint64_t subsequence, uint64_t counter) noexcept {
    uint32_t x0 = static_cast<uint32_t>(counter);
    uint32_t x1 = static_cast<uint32_t>(counter >> 32);
    uint32_t x2 = static_cast<uint32_t>(subsequence);
    uint32_t x3 = static_cast<uint32_t>(subsequence >> 32);
    uint32_t key0 = static_cast<uint32_t>(seed);
    uint32_t key1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < kRounds; ++round) {
        const uint64_t product0 = static_cast<uint64_t>(kMultiplier0) * x0;
        const uint64_t product1 = static_cast<uint64_t>(kMultiplier1) * x2;
        x0 = static_cast<uint32_t>(product1 >> 32) ^ x1 ^ key0;
        x1 = static_cast<uint32_t>(product1);
        x2 = static_cast<uint32_t>(product0 >> 32) ^ x3 ^ key1;
        x3 = static_cast<uint32_t>(product0);
        key0 += kWeyl0;
        key1 += kWeyl1;
    }
    return {x0, x1, x2, x3};
}

void Generator::manual_seed(uint64_t seed) noexcept {
    const std::lock_guard lock(mutex_);
    state_ = {seed, 0};
}

PhiloxState Generator::reserve(uint64_t blocks) noexcept {
    const std::lock_guard lock(mutex_);
    const PhiloxState before = state_;
    state_.offset += blocks;
    return before;
}

PhiloxState Generator::state() const noexcept {
    const std::lock_guard lock(mutex_);
    return state_;
}

void Generator::set_state(PhiloxState state) noexcept {
    const std::lock_guard lock(mutex_);
    state_ = state;
}

LUCID_NAMESPACE_END
