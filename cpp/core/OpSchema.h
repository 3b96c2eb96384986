// What is declared about an op, once: its signature, precision policy, dtypes, what its backward
// keeps, and its documentation. Constant-initialised, so that a schema may be a static const of any
// class. The Python functions, `lucid/ops.h`, the .pyi and the generic tests are all derived from
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lucid/core/Dtype.h"

LUCID_NAMESPACE_BEGIN

// Under autocast: Promote = to the autocast dtype, Preserve = as the inputs are, ForceFP32 = to
// float32.
enum class AmpPolicy : uint8_t { Promote, Preserve, ForceFP32 };

// How expensive an op is, for the rules that cut a window.
enum class CostClass : uint8_t { View, Light, Heavy };

// How the dtype in which an op computes follows from its tensor inputs.
enum class DtypeRule : uint8_t {
    First,           // the dtype of the first tensor; the others are left alone
    Promote,         // all tensors are cast to their common dtype
    PromoteToFloat,  // as Promote, and bool and integers go to the default floating dtype
    PromoteTail,     // as Promote, for all tensors but the first (where's condition)
    Explicit,        // the op's own shape rule decides and checks
};

// A set of dtypes as a bit mask.
using DtypeSet = uint16_t;
constexpr DtypeSet dtype_bit(Dtype d) { return static_cast<DtypeSet>(1u << static_cast<int>(d)); }
constexpr DtypeSet dtypes_of(DtypeCategory category) {
    DtypeSet set = 0;
    for (int i = 0; i < kNumDtypes; ++i) {
        if (issubdtype(static_cast<Dtype>(i), category)) set |= dtype_bit(static_cast<Dtype>(i));
    }
    return set;
}
inline constexpr DtypeSet kBoolDtype = dtype_bit(Dtype::Bool);
inline constexpr DtypeSet kIntegralDtypes = dtypes_of(DtypeCategory::Integral);
inline constexpr DtypeSet kFloatingDtypes = dtypes_of(DtypeCategory::Floating);
inline constexpr DtypeSet kComplexDtypes = dtypes_of(DtypeCategory::Complex);
inline constexpr DtypeSet kInexactDtypes = kFloatingDtypes | kComplexDtypes;
inline constexpr DtypeSet kRealDtypes = kBoolDtype | kIntegralDtypes | kFloatingDtypes;
inline constexpr DtypeSet kNumberDtypes = kIntegralDtypes | kInexactDtypes;
inline constexpr DtypeSet kAllDtypes = kRealDtypes | kComplexDtypes;

// Which inputs and outputs the backward keeps, as bit masks by position.
struct Saves {
    uint32_t inputs = 0;
    uint32_t outputs = 0;
};

// Where the op appears in Python.
enum PythonForm : uint8_t {
    kFunction = 1,   // lucid.name(...)
    kMethod = 2,     // Tensor.name(...)
    kInPlace = 4,    // Tensor.name_(...), derived from the functional op
    kNetwork = 8,    // lucid.nn.functional.name(...)
    kInternal = 16,  // only C++ (helpers of backwards)
};

struct OpSchema {
    const char* name;
    int version = 1;
    // "add(Tensor a, Tensor b) -> Tensor". Types: Tensor, Tensor?, Tensor[], Scalar, Scalar?, int,
    // int?, int[], int[]?, float, float?, bool, str, Dtype, Dtype?, Device, Device? (a str in
    // Attrs). Defaults as in Python. `*` starts the keyword-only part. `int[]` arguments that come
    // last positionally may be given as `f(x, 1, 2)`.
    const char* signature;
    // The class of its backward node ("AddBackward"); nullptr when the op has no gradient.
    const char* backward_name = nullptr;
    DtypeRule dtype_rule = DtypeRule::Promote;
    DtypeSet dtypes = kAllDtypes;
    // Why the dtypes outside the set are refused; part of the error. nullptr when there is no hole.
    const char* dtype_reason = nullptr;
    AmpPolicy amp = AmpPolicy::Preserve;
    Saves saves = {};
    CostClass cost = CostClass::Light;
    // Bits are the same from run to run; false needs a deterministic form under
    // set_deterministic(True).
    bool deterministic = true;
    // Errors depend on values (an index out of range): runs at the call on CPU, is never
    // eliminated.
    bool may_fail_on_data = false;
    uint8_t python = kFunction;
    // Why there is no gradient, when backward_name is nullptr ("integer result").
    const char* no_gradient_reason = nullptr;
    // One sentence, shapes, units, accuracy, errors, source, one example.
    const char* doc = "";
};

// A signature taken apart.
enum class ArgType : uint8_t {
    Tensor,
    OptionalTensor,
    TensorList,
    Scalar,
    OptionalScalar,
    Int,
    OptionalInt,
    IntList,
    OptionalIntList,
    Float,
    OptionalFloat,
    Bool,
    String,
    Dtype,
    OptionalDtype,
    Device,
    OptionalDevice,
};
struct ArgSpec {
    std::string name;
    ArgType type;
    bool keyword_only = false;
    bool has_default = false;
    std::string default_text;  // as written: "None", "0", "False", "()", "1.0"
    bool is_tensor() const noexcept { return type <= ArgType::TensorList; }
};
struct Signature {
    std::string name;
    std::vector<ArgSpec> args;
    int num_outputs = 1;  // -1: a list whose length depends on the call ("Tensor[]")
};
// Throws InvalidArgument, quoting the text, when it is malformed.
LUCID_API Signature parse_signature(const char* text);

LUCID_NAMESPACE_END
