// One call of one op as the backend sees it: ids, Storages, attributes and the layout of the
// results. Borrowed for the time of submit(); a backend that keeps it copies it (PendingCall).
#pragma once

#include <memory>
#include <span>

#include "lucid/backend/OpaqueCall.h"
#include "lucid/core/Attrs.h"
#include "lucid/core/OpRegistry.h"
#include "lucid/tensor/Storage.h"

LUCID_NAMESPACE_BEGIN

struct OutputSpec {
    Dtype dtype = Dtype::Float32;
    Shape shape;
    Strides strides;

    static OutputSpec dense(Dtype dtype, Shape shape) {
        Strides strides = contiguous_strides(shape);
        return {dtype, std::move(shape), std::move(strides)};
    }
};

struct OpCall {
    OpId op = kNoOp;
    std::span<const Storage* const> inputs;
    std::span<const OutputSpec> outputs;
    const Attrs* attrs = nullptr;
    Stream stream;
    // An extension's Primitive instead of a table op: runs alone, with Ready inputs.
    std::shared_ptr<OpaqueCall> opaque = nullptr;
};

LUCID_NAMESPACE_END
