#include "lucid/autograd/SavedTensor.h"

#include "lucid/autograd/Accumulate.h"
#include "lucid/autograd/Graph.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"

LUCID_NAMESPACE_BEGIN

namespace {

bool same_storage(const Storage& a, const Storage& b) {
    return a.box() == b.box() && a.offset() == b.offset() && a.dtype() == b.dtype() &&
           a.shape() == b.shape() && a.strides() == b.strides();
}

}  // namespace

SavedTensor SavedTensor::of_input(const Tensor& tensor) {
    const AutogradMeta* meta = tensor->autograd();
    if (meta != nullptr && meta->inference) {
        const std::string text =
            ErrorBuilder("save for backward", "an inference tensor has no versions")
                .given("x", describe(tensor))
                .rule("clone it outside lucid.inference_mode()")
                .text();
        throw Error(ErrorKind::Lucid, text);
    }
    SavedTensor saved;
    saved.storage_ = tensor.storage();
    saved.version_ = tensor.storage().box()->version();
    if (tensor.requires_grad()) saved.edge_ = gradient_edge(tensor);
    return saved;
}

SavedTensor SavedTensor::of_output(const Tensor& tensor, uint32_t output_nr) {
    SavedTensor saved;
    saved.storage_ = tensor.storage();
    saved.version_ = tensor.storage().box()->version();
    saved.is_output_ = true;
    saved.output_nr_ = output_nr;
    return saved;
}

const Storage& SavedTensor::storage(const char* who, const std::string& what) const {
    const uint32_t now = storage_.box()->version();
    if (now == version_) [[likely]]
        return storage_;
    ErrorBuilder(who, what + " was saved for backward and then changed in place")
        .given(what, describe(storage_))
        .given("version", std::to_string(now) + ", saved at " + std::to_string(version_))
        .rule("write into a clone, or use the functional form of the in-place op")
        .raise<VersionMismatch>();
}

Tensor SavedTensor::unpack(const char* who, const std::string& what, Node* owner) const {
    const Storage& storage = this->storage(who, what);
    if (!context().grad_enabled) return Tensor(storage);
    Edge edge = edge_;
    if (is_output_ && owner != nullptr && is_inexact(storage.dtype())) {
        edge = {Ref<GraphNode>(owner), output_nr_};
    }
    if (!edge) return Tensor(storage);
    // A leaf comes back as itself, unless set_data() has given it other memory.
    if (const AccumulateGrad* sink = as_accumulate_grad(as_node(edge))) {
        if (same_storage(sink->leaf()->storage(), storage)) return Tensor(sink->leaf());
    }
    Tensor tensor(storage);
    tensor->ensure_autograd().edge = std::move(edge);
    return tensor;
}

void SavedTensor::reset() noexcept { *this = SavedTensor(); }

LUCID_NAMESPACE_END
