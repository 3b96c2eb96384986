// lucid.Stream and lucid.Event.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "lucid/backend/Dispatcher.h"
#include "lucid/bindings/Execution.h"
#include "lucid/bindings/Gil.h"
#include "lucid/bindings/PyTensor.h"
#include "lucid/bindings/PyValues.h"
#include "lucid/bindings/nanobind_caster.h"
#include "lucid/core/Context.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace nb = nanobind;

namespace {

struct StreamHandle {
    Stream stream;
};

struct EventHandle {
    Ref<EventState> state;  // null before record()
    Device device;
};

IBackend* backend_of(const StreamHandle& self) {
    return Dispatcher::for_device(self.stream.device);
}

void record(EventHandle& self, nb::object stream) {
    const Stream on = stream.is_none() ? to_stream({}) : stream_from_python(stream.ptr(), "stream");
    self.device = on.device;
    self.state = Dispatcher::for_device(on.device)->record_event(on);
}

void wait_for(const EventHandle& self, Stream stream) {
    if (!self.state) throw InvalidArgument("Event.wait(): the event was never recorded");
    const GilRelease release;
    Dispatcher::for_device(stream.device)->wait_event(stream, self.state);
}

nb::tuple swap_stream(Stream stream) {
    Context& modes = context();
    Stream& slot = modes.stream[static_cast<int>(stream.device.type)];
    nb::object before = nb::steal(stream_to_python(slot));
    const bool had = modes.has_stream;
    if (!Dispatcher::for_device(stream.device)->has_stream(stream)) {
        throw DeviceMismatch("lucid.stream(): there is no stream " + to_string(stream));
    }
    slot = stream;
    modes.has_stream = true;
    return nb::make_tuple(before, had);
}

// Back to what swap_stream returned.
void restore_stream(Stream stream, bool had) {
    Context& modes = context();
    modes.stream[static_cast<int>(stream.device.type)] = stream;
    modes.has_stream = had;
}

}  // namespace

bool is_stream(PyObject* object) noexcept {
    return nb::isinstance<StreamHandle>(nb::handle(object));
}

Stream stream_from_python(PyObject* object, const char* who) {
    if (!is_stream(object)) throw_type_error(std::string(who) + " must be a lucid.Stream");
    return nb::cast<StreamHandle&>(nb::handle(object)).stream;
}

PyObject* stream_to_python(Stream stream) { return nb::cast(StreamHandle{stream}).release().ptr(); }

StreamOrDevice where_from_python(PyObject* object, const char* who) {
    if (object == Py_None) return std::monostate();
    if (is_stream(object)) return stream_from_python(object, who);
    if (is_device(object) || PyUnicode_Check(object)) return device_from_python(object, who);
    throw_type_error(std::string(who) + " must be a lucid.Stream, a lucid.device or None");
}

void init_streams(PyObject* module) {
    nb::module_ m = nb::borrow<nb::module_>(module);
    nb::class_<StreamHandle>(m, "Stream", "An order of execution on one device.")
        .def_prop_ro("device", [](const StreamHandle& self) { return self.stream.device; })
        .def_prop_ro("index", [](const StreamHandle& self) { return self.stream.index; })
        .def(
            "synchronize",
            [](const StreamHandle& self) {
                const GilRelease release;
                backend_of(self)->synchronize(self.stream);
            },
            "Waits until everything that was submitted has run.")
        .def(
            "record_event",
            [](const StreamHandle& self) {
                return EventHandle{backend_of(self)->record_event(self.stream), self.stream.device};
            },
            "An event after everything that was submitted.")
        .def(
            "wait_event",
            [](const StreamHandle& self, const EventHandle& event) {
                wait_for(event, self.stream);
            },
            nb::arg("event"), "Work submitted from now on starts after the event.")
        .def(
            "wait_stream",
            [](const StreamHandle& self, const StreamHandle& other) {
                const GilRelease release;
                backend_of(self)->wait_event(self.stream,
                                             backend_of(other)->record_event(other.stream));
            },
            nb::arg("stream"),
            "Work submitted from now on starts after what the other stream holds.")
        .def("__repr__",
             [](const StreamHandle& self) {
                 return "lucid.Stream(device='" + to_string(self.stream.device) +
                        "', index=" + std::to_string(self.stream.index) + ")";
             })
        .def("__hash__",
             [](const StreamHandle& self) {
                 return self.stream.index * 64 + self.stream.device.index * 2 +
                        static_cast<int>(self.stream.device.type);
             })
        .def("__eq__", [](const StreamHandle& self, nb::handle other) {
            return is_stream(other.ptr()) &&
                   stream_from_python(other.ptr(), "stream") == self.stream;
        });
    nb::class_<EventHandle>(m, "Event", "A point in a stream's order.")
        .def(nb::init<>())
        .def("record", &record, nb::arg("stream") = nb::none(), "Records it on a stream.")
        .def(
            "query", [](const EventHandle& self) { return !self.state || self.state->query(); },
            "Whether everything before it has run.")
        .def(
            "synchronize",
            [](const EventHandle& self) {
                if (!self.state) return;
                const GilRelease release;
                self.state->wait();
            },
            "Waits for it.")
        .def(
            "wait",
            [](const EventHandle& self, nb::object stream) {
                const Stream on = stream.is_none() ? to_stream(self.device)
                                                   : stream_from_python(stream.ptr(), "stream");
                wait_for(self, on);
            },
            nb::arg("stream") = nb::none(), "Makes a stream wait for it.");
    m.def(
        "new_stream",
        [](nb::object device) {
            const Device on = device.is_none() ? context().default_device
                                               : device_from_python(device.ptr(), "device");
            return StreamHandle{Dispatcher::for_device(on)->new_stream()};
        },
        nb::arg("device") = nb::none(), "A new stream on a device.");
    m.def(
        "default_stream",
        [](nb::object device) {
            const Device on = device.is_none() ? context().default_device
                                               : device_from_python(device.ptr(), "device");
            return StreamHandle{to_stream(on)};
        },
        nb::arg("device") = nb::none(), "The stream that ops of this thread use.");
    m.def(
        "set_default_stream", [](Stream stream) { swap_stream(stream); }, nb::arg("stream"),
        "Makes ops of this thread use a stream.");
    m.def("_swap_stream", &swap_stream, nb::arg("stream"));
    m.def("_restore_stream", &restore_stream, nb::arg("stream"), nb::arg("had"));
}

}  // namespace bindings
LUCID_NAMESPACE_END
