#include "lucid/ops/creation/TensorOptions.h"

#include <algorithm>

#include "lucid/autograd/Graph.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

TensorOptions TensorOptions::from(const Attrs& attrs, size_t first, Dtype dtype) {
    return {.dtype = attrs.has(first) ? attrs.dtype(first) : dtype,
            .device = attrs.has(first + 1) ? device_from_name(attrs.text(first + 1))
                                           : context().default_device,
            .requires_grad = attrs.has(first + 2) && attrs.flag(first + 2)};
}

TensorOptions TensorOptions::like(const Tensor& x, const Attrs& attrs, size_t first) {
    TensorOptions options = from(attrs, first, x.dtype());
    if (!attrs.has(first + 1)) options.device = x.device();
    return options;
}

const Dims& checked_size(const char* op, const Dims& size) {
    if (std::any_of(size.begin(), size.end(), [](int64_t n) { return n < 0; })) {
        ErrorBuilder(op, "a size is negative")
            .given("size", to_string(size))
            .rule("every size is 0 or more")
            .raise<ShapeMismatch>();
    }
    int64_t count = size_of(Dtype::Complex128);  // in bytes of the widest dtype
    const bool empty = std::find(size.begin(), size.end(), 0) != size.end();
    for (const int64_t n : size) {
        if (empty || !__builtin_mul_overflow(count, n, &count)) continue;
        ErrorBuilder(op, "too many elements")
            .given("size", to_string(size))
            .rule("the number of bytes must be below 2**63, also for complex128")
            .raise<ShapeMismatch>();
    }
    return size;
}

void check_fits(const char* op, const Scalar& value, Dtype dtype) {
    alignas(16) unsigned char bytes[16];
    try {
        value.store(dtype, bytes);
    } catch (const Overflow& error) {
        throw Overflow(std::string(op) + ": " + error.what());
    } catch (const DtypeMismatch& error) {
        throw DtypeMismatch(std::string(op) + ": " + error.what());
    }
}

void finish_tensor(const char* op, const Tensor& tensor, const TensorOptions& options) {
    if (!options.requires_grad) return;
    if (!is_inexact(options.dtype)) {
        ErrorBuilder(op, "this dtype cannot require grad")
            .given("dtype", name_of(options.dtype))
            .rule("only floating and complex tensors have gradients")
            .raise<DtypeMismatch>();
    }
    set_requires_grad(tensor, true);
}

LUCID_NAMESPACE_END
