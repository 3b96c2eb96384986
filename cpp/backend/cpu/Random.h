// Random numbers. Element i of a result is a function of (seed, offset, i) alone: any part may be
// computed anywhere, and the order of elements is the row-major one of the logical shape.
#pragma once

#include "lucid/backend/cpu/View.h"
#include "lucid/core/Generator.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

// Philox blocks that a result of `numel` elements takes. Element i of uniform and normal draws in
// float32 and the half types has word i of the stream, in float64 words 2i and 2i + 1; a complex
// element is two real ones. Integer draws take two words whatever the result's dtype: ask with
// Int64 for them.
int64_t random_blocks_needed(Dtype dtype, int64_t numel) noexcept;

// out (floating or complex, any layout): u * (high - low) + low, with u in [0, 1) from the top 24
// bits of the word (53 of the two words in float64). Half types are computed in float32 and
// rounded. A result that rounds to `high` or above becomes the largest value below it, so [low,
// high) holds in every dtype.
void random_uniform(View out, PhiloxState state, double low, double high);

// out (floating or complex, any layout): z * std + mean. Box-Muller on elements 2k and 2k + 1:
// r = sqrt(-2 ln u), u in (0, 1], finite for every draw (float32: |z| <= 6.77, float64: |z|
// <= 8.58). A complex element has std / sqrt(2) in each part; the mean is real.
void random_normal(View out, PhiloxState state, double mean, double std);

// out (any real dtype, any layout): low + v mod 2^64, v uniform in [0, range), range > 0; range ==
// 0 means 2^64. Lemire's method ("Fast random integer generation in an interval", 2019): v is the
// upper half of x * range, and x is rejected when the lower half is below (2^64 - range) % range.
// Attempt t draws x from the stream's subsequence t at the same place, so rejections shift nothing.
void random_integers(View out, PhiloxState state, int64_t low, uint64_t range);

}  // namespace cpu
LUCID_NAMESPACE_END
