// Everything that a user of the C++ library or the author of an extension needs.
#pragma once

#include "lucid/autograd/FuncOp.h"
#include "lucid/autograd/GradWalk.h"
#include "lucid/autograd/InPlace.h"
#include "lucid/autograd/Primitive.h"
#include "lucid/backend/CommandEncoder.h"
#include "lucid/backend/Dispatcher.h"
#include "lucid/backend/Engine.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/core/Error.h"
#include "lucid/core/Version.h"
#include "lucid/kernel/Kernels.h"
#include "lucid/ops/Aliases.h"
#include "lucid/ops/Operators.h"
#include "lucid/ops/ops.h"
