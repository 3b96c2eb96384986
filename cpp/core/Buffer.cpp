#include "lucid/core/Buffer.h"

#include <memory>

LUCID_NAMESPACE_BEGIN

namespace {

struct Foreign {
    void* context;
    void (*free_context)(void* context) noexcept;
};

void release_foreign(Buffer* buffer) noexcept {
    const std::unique_ptr<Foreign> foreign(static_cast<Foreign*>(buffer->context()));
    delete buffer;
    if (foreign->free_context != nullptr) foreign->free_context(foreign->context);
}

}  // namespace

Ref<Buffer> Buffer::wrap(void* data, size_t nbytes, Device device, void* context,
                         void (*free_context)(void* context) noexcept) {
    auto foreign = std::make_unique<Foreign>(Foreign{context, free_context});
    Ref<Buffer> buffer = make_ref<Buffer>(data, nbytes, device, release_foreign, foreign.get());
    foreign.release();
    buffer->pin();
    return buffer;
}

LUCID_NAMESPACE_END
