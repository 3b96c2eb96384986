// What a device must do: some ten virtuals around submit(). Ops are not virtuals: `be->matmul(a,
// b)` and its like are generated from the op table over call(), so a new op changes no backend.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lucid/backend/KernelTable.h"
#include "lucid/backend/OpCall.h"
#include "lucid/core/Generator.h"

LUCID_NAMESPACE_BEGIN

// A point in a stream's order. wait() blocks the caller, query() asks.
class LUCID_API EventState : public RefCounted {
public:
    virtual void wait() = 0;
    virtual bool query() = 0;
};

class LUCID_API IBackend {
public:
    virtual ~IBackend();

    virtual Device device() const noexcept = 0;
    // Runs or queues one call and fills in `outputs` (as many as call.outputs), Ready or Pending.
    virtual void submit(const OpCall& call, std::span<Storage> outputs) = 0;
    virtual Ref<Buffer> allocate(size_t nbytes) = 0;
    virtual Stream new_stream() = 0;
    virtual bool has_stream(Stream stream) const noexcept = 0;
    // Flushes and waits: one stream, or all of the device.
    virtual void synchronize(Stream stream) = 0;
    virtual void synchronize() = 0;
    virtual Ref<EventState> record_event(Stream stream) = 0;
    // Work submitted to `stream` from now on starts after the event.
    virtual void wait_event(Stream stream, const Ref<EventState>& event) = 0;

    // One call by id: shape rule and submit on the current stream, or the view. Inputs are taken as
    // they are: no promotion, no autocast, no graph.
    std::vector<Storage> call(OpId op, std::span<const Storage* const> inputs, const Attrs& attrs);
    Storage call_one(OpId op, std::span<const Storage* const> inputs, const Attrs& attrs);

#include "lucid/backend/BackendOps.inc"
};

LUCID_NAMESPACE_END
