#include "lucid/core/Config.h"

#include <cstdio>
#include <cstdlib>

LUCID_NAMESPACE_BEGIN

void assertion_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "lucid: internal error: %s (%s:%d). Please report this.\n", condition,
                 file, line);
    std::abort();
}

LUCID_NAMESPACE_END
