// Tensor(Scalar): here because allocation is the backend's.
#include "lucid/backend/Dispatcher.h"
#include "lucid/core/Context.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

Tensor::Tensor(Scalar value, Dtype dtype) {
    Ref<Buffer> buffer =
        Dispatcher::for_device(kCpu)->allocate(static_cast<size_t>(size_of(dtype)));
    value.store(dtype, buffer->data());
    impl_ = make_ref<TensorImpl>(Storage::dense(Value(std::move(buffer)), dtype, kCpu, Shape()));
}

Tensor::Tensor(Scalar value) : Tensor(value, value.natural_dtype(context().default_dtype)) {}

LUCID_NAMESPACE_END
