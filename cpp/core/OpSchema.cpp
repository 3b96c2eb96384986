// The signature parser: a handful of types, Python defaults.
#include "lucid/core/OpSchema.h"

#include <array>
#include <string_view>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct TypeName {
    std::string_view text;
    ArgType type;
};
constexpr std::array<TypeName, 17> kTypeNames{{
    {"Tensor", ArgType::Tensor},
    {"Tensor?", ArgType::OptionalTensor},
    {"Tensor[]", ArgType::TensorList},
    {"Scalar", ArgType::Scalar},
    {"Scalar?", ArgType::OptionalScalar},
    {"int", ArgType::Int},
    {"int?", ArgType::OptionalInt},
    {"int[]", ArgType::IntList},
    {"int[]?", ArgType::OptionalIntList},
    {"float", ArgType::Float},
    {"float?", ArgType::OptionalFloat},
    {"bool", ArgType::Bool},
    {"str", ArgType::String},
    {"Dtype", ArgType::Dtype},
    {"Dtype?", ArgType::OptionalDtype},
    {"Device", ArgType::Device},
    {"Device?", ArgType::OptionalDevice},
}};

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

[[noreturn]] void malformed(const char* text, std::string_view why) {
    ErrorBuilder("parse_signature", why)
        .given("signature", text)
        .rule("name(Type arg, Type arg=default, *, ...) -> Tensor | (Tensor, Tensor) | Tensor[]")
        .raise<InvalidArgument>();
}

ArgSpec parse_arg(const char* whole, std::string_view text, bool keyword_only) {
    ArgSpec spec;
    spec.keyword_only = keyword_only;
    if (const size_t equals = text.find('='); equals != std::string_view::npos) {
        spec.has_default = true;
        spec.default_text = trim(text.substr(equals + 1));
        text = trim(text.substr(0, equals));
    }
    const size_t space = text.rfind(' ');
    if (space == std::string_view::npos) malformed(whole, "an argument needs a type and a name");
    spec.name = text.substr(space + 1);
    const std::string_view type = trim(text.substr(0, space));
    for (const TypeName& known : kTypeNames) {
        if (known.text == type) {
            spec.type = known.type;
            return spec;
        }
    }
    malformed(whole, "unknown type " + std::string(type));
}

int parse_outputs(const char* whole, std::string_view text) {
    if (text == "Tensor") return 1;
    if (text == "Tensor[]") return -1;
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
        malformed(whole, "unknown result type");
    }
    int count = 1;
    for (char c : text) count += c == ',';
    return count;
}

}  // namespace

Signature parse_signature(const char* text) {
    const std::string_view whole(text);
    const size_t open = whole.find('(');
    const size_t arrow = whole.rfind("->");
    if (open == std::string_view::npos || arrow == std::string_view::npos) {
        malformed(text, "no argument list or no result");
    }
    const size_t close = whole.rfind(')', arrow);
    if (close == std::string_view::npos || close < open) malformed(text, "no closing parenthesis");
    Signature signature;
    signature.name = trim(whole.substr(0, open));
    signature.num_outputs = parse_outputs(text, trim(whole.substr(arrow + 2)));
    std::string_view rest = whole.substr(open + 1, close - open - 1);
    bool keyword_only = false;
    while (!trim(rest).empty()) {
        // A comma inside a default such as "(1, 2)" does not end the argument.
        size_t end = 0;
        int depth = 0;
        while (end < rest.size() && (depth > 0 || rest[end] != ',')) {
            depth += (rest[end] == '(') - (rest[end] == ')');
            ++end;
        }
        const std::string_view item = trim(rest.substr(0, end));
        rest = end < rest.size() ? rest.substr(end + 1) : std::string_view();
        if (item == "*") {
            keyword_only = true;
        } else {
            signature.args.push_back(parse_arg(text, item, keyword_only));
        }
    }
    return signature;
}

LUCID_NAMESPACE_END
