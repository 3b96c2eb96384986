// The `reduction` argument of the losses.
#pragma once

#include <string>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

enum class Reduction { None, Mean, Sum };
// Throws InvalidArgument naming `op` unless the text is 'none', 'mean' or 'sum'.
Reduction parse_reduction(const char* op, const std::string& text);

LUCID_NAMESPACE_END
