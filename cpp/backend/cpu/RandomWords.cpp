#include "lucid/backend/cpu/RandomWords.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lucid/backend/cpu/RandomWords.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace lucid {
inline namespace v0 {
namespace cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sixteen blocks; the same rounds as philox_4x32_10. Each 64-bit lane holds one block's word in its
// lower half. The upper halves are garbage that the 32 x 32 -> 64 bit multiplication does not read.
void sixteen_blocks(uint64_t seed, uint64_t counter, uint32_t* HWY_RESTRICT words) {
    constexpr size_t kBlocks = 16;
    const hn::CappedTag<uint64_t, 8> d64;
    const hn::Repartition<uint32_t, decltype(d64)> d32;
    const auto multiplier0 = hn::Set(d32, 0xD2511F53u);
    const auto multiplier1 = hn::Set(d32, 0xCD9E8D57u);
    uint64_t out[2 * kBlocks];
    for (size_t first = 0; first < kBlocks; first += hn::Lanes(d64)) {
        const auto at = hn::Iota(d64, counter + first);
        auto x0 = hn::BitCast(d32, at);
        auto x1 = hn::BitCast(d32, hn::ShiftRight<32>(at));
        auto x2 = hn::Zero(d32);
        auto x3 = hn::Zero(d32);
        uint32_t key0 = static_cast<uint32_t>(seed);
        uint32_t key1 = static_cast<uint32_t>(seed >> 32);
        for (int round = 0; round < 10; ++round) {
            const auto product0 = hn::MulEven(x0, multiplier0);
            const auto product1 = hn::MulEven(x2, multiplier1);
            x0 = hn::Xor(hn::Xor(hn::BitCast(d32, hn::ShiftRight<32>(product1)), x1),
                         hn::Set(d32, key0));
            x1 = hn::BitCast(d32, product1);
            x2 = hn::Xor(hn::Xor(hn::BitCast(d32, hn::ShiftRight<32>(product0)), x3),
                         hn::Set(d32, key1));
            x3 = hn::BitCast(d32, product0);
            key0 += 0x9E3779B9u;
            key1 += 0xBB67AE85u;
        }
        const auto lower = hn::Set(d64, 0xffffffffu);
        const auto pair = [&](decltype(x0) low, decltype(x0) high) HWY_ATTR {
            return hn::Or(hn::And(hn::BitCast(d64, low), lower),
                          hn::ShiftLeft<32>(hn::BitCast(d64, high)));
        };
        hn::StoreInterleaved2(pair(x0, x1), pair(x2, x3), d64, out + 2 * first);
    }
    std::memcpy(words, out, sizeof(out));
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
}  // namespace v0
}  // namespace lucid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
LUCID_NAMESPACE_BEGIN
namespace cpu {

HWY_EXPORT(sixteen_blocks);

void random_words(PhiloxState state, int64_t first, int64_t n, uint32_t* words) {
    LUCID_ASSERT(first % 4 == 0);
    uint64_t counter = state.offset + static_cast<uint64_t>(first) / 4;
    const auto blocks = HWY_DYNAMIC_DISPATCH(sixteen_blocks);
    for (; n >= 64; n -= 64, words += 64, counter += 16) blocks(state.seed, counter, words);
    for (; n > 0; n -= 4, words += 4, ++counter) {
        const PhiloxBlock block = philox_4x32_10(state.seed, 0, counter);
        std::copy_n(block.begin(), std::min<int64_t>(n, 4), words);
    }
}

namespace {

template <typename T>
void pairs(T* u, T* angle, int64_t n) {
    for (int64_t k = 0; k < n; ++k) {
        const T radius = std::sqrt(T(-2) * std::log(u[k]));
        const T turn = angle[k];
        u[k] = radius * std::cos(turn);
        angle[k] = radius * std::sin(turn);
    }
}

}  // namespace

void normal_pairs(float* u, float* angle, int64_t n) { pairs(u, angle, n); }
void normal_pairs(double* u, double* angle, int64_t n) { pairs(u, angle, n); }

}  // namespace cpu
LUCID_NAMESPACE_END
#endif  // HWY_ONCE
