#include "lucid/autograd/RuleTable.h"

#include <array>
#include <atomic>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

// As backend's KernelTable: a slot is written once, readers take no lock.
constexpr OpId kMaxOps = 8192;
std::array<std::atomic<const GradientRules*>, kMaxOps> slots{};

}  // namespace

void RuleTable::set(OpId op, GradientRules rules) {
    if (op >= kMaxOps) throw InvalidArgument("RuleTable: more than 8191 ops");
    slots[op].store(new GradientRules(rules), std::memory_order_release);
}

const GradientRules& RuleTable::get(OpId op) noexcept {
    static const GradientRules kNone;
    LUCID_ASSERT(op < kMaxOps);
    const GradientRules* rules = slots[op].load(std::memory_order_acquire);
    return rules != nullptr ? *rules : kNone;
}

LUCID_NAMESPACE_END
