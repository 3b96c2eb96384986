// Visibility, the versioned inline namespace, and the two kinds of failure: a user's mistake throws
// an Error (core/Error.h), our own bug aborts through LUCID_ASSERT.
#pragma once

#define LUCID_API __attribute__((visibility("default")))
#define LUCID_NAMESPACE_BEGIN \
    namespace lucid {         \
    inline namespace v0 {
#define LUCID_NAMESPACE_END \
    }                       \
    }

LUCID_NAMESPACE_BEGIN

// Prints the message with its place and aborts: an invariant of the engine itself is broken.
[[noreturn]] LUCID_API void assertion_failed(const char* condition, const char* file, int line);

LUCID_NAMESPACE_END

// Always on: the conditions are cheap, and a wrong answer costs a user more than an abort.
#define LUCID_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::lucid::assertion_failed(#condition, __FILE__, __LINE__))
