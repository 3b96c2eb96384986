// A tensor kept for backward: its Storage, its place in the graph, and the version of its Box then.
// An in-place write since is an error, so the Value itself need not be held. Holding the output of
// a node does not hold the node (no cycle).
#pragma once

#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN

class Node;

class LUCID_API SavedTensor {
public:
    SavedTensor() noexcept = default;
    static SavedTensor of_input(const Tensor& tensor);
    // `output_nr` of the node that saves it.
    static SavedTensor of_output(const Tensor& tensor, uint32_t output_nr);

    bool empty() const noexcept { return storage_.empty_handle(); }
    // The tensor as it was. `owner` gives the edge of an output. `who` and `what` name the op and
    // the position for the VersionMismatch of a value that was changed in place.
    Tensor unpack(const char* who, const std::string& what, Node* owner) const;
    // The same check, without a tensor.
    const Storage& storage(const char* who, const std::string& what) const;
    void reset() noexcept;

private:
    Storage storage_;  // shares the Box, to see its version
    Edge edge_;        // of an input
    bool is_output_ = false;
    uint32_t output_nr_ = 0;
    uint32_t version_ = 0;
};

LUCID_NAMESPACE_END
