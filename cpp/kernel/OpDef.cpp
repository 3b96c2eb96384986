#include "lucid/kernel/OpDef.h"

#include <array>
#include <atomic>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

// As in KernelTable: a slot is written once, before its id is known to anybody.
constexpr OpId kMaxOps = 8192;
std::array<std::atomic<const OpDef*>, kMaxOps> defs_by_id{};

[[noreturn]] void missing(const OpSchema& schema, const char* slot, const char* rule) {
    ErrorBuilder("register_op", std::string("op '") + schema.name + "' has no " + slot)
        .rule(rule)
        .raise<InvalidArgument>();
}

// The five-slot contract, as far as C++ can see it (the fifth slot is the op's test file).
void check_slots(const OpDef& def) {
    const OpSchema& schema = *def.schema;
    if (def.cpu.kind == Kernel::Kind::None) {
        missing(schema, "CPU kernel", "give an instruction, a view, a call, or say composition");
    }
    const bool composed = def.cpu.kind == Kernel::Kind::Composition;
    if (composed && def.entry == nullptr)
        missing(schema, "forward", "a composition needs an entry");
    if (def.cpu.kind == Kernel::Kind::View && def.view == nullptr) {
        missing(schema, "forward", "a view needs its view function");
    }
    if (def.cpu.kind == Kernel::Kind::Call && def.infer == nullptr) {
        missing(schema, "forward", "a kernel call needs a shape rule (infer)");
    }
    if (composed && !def.is_func_op) return;  // its gradient is that of its parts
    const bool has_rule = def.vjp != nullptr || def.is_func_op;
    if (schema.backward_name != nullptr && !has_rule) {
        missing(schema, "gradient", "a schema with backward_name needs a vjp or a FuncOp");
    }
    if (schema.backward_name == nullptr && has_rule) {
        missing(schema, "backward_name", "a gradient rule needs the name of its node");
    }
    if (!has_rule && schema.no_gradient_reason == nullptr) {
        missing(schema, "gradient", "say why in no_gradient_reason when there is none");
    }
    if (schema.dtypes != kAllDtypes && schema.dtype_rule != DtypeRule::Explicit &&
        schema.dtype_reason == nullptr) {
        missing(schema, "dtype_reason", "a hole in the dtype set needs its reason");
    }
}

}  // namespace

void register_op_defs(std::span<const OpDef> defs, const char* library) {
    for (const OpDef& def : defs) {
        LUCID_ASSERT(def.schema != nullptr);
        check_slots(def);
        const OpId id = OpRegistry::add(*def.schema, library);
        if (id >= kMaxOps) throw InvalidArgument("register_op: more than 8191 ops");
        KernelTable::set(id, {.infer = def.infer,
                              .result = def.result,
                              .view = def.view,
                              .kernels = {def.cpu, def.cuda}});
        RuleTable::set(id, {.vjp = def.vjp, .decompose = def.decompose});
        defs_by_id[id].store(new OpDef(def), std::memory_order_release);
    }
}

const OpDef& op_def(OpId op) noexcept {
    LUCID_ASSERT(op < kMaxOps);
    const OpDef* def = defs_by_id[op].load(std::memory_order_acquire);
    LUCID_ASSERT(def != nullptr);
    return *def;
}

LUCID_NAMESPACE_END
