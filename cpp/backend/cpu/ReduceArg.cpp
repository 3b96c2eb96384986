// argmax and argmin. The answer does not depend on an order of evaluation, so the fast way is free:
// find the extreme of a chunk with the SIMD loop, and look for its place only when it beats the
// best so far.
#include <algorithm>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/Reduce.h"
#include "lucid/backend/cpu/ReduceKernels.h"
#include "lucid/backend/cpu/ReduceLoad.h"
#include "lucid/backend/cpu/ReducePlan.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

constexpr int64_t kUnitElems = 32768;
constexpr int64_t kColumnBlock = 256;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <typename Acc>
struct Best {
    Acc value;
    int64_t index = -1;

    bool is_nan() const { return value != value; }
};

// Whether a later value takes the place of the best so far.
template <bool kMax, typename Acc>
bool beats(Acc value, Acc best) {
    if (best != best) return false;
    return value != value || (kMax ? value > best : value < best);
}

template <bool kMax, typename Acc>
class ArgReduction {
public:
    ArgReduction(ConstView in, DimSpan axes, View out)
        : in_(in),
          out_(out.as<int64_t>()),
          plan_(plan_reduction(in, axes)),
          kernels_(lane_kernels<Acc>(kMax ? LaneOp::Max : LaneOp::Min)),
          load_(load_function(in.dtype, accumulator_dtype(in.dtype))),
          count_(plan_.reduced.size),
          num_kept_(plan_.kept.size) {}

    void run() {
        if (num_kept_ == 0) return;
        LUCID_ASSERT(count_ > 0);
        if (plan_.kept.inner_stride() == 1 && plan_.kept.inner_size() >= 4 &&
            plan_.reduced.inner_stride() != 1) {
            run_columns();
        } else {
            run_rows();
        }
    }

private:
    const char* input(int64_t offset) const {
        return static_cast<const char*>(in_.data) + offset * size_of(in_.dtype);
    }

    // The best of the chunk [begin, end) of the reduced index.
    Best<Acc> search_chunk(int64_t base, int64_t begin, int64_t end, Acc* buffer) const {
        int64_t n = 0;
        plan_.reduced.for_runs(begin, end, [&](int64_t offset, int64_t stride, int64_t count) {
            load_(input(base + offset), stride, count, buffer + n);
            n += count;
        });
        Best<Acc> best{kernels_.chunk(buffer, n)};
        const Acc* found = best.is_nan()
                               ? std::find_if(buffer, buffer + n, [](Acc x) { return x != x; })
                               : std::find(buffer, buffer + n, best.value);
        best.index = begin + (found - buffer);
        return best;
    }

    void run_rows() {
        const int64_t num_chunks = ceil_div(count_, kReduceChunk);
        const int64_t per_unit =
            std::clamp<int64_t>(kUnitElems / std::min(count_, kReduceChunk), 1, num_kept_);
        // A few long rows: the chunks of one row are searched in parallel, then compared in order.
        if (num_chunks > 1) {
            const Ref<Buffer> scratch =
                allocate_cpu(static_cast<size_t>(num_kept_ * num_chunks) * sizeof(Best<Acc>));
            Best<Acc>* bests = static_cast<Best<Acc>*>(scratch->data());
            const int64_t chunks = num_kept_ * num_chunks;
            constexpr int64_t kChunksPerUnit = kUnitElems / kReduceChunk;
            parallel_for(ceil_div(chunks, kChunksPerUnit), [&](int64_t unit) {
                Acc buffer[kReduceChunk];
                const int64_t last = std::min(chunks, (unit + 1) * kChunksPerUnit);
                for (int64_t i = unit * kChunksPerUnit; i < last; ++i) {
                    const int64_t begin = i % num_chunks * kReduceChunk;
                    bests[i] = search_chunk(plan_.kept.offset_of(i / num_chunks), begin,
                                            std::min(count_, begin + kReduceChunk), buffer);
                }
            });
            for (int64_t k = 0; k < num_kept_; ++k) {
                Best<Acc> best = bests[k * num_chunks];
                for (int64_t c = 1; c < num_chunks; ++c) {
                    const Best<Acc>& next = bests[k * num_chunks + c];
                    if (beats<kMax>(next.value, best.value)) best = next;
                }
                out_[k] = best.index;
            }
            return;
        }
        parallel_for(ceil_div(num_kept_, per_unit), [&](int64_t unit) {
            Acc buffer[kReduceChunk];
            const int64_t last = std::min(num_kept_, (unit + 1) * per_unit);
            for (int64_t k = unit * per_unit; k < last; ++k) {
                out_[k] = search_chunk(plan_.kept.offset_of(k), 0, count_, buffer).index;
            }
        });
    }

    void run_columns() {
        const int64_t inner = plan_.kept.inner_size();
        const int64_t width = std::min(inner, kColumnBlock);
        const int64_t blocks = ceil_div(inner, width);
        parallel_for(num_kept_ / inner * blocks, [&](int64_t unit) {
            Acc best[kColumnBlock];
            Acc row[kColumnBlock];
            int64_t index[kColumnBlock];
            const int64_t first = unit / blocks * inner + unit % blocks * width;
            const int64_t n = std::min(width, inner - unit % blocks * width);
            const int64_t base = plan_.kept.offset_of(first);
            int64_t r = 0;
            plan_.reduced.for_runs(0, count_, [&](int64_t offset, int64_t stride, int64_t rows) {
                for (int64_t i = 0; i < rows; ++i, ++r) {
                    load_(input(base + offset + i * stride), 1, n, row);
                    for (int64_t j = 0; j < n; ++j) {
                        const bool take = r == 0 || beats<kMax>(row[j], best[j]);
                        best[j] = take ? row[j] : best[j];
                        index[j] = take ? r : index[j];
                    }
                }
            });
            std::copy_n(index, n, out_ + first);
        });
    }

    ConstView in_;
    int64_t* out_;
    ReducePlan plan_;
    const LaneKernels<Acc>& kernels_;
    LoadFn load_;
    int64_t count_;
    int64_t num_kept_;
};

template <typename Acc>
void run_arg(bool want_max, ConstView in, DimSpan axes, View out) {
    if (want_max) {
        ArgReduction<true, Acc>(in, axes, out).run();
    } else {
        ArgReduction<false, Acc>(in, axes, out).run();
    }
}

}  // namespace

void arg_reduce(bool want_max, ConstView in, DimSpan axes, View out) {
    LUCID_ASSERT(out.dtype == Dtype::Int64 && is_contiguous(out.shape, out.strides));
    switch (accumulator_dtype(in.dtype)) {
        case Dtype::Int64: return run_arg<int64_t>(want_max, in, axes, out);
        case Dtype::UInt64: return run_arg<uint64_t>(want_max, in, axes, out);
        case Dtype::Float32: return run_arg<float>(want_max, in, axes, out);
        case Dtype::Float64: return run_arg<double>(want_max, in, axes, out);
        default: assertion_failed("a real dtype", __FILE__, __LINE__);
    }
}

}  // namespace cpu
LUCID_NAMESPACE_END
