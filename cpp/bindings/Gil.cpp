#include "lucid/bindings/Gil.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

LUCID_NAMESPACE_BEGIN
namespace bindings {

namespace {

// Set while a GilRelease of this thread is in force.
thread_local bool gil_released = false;

struct Task {
    void (*function)(void*) noexcept;
    void* argument;
};

// Leaked: threads may outlive static destruction.
struct Deferred {
    std::mutex mutex;
    std::vector<Task> tasks;
    bool scheduled = false;
    std::atomic<bool> stopped{false};
};
Deferred& deferred() noexcept {
    static Deferred* instance = new Deferred();
    return *instance;
}

int run_pending_call(void*) {
    run_deferred();
    return 0;
}

// The thread that runs Python's exit handlers, from then on.
std::atomic<std::thread::id> exit_thread{};

void drop(void* object) noexcept { Py_DECREF(static_cast<PyObject*>(object)); }

}  // namespace

void note_exit() noexcept { exit_thread.store(std::this_thread::get_id()); }

GilRelease::GilRelease(bool active) noexcept {
    if (!active) return;
    state_ = PyEval_SaveThread();
    gil_released = true;
}

GilRelease::~GilRelease() {
    if (state_ == nullptr) return;
    gil_released = false;
    // At exit Python ends a daemon thread that asks for the GIL by unwinding it, which no
    // destructor survives: such a thread stops here instead, and dies with the process.
    const std::thread::id exiting = exit_thread.load();
    if (exiting != std::thread::id() && exiting != std::this_thread::get_id()) {
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    PyEval_RestoreThread(state_);
}

GilAcquire::GilAcquire() noexcept : released_before_(gil_released) {
    state_ = PyGILState_Ensure();
    gil_released = false;
}

GilAcquire::~GilAcquire() {
    gil_released = released_before_;
    PyGILState_Release(state_);
}

bool holds_gil() noexcept {
    // The stable ABI cannot ask; a thread of Python that did not come through GilRelease holds it,
    // or (a foreign release around a call of the engine) can take it without a lock of ours.
    return !gil_released && PyGILState_GetThisThreadState() != nullptr;
}

void run_with_gil_later(void (*function)(void*) noexcept, void* argument) noexcept {
    Deferred& list = deferred();
    if (list.stopped.load(std::memory_order_acquire)) return;
    if (holds_gil()) {
        const PyGILState_STATE state = PyGILState_Ensure();
        function(argument);
        PyGILState_Release(state);
        return;
    }
    const std::lock_guard<std::mutex> lock(list.mutex);
    list.tasks.push_back({function, argument});
    // The queue of pending calls is short; when it is full, the next task tries again.
    if (!list.scheduled) list.scheduled = Py_AddPendingCall(&run_pending_call, nullptr) == 0;
}

void decref_anywhere(PyObject* object) noexcept {
    if (object != nullptr) run_with_gil_later(&drop, object);
}

void run_deferred() noexcept {
    std::vector<Task> tasks;
    {
        const std::lock_guard<std::mutex> lock(deferred().mutex);
        tasks.swap(deferred().tasks);
        deferred().scheduled = false;
    }
    for (const Task& task : tasks) task.function(task.argument);
}

void stop_deferred() noexcept {
    run_deferred();
    deferred().stopped.store(true, std::memory_order_release);
}

}  // namespace bindings
LUCID_NAMESPACE_END
