// x[...], x[...] = v, len, iteration and `in`. Ints, slices, None and Ellipsis make views; one
// integer tensor or list, or one boolean mask, copies.
#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "lucid/autograd/InPlace.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/OpIds.h"
#include "lucid/bindings/Override.h"
#include "lucid/bindings/PyScalar.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/TensorMake.h"
#include "lucid/core/Context.h"
#include "lucid/kernel/Run.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

Tensor call_one(Operator which, const Tensor& x, const Attrs& attrs) {
    const Tensor* const inputs[] = {&x};
    return call_op_one(require_op(which), inputs, attrs);
}

Tensor select(const Tensor& x, int64_t dim, int64_t index) {
    return call_one(Operator::Select, x, Attrs::of(Scalar(dim), Scalar(index)));
}

Tensor reshape(const Tensor& x, Dims size) {
    return call_one(Operator::Reshape, x, Attrs::of(std::move(size)));
}

Tensor index_select(const Tensor& x, int64_t dim, const Tensor& indices) {
    const Tensor* const inputs[] = {&x, &indices};
    return call_op_one(require_op(Operator::IndexSelect), inputs, Attrs::of(Scalar(dim)));
}

int64_t index_number(PyObject* object) {
    nb::object number = nb::steal(checked(PyNumber_Index(object)));
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0) throw IndexOutOfRange("the index does not fit in int64");
    return value;
}

// A bound of a slice; absent for None.
AttrValue slice_bound(PyObject* slice, const char* name) {
    nb::object bound = nb::steal(checked(PyObject_GetAttrString(slice, name)));
    if (bound.is_none()) return std::monostate();
    nb::object number = nb::steal(PyNumber_Index(bound.ptr()));
    if (!number.is_valid()) {
        PyErr_Clear();
        throw_type_error("slice indices must be integers or None or have an __index__ method");
    }
    const Py_ssize_t value = PyNumber_AsSsize_t(number.ptr(), nullptr);  // clamps
    return Scalar(static_cast<int64_t>(value));
}

bool is_full_slice(PyObject* slice) {
    for (const char* name : {"start", "stop", "step"}) {
        nb::object bound = nb::steal(checked(PyObject_GetAttrString(slice, name)));
        if (!bound.is_none()) return false;
    }
    return true;
}

Tensor apply_slice(const Tensor& x, int64_t dim, PyObject* slice) {
    Attrs attrs = Attrs::of(Scalar(dim), slice_bound(slice, "start"), slice_bound(slice, "stop"));
    AttrValue step = slice_bound(slice, "step");
    if (std::holds_alternative<std::monostate>(step)) step = Scalar(int64_t{1});
    attrs.push(std::move(step));
    return call_one(Operator::Slice, x, attrs);
}

bool is_plain_int(PyObject* item) { return PyLong_Check(item) && !PyBool_Check(item); }

// What one index means once arrays are tensors.
struct Item {
    enum class Kind : uint8_t { Int, Slice, NewAxis, Ellipsis, Indices, Mask };
    Kind kind;
    PyObject* object = nullptr;  // borrowed
    int64_t number = 0;
    Tensor tensor;
    int64_t consumes() const {
        switch (kind) {
            case Kind::NewAxis:
            case Kind::Ellipsis: return 0;
            case Kind::Mask: return tensor.ndim();
            default: return 1;
        }
    }
};

Item array_item(Tensor tensor, PyObject* object) {
    Item item;
    item.object = object;
    item.tensor = std::move(tensor);
    if (item.tensor.dtype() == Dtype::Bool) {
        if (item.tensor.ndim() == 0)
            throw NotImplementedOp("indexing with a 0-d bool is not supported");
        item.kind = Item::Kind::Mask;
    } else if (is_integral(item.tensor.dtype()) || item.tensor.numel() == 0) {
        if (item.tensor.ndim() == 0) {
            item.kind = Item::Kind::Int;
            const GilRelease release(item.tensor.storage().box()->value().is_pending());
            item.number = item.tensor.item().to_int();
        } else {
            item.kind = Item::Kind::Indices;
        }
    } else {
        throw IndexOutOfRange(
            std::string("tensors used as indices must be integers or bool, not ") +
            name_of(item.tensor.dtype()));
    }
    return item;
}

Item make_item(PyObject* object) {
    Item item;
    item.object = object;
    if (is_plain_int(object)) {
        item.kind = Item::Kind::Int;
        item.number = index_number(object);
    } else if (PySlice_Check(object)) {
        item.kind = Item::Kind::Slice;
    } else if (object == Py_None) {
        item.kind = Item::Kind::NewAxis;
    } else if (object == Py_Ellipsis) {
        item.kind = Item::Kind::Ellipsis;
    } else if (is_tensor(object)) {
        return array_item(unwrap(object), object);
    } else if (PyList_Check(object) || PyTuple_Check(object)) {
        return array_item(make_tensor(object, {}), object);
    } else if (PyBool_Check(object)) {
        throw NotImplementedOp("indexing with True or False is not supported; use None or a slice");
    } else if (is_numpy_scalar(object) || PyObject_CheckBuffer(object) != 0) {
        return array_item(copy_buffer(object), object);
    } else if (PyIndex_Check(object) != 0) {
        item.kind = Item::Kind::Int;
        item.number = index_number(object);
    } else {
        nb::object type = nb::steal(checked(
            PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__name__")));
        throw IndexOutOfRange(
            std::string("an index is an int, a slice, None, ..., a list or a tensor; "
                        "not ") +
            nb::str(type).c_str());
    }
    return item;
}

std::vector<Item> parse_key(PyObject* key) {
    std::vector<Item> items;
    if (PyTuple_Check(key)) {
        const Py_ssize_t size = PyTuple_Size(key);
        for (Py_ssize_t i = 0; i < size; ++i) items.push_back(make_item(PyTuple_GetItem(key, i)));
    } else {
        items.push_back(make_item(key));
    }
    return items;
}

// The basic part of a key, as views, and at most one array that is left over, with the axis it
// indexes.
struct Indexed {
    Tensor view;
    Item array;
    int64_t axis = -1;  // of `array` in `view`; -1: none
};

Indexed apply_basic(const Tensor& x, const std::vector<Item>& items) {
    int64_t consumed = 0;
    bool has_ellipsis = false;
    for (const Item& item : items) {
        consumed += item.consumes();
        if (item.kind == Item::Kind::Ellipsis) {
            if (has_ellipsis)
                throw IndexOutOfRange("an index can only have a single ellipsis ('...')");
            has_ellipsis = true;
        }
    }
    if (consumed > x.ndim()) {
        ErrorBuilder("x[...]", "too many indices")
            .given("x", describe(x))
            .given("indices", std::to_string(consumed))
            .raise<IndexOutOfRange>();
    }
    Indexed result{x, {}, -1};
    int64_t axis = 0;
    for (const Item& item : items) {
        switch (item.kind) {
            case Item::Kind::Int: result.view = select(result.view, axis, item.number); break;
            case Item::Kind::Slice:
                if (!is_full_slice(item.object))
                    result.view = apply_slice(result.view, axis, item.object);
                ++axis;
                break;
            case Item::Kind::NewAxis:
                result.view = call_one(Operator::Unsqueeze, result.view, Attrs::of(Scalar(axis)));
                ++axis;
                break;
            case Item::Kind::Ellipsis: axis += x.ndim() - consumed; break;
            case Item::Kind::Indices:
            case Item::Kind::Mask:
                if (result.axis >= 0) {
                    throw NotImplementedOp(
                        "indexing with more than one tensor or list is not supported yet; index in "
                        "two steps, or use gather");
                }
                result.array = item;
                result.axis = axis;
                axis += item.consumes();
                break;
        }
    }
    return result;
}

// The flat positions at which a mask is true, in row-major order.
Tensor positions_of(const Tensor& mask) {
    nb::object bytes = nb::steal(checked(to_bytes(mask)));
    const char* data = PyBytes_AsString(bytes.ptr());
    const int64_t size = mask.numel();
    int64_t count = 0;
    for (int64_t i = 0; i < size; ++i) count += data[i] != 0;
    char* out = nullptr;
    Tensor positions = allocate_tensor(Dtype::Int64, Shape{count}, out);
    int64_t* next = reinterpret_cast<int64_t*>(out);
    for (int64_t i = 0; i < size; ++i) {
        if (data[i] != 0) *next++ = i;
    }
    return positions;
}

// Positions with negative ones counted from the end; the tensor itself when there are none.
Tensor wrap_negative(const Tensor& positions, int64_t size) {
    if (issubdtype(positions.dtype(), DtypeCategory::Unsigned)) return positions;
    nb::object bytes = nb::steal(checked(to_bytes(positions)));
    const char* data = PyBytes_AsString(bytes.ptr());
    const int64_t count = positions.numel();
    char* out = nullptr;
    Tensor wrapped = allocate_tensor(Dtype::Int64, Shape{count}, out);
    bool any_negative = false;
    for (int64_t i = 0; i < count; ++i) {
        const int64_t index =
            Scalar::load(positions.dtype(), data + i * positions.itemsize()).to_int();
        any_negative = any_negative || index < 0;
        // Far below zero stays negative, for the op to name it.
        reinterpret_cast<int64_t*>(out)[i] = index < 0 && index >= -size ? index + size : index;
    }
    return any_negative ? wrapped : positions;
}

// Brings the indexed axes of `view` to one axis and the array to 1-d positions along it.
struct Flat {
    Tensor view;
    Tensor positions;
    Shape result_shape;  // of the array's part
};

Flat flatten(const Indexed& indexed, int64_t axis) {
    const Tensor& array = indexed.array.tensor;
    if (indexed.array.kind == Item::Kind::Indices) {
        Tensor positions = array;
        if (array.dtype() != Dtype::Int64 && array.dtype() != Dtype::Int32) {  // or an empty list
            positions = call_one(Operator::Cast, array, Attrs::of(Dtype::Int64));
        }
        if (positions.ndim() != 1) positions = reshape(positions, Dims{positions.numel()});
        positions = wrap_negative(positions, indexed.view.shape()[static_cast<size_t>(axis)]);
        return {indexed.view, positions, array.shape()};
    }
    const Shape& shape = indexed.view.shape();
    for (int64_t i = 0; i < array.ndim(); ++i) {
        if (array.shape()[static_cast<size_t>(i)] != shape[static_cast<size_t>(axis + i)]) {
            ErrorBuilder("x[mask]", "the mask does not have the shape of what it indexes")
                .given("x", describe(indexed.view))
                .given("mask", describe(array))
                .raise<IndexOutOfRange>();
        }
    }
    Dims merged(shape.begin(), shape.begin() + axis);
    merged.push_back(array.numel());
    for (size_t i = static_cast<size_t>(axis + array.ndim()); i < shape.size(); ++i) {
        merged.push_back(shape[i]);
    }
    Tensor positions = positions_of(array);
    Tensor view = array.ndim() == 1 ? indexed.view : reshape(indexed.view, merged);
    Shape result{positions.numel()};
    return {std::move(view), std::move(positions), std::move(result)};
}

Tensor get_item(const Tensor& x, PyObject* key) {
    if (is_plain_int(key)) {
        if (x.ndim() == 0) throw IndexOutOfRange("a 0-d tensor cannot be indexed; use item()");
        return select(x, 0, index_number(key));
    }
    const Indexed indexed = apply_basic(x, parse_key(key));
    if (indexed.axis < 0) {
        // x[...] and x[:] are new views, not x itself.
        if (indexed.view == x) {
            return x.ndim() == 0
                       ? reshape(x, Dims{})
                       : call_one(Operator::Slice, x,
                                  Attrs::of(Scalar(0), AttrValue(), AttrValue(), Scalar(1)));
        }
        return indexed.view;
    }
    const int64_t axis = indexed.axis;
    const Flat flat = flatten(indexed, axis);
    Tensor rows = index_select(flat.view, axis, flat.positions);
    if (flat.result_shape.size() == 1) return rows;
    const Shape& shape = rows.shape();
    Dims full(shape.begin(), shape.begin() + axis);
    for (int64_t size : flat.result_shape) full.push_back(size);
    for (size_t i = static_cast<size_t>(axis) + 1; i < shape.size(); ++i) full.push_back(shape[i]);
    return reshape(rows, full);
}

// The right-hand side as a tensor of the target's dtype.
Tensor make_source(PyObject* value, const Tensor& target) {
    Scalar scalar;
    if (scalar_from_python(value, scalar)) return Tensor(scalar, target.dtype());
    Tensor source = is_tensor(value) ? unwrap(value) : make_tensor(value, {});
    if (source.dtype() != target.dtype()) {
        source = call_one(Operator::Cast, source, Attrs::of(target.dtype()));
    }
    return source;
}

bool same_memory(const Tensor& a, const Tensor& b) {
    const Storage& x = a.storage();
    const Storage& y = b.storage();
    return x.box() == y.box() && x.offset() == y.offset() && x.shape() == y.shape() &&
           x.strides() == y.strides();
}

void write(const Tensor& target, const Tensor& source) {
    if (same_memory(target, source)) return;  // x[i] += v has written already
    // A source with more axes of size 1 than the target still fits, as in NumPy.
    Tensor value = source;
    while (value.ndim() > target.ndim() && value.shape()[0] == 1) value = select(value, 0, 0);
    const GilRelease release(is_large(target));
    write_inplace("x[...] = v", target, value);
}

// x[indices] = v: row by row, through views.
void set_rows(const Indexed& indexed, const Tensor& source) {
    const int64_t axis = indexed.axis;
    const Flat flat = flatten(indexed, axis);
    if (!(flat.view.storage().box() == indexed.view.storage().box())) {
        throw NotImplementedOp(
            "assigning through a mask over a non-contiguous view is not supported");
    }
    nb::object bytes = nb::steal(
        checked(to_bytes(call_one(Operator::Cast, flat.positions, Attrs::of(Dtype::Int64)))));
    const int64_t* positions = reinterpret_cast<const int64_t*>(PyBytes_AsString(bytes.ptr()));
    const int64_t count = flat.positions.numel();
    // Broadcast the source over (view with `axis` replaced by the array's shape).
    Dims wanted(flat.view.shape().begin(), flat.view.shape().begin() + axis);
    for (int64_t size : flat.result_shape) wanted.push_back(size);
    for (size_t i = static_cast<size_t>(axis) + 1; i < flat.view.shape().size(); ++i) {
        wanted.push_back(flat.view.shape()[i]);
    }
    if (!(broadcast_shapes("x[...] = v", source.shape(), wanted) == wanted)) {
        ErrorBuilder("x[...] = v", "v does not broadcast to what the index selects")
            .given("v", describe(source))
            .given("selected", to_string(wanted))
            .raise<ShapeMismatch>();
    }
    Tensor values = call_one(Operator::Expand, source, Attrs::of(wanted));
    if (flat.result_shape.size() != 1) {
        Dims merged = flat.view.shape();
        merged[static_cast<size_t>(axis)] = count;
        values = reshape(values, merged);
    }
    const int64_t size = flat.view.shape()[static_cast<size_t>(axis)];
    for (int64_t i = 0; i < count; ++i) {  // all are checked before anything is written
        if (positions[i] >= 0 && positions[i] < size) continue;
        ErrorBuilder("x[...] = v", "an index is out of range")
            .given("x", describe(indexed.view))
            .given("index", std::to_string(positions[i]))
            .rule("from -" + std::to_string(size) + " to " + std::to_string(size - 1))
            .raise<IndexOutOfRange>();
    }
    for (int64_t i = 0; i < count; ++i) {
        write(select(flat.view, axis, positions[i]), select(values, axis, i));
    }
}

void set_item(const Tensor& x, PyObject* key, PyObject* value) {
    const Indexed indexed = apply_basic(x, parse_key(key));
    check_inplace("x[...] = v", x);
    const Tensor source = make_source(value, x);
    if (indexed.axis < 0) {
        write(indexed.view, source);
        return;
    }
    const Tensor& mask = indexed.array.tensor;
    if (indexed.array.kind == Item::Kind::Mask && source.ndim() == 0) {
        // One value at every true place: where(mask, value, view), the mask lined up with its axes.
        Dims shape = mask.shape();
        const int64_t after = indexed.view.ndim() - indexed.axis - mask.ndim();
        for (int64_t i = 0; i < after; ++i) shape.push_back(1);
        flatten(indexed, indexed.axis);  // checks the mask's shape
        const Tensor lined_up = reshape(mask, shape);
        const Tensor before = snapshot_for_inplace(indexed.view);
        const Tensor* const inputs[] = {&lined_up, &source, &before};
        write(indexed.view, call_op_one(require_op(Operator::Where), inputs, Attrs()));
        return;
    }
    set_rows(indexed, source);
}

PyObject* slot_get(PyObject* self, PyObject* key) {
    return guarded([&]() -> PyObject* {
        if (active_modes > 0 || wants_override(self)) {
            nb::object function = nb::steal(checked(
                PyObject_GetAttrString(reinterpret_cast<PyObject*>(tensor_type), "__getitem__")));
            PyObject* args[] = {self, key};
            if (PyObject* result = try_override(function.ptr(), args, nullptr)) return result;
        }
        return wrap(get_item(unwrap(self), key));
    });
}

int slot_set(PyObject* self, PyObject* key, PyObject* value) {
    return guarded_int([&]() -> int {
        if (value == nullptr) throw_type_error("elements of a tensor cannot be deleted");
        set_item(unwrap(self), key, value);
        return 0;
    });
}

Py_ssize_t slot_len(PyObject* self) {
    Py_ssize_t result = -1;
    guarded_int([&]() -> int {
        const Tensor& x = unwrap(self);
        if (x.ndim() == 0) throw_type_error("len() of a 0-d tensor");
        result = x.shape()[0];
        return 0;
    });
    return result;
}

PyObject* slot_item(PyObject* self, Py_ssize_t index) {
    return guarded([&]() -> PyObject* {
        const Tensor& x = unwrap(self);
        if (x.ndim() == 0) throw_type_error("a 0-d tensor has no elements to iterate over");
        if (index < 0 || index >= x.shape()[0]) {
            PyErr_SetString(PyExc_IndexError, "the index is out of range");
            return nullptr;
        }
        return wrap(select(x, 0, index));
    });
}

PyObject* slot_iter(PyObject* self) {
    return guarded([&]() -> PyObject* {
        if (unwrap(self).ndim() == 0) throw_type_error("iteration over a 0-d tensor");
        return PySeqIter_New(self);
    });
}

int slot_contains(PyObject* self, PyObject* value) {
    return guarded_int([&]() -> int {
        Tensor holder;
        const Tensor* operand = operand_from_python(value, holder);
        if (operand == nullptr)
            throw_type_error("only numbers and tensors can be looked for in a tensor");
        const Scoped<bool> no_grad(context().grad_enabled, false);
        const Tensor* const inputs[] = {&unwrap(self), operand};
        const Tensor equal = call_op_one(require_op(Operator::Eq), inputs, Attrs());
        nb::object bytes = nb::steal(checked(to_bytes(equal)));
        const char* data = PyBytes_AsString(bytes.ptr());
        for (int64_t i = 0; i < equal.numel(); ++i) {
            if (data[i] != 0) return 1;
        }
        return 0;
    });
}

}  // namespace

void add_index_slots(Slots& slots) {
    const auto add = [&](int slot, auto* function) {
        slots.push_back({slot, reinterpret_cast<void*>(function)});
    };
    add(Py_mp_subscript, &slot_get);
    add(Py_mp_ass_subscript, &slot_set);
    add(Py_mp_length, &slot_len);
    add(Py_sq_length, &slot_len);
    add(Py_sq_item, &slot_item);
    add(Py_sq_contains, &slot_contains);
    add(Py_tp_iter, &slot_iter);
}

}  // namespace bindings
LUCID_NAMESPACE_END
