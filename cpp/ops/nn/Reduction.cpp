#include "lucid/ops/nn/Reduction.h"

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

Reduction parse_reduction(const char* op, const std::string& text) {
    if (text == "none") return Reduction::None;
    if (text == "mean") return Reduction::Mean;
    if (text == "sum") return Reduction::Sum;
    ErrorBuilder(op, "unknown reduction")
        .given("reduction", "'" + text + "'")
        .rule("'none', 'mean' or 'sum'")
        .raise<InvalidArgument>();
}

LUCID_NAMESPACE_END
