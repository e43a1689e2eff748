// copse::Error as the Python exception copse.Error, and back.
#pragma once

#include <functional>
#include <utility>

#include "copse/base/error.h"
#include "copse/python/bind.h"

namespace copse::python {

// An instance of copse.Error with what the error knows; not raised.
py::object error_object(const Error& error);

// Raises KeyboardInterrupt, or whatever a signal handler raises, if there was a signal.
inline void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// What Python code that is called by the library raises must not travel through it: the library may
// be at work in other threads, which know nothing of Python. It is kept here, the work is called off
// by a Stopped, and raised again when the library has returned.
class Callbacks {
 public:
  // Runs `call` with the interpreter's lock.
  template <class Call>
  void run(Call&& call) {
    const py::gil_scoped_acquire locked;
    try {
      check_signals();
      std::forward<Call>(call)();
    } catch (py::error_already_set& raised) {
      keep(std::move(raised));
    }
    if (raised_) call_off();
  }
  // Runs `work` without the lock and gives its result, unless a callback has raised something.
  template <class Work>
  auto watch(Work&& work) {
    try {
      const py::gil_scoped_release unlocked;
      return std::forward<Work>(work)();
    } catch (const Error&) {
      if (!raised_) throw;
    }
    throw std::move(*raised_);
  }

 private:
  void keep(py::error_already_set&& raised) {
    if (!raised_) raised_ = std::make_unique<py::error_already_set>(std::move(raised));
  }
  [[noreturn]] static void call_off();

  std::unique_ptr<py::error_already_set> raised_;
};

}  // namespace copse::python
