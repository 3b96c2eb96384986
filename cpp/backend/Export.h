// Handing memory to code outside the engine (NumPy, DLPack, data_ptr).
#pragma once

#include "lucid/tensor/Storage.h"

LUCID_NAMESPACE_BEGIN

// Forces the value, lets every pending call that may read the memory run first, and pins the
// buffer: from now on in-place writes go through this memory.
LUCID_API Ref<Buffer> export_memory(const Storage& storage);

LUCID_NAMESPACE_END
