// Type casters of pybind11 for lucid::Tensor, Dtype, Device, Stream and StreamOrDevice. Include it
// where functions with such arguments or results are bound; nothing needs to be registered.
#pragma once

#include <pybind11/pybind11.h>

#include "lucid/core/Error.h"
#include "lucid/python_api.h"

namespace PYBIND11_NAMESPACE {
namespace detail {

// Throws the ImportError of a lucid that is missing or does not fit. The first call makes C++
// errors lucid's Python classes in this extension.
inline const lucid::PythonApi& lucid_api() {
    static bool registered = false;
    const lucid::PythonApi* api = lucid::python_api();
    if (api == nullptr) throw error_already_set();
    if (!registered) {
        registered = true;
        register_local_exception_translator([](std::exception_ptr error) {
            try {
                if (error) std::rethrow_exception(error);
            } catch (const lucid::Error&) {
                lucid::python_api()->set_error();
            }
        });
    }
    return *api;
}

#define LUCID_PB_VALUE_CASTER(Type, python_name, wrap, unwrap)                       \
    template <>                                                                      \
    struct type_caster<lucid::Type> {                                                \
        PYBIND11_TYPE_CASTER(lucid::Type, const_name(python_name));                  \
        bool load(handle src, bool) { return lucid_api().unwrap(src.ptr(), value); } \
        static handle cast(const lucid::Type& item, return_value_policy, handle) {   \
            return lucid_api().wrap(item);                                           \
        }                                                                            \
    };
LUCID_PB_VALUE_CASTER(Tensor, "lucid.Tensor", wrap_tensor, unwrap_tensor)
LUCID_PB_VALUE_CASTER(Dtype, "lucid.dtype", wrap_dtype, unwrap_dtype)
LUCID_PB_VALUE_CASTER(Device, "lucid.device", wrap_device, unwrap_device)
LUCID_PB_VALUE_CASTER(Stream, "lucid.Stream", wrap_stream, unwrap_stream)
#undef LUCID_PB_VALUE_CASTER

template <>
struct type_caster<lucid::StreamOrDevice> {
    PYBIND11_TYPE_CASTER(lucid::StreamOrDevice,
                         const_name("lucid.Stream | lucid.device | str | None"));
    bool load(handle src, bool) { return lucid_api().unwrap_where(src.ptr(), value); }
    static handle cast(const lucid::StreamOrDevice& where, return_value_policy, handle) {
        if (const auto* stream = std::get_if<lucid::Stream>(&where))
            return lucid_api().wrap_stream(*stream);
        if (const auto* device = std::get_if<lucid::Device>(&where))
            return lucid_api().wrap_device(*device);
        return none().release();
    }
};

}  // namespace detail
}  // namespace PYBIND11_NAMESPACE
