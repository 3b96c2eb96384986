// Type casters of nanobind for lucid::Tensor, Dtype, Device, Stream and StreamOrDevice. Include it
// where functions with such arguments or results are bound; nothing needs to be registered.
#pragma once

#include <nanobind/nanobind.h>

#include "lucid/core/Error.h"
#include "lucid/python_api.h"

NAMESPACE_BEGIN(NB_NAMESPACE)
NAMESPACE_BEGIN(detail)

// C++ errors become lucid's Python classes also in an extension with a nanobind domain of its own.
inline void lucid_translate(const std::exception_ptr& error, void* api) {
    try {
        std::rethrow_exception(error);
    } catch (const lucid::Error&) {
        static_cast<const lucid::PythonApi*>(api)->set_error();
    }
}

// The table, or nullptr with ImportError set.
inline const lucid::PythonApi* lucid_api() noexcept {
    static bool registered = false;
    const lucid::PythonApi* api = lucid::python_api();
    if (api != nullptr && !registered) {
        registered = true;
        ::nanobind::register_exception_translator(&lucid_translate,
                                                  const_cast<lucid::PythonApi*>(api));
    }
    return api;
}

// For from_python, which must not leave an error: it is shown, and the call then fails with
// TypeError.
inline const lucid::PythonApi* lucid_api_or_report() noexcept {
    const lucid::PythonApi* api = lucid_api();
    if (api == nullptr) PyErr_WriteUnraisable(nullptr);
    return api;
}

template <>
struct type_caster<lucid::Tensor> {
    NB_TYPE_CASTER(lucid::Tensor, const_name("lucid.Tensor"))
    bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
        const lucid::PythonApi* api = lucid_api_or_report();
        return api != nullptr && api->unwrap_tensor(src.ptr(), value);
    }
    static handle from_cpp(const lucid::Tensor& tensor, rv_policy, cleanup_list*) noexcept {
        const lucid::PythonApi* api = lucid_api();
        return api != nullptr ? api->wrap_tensor(tensor) : nullptr;
    }
};

#define LUCID_NB_VALUE_CASTER(Type, python_name, wrap, unwrap)                        \
    template <>                                                                       \
    struct type_caster<lucid::Type> {                                                 \
        NB_TYPE_CASTER(lucid::Type, const_name(python_name))                          \
        bool from_python(handle src, uint32_t, cleanup_list*) noexcept {              \
            const lucid::PythonApi* api = lucid_api_or_report();                      \
            return api != nullptr && api->unwrap(src.ptr(), value);                   \
        }                                                                             \
        static handle from_cpp(lucid::Type item, rv_policy, cleanup_list*) noexcept { \
            const lucid::PythonApi* api = lucid_api();                                \
            return api != nullptr ? api->wrap(item) : nullptr;                        \
        }                                                                             \
    };
LUCID_NB_VALUE_CASTER(Dtype, "lucid.dtype", wrap_dtype, unwrap_dtype)
LUCID_NB_VALUE_CASTER(Device, "lucid.device", wrap_device, unwrap_device)
LUCID_NB_VALUE_CASTER(Stream, "lucid.Stream", wrap_stream, unwrap_stream)
#undef LUCID_NB_VALUE_CASTER

template <>
struct type_caster<lucid::StreamOrDevice> {
    NB_TYPE_CASTER(lucid::StreamOrDevice, const_name("lucid.Stream | lucid.device | str | None"))
    bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
        const lucid::PythonApi* api = lucid_api_or_report();
        return api != nullptr && api->unwrap_where(src.ptr(), value);
    }
    static handle from_cpp(const lucid::StreamOrDevice& where, rv_policy, cleanup_list*) noexcept {
        const lucid::PythonApi* api = lucid_api();
        if (api == nullptr) return nullptr;
        if (const auto* stream = std::get_if<lucid::Stream>(&where))
            return api->wrap_stream(*stream);
        if (const auto* device = std::get_if<lucid::Device>(&where))
            return api->wrap_device(*device);
        return none().release();
    }
};

NAMESPACE_END(detail)
NAMESPACE_END(NB_NAMESPACE)
