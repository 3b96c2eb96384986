// Primitive: the contract of an op that brings its own evaluation and transformation rules (the
// style of MLX). `array(shape, dtype, primitive, inputs)` makes its results; it enters the engine
// as an opaque call.
#pragma once

#include <ostream>

#include "lucid/autograd/Graph.h"
#include "lucid/backend/OpCall.h"
#include "lucid/backend/StreamOrDevice.h"

LUCID_NAMESPACE_BEGIN

class LUCID_API Primitive {
public:
    explicit Primitive(Stream stream) noexcept : stream_(stream) {}
    virtual ~Primitive();
    Primitive(const Primitive&) = delete;
    Primitive& operator=(const Primitive&) = delete;

    const Stream& stream() const noexcept { return stream_; }
    const Device& device() const noexcept { return stream_.device; }

    // Inputs are Ready. Each output has shape and dtype and no memory: call set_data().
    virtual void eval_cpu(const std::vector<array>& inputs, std::vector<array>& outputs) = 0;
    virtual void eval_gpu(const std::vector<array>& inputs, std::vector<array>& outputs);
    // The rules; the defaults raise NotImplementedOp naming the primitive and the rule.
    virtual std::vector<array> jvp(const std::vector<array>& primals,
                                   const std::vector<array>& tangents,
                                   const std::vector<int>& argnums);
    virtual std::vector<array> vjp(const std::vector<array>& primals,
                                   const std::vector<array>& cotangents,
                                   const std::vector<int>& argnums,
                                   const std::vector<array>& outputs);
    virtual std::pair<std::vector<array>, std::vector<int>> vmap(const std::vector<array>& inputs,
                                                                 const std::vector<int>& axes);
    virtual void print(std::ostream& os) = 0;
    virtual bool is_equivalent(const Primitive& other) const;

private:
    Stream stream_;
};

LUCID_NAMESPACE_END
