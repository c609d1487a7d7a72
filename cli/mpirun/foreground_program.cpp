#include "cli/mpirun/foreground_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <optional>

namespace vtopo::detail {

namespace {

using Clock = Subprocess::Clock;

constexpr std::array forwarded{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr std::chrono::seconds grace{2};

/// While it lives the forwarded signals and those of children wait to be asked for.
class WaitingSignals {
 public:
  WaitingSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    for (const int number : forwarded) {
      struct sigaction action {};
      sigaction(number, nullptr, &action);
      if (action.sa_handler != SIG_IGN) sigaddset(&set_, number);  // nohup stays in force
    }
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  WaitingSignals(const WaitingSignals&) = delete;
  WaitingSignals& operator=(const WaitingSignals&) = delete;
  ~WaitingSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// The next one; 0 if none comes in time.
  int next(std::chrono::nanoseconds patience) const {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(patience);
    const timespec time{whole.count(), (patience - whole).count()};
    const int number = sigtimedwait(&set_, nullptr, &time);
    return number > 0 ? number : 0;
  }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

/// Waits, passes signals on and keeps the limit.
void attend(const Subprocess& process, const WaitingSignals& signals, ForegroundEnd& end) {
  const auto& deadline = process.deadline();
  std::optional<Clock::time_point> last;
  while (!process.has_ended()) {
    const auto now = Clock::now();
    if (last && now >= *last) process.signal(SIGKILL);
    if (!last && deadline && now >= *deadline) {
      end.limit_hit = true;
      process.signal(SIGTERM);
      last = now + grace;
    }
    std::chrono::nanoseconds patience = std::chrono::seconds{1};
    for (const auto& time : {deadline, last})
      if (time && *time > now) patience = std::min<std::chrono::nanoseconds>(patience, *time - now);
    const int number = signals.next(patience);
    if (number == 0 || number == SIGCHLD) continue;
    process.signal(number);
    if (number == SIGUSR1 || number == SIGUSR2) continue;
    end.interrupted = number;
    if (!last) last = Clock::now() + grace;
  }
}

}  // namespace

ForegroundEnd run_in_foreground(Executable program) {
  program.input = isatty(STDIN_FILENO) ? -1 : STDIN_FILENO;  // another group may not read it
  program.errors = STDERR_FILENO;
  program.inherits_descriptors = true;
  const WaitingSignals signals;
  Subprocess process(program);
  ForegroundEnd end;
  attend(process, signals, end);
  end.process = process.wait();
  return end;
}

}  // namespace vtopo::detail
