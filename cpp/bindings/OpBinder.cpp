// Callables that cost little: a METH_FASTCALL function of its own for each binding (a template of
// an index), so that Python calls it without a bound method and without building tuples.
#include "lucid/bindings/OpBinder.h"

#include <nanobind/nanobind.h>

#include <array>
#include <utility>

#include "lucid/autograd/Graph.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/OpArguments.h"
#include "lucid/bindings/OpDefaults.h"
#include "lucid/bindings/Override.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

constexpr size_t kMaxBindings = 2048;
std::array<OpBinding*, kMaxBindings> table{};
size_t num_bindings = 0;
OpId last_bound = kNoOp;

PyObject* run(const OpBinding& binding, PyObject* self, const OpArguments& arguments) {
    const bool large = arguments.is_large();
    if (binding.form == Form::InPlace) {
        {
            const GilRelease release(large);
            call_op_inplace(binding.op, arguments.inputs(), arguments.attrs());
        }
        return Py_NewRef(self);
    }
    if (binding.signature->num_outputs != 1) {
        std::vector<Tensor> results;
        {
            const GilRelease release(large);
            results = call_op(binding.op, arguments.inputs(), arguments.attrs(), arguments.where());
        }
        return wrap_tuple(std::move(results));
    }
    Tensor result;
    {
        const GilRelease release(large);
        result = call_op_one(binding.op, arguments.inputs(), arguments.attrs(), arguments.where());
    }
    if (arguments.requires_grad()) set_requires_grad(result, true);
    return wrap(std::move(result));
}

// Hands the call to a mode or a class; nullptr: nobody took it.
PyObject* override_call(const OpBinding& binding, PyObject* self, PyObject* const* args,
                        Py_ssize_t nargs, PyObject* kwnames) {
    std::vector<PyObject*> all;
    if (self != nullptr) all.push_back(self);
    all.insert(all.end(), args, args + nargs);
    nb::object kwargs;
    if (kwnames != nullptr) {
        kwargs = nb::dict();
        for (Py_ssize_t i = 0; i < PyTuple_Size(kwnames); ++i) {
            PyObject_SetItem(kwargs.ptr(), PyTuple_GetItem(kwnames, i), args[nargs + i]);
        }
    }
    return try_override(binding.callable, all, kwargs.ptr());
}

PyObject* call_binding(const OpBinding& binding, PyObject* self, PyObject* const* args,
                       Py_ssize_t nargs, PyObject* kwnames) noexcept {
    return guarded([&]() -> PyObject* {
        PyObject* receiver = binding.form == Form::Function ? nullptr : self;
        if (active_modes > 0) [[unlikely]] {
            if (PyObject* result = override_call(binding, receiver, args, nargs, kwnames))
                return result;
        }
        OpArguments arguments(binding);
        arguments.parse(receiver, args, nargs, kwnames);
        if (arguments.maybe_override()) [[unlikely]] {
            return override_call(binding, receiver, args, nargs, kwnames);
        }
        return run(binding, self, arguments);
    });
}

using Trampoline = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);

template <size_t I>
PyObject* trampoline(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
    return call_binding(*table[I], self, args, nargs, kwnames);
}

template <size_t... I>
constexpr std::array<Trampoline, sizeof...(I)> make_trampolines(std::index_sequence<I...>) {
    return {&trampoline<I>...};
}
constexpr auto kTrampolines = make_trampolines(std::make_index_sequence<kMaxBindings>());

// "add(a, b, *, stream=None)\n--\n\ndoc": inspect.signature reads the first line.
std::string make_doc(const OpBinding& binding) {
    std::string line = binding.name + "(";
    bool star = false;
    bool first = true;
    const auto add = [&](const std::string& text) {
        if (!first) line += ", ";
        line += text;
        first = false;
    };
    for (size_t i = 0; i < binding.signature->args.size(); ++i) {
        const ArgSpec& spec = binding.signature->args[i];
        if (spec.keyword_only && !star) {
            add("*");
            star = true;
        }
        const bool is_self = i == 0 && binding.form != Form::Function;
        std::string text = is_self ? "$self" : spec.name;
        if (spec.has_default) {
            const bool plain = spec.type != ArgType::Dtype && spec.default_text != "inf" &&
                               spec.default_text != "-inf" && spec.default_text != "nan";
            text += "=" + (plain ? spec.default_text : std::string("None"));
        } else if (spec.type == ArgType::OptionalTensor) {
            text += "=None";
        }
        add(text);
    }
    if (binding.form != Form::InPlace) {
        if (!star) add("*");
        add("stream=None");
        if (binding.takes_requires_grad) add("requires_grad=False");
    }
    const std::string doc = binding.schema->doc;
    return line + ")\n--\n\n" + (doc.empty() ? binding.schema->signature : doc);
}

bool has_argument(const Signature& signature, const char* name) {
    for (const ArgSpec& spec : signature.args) {
        if (spec.name == name) return true;
    }
    return false;
}

OpBinding& add_binding(OpId op, Form form) {
    if (num_bindings == kMaxBindings) {
        throw Error(ErrorKind::Lucid, "more than 2048 Python callables of ops");
    }
    auto* binding = new OpBinding();  // lives for ever, as its function does
    binding->op = op;
    binding->form = form;
    binding->schema = &OpRegistry::schema(op);
    binding->signature = &OpRegistry::signature(op);
    binding->name = std::string(binding->schema->name) + (form == Form::InPlace ? "_" : "");
    const Signature& signature = *binding->signature;
    LUCID_ASSERT(signature.args.size() <= OpArguments::kMaxArgs);
    for (const ArgSpec& spec : signature.args) {
        binding->arg_names.push_back(checked(PyUnicode_InternFromString(spec.name.c_str())));
        binding->defaults.push_back(spec.is_tensor() ? AttrValue() : default_value(spec));
        if (!spec.keyword_only) ++binding->num_positional;
    }
    binding->default_attrs = default_attrs(signature);
    if (binding->num_positional > 0) {
        const ArgType last = signature.args[binding->num_positional - 1].type;
        binding->takes_varargs = last == ArgType::IntList || last == ArgType::OptionalIntList;
    }
    binding->takes_requires_grad =
        binding->schema->backward_name == nullptr && has_argument(signature, "dtype") &&
        !has_argument(signature, "requires_grad") && form == Form::Function;
    binding->takes_alpha =
        binding->schema->name == std::string("add") || binding->schema->name == std::string("sub");
    binding->doc = make_doc(*binding);
    binding->definition.ml_name = binding->name.c_str();
    binding->definition.ml_meth =
        reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(kTrampolines[num_bindings]));
    binding->definition.ml_flags = METH_FASTCALL | METH_KEYWORDS;
    binding->definition.ml_doc = binding->doc.c_str();
    table[num_bindings++] = binding;
    return *binding;
}

void bind_function(OpId op, PyObject* functions, PyObject* network) {
    const uint8_t forms = OpRegistry::schema(op).python;
    if ((forms & (kFunction | kNetwork)) == 0) return;
    OpBinding& binding = add_binding(op, Form::Function);
    nb::object module = nb::str("lucid");
    binding.callable = checked(PyCFunction_NewEx(&binding.definition, nullptr, module.ptr()));
    for (const auto& [flag, target] :
         {std::pair(kFunction, functions), std::pair(kNetwork, network)}) {
        if ((forms & flag) != 0) {
            checked_status(PyDict_SetItemString(target, binding.name.c_str(), binding.callable));
        }
    }
}

void bind_method(OpId op, Form form) {
    OpBinding& binding = add_binding(op, form);
    binding.callable = checked(PyDescr_NewMethod(tensor_type, &binding.definition));
    checked_status(PyObject_SetAttrString(reinterpret_cast<PyObject*>(tensor_type),
                                          binding.name.c_str(), binding.callable));
}

}  // namespace

void bind_ops(PyObject* functions, PyObject* network) {
    while (last_bound < OpRegistry::size()) {
        const OpId op = ++last_bound;
        const uint8_t forms = OpRegistry::schema(op).python;
        if ((forms & kInternal) != 0) continue;
        bind_function(op, functions, network);
        if ((forms & kMethod) != 0) bind_method(op, Form::Method);
        if ((forms & kInPlace) != 0) bind_method(op, Form::InPlace);
    }
}

}  // namespace bindings
LUCID_NAMESPACE_END
