// The raw stream of a Philox state, many blocks at a time, and the pairs of Box-Muller.
#pragma once

#include <cstdint>

#include "lucid/core/Generator.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// words[i] = word first + i of the stream: word w % 4 of the block state.offset + w / 4. `first` is
// a multiple of 4.
void random_words(PhiloxState state, int64_t first, int64_t n, uint32_t* words);

// (u, angle) -> (r cos(angle), r sin(angle)) with r = sqrt(-2 ln u), in place, for 0 < u <= 1.
void normal_pairs(float* u, float* angle, int64_t n);
void normal_pairs(double* u, double* angle, int64_t n);

}  // namespace cpu
LUCID_NAMESPACE_END
