// Fills the tables that lower layers reach ops through.
#pragma once

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN

void install_core_ops();

LUCID_NAMESPACE_END
