// Counter-based random numbers: Philox-4x32-10 (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC11). A draw is a pure function of (seed, offset, index), so a kernel may run
// anywhere, any time, on any number of threads. A generator only hands out ranges of offsets.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "lucid/core/Ref.h"

LUCID_NAMESPACE_BEGIN

using PhiloxBlock = std::array<uint32_t, 4>;

// The block number `counter` (with `subsequence` as the upper 64 bits) under the key `seed`.
LUCID_API PhiloxBlock philox_4x32_10(uint64_t seed, uint64_t subsequence,
                                     uint64_t counter) noexcept;

struct PhiloxState {
    uint64_t seed;
    uint64_t offset;  // in blocks of four 32-bit words
};

class LUCID_API Generator final : public RefCounted {
public:
    explicit Generator(uint64_t seed = kDefaultSeed) noexcept : state_{seed, 0} {}
    void manual_seed(uint64_t seed) noexcept;
    // Reserves `blocks` blocks and returns the state before them.
    PhiloxState reserve(uint64_t blocks) noexcept;
    PhiloxState state() const noexcept;
    void set_state(PhiloxState state) noexcept;

    static constexpr uint64_t kDefaultSeed = 0x5eed5eed5eed5eedULL;

private:
    mutable std::mutex mutex_;
    PhiloxState state_;
};

LUCID_NAMESPACE_END
