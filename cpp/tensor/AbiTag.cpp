#include "lucid/tensor/AbiTag.h"

LUCID_NAMESPACE_BEGIN

const char* lucid_abi_tag() noexcept {
    static const std::string* tag = new std::string(compiled_abi_tag());
    return tag->c_str();
}

LUCID_NAMESPACE_END
