// lucid.ops.table(): the registry as data, for documentation and the generic tests.
#include <nanobind/nanobind.h>

#include "lucid/autograd/RuleTable.h"
#include "lucid/backend/KernelTable.h"
#include "lucid/bindings/Execution.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/PyValues.h"
#include "lucid/kernel/OpDef.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

const char* kind_name(const Kernel& kernel) {
    switch (kernel.kind) {
        case Kernel::Kind::None: return nullptr;
        case Kernel::Kind::Instruction: return "instruction";
        case Kernel::Kind::View: return "view";
        case Kernel::Kind::Call: return "call";
        case Kernel::Kind::Composition: return "composition";
    }
    return nullptr;
}

const char* amp_name(AmpPolicy policy) {
    switch (policy) {
        case AmpPolicy::Promote: return "Promote";
        case AmpPolicy::Preserve: return "Preserve";
        case AmpPolicy::ForceFP32: return "ForceFP32";
    }
    return "";
}

const char* cost_name(CostClass cost) {
    switch (cost) {
        case CostClass::View: return "View";
        case CostClass::Light: return "Light";
        case CostClass::Heavy: return "Heavy";
    }
    return "";
}

const char* rule_name(DtypeRule rule) {
    switch (rule) {
        case DtypeRule::First: return "First";
        case DtypeRule::Promote: return "Promote";
        case DtypeRule::PromoteToFloat: return "PromoteToFloat";
        case DtypeRule::PromoteTail: return "PromoteTail";
        case DtypeRule::Explicit: return "Explicit";
    }
    return "";
}

const char* gradient_name(const OpDef& def) {
    if (def.is_func_op) return "FuncOp";
    if (def.vjp != nullptr) return "vjp";
    if (def.cpu.kind == Kernel::Kind::Composition) return "composition";
    return "none";
}

nb::object text_or_none(const char* text) {
    return text != nullptr ? nb::object(nb::str(text)) : nb::object(nb::none());
}

nb::list dtypes_in(DtypeSet set) {
    nb::list list;
    for (int i = 0; i < kNumDtypes; ++i) {
        if ((set & (1U << i)) != 0) list.append(nb::steal(dtype_to_python(static_cast<Dtype>(i))));
    }
    return list;
}

nb::list positions_in(uint32_t mask) {
    nb::list list;
    for (int i = 0; i < 32; ++i) {
        if ((mask >> i & 1U) != 0) list.append(i);
    }
    return list;
}

nb::list arguments_of(const Signature& signature) {
    static constexpr const char* kTypes[] = {"Tensor", "Tensor?", "Tensor[]", "Scalar", "Scalar?",
                                             "int",    "int?",    "int[]",    "int[]?", "float",
                                             "float?", "bool",    "str",      "Dtype",  "Dtype?",
                                             "Device", "Device?"};
    nb::list list;
    for (const ArgSpec& spec : signature.args) {
        nb::dict arg;
        arg["name"] = nb::str(spec.name.c_str());
        arg["type"] = nb::str(kTypes[static_cast<int>(spec.type)]);
        arg["keyword_only"] = spec.keyword_only;
        arg["default"] = text_or_none(spec.has_default ? spec.default_text.c_str() : nullptr);
        list.append(arg);
    }
    return list;
}

nb::list forms_of(uint8_t python) {
    nb::list list;
    const std::pair<uint8_t, const char*> names[] = {{kFunction, "function"},
                                                     {kMethod, "method"},
                                                     {kInPlace, "in_place"},
                                                     {kNetwork, "network"},
                                                     {kInternal, "internal"}};
    for (const auto& [flag, name] : names) {
        if ((python & flag) != 0) list.append(nb::str(name));
    }
    return list;
}

nb::dict row_of(OpId op) {
    const OpSchema& schema = OpRegistry::schema(op);
    const Signature& signature = OpRegistry::signature(op);
    const OpDef& def = op_def(op);
    nb::dict kernels;
    kernels["cpu"] = text_or_none(kind_name(def.cpu));
    kernels["cuda"] = text_or_none(kind_name(def.cuda));
    nb::dict row;
    row["name"] = nb::str(schema.name);
    row["version"] = schema.version;
    row["signature"] = nb::str(schema.signature);
    row["arguments"] = arguments_of(signature);
    row["num_outputs"] = signature.num_outputs;
    row["library"] = nb::str(OpRegistry::library(op));
    row["forms"] = forms_of(schema.python);
    row["kernels"] = kernels;
    row["instruction"] = text_or_none(def.cpu.instruction);
    row["gradient"] = nb::str(gradient_name(def));
    row["decompose"] = def.decompose != nullptr;
    row["backward_name"] = text_or_none(schema.backward_name);
    row["no_gradient_reason"] = text_or_none(schema.no_gradient_reason);
    row["dtype_rule"] = nb::str(rule_name(schema.dtype_rule));
    row["dtypes"] = dtypes_in(schema.dtypes);
    row["dtype_reason"] = text_or_none(schema.dtype_reason);
    row["amp"] = nb::str(amp_name(schema.amp));
    row["cost"] = nb::str(cost_name(schema.cost));
    row["deterministic"] = schema.deterministic;
    row["may_fail_on_data"] = schema.may_fail_on_data;
    row["saves_inputs"] = positions_in(schema.saves.inputs);
    row["saves_outputs"] = positions_in(schema.saves.outputs);
    row["doc"] = nb::str(schema.doc);
    return row;
}

}  // namespace

void init_op_table(PyObject* module) {
    nb::module_ m = nb::borrow<nb::module_>(module);
    m.def("_op_table", [] {
        nb::list rows;
        for (OpId op = 1; op <= OpRegistry::size(); ++op) rows.append(row_of(op));
        return rows;
    });
}

}  // namespace bindings
LUCID_NAMESPACE_END
