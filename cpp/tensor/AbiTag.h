// One text that says whether two binaries agree about this library: its version, the C++ ABI, and
// the layout of the types that cross the border. Compared when the Python module or an extension is
// loaded.
#pragma once

#include <string>

#include "lucid/core/Version.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

// The tag of liblucid itself.
LUCID_API const char* lucid_abi_tag() noexcept;

// The tag of the code that is being compiled.
inline std::string compiled_abi_tag() {
    size_t layout = 0;
    for (size_t size :
         {sizeof(Tensor), sizeof(TensorImpl), sizeof(AutogradMeta), sizeof(Storage), sizeof(Value),
          sizeof(Box), sizeof(Buffer), sizeof(Shape), sizeof(Scalar)}) {
        layout = layout * 31 + size;
    }
    return std::string("lucid " LUCID_VERSION ", C++ ABI ") + std::to_string(__GXX_ABI_VERSION) +
           (sizeof(std::string) == 32 ? ", cxx11" : ", old strings") + ", layout " +
           std::to_string(layout);
}

LUCID_NAMESPACE_END
