// What the creation ops share: the checked size, and the dtype, device and requires_grad that they
// all take last. Their kernels are internal ops (`_fill`, `_uniform` ...) that these entries call.
#pragma once

#include <vector>

#include "lucid/core/Attrs.h"
#include "lucid/core/Context.h"
#include "lucid/core/Device.h"
#include "lucid/kernel/Kernels.h"

LUCID_NAMESPACE_BEGIN

struct TensorOptions {
    Dtype dtype;
    Device device;
    bool requires_grad = false;

    // From the attributes dtype, device, requires_grad at `first` and after; absent ones are the
    // given dtype and the default device.
    static TensorOptions from(const Attrs& attrs, size_t first, Dtype dtype);
    static TensorOptions like(const Tensor& x, const Attrs& attrs, size_t first);
    static Dtype default_dtype() noexcept { return context().default_dtype; }
};

// Throws ShapeMismatch naming `op` for a negative size or too many elements.
const Dims& checked_size(const char* op, const Dims& size);
// Throws at the call what storing the value later would: Overflow or DtypeMismatch, naming `op`.
void check_fits(const char* op, const Scalar& value, Dtype dtype);
void finish_tensor(const char* op, const Tensor& tensor, const TensorOptions& options);

// Runs `make` with the options' device as the default one.
template <typename Make>
std::vector<Tensor> make_tensor(const char* op, const TensorOptions& options, const Make& make) {
    const Scoped<Device> scope(context().default_device, options.device);
    std::vector<Tensor> made{make()};
    finish_tensor(op, made.front(), options);
    return made;
}

// The internal kernels. Attributes: size, dtype, then their own. Derived writes `kernel`.
template <typename Derived>
struct CreationKernel : NaryKernel<Derived> {
    static void infer(std::span<const Storage* const>, const Attrs& attrs,
                      std::vector<OutputSpec>& outputs) {
        outputs.push_back(OutputSpec::dense(attrs.dtype(1), Shape(attrs.dims(0))));
    }
};

inline constexpr const char* kNoTensorInput = "it has no tensor input";

LUCID_NAMESPACE_END
