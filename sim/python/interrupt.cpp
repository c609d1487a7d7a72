#include "sim/python/interrupt.hpp"

#include <pybind11/pybind11.h>
#include <signal.h>

#include <atomic>
#include <exception>
#include <memory>

namespace py = pybind11;

namespace vtopo::detail::python {

namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers set it");

void (*python_handler)(int) = nullptr;

void note_interrupt(int signal) {
  interrupted = true;
  python_handler(signal);
}

class KeyboardStop : public StopRequest {
 public:
  const std::atomic<bool>* flag() const override { return &interrupted; }
};

class Interruptible : public Observer {
 public:
  std::unique_ptr<StopRequest> listen() override { return std::make_unique<KeyboardStop>(); }
};

/// Whether Python runs its own handler in this thread: another one may let the program go on, whose
/// results would be those of a search that was cut off.
bool raises_keyboard_interrupt() {
  const py::module_ threads = py::module_::import("threading"),
                    signals = py::module_::import("signal");
  return threads.attr("current_thread")().is(threads.attr("main_thread")()) &&
         signals.attr("getsignal")(SIGINT).is(signals.attr("default_int_handler"));
}

/// Puts a handler in front of Python's, until it is destroyed.
class HandlerInFront {
 public:
  HandlerInFront() {
    interrupted = false;
    struct sigaction own = {};
    sigaction(SIGINT, nullptr, &before_);
    own.sa_handler = note_interrupt;
    own.sa_mask = before_.sa_mask;
    own.sa_flags = before_.sa_flags;
    python_handler = before_.sa_handler;
    sigaction(SIGINT, &own, nullptr);
  }
  HandlerInFront(const HandlerInFront&) = delete;
  HandlerInFront& operator=(const HandlerInFront&) = delete;
  ~HandlerInFront() { sigaction(SIGINT, &before_, nullptr); }

 private:
  struct sigaction before_ = {};
};

void without_lock(const std::function<void(Observer&)>& work, Observer& observer) {
  const py::gil_scoped_release unlocked;
  work(observer);
}

}  // namespace

void until_interrupted(const std::function<void(Observer&)>& work) {
  // A run inside of a mapper of a run is listened to by the outer one.
  if (!raises_keyboard_interrupt() || python_handler != nullptr) {
    Observer silent;
    return without_lock(work, silent);
  }
  std::exception_ptr failure;
  {
    const HandlerInFront in_front;
    Interruptible observer;
    try {
      without_lock(work, observer);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  python_handler = nullptr;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace vtopo::detail::python
