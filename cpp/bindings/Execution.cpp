#include "lucid/bindings/Execution.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <limits>

#include "lucid/autograd/Graph.h"
#include "lucid/backend/Allocator.h"
#include "lucid/backend/Dispatcher.h"
#include "lucid/backend/Engine.h"
#include "lucid/backend/ThreadPool.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/PyValues.h"
#include "lucid/bindings/TensorMake.h"
#include "lucid/bindings/nanobind_caster.h"
#include "lucid/core/Context.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;
using backend::Engine;

namespace {

// By whoever waits, with or without the GIL: Ctrl-C becomes KeyboardInterrupt. The GIL is taken at
// most every 10 ms, and only by threads that Python knows.
void check_signals() {
    using Clock = std::chrono::steady_clock;
    thread_local Clock::time_point last;
    const Clock::time_point now = Clock::now();
    if (now - last < std::chrono::milliseconds(10) || PyGILState_GetThisThreadState() == nullptr)
        return;
    last = now;
    const GilAcquire gil;
    if (PyErr_CheckSignals() != 0) throw PythonError();
}

void synchronize(const StreamOrDevice& where) {
    const GilRelease release;
    if (const auto* stream = std::get_if<Stream>(&where)) {
        Dispatcher::for_device(stream->device)->synchronize(*stream);
    } else if (const auto* device = std::get_if<Device>(&where)) {
        Dispatcher::for_device(*device)->synchronize();
    } else {
        Dispatcher::for_device(kCpu)->synchronize();
    }
}

void eval_tensors(const std::vector<Tensor>& tensors, bool wait) {
    const GilRelease release;
    for (const Tensor& tensor : tensors) {
        const Value value = tensor.storage().box()->value();
        if (PendingRef* pending = value.pending()) pending->start();
    }
    if (!wait) return;
    for (const Tensor& tensor : tensors) tensor.storage().box()->value().force();
}

// Tensors in arguments, one level of lists and tuples deep, and in values of dictionaries.
void collect_tensors(nb::handle object, std::vector<Tensor>& out) {
    if (is_tensor(object.ptr())) {
        out.push_back(unwrap(object.ptr()));
    } else if (PyList_Check(object.ptr()) || PyTuple_Check(object.ptr())) {
        for (nb::handle each : nb::borrow<nb::object>(object)) collect_tensors(each, out);
    } else if (PyDict_Check(object.ptr())) {
        for (auto [key, value] : nb::borrow<nb::dict>(object)) collect_tensors(value, out);
    } else if (!object.is_none()) {
        throw_type_error("eval(): needs Tensors, or lists, tuples and dicts of them");
    }
}

void eval_arguments(nb::args args, bool wait) {
    std::vector<Tensor> tensors;
    for (nb::handle each : args) collect_tensors(each, tensors);
    eval_tensors(tensors, wait);
}

nb::dict memory_stats() {
    const MemoryStats stats = cpu_memory_stats();
    nb::dict dict;
    dict["live_bytes"] = stats.live_bytes;
    dict["cached_bytes"] = stats.cached_bytes;
    dict["peak_bytes"] = stats.peak_bytes;
    dict["limit_bytes"] = stats.limit_bytes == std::numeric_limits<size_t>::max()
                              ? nb::object(nb::none())
                              : nb::object(nb::int_(stats.limit_bytes));
    dict["num_allocations"] = stats.num_allocations;
    dict["num_cache_hits"] = stats.num_cache_hits;
    return dict;
}

struct GeneratorHandle {
    Ref<Generator> generator;
};

uint64_t seed_from(nb::handle seed) {
    const nb::object number = nb::steal(checked(PyNumber_Index(seed.ptr())));
    // From -2^63 to 2^64 - 1, as PyTorch; what does not fit raises OverflowError.
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow <= 0 && PyErr_Occurred() == nullptr) {
        if (overflow == 0) return static_cast<uint64_t>(small);
        PyErr_SetString(PyExc_OverflowError, "manual_seed: the seed is below -2**63");
    }
    if (PyErr_Occurred() != nullptr) throw PythonError();
    const unsigned long long large = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred() != nullptr) throw PythonError();
    return large;
}

void init_generators(nb::module_& m) {
    nb::class_<GeneratorHandle>(m, "Generator", "A source of random numbers (Philox-4x32-10).")
        .def("__init__",
             [](GeneratorHandle* self) { new (self) GeneratorHandle{make_ref<Generator>()}; })
        .def(
            "manual_seed",
            [](nb::handle self, nb::handle seed) {
                nb::cast<GeneratorHandle&>(self).generator->manual_seed(seed_from(seed));
                return nb::borrow(self);
            },
            nb::arg("seed"), "Starts again from a seed; returns self.")
        .def("initial_seed",
             [](const GeneratorHandle& self) { return self.generator->state().seed; })
        .def("get_state",
             [](const GeneratorHandle& self) {
                 const PhiloxState state = self.generator->state();
                 return nb::make_tuple(state.seed, state.offset);
             })
        .def(
            "set_state",
            [](const GeneratorHandle& self, nb::tuple state) {
                if (state.size() != 2) {
                    throw nb::value_error("set_state: a state is a pair (seed, offset)");
                }
                self.generator->set_state(
                    {nb::cast<uint64_t>(state[0]), nb::cast<uint64_t>(state[1])});
            },
            nb::arg("state"));
    m.def("_default_generator", [] {
        return GeneratorHandle{Ref<Generator>(&Engine::instance().default_generator(kCpu))};
    });
}

void init_modes(nb::module_& m) {
    m.def("set_num_threads", &set_num_threads, nb::arg("count"), "How many threads kernels use.");
    m.def("get_num_threads", &get_num_threads, "How many threads kernels use.");
    m.def(
        "set_deterministic", [](bool on) { Engine::instance().set_deterministic(on); },
        nb::arg("on"), "Whether an op without a deterministic form raises.");
    m.def("is_deterministic", [] { return Engine::instance().deterministic(); });
    m.def(
        "set_default_dtype",
        [](nb::object dtype) {
            const Dtype d = dtype_from_python(dtype.ptr(), "set_default_dtype()");
            if (!is_floating(d)) {
                throw DtypeMismatch(std::string("set_default_dtype: needs a floating dtype, not ") +
                                    name_of(d));
            }
            context().default_dtype = d;
        },
        nb::arg("dtype"), "The dtype of Python floats and of creation functions, for this thread.");
    m.def("get_default_dtype", [] { return context().default_dtype; });
    m.def("default_device", [] { return context().default_device; });
    m.def(
        "set_default_device",
        [](nb::object device) {
            const Device on = device_from_python(device.ptr(), "set_default_device()");
            Dispatcher::for_device(on);  // raises when it is not there
            context().default_device = on;
        },
        nb::arg("device"));
    m.def("promote_types", &promote_types, nb::arg("a"), nb::arg("b"),
          "The dtype that holds both.");
    m.def("can_cast", &can_cast, nb::arg("from_"), nb::arg("to"));
}

void init_making(nb::module_& m) {
    m.def(
        "_tensor",
        [](nb::object data, nb::object dtype, nb::object device, bool requires_grad) {
            std::optional<Dtype> as;
            if (!dtype.is_none()) as = dtype_from_python(dtype.ptr(), "tensor(): dtype");
            if (!device.is_none() &&
                !(device_from_python(device.ptr(), "tensor(): device") == kCpu)) {
                Dispatcher::for_device(device_from_python(device.ptr(), "device"));
            }
            Tensor tensor = make_tensor(data.ptr(), as);
            if (requires_grad) set_requires_grad(tensor, true);
            return nb::steal(wrap(std::move(tensor)));
        },
        nb::arg("data"), nb::arg("dtype").none(), nb::arg("device").none(),
        nb::arg("requires_grad"));
    m.def(
        "from_numpy",
        [](nb::object array) { return nb::steal(wrap(from_buffer(array.ptr(), "from_numpy()"))); },
        nb::arg("array"), "A tensor over the memory of a NumPy array (or any buffer); no copy.");
    m.def(
        "from_dlpack", [](nb::object object) { return nb::steal(wrap(from_dlpack(object.ptr()))); },
        nb::arg("object"), "A tensor over the memory of an object with __dlpack__; no copy.");
    m.def("_from_bytes", [](nb::bytes data, Dtype dtype, const std::vector<int64_t>& shape) {
        return from_bytes(data.data(), data.size(), dtype, Shape(shape.begin(), shape.end()));
    });
    m.def("_wrap_buffer",
          [](nb::object buffer) { return from_buffer(buffer.ptr(), "frombuffer()"); });
}

}  // namespace

void init_execution(PyObject* module) {
    nb::module_ m = nb::borrow<nb::module_>(module);
    init_generators(m);
    init_modes(m);
    init_making(m);
    m.def("synchronize", &synchronize, nb::arg("device_or_stream") = nb::none(),
          "Waits until everything that was submitted has run.");
    m.def(
        "eval", [](nb::args args) { eval_arguments(args, true); },
        "Computes tensors now. Never needed for a right result.");
    m.def(
        "async_eval", [](nb::args args) { eval_arguments(args, false); },
        "Starts to compute tensors and returns.");
    m.def("_memory_stats", &memory_stats);
    m.def("_reset_peak_memory", &reset_peak_cpu_memory);
    m.def("_set_memory_limit", [](nb::object limit) {
        set_cpu_memory_limit(limit.is_none() ? std::numeric_limits<size_t>::max()
                                             : nb::cast<size_t>(limit));
    });
    m.def("_empty_cache", &empty_cpu_cache);
    m.def("_engine_stats", [] {
        const backend::EngineStats stats = Engine::instance().stats();
        nb::dict dict;
        dict["kernels_run"] = stats.kernels_run;
        dict["calls_pending"] = stats.calls_pending;
        return dict;
    });
    m.def("_set_always_delay", [](bool on) { Engine::instance().set_always_delay(on); });
    m.def("_is_always_delay", [] { return Engine::instance().always_delay(); });
    m.def("_shut_down", [] {
        note_exit();
        {
            const GilRelease release;
            Engine::instance().shut_down();
        }
        Engine::instance().set_interrupt_check(nullptr);
        stop_deferred();
    });
    Engine::instance().set_interrupt_check(&check_signals);
}

}  // namespace bindings
LUCID_NAMESPACE_END
