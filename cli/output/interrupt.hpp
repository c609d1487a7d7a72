#pragma once

#include <csignal>

#include <atomic>

namespace vtopo::detail {

/// While it lives the first SIGINT sets a flag instead of ending the command; a second one ends it.
/// One at a time.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Set by the signal.
  const std::atomic<bool>& flag() const;

 private:
  struct sigaction before_ {};
};

}  // namespace vtopo::detail
