// A deque keeps addresses stable; registration (start-up, extension import) and look-up by name
// take a lock, look-up by id does not.
#include "lucid/core/OpRegistry.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

struct Entry {
    const OpSchema* schema;
    Signature signature;
    std::string library;
};

struct Table {
    std::shared_mutex mutex;
    std::deque<Entry> entries;
    std::unordered_map<std::string_view, OpId> by_name;
};

Table& table() {
    static Table* instance = new Table;  // never destroyed: ops may run until the process ends
    return *instance;
}

// What an id leads to, without a lock: a slot is written once, before anybody knows the id.
constexpr OpId kMaxOps = 8192;
std::array<std::atomic<const Entry*>, kMaxOps> by_id{};

const Entry& entry(OpId id) {
    LUCID_ASSERT(id < kMaxOps);
    const Entry* found = by_id[id].load(std::memory_order_acquire);
    LUCID_ASSERT(found != nullptr);
    return *found;
}

}  // namespace

OpId OpRegistry::add(const OpSchema& schema, const char* library) {
    Signature signature = parse_signature(schema.signature);
    if (signature.name != schema.name) {
        ErrorBuilder("register_op", "the signature is of another name")
            .given("name", schema.name)
            .given("signature", schema.signature)
            .raise<InvalidArgument>();
    }
    Table& t = table();
    std::unique_lock lock(t.mutex);
    if (auto found = t.by_name.find(schema.name); found != t.by_name.end()) {
        ErrorBuilder("register_op", "an op of this name is registered already")
            .given("op", std::string(schema.name) + " version " + std::to_string(schema.version))
            .given("first", t.entries[found->second - 1].library)
            .given("second", library)
            .rule("a name belongs to one library; prefix yours")
            .raise<InvalidArgument>();
    }
    t.entries.push_back({&schema, std::move(signature), library});
    const OpId id = static_cast<OpId>(t.entries.size());
    if (id >= kMaxOps) throw InvalidArgument("register_op: more than 8191 ops");
    by_id[id].store(&t.entries.back(), std::memory_order_release);
    t.by_name.emplace(schema.name, id);
    return id;
}

OpId OpRegistry::find(std::string_view name) noexcept {
    Table& t = table();
    std::shared_lock lock(t.mutex);
    auto found = t.by_name.find(name);
    return found == t.by_name.end() ? kNoOp : found->second;
}

OpId OpRegistry::require(std::string_view name) {
    const OpId id = find(name);
    if (id == kNoOp) {
        ErrorBuilder("lucid", "there is no op of this name")
            .given("op", name)
            .raise<NotImplementedOp>();
    }
    return id;
}

const OpSchema& OpRegistry::schema(OpId id) noexcept { return *entry(id).schema; }
const Signature& OpRegistry::signature(OpId id) noexcept { return entry(id).signature; }
const char* OpRegistry::library(OpId id) noexcept { return entry(id).library.c_str(); }

OpId OpRegistry::size() noexcept {
    Table& t = table();
    std::shared_lock lock(t.mutex);
    return static_cast<OpId>(t.entries.size());
}

LUCID_NAMESPACE_END
