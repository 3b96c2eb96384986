// Every op's schema under a dense id. Rules, kernels and entry functions live in the tables of
// their layers, keyed by the same id. Ids are given in order of registration; ids are never reused.
#pragma once

#include <string_view>

#include "lucid/core/OpSchema.h"

LUCID_NAMESPACE_BEGIN

using OpId = uint32_t;
inline constexpr OpId kNoOp = 0;  // id 0 is never given

class LUCID_API OpRegistry {
public:
    // `library` names who registers, for the error of a second op of the same name and version. The
    // schema must live for ever.
    static OpId add(const OpSchema& schema, const char* library);
    // kNoOp when there is none.
    static OpId find(std::string_view name) noexcept;
    // Throws NotImplementedOp naming the op.
    static OpId require(std::string_view name);
    static const OpSchema& schema(OpId id) noexcept;
    static const Signature& signature(OpId id) noexcept;
    static const char* library(OpId id) noexcept;
    static OpId size() noexcept;  // ids run from 1 to size()
};

LUCID_NAMESPACE_END
