// Comparisons of integer tensors with Python numbers are exact: 2**53 + 1 is not 2.0**53, and a
// uint8 is never 256. The number becomes an integer of the tensor's dtype that asks the same
// question, or the answer is the same for every element.
#pragma once

#include <optional>
#include <variant>

#include "lucid/core/Scalar.h"

LUCID_NAMESPACE_BEGIN

enum class Comparison : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

// The comparison with its operands exchanged: x < y is y > x.
Comparison mirrored(Comparison comparison) noexcept;

// `x <comparison> number` for x of the integral dtype `dtype`: the number to compare with instead,
// which the dtype holds, or the answer.
std::variant<Scalar, bool> exact_comparison(Comparison comparison, Dtype dtype,
                                            const Scalar& number);

LUCID_NAMESPACE_END
