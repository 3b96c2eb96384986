// The non-tensor arguments of an op, in the order of its schema: a short inline list of tagged
// values that can be compared, hashed and printed. An op's file gives them names.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "lucid/core/Scalar.h"
#include "lucid/core/Shape.h"

LUCID_NAMESPACE_BEGIN

using AttrValue = std::variant<std::monostate, Scalar, Dims, Dtype, std::string>;

class LUCID_API Attrs {
public:
    Attrs() noexcept = default;
    template <typename... Values>
    requires(sizeof...(Values) > 0) static Attrs of(Values&&... values) {
        Attrs attrs;
        attrs.values_.reserve(sizeof...(Values));
        (attrs.values_.emplace_back(std::forward<Values>(values)), ...);
        return attrs;
    }
    void push(AttrValue value) { values_.push_back(std::move(value)); }

    bool empty() const noexcept { return values_.empty(); }
    size_t size() const noexcept { return values_.size(); }
    const AttrValue& operator[](size_t i) const { return values_[i]; }
    bool has(size_t i) const noexcept {
        return i < values_.size() && !std::holds_alternative<std::monostate>(values_[i]);
    }
    const Scalar& scalar(size_t i) const { return std::get<Scalar>(values_[i]); }
    int64_t integer(size_t i) const { return scalar(i).to_int(); }
    double real(size_t i) const { return scalar(i).to_double(); }
    bool flag(size_t i) const { return scalar(i).to_bool(); }
    const Dims& dims(size_t i) const { return std::get<Dims>(values_[i]); }
    Dtype dtype(size_t i) const { return std::get<Dtype>(values_[i]); }
    const std::string& text(size_t i) const { return std::get<std::string>(values_[i]); }

    friend bool operator==(const Attrs&, const Attrs&) = default;

private:
    std::vector<AttrValue> values_;
};

LUCID_NAMESPACE_END
