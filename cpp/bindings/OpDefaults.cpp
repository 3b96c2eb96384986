#include "lucid/bindings/OpDefaults.h"

#include <charconv>
#include <limits>

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace {

double real_literal(const std::string& text) {
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
    return std::stod(text);
}

Dims dims_literal(const std::string& text) {
    Dims dims;
    const char* at = text.data();
    const char* end = at + text.size();
    while (at != end) {
        int64_t value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error == std::errc()) dims.push_back(value);
        at = error == std::errc() ? next : at + 1;
    }
    return dims;
}

}  // namespace

AttrValue default_value(const ArgSpec& spec) {
    const std::string& text = spec.default_text;
    if (!spec.has_default || text == "None") return std::monostate();
    switch (spec.type) {
        case ArgType::Bool: return Scalar(text == "True");
        case ArgType::Int:
        case ArgType::OptionalInt: return Scalar(static_cast<int64_t>(std::stoll(text)));
        case ArgType::Float:
        case ArgType::OptionalFloat: return Scalar(real_literal(text));
        case ArgType::Scalar:
        case ArgType::OptionalScalar:
            if (text == "True" || text == "False") return Scalar(text == "True");
            if (text.find_first_of(".einf") == std::string::npos) {
                return Scalar(static_cast<int64_t>(std::stoll(text)));
            }
            return Scalar(real_literal(text));
        case ArgType::IntList:
        case ArgType::OptionalIntList: return dims_literal(text);
        case ArgType::Dtype:
        case ArgType::OptionalDtype: return dtype_from_name(text);
        default: return text.size() >= 2 ? text.substr(1, text.size() - 2) : text;  // quoted
    }
}

Attrs default_attrs(const Signature& signature) {
    Attrs attrs;
    for (const ArgSpec& spec : signature.args) {
        if (!spec.is_tensor()) attrs.push(default_value(spec));
    }
    return attrs;
}

}  // namespace bindings
LUCID_NAMESPACE_END
