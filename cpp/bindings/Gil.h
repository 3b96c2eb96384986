// The interpreter lock, and references that are dropped from anywhere. A thread that may hold an
// engine lock never waits for the GIL: it leaves its reference in a list that Python empties later.
// Lock order: docs/design/threads.md.
#pragma once

#include <Python.h>

#include "lucid/core/Config.h"

LUCID_NAMESPACE_BEGIN
namespace bindings {

// Gives the GIL up for a scope (when `active`): around waits, flushes and large host work.
class GilRelease {
public:
    explicit GilRelease(bool active = true) noexcept;
    ~GilRelease();
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;

private:
    PyThreadState* state_ = nullptr;
};

// Takes the GIL for a scope; fine when the thread already holds it. Hooks and Python nodes only.
class GilAcquire {
public:
    GilAcquire() noexcept;
    ~GilAcquire();
    GilAcquire(const GilAcquire&) = delete;
    GilAcquire& operator=(const GilAcquire&) = delete;

private:
    PyGILState_STATE state_;
    bool released_before_;
};

// From atexit, in the thread that runs it: every other one that wants the GIL back stops for good.
void note_exit() noexcept;

// Py_DECREF from any thread, at any time: at once when this thread holds the GIL, later otherwise,
// never once Python is going away.
void decref_anywhere(PyObject* object) noexcept;
// The same for a function (the release of an imported buffer).
void run_with_gil_later(void (*function)(void*) noexcept, void* argument) noexcept;
// Runs what was put off. Called with the GIL.
void run_deferred() noexcept;
// From atexit: what is put off from now on is leaked.
void stop_deferred() noexcept;
// Whether this thread surely holds the GIL.
bool holds_gil() noexcept;

}  // namespace bindings
LUCID_NAMESPACE_END
