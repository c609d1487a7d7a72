#include "cli/output/interrupt.hpp"

namespace vtopo::detail {

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

extern "C" void note_interrupt(int /*signal*/) {
  interrupted.store(true, std::memory_order_relaxed);
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &before_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &before_, nullptr);
}

const std::atomic<bool>& Interrupt::flag() const {
  return interrupted;
}

}  // namespace vtopo::detail
