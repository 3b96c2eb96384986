#include "lucid/tensor/TensorImpl.h"

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {
std::atomic<void (*)(void*) noexcept> python_release{nullptr};
}

void TensorImpl::set_python_release(void (*release)(void* object) noexcept) noexcept {
    python_release.store(release, std::memory_order_release);
}

void TensorImpl::refuse_rank() const {
    ErrorBuilder("tensor", "too many dimensions")
        .given("ndim", std::to_string(storage_.shape().size()))
        .rule("at most " + std::to_string(kMaxRank))
        .raise<ShapeMismatch>();
}

TensorImpl::~TensorImpl() {
    if (!owns_python_object_) return;
    if (auto* release = python_release.load(std::memory_order_acquire)) release(python_object());
}

Scalar Tensor::item() const {
    if (numel() != 1) {
        ErrorBuilder("item(x)", "only a tensor with one element becomes a number")
            .given("x", describe(*this))
            .raise<ShapeMismatch>();
    }
    return Scalar::load(dtype(), storage().data());
}

std::string describe(const Storage& storage) {
    return std::string(name_of(storage.dtype())) + " " + to_string(storage.shape()) + "  " +
           to_string(storage.device());
}

LUCID_NAMESPACE_END
