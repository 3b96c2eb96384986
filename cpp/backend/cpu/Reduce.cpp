// One reduction = loads into runs of accumulators (ReduceLoad.h), the two SIMD loops
// (ReduceKernels.h) and the walk here. Rows: a chunk of the reduced index is loaded (or read in
// place) for one kept element. Columns, when neighbours among the kept elements are neighbours in
// memory: sixteen lanes, each a run of kept elements. Both follow the tree of ReduceKernels.h, and
// the work is cut where it suits the caches.
#include "lucid/backend/cpu/Reduce.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "lucid/backend/Allocator.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/backend/cpu/ReduceKernels.h"
#include "lucid/backend/cpu/ReduceLoad.h"
#include "lucid/backend/cpu/ReducePlan.h"

LUCID_NAMESPACE_BEGIN
namespace cpu {

namespace {

constexpr int64_t kUnitElems = 32768;  // about what one unit of parallel work reads
// The sixteen lanes of one unit of columns: long runs of memory when there is enough work for all
// threads, otherwise what the first-level cache holds.
constexpr int64_t kMaxLaneBytes = 128 << 10;
constexpr int64_t kMinLaneBytes = 16 << 10;
constexpr int64_t kShortRow = 12;
constexpr int64_t kMinColumns = 4;  // fewer neighbours are gathered as rows

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <typename Acc>
class Reduction {
public:
    Reduction(ReduceKind kind, ConstView in, DimSpan axes, View out)
        : kind_(kind),
          in_(in),
          out_(out),
          plan_(plan_reduction(in, axes)),
          kernels_(lane_kernels<Acc>(lane_op(kind))),
          count_(plan_.reduced.size),
          num_kept_(plan_.kept.size),
          num_chunks_(std::max<int64_t>(1, ceil_div(count_, kReduceChunk))),
          item_bytes_(size_of(in.dtype)) {
        const bool is_truth = kind == ReduceKind::Any || kind == ReduceKind::All;
        acc_dtype_ = is_truth ? Dtype::Bool : accumulator_dtype(in.dtype);
        load_ = load_function(in.dtype, acc_dtype_);
        // bool and uint8_t share values and size, so truth values of bool are read in place.
        in_place_ = in.dtype == acc_dtype_;
        store_ = store_function(acc_dtype_, out.dtype);
    }

    void run() {
        if (num_kept_ == 0) return;
        if (count_ == 0) return fill_empty();
        Ref<Buffer> partials;
        if (num_chunks_ > 1) {
            partials = allocate_cpu(static_cast<size_t>(num_chunks_ * num_kept_) * sizeof(Acc));
            partials_ = static_cast<Acc*>(partials->data());
        }
        if (by_columns()) {
            run_columns();
        } else {
            run_rows();
        }
        if (num_chunks_ > 1) combine_chunks();
    }

private:
    static LaneOp lane_op(ReduceKind kind) {
        switch (kind) {
            case ReduceKind::Sum:
            case ReduceKind::Mean: return LaneOp::Sum;
            case ReduceKind::Prod: return LaneOp::Prod;
            case ReduceKind::AMax:
            case ReduceKind::Any: return LaneOp::Max;
            case ReduceKind::AMin:
            case ReduceKind::All: return LaneOp::Min;
        }
        assertion_failed("a valid ReduceKind", __FILE__, __LINE__);
    }

    const char* input(int64_t offset) const {
        return static_cast<const char*>(in_.data) + offset * item_bytes_;
    }

    void fill_empty() {
        LUCID_ASSERT(kind_ != ReduceKind::AMax && kind_ != ReduceKind::AMin);
        Acc value = kernels_.identity;
        if (kind_ == ReduceKind::All) value = Acc(1);  // the lanes' identity is 255
        for (int64_t k = 0; k < num_kept_; ++k) finish(&value, k, 1);
    }

    // Values of whole reductions -> out[first, first + n).
    void finish(Acc* values, int64_t first, int64_t n) {
        char* to = static_cast<char*>(out_.data) + first * size_of(out_.dtype);
        if constexpr (std::is_floating_point_v<Acc>) {
            if (kind_ == ReduceKind::Mean) {
                for (int64_t i = 0; i < n; ++i) values[i] /= static_cast<Acc>(count_);
            } else if (kind_ == ReduceKind::AMax || kind_ == ReduceKind::AMin) {
                for (int64_t i = 0; i < n; ++i) {
                    if (std::isnan(values[i])) values[i] = std::numeric_limits<Acc>::quiet_NaN();
                }
            }
        } else if constexpr (std::is_integral_v<Acc>) {
            if (kind_ == ReduceKind::Mean) {
                const StoreFn store = store_function(Dtype::Float64, out_.dtype);
                for (int64_t i = 0; i < n; ++i) {
                    const double mean =
                        static_cast<double>(values[i]) / static_cast<double>(count_);
                    store(&mean, 1, to + i * size_of(out_.dtype), 1);
                }
                return;
            }
        } else if (kind_ == ReduceKind::Mean) {
            using Real = typename Acc::value_type;
            for (int64_t i = 0; i < n; ++i) {
                const Real count = static_cast<Real>(count_);
                values[i] = Acc(values[i].real() / count, values[i].imag() / count);
            }
        }
        store_(values, n, to, 1);
    }

    // Partials of chunk `chunk` for the kept elements [first, first + n).
    void put(int64_t chunk, int64_t first, int64_t n, Acc* values) {
        if (num_chunks_ == 1) {
            finish(values, first, n);
        } else {
            std::copy(values, values + n, partials_ + chunk * num_kept_ + first);
        }
    }

    bool by_columns() const {
        const int64_t inner = plan_.kept.inner_size();
        // Rows too short for the lanes: many of them side by side, read with a stride.
        if (count_ <= kShortRow && inner >= 2 * kReduceLanes) return true;
        return plan_.kept.inner_stride() == 1 && inner >= kMinColumns &&
               plan_.reduced.inner_stride() != 1;
    }

    // --- Rows: one kept element at a time
    // ------------------------------------------------------------

    Acc row_chunk(int64_t base, int64_t begin, int64_t end, Acc* buffer) {
        const StridedSpace& reduced = plan_.reduced;
        if (in_place_ && reduced.inner_stride() == 1 && reduced.shape.size() <= 1) {
            return kernels_.chunk(reinterpret_cast<const Acc*>(input(base + begin)), end - begin);
        }
        int64_t at = 0;
        reduced.for_runs(begin, end, [&](int64_t offset, int64_t stride, int64_t n) {
            load_(input(base + offset), stride, n, buffer + at);
            at += n;
        });
        return kernels_.chunk(buffer, end - begin);
    }

    void run_rows() {
        const int64_t chunk_elems = std::min(count_, kReduceChunk);
        const int64_t kept_per_unit =
            num_chunks_ > 1 ? 1 : std::clamp<int64_t>(kUnitElems / chunk_elems, 1, num_kept_);
        const int64_t chunks_per_unit = std::min<int64_t>(num_chunks_, kUnitElems / kReduceChunk);
        const int64_t chunk_units = ceil_div(num_chunks_, chunks_per_unit);
        const int64_t kept_units = ceil_div(num_kept_, kept_per_unit);
        parallel_for(kept_units * chunk_units, [&](int64_t unit) {
            alignas(64) std::byte raw[kReduceChunk * sizeof(Acc)];
            Acc* buffer = reinterpret_cast<Acc*>(raw);
            const int64_t first = unit / chunk_units * kept_per_unit;
            const int64_t last = std::min(num_kept_, first + kept_per_unit);
            const int64_t first_chunk = unit % chunk_units * chunks_per_unit;
            const int64_t last_chunk = std::min(num_chunks_, first_chunk + chunks_per_unit);
            for (int64_t k = first; k < last; ++k) {
                const int64_t base = plan_.kept.offset_of(k);
                for (int64_t c = first_chunk; c < last_chunk; ++c) {
                    const int64_t begin = c * kReduceChunk;
                    Acc value =
                        row_chunk(base, begin, std::min(count_, begin + kReduceChunk), buffer);
                    put(c, k, 1, &value);
                }
            }
        });
    }

    // --- Columns: a run of kept elements at a time
    // -----------------------------------------------------

    // One lane's values for `width` kept neighbours, where they are or brought to `buffer`.
    const Acc* column_run(const char* from, int64_t width, Acc* buffer) {
        if (in_place_ && plan_.kept.inner_stride() == 1) return reinterpret_cast<const Acc*>(from);
        load_(from, plan_.kept.inner_stride(), width, buffer);
        return buffer;
    }

    // n rows, `stride` elements apart, the first of which goes to `lane`; returns the lane after
    // them.
    int64_t column_rows(const char* from, int64_t stride, int64_t n, int64_t width, int64_t lane,
                        Acc* lanes, Acc* buffer) {
        // Rows without gaps make one long row of all sixteen lanes.
        const bool dense = plan_.kept.inner_stride() == 1 && stride == width;
        const int64_t lanes_per_call = dense ? kReduceLanes : 1;
        const int64_t run = lanes_per_call * width;
        const int64_t row_bytes = stride * item_bytes_;
        while (n > 0) {
            if (lane == 0 && n >= 4 * kReduceLanes) {
                for (int64_t l = 0; l < kReduceLanes; l += lanes_per_call) {
                    const char* first = from + l * row_bytes;
                    const Acc* values = reinterpret_cast<const Acc*>(first);
                    int64_t distance = kReduceLanes * stride;
                    if (!in_place_ || plan_.kept.inner_stride() != 1) {
                        for (int64_t k = 0; k < 4; ++k) {
                            column_run(first + k * kReduceLanes * row_bytes, run, buffer + k * run);
                        }
                        values = buffer;
                        distance = run;
                    }
                    kernels_.accumulate4(lanes + l * width, values, distance, run);
                }
                from += 4 * kReduceLanes * row_bytes;
                n -= 4 * kReduceLanes;
                continue;
            }
            const int64_t rows = dense ? std::min(n, kReduceLanes - lane) : 1;
            kernels_.accumulate(lanes + lane * width, column_run(from, rows * width, buffer),
                                rows * width);
            from += rows * row_bytes;
            n -= rows;
            lane = (lane + rows) % kReduceLanes;
        }
        return lane;
    }

    void column_chunk(int64_t base, int64_t begin, int64_t end, int64_t width, Acc* lanes,
                      Acc* buffer) {
        std::fill(lanes, lanes + kReduceLanes * width, kernels_.identity);
        int64_t lane = 0;
        plan_.reduced.for_runs(begin, end, [&](int64_t offset, int64_t stride, int64_t n) {
            lane = column_rows(input(base + offset), stride, n, width, lane, lanes, buffer);
        });
        for (int64_t half = kReduceLanes / 2; half > 0; half /= 2) {
            kernels_.accumulate(lanes, lanes + half * width, half * width);
        }
    }

    void run_columns() {
        const int64_t inner = plan_.kept.inner_size();
        const int64_t outer = num_kept_ / inner;
        const int64_t column_bytes = kReduceLanes * static_cast<int64_t>(sizeof(Acc));
        int64_t width = kMaxLaneBytes / column_bytes;
        const int64_t wanted_units = 2 * static_cast<int64_t>(get_num_threads());
        while (width > kMinLaneBytes / column_bytes &&
               ceil_div(inner, width) * outer * num_chunks_ < wanted_units) {
            width /= 2;
        }
        width = std::min(inner, width);
        const int64_t blocks = ceil_div(inner, width);
        const int64_t units = outer * blocks * num_chunks_;
        const int64_t unit_elems = width * std::min(count_, kReduceChunk);
        const int64_t per_task = std::max<int64_t>(1, kUnitElems / unit_elems);
        parallel_for(ceil_div(units, per_task), [&](int64_t task) {
            // The lanes, and four groups of rows on their way from another dtype.
            const int64_t lane_elems = kReduceLanes * width;
            const Ref<Buffer> scratch =
                allocate_cpu(static_cast<size_t>(5 * lane_elems) * sizeof(Acc));
            Acc* lanes = static_cast<Acc*>(scratch->data());
            const int64_t end_unit = std::min(units, (task + 1) * per_task);
            for (int64_t unit = task * per_task; unit < end_unit; ++unit) {
                const int64_t chunk = unit % num_chunks_;
                const int64_t block = unit / num_chunks_ % blocks;
                const int64_t first = unit / num_chunks_ / blocks * inner + block * width;
                const int64_t n = std::min(width, inner - block * width);
                const int64_t begin = chunk * kReduceChunk;
                column_chunk(plan_.kept.offset_of(first), begin,
                             std::min(count_, begin + kReduceChunk), n, lanes, lanes + lane_elems);
                put(chunk, first, n, lanes);
            }
        });
    }

    // --- Step 3 of the tree, for many kept elements at once
    // ---------------------------------------------

    void combine_chunks() {
        constexpr int64_t kBlock = 1024;
        parallel_for(ceil_div(num_kept_, kBlock), [&](int64_t block) {
            const int64_t first = block * kBlock;
            const int64_t n = std::min(kBlock, num_kept_ - first);
            const auto partial = [&](int64_t chunk) {
                return partials_ + chunk * num_kept_ + first;
            };
            for (int64_t left = num_chunks_; left > 1; left = (left + 1) / 2) {
                for (int64_t i = 0; i < left / 2; ++i) {
                    if (i > 0) std::copy_n(partial(2 * i), n, partial(i));
                    kernels_.accumulate(partial(i), partial(2 * i + 1), n);
                }
                if (left % 2 != 0) std::copy_n(partial(left - 1), n, partial(left / 2));
            }
            finish(partial(0), first, n);
        });
    }

    ReduceKind kind_;
    ConstView in_;
    View out_;
    ReducePlan plan_;
    const LaneKernels<Acc>& kernels_;
    int64_t count_;
    int64_t num_kept_;
    int64_t num_chunks_;
    int64_t item_bytes_;
    Dtype acc_dtype_;
    LoadFn load_;
    StoreFn store_;
    bool in_place_;
    Acc* partials_ = nullptr;
};

}  // namespace

void reduce(ReduceKind kind, ConstView in, DimSpan axes, View out) {
    LUCID_ASSERT(is_contiguous(out.shape, out.strides));
    if (kind == ReduceKind::Any || kind == ReduceKind::All) {
        return Reduction<uint8_t>(kind, in, axes, out).run();
    }
    LUCID_ASSERT(!is_complex(in.dtype) || (kind != ReduceKind::AMax && kind != ReduceKind::AMin));
    switch (accumulator_dtype(in.dtype)) {
        case Dtype::Int64: return Reduction<int64_t>(kind, in, axes, out).run();
        case Dtype::UInt64: return Reduction<uint64_t>(kind, in, axes, out).run();
        case Dtype::Float32: return Reduction<float>(kind, in, axes, out).run();
        case Dtype::Float64: return Reduction<double>(kind, in, axes, out).run();
        case Dtype::Complex64: return Reduction<complex64_t>(kind, in, axes, out).run();
        case Dtype::Complex128: return Reduction<complex128_t>(kind, in, axes, out).run();
        default: assertion_failed("an accumulator's dtype", __FILE__, __LINE__);
    }
}

}  // namespace cpu
LUCID_NAMESPACE_END
