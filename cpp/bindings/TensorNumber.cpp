// Operators as type slots. Two plain Tensors take the short way: check the types, call the op,
// wrap.
#include <nanobind/nanobind.h>

#include <array>
#include <string>

#include "lucid/bindings/Gil.h"
#include "lucid/bindings/OpIds.h"
#include "lucid/bindings/Override.h"
#include "lucid/bindings/PyScalar.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

PyObject* run_binary(const OperatorOp& op, const Tensor& a, const Tensor& b) {
    const Tensor* const inputs[] = {&a, &b};
    if (is_large(a) || is_large(b)) [[unlikely]] {
        Tensor result;
        {
            const GilRelease release;
            result = call_op_one(op.id, inputs, op.defaults);
        }
        return wrap(std::move(result));
    }
    return wrap(call_op_one(op.id, inputs, op.defaults));
}

PyObject* run_unary(const OperatorOp& op, const Tensor& x) {
    const Tensor* const inputs[] = {&x};
    Tensor result;
    {
        const GilRelease release(is_large(x));
        result = call_op_one(op.id, inputs, op.defaults);
    }
    return wrap(std::move(result));
}

// & | ^ ~ are logical on bool tensors and bitwise on integers.
const OperatorOp& choose(Operator which, const Tensor& a, const Tensor& b) {
    const bool both_bool = (a.dtype() == Dtype::Bool) && (b.dtype() == Dtype::Bool);
    switch (which) {
        case Operator::And: return operator_op(both_bool ? Operator::LogicalAnd : Operator::And);
        case Operator::Or: return operator_op(both_bool ? Operator::LogicalOr : Operator::Or);
        case Operator::Xor: return operator_op(both_bool ? Operator::LogicalXor : Operator::Xor);
        default: return operator_op(which);
    }
}

// For the override protocol: the function is Tensor.__add__ and its like.
PyObject* override_operator(const char* method, PyObject* a, PyObject* b) {
    std::string name = method;
    if (b != nullptr && !is_tensor(a) && is_tensor(b)) {  // 2 * x is Tensor.__rmul__(x, 2)
        name = std::string("__r") + (method + 2);
        std::swap(a, b);
    }
    nb::object function = nb::steal(
        checked(PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), name.c_str())));
    PyObject* args[] = {a, b};
    return try_override(function.ptr(), {args, b != nullptr ? 2U : 1U}, nullptr);
}

PyObject* binary_slow(Operator which, const char* method, PyObject* a, PyObject* b) {
    if (active_modes > 0 || wants_override(a) || wants_override(b)) {
        if (PyObject* result = override_operator(method, a, b)) return result;
    }
    Tensor holders[2];
    const Tensor* x = operand_from_python(a, holders[0]);
    const Tensor* y = operand_from_python(b, holders[1]);
    if (x == nullptr || y == nullptr) return Py_NewRef(Py_NotImplemented);
    return run_binary(choose(which, *x, *y), *x, *y);
}

constexpr bool needs_choice(Operator which) {
    return which == Operator::And || which == Operator::Or || which == Operator::Xor;
}

template <Operator Which>
PyObject* binary_operator(const char* method, PyObject* a, PyObject* b) noexcept {
    return guarded([&]() -> PyObject* {
        if constexpr (!needs_choice(Which)) {
            if (is_exact_tensor(a) && is_exact_tensor(b) && active_modes == 0) [[likely]] {
                return run_binary(operator_op(Which), unwrap(a), unwrap(b));
            }
        }
        return binary_slow(Which, method, a, b);
    });
}

template <Operator Which>
PyObject* inplace_operator(const char* method, PyObject* a, PyObject* b) noexcept {
    return guarded([&]() -> PyObject* {
        if (active_modes > 0 || wants_override(a) || wants_override(b)) {
            if (PyObject* result = override_operator(method, a, b)) return result;
        }
        Tensor holder;
        const Tensor* y = operand_from_python(b, holder);
        if (!is_tensor(a) || y == nullptr) return Py_NewRef(Py_NotImplemented);
        const Tensor& x = unwrap(a);
        const Tensor* const inputs[] = {&x, y};
        const OperatorOp& op = choose(Which, x, *y);
        {
            const GilRelease release(is_large(x));
            call_op_inplace(op.id, inputs, op.defaults);
        }
        return Py_NewRef(a);
    });
}

#define LUCID_BINARY_SLOT(function, which, method)             \
    PyObject* function(PyObject* a, PyObject* b) {             \
        return binary_operator<Operator::which>(method, a, b); \
    }
#define LUCID_INPLACE_SLOT(function, which, method)             \
    PyObject* function(PyObject* a, PyObject* b) {              \
        return inplace_operator<Operator::which>(method, a, b); \
    }
LUCID_BINARY_SLOT(slot_add, Add, "__add__")
LUCID_BINARY_SLOT(slot_sub, Sub, "__sub__")
LUCID_BINARY_SLOT(slot_mul, Mul, "__mul__")
LUCID_BINARY_SLOT(slot_div, Div, "__truediv__")
LUCID_BINARY_SLOT(slot_floordiv, FloorDivide, "__floordiv__")
LUCID_BINARY_SLOT(slot_mod, Remainder, "__mod__")
LUCID_BINARY_SLOT(slot_matmul, Matmul, "__matmul__")
LUCID_BINARY_SLOT(slot_and, And, "__and__")
LUCID_BINARY_SLOT(slot_or, Or, "__or__")
LUCID_BINARY_SLOT(slot_xor, Xor, "__xor__")
LUCID_INPLACE_SLOT(slot_iadd, Add, "__iadd__")
LUCID_INPLACE_SLOT(slot_isub, Sub, "__isub__")
LUCID_INPLACE_SLOT(slot_imul, Mul, "__imul__")
LUCID_INPLACE_SLOT(slot_idiv, Div, "__itruediv__")
LUCID_INPLACE_SLOT(slot_ifloordiv, FloorDivide, "__ifloordiv__")
LUCID_INPLACE_SLOT(slot_imod, Remainder, "__imod__")
LUCID_INPLACE_SLOT(slot_iand, And, "__iand__")
LUCID_INPLACE_SLOT(slot_ior, Or, "__ior__")
LUCID_INPLACE_SLOT(slot_ixor, Xor, "__ixor__")
#undef LUCID_BINARY_SLOT
#undef LUCID_INPLACE_SLOT

PyObject* slot_pow(PyObject* a, PyObject* b, PyObject* modulus) {
    if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
    return binary_operator<Operator::Pow>("__pow__", a, b);
}

PyObject* slot_ipow(PyObject* a, PyObject* b, PyObject*) {
    return inplace_operator<Operator::Pow>("__ipow__", a, b);
}

template <Operator Which>
PyObject* unary_operator(const char* method, PyObject* a) noexcept {
    return guarded([&]() -> PyObject* {
        if (active_modes > 0 || wants_override(a)) {
            if (PyObject* result = override_operator(method, a, nullptr)) return result;
        }
        const Tensor& x = unwrap(a);
        if (Which == Operator::Invert && x.dtype() == Dtype::Bool) {
            return run_unary(operator_op(Operator::LogicalNot), x);
        }
        return run_unary(operator_op(Which), x);
    });
}

PyObject* slot_neg(PyObject* a) { return unary_operator<Operator::Neg>("__neg__", a); }
PyObject* slot_abs(PyObject* a) { return unary_operator<Operator::Abs>("__abs__", a); }
PyObject* slot_invert(PyObject* a) { return unary_operator<Operator::Invert>("__invert__", a); }
PyObject* slot_pos(PyObject* a) { return Py_NewRef(a); }

PyObject* slot_richcompare(PyObject* a, PyObject* b, int comparison) {
    switch (comparison) {
        case Py_EQ: return binary_operator<Operator::Eq>("__eq__", a, b);
        case Py_NE: return binary_operator<Operator::Ne>("__ne__", a, b);
        case Py_LT: return binary_operator<Operator::Lt>("__lt__", a, b);
        case Py_LE: return binary_operator<Operator::Le>("__le__", a, b);
        case Py_GT: return binary_operator<Operator::Gt>("__gt__", a, b);
        case Py_GE: return binary_operator<Operator::Ge>("__ge__", a, b);
        default: return Py_NewRef(Py_NotImplemented);
    }
}

// By identity, so that tensors are keys of dicts although == is elementwise.
Py_hash_t slot_hash(PyObject* object) {
    const auto address = reinterpret_cast<uintptr_t>(object);
    return static_cast<Py_hash_t>((address >> 4) | (address << (8 * sizeof(address) - 4)));
}

Scalar item_of(PyObject* object, const char* what) {
    const Tensor& x = unwrap(object);
    if (x.numel() != 1) {
        ErrorBuilder(what, x.numel() == 0 ? "the tensor is empty"
                                          : "the truth or number of several elements is ambiguous")
            .given("x", describe(x))
            .rule("needs exactly one element; use any(), all(), or an index")
            .raise<ShapeMismatch>();
    }
    const GilRelease release(x.storage().box()->value().is_pending());
    return x.item();
}

int slot_bool(PyObject* object) {
    return guarded_int([&] { return item_of(object, "bool(x)").to_bool() ? 1 : 0; });
}

PyObject* slot_float(PyObject* object) {
    return guarded([&]() -> PyObject* {
        const Scalar value = item_of(object, "float(x)");
        if (value.is_complex()) throw_type_error("float(): a complex tensor has no real value");
        return PyFloat_FromDouble(value.to_double());
    });
}

PyObject* slot_int(PyObject* object) {
    return guarded([&]() -> PyObject* {
        nb::object number = nb::steal(checked(scalar_to_python(item_of(object, "int(x)"))));
        return PyNumber_Long(number.ptr());
    });
}

PyObject* slot_index(PyObject* object) {
    return guarded([&]() -> PyObject* {
        const Dtype dtype = unwrap(object).dtype();
        if (!is_integral(dtype) && dtype != Dtype::Bool) {
            throw_type_error(
                std::string("only integer tensors of one element can be an index, not ") +
                name_of(dtype));
        }
        nb::object number = nb::steal(checked(scalar_to_python(item_of(object, "index(x)"))));
        return PyNumber_Long(number.ptr());
    });
}

}  // namespace

void add_number_slots(Slots& slots) {
    const auto add = [&](int slot, auto* function) {
        slots.push_back({slot, reinterpret_cast<void*>(function)});
    };
    add(Py_nb_add, &slot_add);
    add(Py_nb_subtract, &slot_sub);
    add(Py_nb_multiply, &slot_mul);
    add(Py_nb_true_divide, &slot_div);
    add(Py_nb_floor_divide, &slot_floordiv);
    add(Py_nb_remainder, &slot_mod);
    add(Py_nb_matrix_multiply, &slot_matmul);
    add(Py_nb_power, &slot_pow);
    add(Py_nb_and, &slot_and);
    add(Py_nb_or, &slot_or);
    add(Py_nb_xor, &slot_xor);
    add(Py_nb_inplace_add, &slot_iadd);
    add(Py_nb_inplace_subtract, &slot_isub);
    add(Py_nb_inplace_multiply, &slot_imul);
    add(Py_nb_inplace_true_divide, &slot_idiv);
    add(Py_nb_inplace_floor_divide, &slot_ifloordiv);
    add(Py_nb_inplace_remainder, &slot_imod);
    add(Py_nb_inplace_power, &slot_ipow);
    add(Py_nb_inplace_and, &slot_iand);
    add(Py_nb_inplace_or, &slot_ior);
    add(Py_nb_inplace_xor, &slot_ixor);
    add(Py_nb_negative, &slot_neg);
    add(Py_nb_positive, &slot_pos);
    add(Py_nb_absolute, &slot_abs);
    add(Py_nb_invert, &slot_invert);
    add(Py_nb_bool, &slot_bool);
    add(Py_nb_int, &slot_int);
    add(Py_nb_float, &slot_float);
    add(Py_nb_index, &slot_index);
    add(Py_tp_richcompare, &slot_richcompare);
    add(Py_tp_hash, &slot_hash);
}

}  // namespace bindings
LUCID_NAMESPACE_END
