// One call's arguments: matched to a signature and converted to tensors and attributes.
#pragma once

#include <Python.h>

#include <array>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "lucid/backend/StreamOrDevice.h"
#include "lucid/core/Attrs.h"
#include "lucid/core/OpRegistry.h"
#include "lucid/tensor/TensorImpl.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

enum class Form : uint8_t { Function, Method, InPlace };

// What is known about a callable before it is called.
struct OpBinding {
    OpId op = kNoOp;
    Form form = Form::Function;
    const OpSchema* schema = nullptr;
    const Signature* signature = nullptr;
    std::string name;                  // "add_"
    std::vector<PyObject*> arg_names;  // interned
    std::vector<AttrValue> defaults;   // by argument; of the non-tensor ones
    Attrs default_attrs;               // when no attribute is given
    size_t num_positional = 0;
    bool takes_varargs = false;        // the last positional one is int[]
    bool takes_requires_grad = false;  // a creation function
    bool takes_alpha = false;          // add, sub
    bool attrs_have_defaults = true;
    PyObject* callable = nullptr;  // for the override protocol
    PyMethodDef definition = {};
    std::string doc;
};

class OpArguments {
public:
    static constexpr size_t kMaxArgs = 24;
    explicit OpArguments(const OpBinding& binding) : binding_(binding) {}

    // Throws PythonError (TypeError) in Python's wording.
    void parse(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames);

    std::span<const Tensor* const> inputs() const noexcept {
        return {num_inputs_ <= few_.size() ? few_.data() : many_.data(), num_inputs_};
    }
    const Attrs& attrs() const noexcept { return attrs_used_ != nullptr ? *attrs_used_ : attrs_; }
    const StreamOrDevice& where() const noexcept { return where_; }
    bool requires_grad() const noexcept { return requires_grad_; }
    // An argument's class may have an override: look before running.
    bool maybe_override() const noexcept { return maybe_override_; }
    bool is_large() const noexcept;

private:
    void match_keywords(PyObject* const* values, PyObject* kwnames);
    void match_special(PyObject* name, PyObject* value);
    size_t find_argument(PyObject* name) const;
    void convert();
    void convert_tensors();
    void convert_attrs();
    AttrValue convert_attr(size_t i, PyObject* value) const;
    Dims convert_dims(size_t i, PyObject* value) const;
    void add_tensor(size_t i, PyObject* value);
    void push_input(const Tensor* tensor);
    Tensor& new_holder();
    void apply_alpha();
    [[noreturn]] void raise(const std::string& what) const;
    [[noreturn]] void raise_wrong_type(size_t i, const char* wanted, PyObject* value) const;
    [[noreturn]] void raise_missing() const;

    const OpBinding& binding_;
    std::array<PyObject*, kMaxArgs> values_{};  // borrowed; by argument
    PyObject* const* varargs_ = nullptr;        // the ints of `zeros(2, 3)`
    Py_ssize_t num_varargs_ = 0;
    bool any_attr_ = false;
    bool maybe_override_ = false;
    bool requires_grad_ = false;
    PyObject* alpha_ = nullptr;
    StreamOrDevice where_;
    const Attrs* attrs_used_ = nullptr;
    Attrs attrs_;
    size_t num_inputs_ = 0;
    std::array<const Tensor*, 6> few_{};
    std::vector<const Tensor*> many_;
    std::array<Tensor, 3> holders_;
    size_t num_holders_ = 0;
    std::deque<Tensor> more_holders_;
};

}  // namespace bindings
LUCID_NAMESPACE_END
