// The destructors are here so that each class has one vtable and one typeinfo, in the library: an
// exception thrown in one shared object must be caught by its class in another.
#include "lucid/core/Error.h"

#include <algorithm>

LUCID_NAMESPACE_BEGIN

Error::~Error() = default;
ShapeMismatch::~ShapeMismatch() = default;
DtypeMismatch::~DtypeMismatch() = default;
DeviceMismatch::~DeviceMismatch() = default;
VersionMismatch::~VersionMismatch() = default;
OutOfMemory::~OutOfMemory() = default;
IndexOutOfRange::~IndexOutOfRange() = default;
NotImplementedOp::~NotImplementedOp() = default;
InvalidArgument::~InvalidArgument() = default;
Overflow::~Overflow() = default;

ErrorBuilder::ErrorBuilder(std::string_view who, std::string_view what) : header_(who) {
    if (!who.empty() && !what.empty()) header_ += ": ";
    header_ += what;
}

ErrorBuilder& ErrorBuilder::given(std::string_view name, std::string_view value) {
    givens_.emplace_back(name, value);
    return *this;
}

ErrorBuilder& ErrorBuilder::rule(std::string_view text) {
    rules_ += "\n  rule  ";
    rules_ += text;
    return *this;
}

std::string ErrorBuilder::text() const {
    size_t width = 0;
    for (const auto& [name, value] : givens_) width = std::max(width, name.size());
    std::string text = header_;
    for (const auto& [name, value] : givens_) {
        text += "\n  ";
        text += name;
        text.append(width - name.size() + 2, ' ');
        text += value;
    }
    return text + rules_;
}

LUCID_NAMESPACE_END
