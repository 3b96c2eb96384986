// What happens to the inputs of a generic op before its shape rule: autocast, the dtype rule, weak
// scalars, the check of dtypes and devices.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "lucid/core/OpSchema.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

// The inputs as the op will compute with them; holds what had to be cast. Casts of tensors that
// require grad are recorded on the tape.
class PreparedInputs {
public:
    PreparedInputs(const OpSchema& schema, std::span<const Tensor* const> inputs);
    std::span<const Tensor* const> tensors() const noexcept {
        return {inputs_.size() <= kInline ? few_.data() : many_.data(), inputs_.size()};
    }
    std::span<const Storage* const> storages() const noexcept {
        return {inputs_.size() <= kInline ? few_storages_.data() : many_storages_.data(),
                inputs_.size()};
    }

private:
    static constexpr size_t kInline = 4;
    const Tensor*& at(size_t i) noexcept { return inputs_.size() <= kInline ? few_[i] : many_[i]; }
    void replace(size_t i, Tensor tensor);
    void apply_autocast(const OpSchema& schema);
    void apply_dtype_rule(const OpSchema& schema);
    void check_devices(const OpSchema& schema);

    std::span<const Tensor* const> inputs_;
    std::array<const Tensor*, kInline> few_;
    std::array<const Storage*, kInline> few_storages_;
    std::array<Tensor, kInline> few_owned_;
    std::vector<const Tensor*> many_;
    std::vector<const Storage*> many_storages_;
    std::vector<Tensor> many_owned_;
};

LUCID_NAMESPACE_END
