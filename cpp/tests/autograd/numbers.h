// Small float64 tensors and their elements, for tests that a person can check by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lucid/autograd/GradWalk.h"
#include "lucid/autograd/InPlace.h"
#include "lucid/core/Context.h"
#include "lucid/core/Error.h"
#include "lucid/kernel/Run.h"
#include "lucid/ops.h"

namespace lucid_test {

using namespace lucid;
using Numbers = std::vector<double>;

inline Tensor tensor(const Numbers& values) {
    Tensor x = zeros({static_cast<int64_t>(values.size())}, Dtype::Float64);
    for (size_t i = 0; i < values.size(); ++i) x.data<double>()[i] = values[i];
    return x;
}
inline Tensor leaf(const Numbers& values) {
    const Tensor x = tensor(values);
    set_requires_grad(x, true);
    return x;
}
inline Tensor scalar(double value) { return Tensor(Scalar(value), Dtype::Float64); }
// Row-major, whatever the layout.
inline Numbers numbers(const Tensor& x) {
    const Tensor dense = contiguous(detach(x));
    return Numbers(dense.data<double>(), dense.data<double>() + dense.numel());
}
inline Tensor grad_of(const Tensor& x) { return Tensor(x->autograd()->grad); }
inline Numbers grad_numbers(const Tensor& x) { return numbers(grad_of(x)); }

inline void backward(const Tensor& loss, const BackwardOptions& options = {}) {
    lucid::backward({&loss, 1}, {}, options);
}
inline std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& inputs,
                                const BackwardOptions& options = {}) {
    return lucid::grad({&y, 1}, inputs, {}, options);
}
// x.op_(others...)
inline void in_place(const char* op, const std::vector<Tensor>& operands, const Attrs& attrs = {}) {
    std::vector<const Tensor*> pointers;
    for (const Tensor& operand : operands) pointers.push_back(&operand);
    call_op_inplace(OpRegistry::require(op), pointers, attrs);
}
inline std::string name_of_grad_fn(const Tensor& x) {
    const Ref<Node> node = grad_fn(x);
    return node ? node->name() : "";
}

// Runs `f`, expects an E, and returns its text.
template <typename E, typename F>
std::string error_text(F&& f) {
    try {
        f();
    } catch (const E& error) {
        return error.what();
    } catch (const std::exception& error) {
        ADD_FAILURE() << "another error: " << error.what();
        return "";
    }
    ADD_FAILURE() << "no error";
    return "";
}
inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace lucid_test
