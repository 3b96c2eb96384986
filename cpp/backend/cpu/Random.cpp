#include "lucid/backend/cpu/Random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/RandomWords.h"
#include "lucid/backend/cpu/ReduceLoad.h"
#include "lucid/backend/cpu/ReducePlan.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

constexpr int64_t kBlockElems = 1024;  // values in one go, in buffers on the stack
constexpr int64_t kUnitElems = 16384;

// Calls draw(first, n, values) for blocks of logical elements and stores them to out. Blocks start
// at multiples of kBlockElems, so pairs and Philox blocks are never cut.
template <typename T, typename Draw>
void draw_into(View out, int64_t parts, Dtype value_dtype, Draw&& draw) {
    StridedSpace space;
    for (size_t i = 0; i < out.shape.size(); ++i) space.push(out.shape[i], out.strides[i]);
    const StoreFn store = store_function(value_dtype, out.dtype);
    const int64_t item = size_of(out.dtype);
    parallel_for((space.size + kUnitElems - 1) / kUnitElems, [&](int64_t unit) {
        T values[kBlockElems];
        const int64_t block = kBlockElems / parts;
        const int64_t end = std::min(space.size, (unit + 1) * kUnitElems);
        for (int64_t first = unit * kUnitElems; first < end; first += block) {
            const int64_t n = std::min(block, end - first);
            draw(first * parts, n * parts, values);
            const T* from = values;
            space.for_runs(first, first + n, [&](int64_t offset, int64_t stride, int64_t count) {
                store(from, count, static_cast<char*>(out.data) + offset * item, stride);
                from += count * parts;
            });
        }
    });
}

// Where draws would round to `high` or above: at `limit` and beyond they become `below`, the
// largest value of the dtype that is below `high`.
template <typename T>
struct Ceiling {
    T limit;
    T below;
};

template <typename T>
Ceiling<T> ceiling_of(Dtype dtype, T high) {
    if (size_of(dtype) != 2)
        return {high, std::nextafter(high, -std::numeric_limits<T>::infinity())};
    const auto value_of = [dtype](uint16_t bits) {
        return static_cast<T>(dtype == Dtype::Float16 ? half_bits_to_float(bits)
                                                      : bfloat16_bits_to_float(bits));
    };
    // The neighbour of a half value, one step towards -infinity or +infinity.
    const auto step = [](uint16_t bits, bool up) -> uint16_t {
        if ((bits & 0x7fffu) == 0) return up ? 0x0001u : 0x8001u;
        const bool grow = up == (bits < 0x8000u);
        return static_cast<uint16_t>(grow ? bits + 1 : bits - 1);
    };
    const float wide = static_cast<float>(high);
    uint16_t bits =
        dtype == Dtype::Float16 ? float_to_half_bits(wide) : float_to_bfloat16_bits(wide);
    if (value_of(bits) >= high) bits = step(bits, false);
    const T below = value_of(bits);
    const T above = value_of(step(bits, true));
    // A tie may round either way; both are right below the middle, and `below` is right at it.
    return {below + (above - below) / 2, below};
}

template <typename T>
T to_unit(const uint32_t* words, int64_t i) {
    if constexpr (std::is_same_v<T, float>) {
        return static_cast<float>(static_cast<int32_t>(words[i] >> 8)) * 0x1p-24f;
    } else {
        const uint64_t bits =
            static_cast<uint64_t>(words[2 * i]) | static_cast<uint64_t>(words[2 * i + 1]) << 32;
        return static_cast<double>(static_cast<int64_t>(bits >> 11)) * 0x1p-53;
    }
}

template <typename T>
void uniform_values(View out, int64_t parts, PhiloxState state, double low, double high) {
    constexpr int64_t kWords = sizeof(T) / 4;
    const Dtype real = real_dtype(out.dtype);
    const T scale = static_cast<T>(high - low);
    const T shift = static_cast<T>(low);
    const Ceiling<T> ceiling = ceiling_of<T>(real, static_cast<T>(high));
    const Dtype value_dtype = parts == 2 ? out.dtype : DtypeOf<T>::value;
    draw_into<T>(out, parts, value_dtype, [&](int64_t first, int64_t n, T* values) {
        uint32_t words[kBlockElems * kWords];
        random_words(state, first * kWords, n * kWords, words);
        for (int64_t i = 0; i < n; ++i) {
            const T value = to_unit<T>(words, i) * scale + shift;
            values[i] = value >= ceiling.limit && high > low ? ceiling.below : value;
        }
    });
}

template <typename T>
void normal_values(View out, int64_t parts, PhiloxState state, double mean, double std) {
    constexpr int64_t kWords = sizeof(T) / 4;
    const T scale = static_cast<T>(parts == 2 ? std * std::numbers::sqrt2 / 2 : std);
    const T shift = static_cast<T>(mean);
    const Dtype value_dtype = parts == 2 ? out.dtype : DtypeOf<T>::value;
    draw_into<T>(out, parts, value_dtype, [&](int64_t first, int64_t n, T* values) {
        const int64_t even = (n + 1) & ~int64_t{1};
        uint32_t words[kBlockElems * kWords];
        T radius[kBlockElems / 2];
        T angle[kBlockElems / 2];
        random_words(state, first * kWords, even * kWords, words);
        for (int64_t k = 0; k < even / 2; ++k) {
            if constexpr (std::is_same_v<T, float>) {
                // All 32 bits, centred: (0, 1], down to 2^-33.
                radius[k] = static_cast<float>(words[2 * k]) * 0x1p-32f + 0x1p-33f;
                angle[k] =
                    static_cast<float>(static_cast<int32_t>(words[2 * k + 1] >> 8)) * 0x1p-24f;
            } else {
                radius[k] = to_unit<T>(words, 2 * k) + 0x1p-53;
                angle[k] = to_unit<T>(words, 2 * k + 1);
            }
            angle[k] *= 2 * std::numbers::pi_v<T>;
        }
        normal_pairs(radius, angle, even / 2);
        for (int64_t i = 0; i < n; ++i) {
            const T value = i % 2 == 0 ? radius[i / 2] : angle[i / 2];
            const bool is_imaginary = parts == 2 && i % 2 != 0;
            values[i] = value * scale + (is_imaginary ? T(0) : shift);
        }
    });
}

}  // namespace

int64_t random_blocks_needed(Dtype dtype, int64_t numel) noexcept {
    switch (dtype) {
        case Dtype::Float16:
        case Dtype::BFloat16:
        case Dtype::Float32: return numel / 4 + (numel % 4 != 0);
        case Dtype::Complex128: return numel;
        default: return numel / 2 + numel % 2;  // two words an element
    }
}

void random_uniform(View out, PhiloxState state, double low, double high) {
    LUCID_ASSERT(is_inexact(out.dtype));
    const int64_t parts = is_complex(out.dtype) ? 2 : 1;
    if (real_dtype(out.dtype) == Dtype::Float64) {
        uniform_values<double>(out, parts, state, low, high);
    } else {
        uniform_values<float>(out, parts, state, low, high);
    }
}

void random_normal(View out, PhiloxState state, double mean, double std) {
    LUCID_ASSERT(is_inexact(out.dtype));
    const int64_t parts = is_complex(out.dtype) ? 2 : 1;
    if (real_dtype(out.dtype) == Dtype::Float64) {
        normal_values<double>(out, parts, state, mean, std);
    } else {
        normal_values<float>(out, parts, state, mean, std);
    }
}

void random_integers(View out, PhiloxState state, int64_t low, uint64_t range) {
    // (2^64 - range) % range
    const uint64_t threshold = range == 0 ? 0 : (0 - range) % range;
    draw_into<int64_t>(out, 1, Dtype::Int64, [&](int64_t first, int64_t n, int64_t* values) {
        uint32_t words[2 * kBlockElems];
        random_words(state, 2 * first, 2 * n, words);
        for (int64_t i = 0; i < n; ++i) {
            uint64_t x = words[2 * i] | static_cast<uint64_t>(words[2 * i + 1]) << 32;
            uint64_t value = x;
            if (range != 0) {
                __extension__ using Wide = unsigned __int128;
                Wide product = static_cast<Wide>(x) * range;
                for (uint64_t attempt = 1; static_cast<uint64_t>(product) < threshold; ++attempt) {
                    const uint64_t element = static_cast<uint64_t>(first + i);
                    const PhiloxBlock block =
                        philox_4x32_10(state.seed, attempt, state.offset + element / 2);
                    const size_t at = element % 2 * 2;
                    x = block[at] | static_cast<uint64_t>(block[at + 1]) << 32;
                    product = static_cast<Wide>(x) * range;
                }
                value = static_cast<uint64_t>(product >> 64);
            }
            values[i] = static_cast<int64_t>(static_cast<uint64_t>(low) + value);
        }
    });
}

}  // namespace cpu
LUCID_NAMESPACE_END
