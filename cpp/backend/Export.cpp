#include "lucid/backend/Export.h"

#include "lucid/backend/Dispatcher.h"
#include "lucid/backend/Engine.h"

LUCID_NAMESPACE_BEGIN

Ref<Buffer> export_memory(const Storage& storage) {
    Ref<Buffer> buffer = storage.box()->value().force();
    if (backend::Engine::instance().calls_pending.load(std::memory_order_acquire) > 0) {
        Dispatcher::for_device(storage.device())->synchronize();
    }
    if (!buffer->pinned()) {
        buffer->pin();
        storage.box()->rebind(Value(buffer));
    }
    return buffer;
}

LUCID_NAMESPACE_END
