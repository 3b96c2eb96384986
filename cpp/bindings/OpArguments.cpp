#include "lucid/bindings/OpArguments.h"

#include <nanobind/nanobind.h>

#include "lucid/backend/Dispatcher.h"
#include "lucid/bindings/OpIds.h"
#include "lucid/bindings/Override.h"
#include "lucid/bindings/PyScalar.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/PyValues.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

constexpr size_t kNotFound = static_cast<size_t>(-1);

std::string text_of(PyObject* object) {
    nb::object text = nb::steal(checked(PyObject_Str(object)));
    return nb::str(text).c_str();
}

std::string type_name(PyObject* object) {
    nb::object name = nb::steal(
        checked(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__")));
    return text_of(name.ptr());
}

bool is_sequence(PyObject* object) { return PyTuple_Check(object) || PyList_Check(object); }

// An int, a 0-d integer tensor, or anything else with __index__; not a bool.
std::optional<int64_t> integer_from(PyObject* object) {
    if (Py_TYPE(object) != &PyLong_Type && (PyBool_Check(object) || PyIndex_Check(object) == 0)) {
        return std::nullopt;
    }
    nb::object number = nb::steal(checked(PyNumber_Index(object)));
    const long long value = PyLong_AsLongLong(number.ptr());
    if (value == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        throw Overflow("the Python int " + text_of(object) + " does not fit in int64");
    }
    return value;
}

// A device that this build and machine have; DeviceMismatch otherwise.
Device known_device(PyObject* object, const char* who) {
    const Device device = device_from_python(object, who);
    Dispatcher::for_device(device);
    return device;
}

std::optional<double> real_from(PyObject* object) {
    if (PyComplex_Check(object) || PyUnicode_Check(object) || is_sequence(object))
        return std::nullopt;
    const double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        return std::nullopt;
    }
    return value;
}

std::optional<Scalar> number_from(PyObject* object) {
    Scalar scalar;
    if (scalar_from_python(object, scalar)) return scalar;
    Tensor holder;
    if (const Tensor* tensor = operand_from_python(object, holder);
        tensor && tensor->numel() == 1) {
        return tensor->item();
    }
    return std::nullopt;
}

}  // namespace

bool OpArguments::is_large() const noexcept {
    for (const Tensor* tensor : inputs()) {
        if (tensor->defined() && bindings::is_large(*tensor)) return true;
    }
    if (!binding_.takes_requires_grad || attrs().empty()) return false;
    const auto* shape = std::get_if<Dims>(&attrs()[0]);
    if (shape == nullptr) return num_inputs_ == 0 && binding_.signature->args.size() > 3;  // arange
    int64_t numel = 1;
    for (int64_t size : *shape) numel *= std::min(size, kLargeElems);
    return numel > kLargeElems;
}

void OpArguments::raise(const std::string& what) const {
    throw_type_error(binding_.name + "() " + what + "\n  signature  " + binding_.schema->signature);
}

void OpArguments::raise_wrong_type(size_t i, const char* wanted, PyObject* value) const {
    throw_type_error(binding_.name + "(): argument '" + binding_.signature->args[i].name +
                     "' must be " + wanted + ", not " + type_name(value) + "\n  signature  " +
                     binding_.schema->signature);
}

void OpArguments::raise_missing() const {
    std::vector<std::string> missing;
    bool keyword_only = false;
    const auto& args = binding_.signature->args;
    for (size_t i = 0; i < args.size(); ++i) {
        if (values_[i] != nullptr || args[i].has_default ||
            args[i].type == ArgType::OptionalTensor) {
            continue;
        }
        missing.push_back("'" + args[i].name + "'");
        keyword_only = args[i].keyword_only;
    }
    std::string list = missing.front();
    for (size_t i = 1; i < missing.size(); ++i) {
        list += (i + 1 == missing.size() ? " and " : ", ") + missing[i];
    }
    const std::string kind = keyword_only ? "keyword-only" : "positional";
    raise("missing " + std::to_string(missing.size()) + " required " + kind + " argument" +
          (missing.size() == 1 ? ": " : "s: ") + list);
}

size_t OpArguments::find_argument(PyObject* name) const {
    for (size_t i = 0; i < binding_.arg_names.size(); ++i) {
        if (binding_.arg_names[i] == name) return i;
    }
    for (size_t i = 0; i < binding_.arg_names.size(); ++i) {
        if (PyUnicode_Compare(binding_.arg_names[i], name) == 0) return i;
    }
    return kNotFound;
}

void OpArguments::match_special(PyObject* name, PyObject* value) {
    const std::string text = text_of(name);
    if (text == "stream") {
        where_ = where_from_python(value, "stream");
    } else if (text == "requires_grad" && binding_.takes_requires_grad) {
        if (!PyBool_Check(value)) raise("needs a bool for requires_grad");
        requires_grad_ = value == Py_True;
    } else if (text == "alpha" && binding_.takes_alpha) {
        alpha_ = value;
    } else {
        raise("got an unexpected keyword argument '" + text + "'");
    }
}

void OpArguments::match_keywords(PyObject* const* values, PyObject* kwnames) {
    const Py_ssize_t count = PyTuple_Size(kwnames);
    for (Py_ssize_t k = 0; k < count; ++k) {
        PyObject* name = PyTuple_GetItem(kwnames, k);
        const size_t i = find_argument(name);
        if (i == kNotFound) {
            match_special(name, values[k]);
        } else if (values_[i] != nullptr) {
            raise("got multiple values for argument '" + text_of(name) + "'");
        } else {
            values_[i] = values[k];
        }
    }
}

void OpArguments::parse(PyObject* self, PyObject* const* args, Py_ssize_t nargs,
                        PyObject* kwnames) {
    size_t next = 0;
    if (self != nullptr) values_[next++] = self;
    const size_t given = next + static_cast<size_t>(nargs);
    if (given <= binding_.num_positional) [[likely]] {
        for (Py_ssize_t i = 0; i < nargs; ++i) values_[next++] = args[i];
    } else if (binding_.takes_varargs && !is_sequence(args[binding_.num_positional - 1 - next])) {
        const size_t last = binding_.num_positional - 1;
        Py_ssize_t i = 0;
        while (next < last) values_[next++] = args[i++];
        values_[last] = args[i];
        varargs_ = args + i;
        num_varargs_ = nargs - i;
    } else {
        const size_t most = binding_.num_positional;
        raise("takes " + std::to_string(most) + " positional argument" + (most == 1 ? "" : "s") +
              " but " + std::to_string(given) + (given == 1 ? " was given" : " were given"));
    }
    if (kwnames != nullptr) match_keywords(args + nargs, kwnames);
    convert();
}

Tensor& OpArguments::new_holder() {
    if (num_holders_ < holders_.size()) return holders_[num_holders_++];
    return more_holders_.emplace_back();
}

void OpArguments::push_input(const Tensor* tensor) {
    if (num_inputs_ < few_.size()) {
        few_[num_inputs_++] = tensor;
        return;
    }
    if (num_inputs_ == few_.size()) many_.assign(few_.begin(), few_.end());
    many_.push_back(tensor);
    ++num_inputs_;
}

void OpArguments::add_tensor(size_t i, PyObject* value) {
    if (is_exact_tensor(value)) [[likely]] {
        push_input(&unwrap(value));
        return;
    }
    if (wants_override(value)) {
        maybe_override_ = true;
        return;
    }
    const Tensor* tensor = operand_from_python(value, new_holder());
    if (tensor == nullptr) raise_wrong_type(i, "a Tensor or a number", value);
    push_input(tensor);
}

void OpArguments::convert_tensors() {
    const auto& args = binding_.signature->args;
    for (size_t i = 0; i < args.size(); ++i) {
        PyObject* value = values_[i];
        switch (args[i].type) {
            case ArgType::Tensor:
                if (value == nullptr) raise_missing();
                add_tensor(i, value);
                break;
            case ArgType::OptionalTensor:
                if (value == nullptr || value == Py_None) {
                    push_input(&new_holder());
                } else {
                    add_tensor(i, value);
                }
                break;
            case ArgType::TensorList: {
                if (value == nullptr) raise_missing();
                if (is_tensor(value) || PySequence_Check(value) == 0) {
                    raise_wrong_type(i, "a sequence of Tensors", value);
                }
                // A list or a tuple keeps its items alive for the call.
                if (!is_sequence(value)) raise_wrong_type(i, "a list or tuple of Tensors", value);
                const Py_ssize_t size = PySequence_Size(value);
                for (Py_ssize_t k = 0; k < size; ++k) {
                    add_tensor(i, PyList_Check(value) ? PyList_GetItem(value, k)
                                                      : PyTuple_GetItem(value, k));
                }
                break;
            }
            default:
                if (value != nullptr) {
                    any_attr_ = true;
                } else if (!args[i].has_default) {
                    raise_missing();
                }
        }
    }
}

Dims OpArguments::convert_dims(size_t i, PyObject* value) const {
    Dims dims;
    const auto add = [&](PyObject* item) {
        const std::optional<int64_t> number = integer_from(item);
        if (!number) raise_wrong_type(i, "an int or a sequence of ints", item);
        dims.push_back(*number);
    };
    if (varargs_ != nullptr && i + 1 == binding_.num_positional) {
        for (Py_ssize_t k = 0; k < num_varargs_; ++k) add(varargs_[k]);
    } else if (PyTuple_Check(value) || PyList_Check(value)) {
        // A tuple of its own: an item's __index__ may change a list.
        const nb::object items = nb::steal(checked(PySequence_Tuple(value)));
        const Py_ssize_t size = PyTuple_Size(items.ptr());
        for (Py_ssize_t k = 0; k < size; ++k) add(PyTuple_GetItem(items.ptr(), k));
    } else {
        add(value);
    }
    return dims;
}

AttrValue OpArguments::convert_attr(size_t i, PyObject* value) const {
    const ArgType type = binding_.signature->args[i].type;
    const auto wrong = [&](const char* wanted) { raise_wrong_type(i, wanted, value); };
    switch (type) {
        case ArgType::OptionalScalar:
        case ArgType::OptionalInt:
        case ArgType::OptionalIntList:
        case ArgType::OptionalFloat:
        case ArgType::OptionalDtype:
        case ArgType::OptionalDevice:
            if (value == Py_None) return std::monostate();
            break;
        default: break;
    }
    switch (type) {
        case ArgType::Int:
        case ArgType::OptionalInt:
            if (const auto number = integer_from(value)) return Scalar(*number);
            wrong("an int");
            break;
        case ArgType::IntList:
        case ArgType::OptionalIntList: return convert_dims(i, value);
        case ArgType::Float:
        case ArgType::OptionalFloat:
            if (const auto number = real_from(value)) return Scalar(*number);
            wrong("a float");
            break;
        case ArgType::Scalar:
        case ArgType::OptionalScalar:
            if (const auto number = number_from(value)) return *number;
            wrong("a number");
            break;
        case ArgType::Bool:
            if (!PyBool_Check(value)) wrong("a bool");
            return Scalar(value == Py_True);
        case ArgType::String:
            if (!PyUnicode_Check(value)) wrong("a str");
            return text_of(value);
        case ArgType::Dtype:
        case ArgType::OptionalDtype:
            return dtype_from_python(value, (binding_.name + "(): dtype").c_str());
        case ArgType::Device:
        case ArgType::OptionalDevice:
            return to_string(known_device(value, (binding_.name + "(): device").c_str()));
        default: break;
    }
    assertion_failed("an attribute", __FILE__, __LINE__);
}

void OpArguments::convert_attrs() {
    if (!any_attr_) {
        attrs_used_ = &binding_.default_attrs;
        return;
    }
    const auto& args = binding_.signature->args;
    for (size_t i = 0; i < args.size(); ++i) {
        if (args[i].is_tensor()) continue;
        attrs_.push(values_[i] != nullptr ? convert_attr(i, values_[i]) : binding_.defaults[i]);
    }
}

// add(a, b, alpha=k) is a + k * b.
void OpArguments::apply_alpha() {
    const std::optional<Scalar> alpha = number_from(alpha_);
    if (!alpha) raise("needs a number for alpha");
    const Tensor factor = weak_scalar(*alpha);
    const Tensor* const operands[] = {few_[1], &factor};
    Tensor& scaled = new_holder();
    scaled = call_op_one(require_op(Operator::Mul), operands, Attrs());
    few_[1] = &scaled;
}

void OpArguments::convert() {
    convert_tensors();
    if (maybe_override_) return;
    convert_attrs();
    if (alpha_ != nullptr) apply_alpha();
}

}  // namespace bindings
LUCID_NAMESPACE_END
