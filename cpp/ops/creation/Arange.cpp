// arange: evenly spaced numbers, each computed from its index alone.
#include <cmath>
#include <limits>
#include <optional>

#include "lucid/backend/cpu/Fill.h"
#include "lucid/core/Error.h"
#include "lucid/ops/creation/TensorOptions.h"
#include "lucid/ops/ops.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct Arange : CreationKernel<Arange> {
    static const OpSchema schema_v1;
    static void kernel(const CpuCall& call) {
        cpu::arange(call.outputs[0], call.attrs.scalar(2), call.attrs.scalar(3));
    }
};

const OpSchema Arange::schema_v1{
    .name = "_arange",
    .signature = "_arange(int[] size, Dtype dtype, Scalar start, Scalar step) -> Tensor",
    .dtype_rule = DtypeRule::Explicit,
    .python = kInternal,
    .no_gradient_reason = kNoTensorInput,
    .doc = "start + i * step."};

struct Range {
    Scalar start;
    Scalar end;
    Scalar step;

    bool any(bool (Scalar::*is)() const noexcept) const {
        return (start.*is)() || (end.*is)() || (step.*is)();
    }
    template <typename E>
    [[noreturn]] void raise(const char* what, const char* rule) const {
        ErrorBuilder("arange", what)
            .given("start", start.to_string())
            .given("end", end.to_string())
            .given("step", step.to_string())
            .rule(rule)
            .template raise<E>();
    }
    // Throws InvalidArgument when `step` cannot lead from start to end.
    int64_t count() const;
};

__extension__ typedef __int128 Wide;  // holds every int64 and uint64, and their differences

Wide wide(const Scalar& value) {
    if (value.kind() == Scalar::Kind::UInt) return static_cast<uint64_t>(value.to_int());
    return value.to_int();
}

int64_t Range::count() const {
    constexpr const char* kDirection = "a positive step goes up from start to end, a negative down";
    constexpr const char* kTooMany = "the number of elements must be below 2**63";
    if (any(&Scalar::is_floating)) {
        const double from = start.to_double(), to = end.to_double(), by = step.to_double();
        if (!std::isfinite(from) || !std::isfinite(to) || std::isnan(by)) {
            raise<InvalidArgument>("the range is not finite", "start and end are finite numbers");
        }
        if (by == 0) raise<InvalidArgument>("step is 0", kDirection);
        if (by > 0 ? from > to : from < to) {
            raise<InvalidArgument>("step leads away from end", kDirection);
        }
        const double elements = std::ceil((to - from) / by);
        if (!(elements < 0x1p63)) raise<ShapeMismatch>("too many elements", kTooMany);
        return static_cast<int64_t>(elements);
    }
    const Wide length = wide(end) - wide(start);
    const Wide by = wide(step);
    if (by == 0) raise<InvalidArgument>("step is 0", kDirection);
    if (by > 0 ? length < 0 : length > 0) {
        raise<InvalidArgument>("step leads away from end", kDirection);
    }
    const Wide elements = (length + by + (by > 0 ? -1 : 1)) / by;
    if (elements > std::numeric_limits<int64_t>::max()) {
        raise<ShapeMismatch>("too many elements", kTooMany);
    }
    return static_cast<int64_t>(elements);
}

// The first and the last number fit, so those between do.
void check_range(const Range& range, int64_t count, Dtype dtype) {
    if (!is_integral(dtype) || count == 0) return;
    check_fits("arange", range.start, dtype);
    if (range.any(&Scalar::is_floating)) return;
    const Wide last = wide(range.start) + (count - 1) * wide(range.step);
    check_fits("arange",
               last > 0 ? Scalar(static_cast<uint64_t>(last)) : Scalar(static_cast<int64_t>(last)),
               dtype);
}

std::vector<Tensor> arange_entry(std::span<const Tensor* const>, const Attrs& attrs) {
    if (!attrs.has(0) && !attrs.has(1)) throw InvalidArgument("arange(): where to end is missing");
    // arange(end), arange(end=...), arange(start, end[, step])
    Range range{Scalar(0), attrs.scalar(attrs.has(1) ? 1 : 0), attrs.scalar(2)};
    if (attrs.has(0) && attrs.has(1)) range.start = attrs.scalar(0);
    if (range.any(&Scalar::is_complex)) {
        range.raise<DtypeMismatch>("a bound is complex", "complex numbers have no order");
    }
    const Dtype natural =
        range.any(&Scalar::is_floating) ? TensorOptions::default_dtype() : Dtype::Int64;
    const TensorOptions options = TensorOptions::from(attrs, 3, natural);
    if (options.dtype == Dtype::Bool || is_complex(options.dtype)) {
        ErrorBuilder("arange", std::string("not defined for ") + name_of(options.dtype))
            .rule("the dtype is an integer or a floating one")
            .raise<DtypeMismatch>();
    }
    const int64_t count = range.count();
    checked_size("arange", Dims{count});
    check_range(range, count, options.dtype);
    return make_tensor("arange", options, [&] {
        return _arange(Dims{count}, options.dtype, range.start, range.step);
    });
}

const OpSchema kArange{
    .name = "arange",
    .signature =
        "arange(Scalar? start=None, Scalar? end=None, Scalar step=1, *, Dtype? dtype=None, "
        "Device? device=None, bool requires_grad=False) -> Tensor",
    .dtypes = kIntegralDtypes | kFloatingDtypes,
    .dtype_reason = "arange counts in integers or floating numbers",
    .doc = R"(The numbers start, start + step, ... below end (above it for a negative step).

arange(n) counts from 0. Without a dtype: int64, or the default dtype when one argument is a float.
Floating numbers are start + i * step in float64, rounded once.

Shapes: result (ceil((end - start) / step),).
Raises ValueError when step is 0 or leads away from end or there is no end, OverflowError when a
number does not fit the dtype, ShapeMismatch for too many elements.

>>> lucid.arange(1, 6, 2).tolist()
[1, 3, 5]
)"};

}  // namespace

LUCID_NAMESPACE_END

LUCID_REGISTER_OPS(Arange) {
    static const OpDef defs[] = {Arange::op(), composition(kArange, &arange_entry)};
    return defs;
}
