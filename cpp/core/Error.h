// What a user's mistake raises. An error says who (the op), what was given, what was needed, and
// the rule; ErrorBuilder lays it out. The bindings map each kind to a Python class of the same
// name.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

enum class ErrorKind : uint8_t {
    Lucid,          // lucid.LucidError(RuntimeError)
    ShapeMismatch,  // also ValueError
    DtypeMismatch,  // also TypeError
    DeviceMismatch,
    VersionMismatch,
    OutOfMemory,       // also MemoryError
    IndexOutOfRange,   // also IndexError
    NotImplementedOp,  // also NotImplementedError
    InvalidArgument,   // a plain ValueError in Python
    Overflow,          // a plain OverflowError in Python
};

class LUCID_API Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
    ~Error() override;
    ErrorKind kind() const noexcept { return kind_; }

private:
    ErrorKind kind_;
};

#define LUCID_DECLARE_ERROR(Name, Kind)                                          \
    class LUCID_API Name : public Error {                                        \
    public:                                                                      \
        explicit Name(const std::string& text) : Error(ErrorKind::Kind, text) {} \
        ~Name() override;                                                        \
    };
LUCID_DECLARE_ERROR(ShapeMismatch, ShapeMismatch)
LUCID_DECLARE_ERROR(DtypeMismatch, DtypeMismatch)
LUCID_DECLARE_ERROR(DeviceMismatch, DeviceMismatch)
LUCID_DECLARE_ERROR(VersionMismatch, VersionMismatch)
LUCID_DECLARE_ERROR(OutOfMemory, OutOfMemory)
LUCID_DECLARE_ERROR(IndexOutOfRange, IndexOutOfRange)
LUCID_DECLARE_ERROR(NotImplementedOp, NotImplementedOp)
LUCID_DECLARE_ERROR(InvalidArgument, InvalidArgument)
LUCID_DECLARE_ERROR(Overflow, Overflow)
#undef LUCID_DECLARE_ERROR

// "matmul(a, b): inner dimensions differ", then one indented line for each given thing:
//   ErrorBuilder("matmul(a, b)", "inner dimensions differ").given("a", "float32 (8, 64)
//   cpu").rule("...")
class LUCID_API ErrorBuilder {
public:
    ErrorBuilder(std::string_view who, std::string_view what);
    ErrorBuilder& given(std::string_view name, std::string_view value);
    ErrorBuilder& rule(std::string_view text);
    // The header line, the given things with their values aligned, the rules.
    std::string text() const;
    template <typename E>
    [[noreturn]] void raise() const {
        throw E(text());
    }

private:
    std::string header_;
    std::vector<std::pair<std::string, std::string>> givens_;
    std::string rules_;
};

LUCID_NAMESPACE_END
