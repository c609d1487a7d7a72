#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/limits.hpp"
#include "netmodels/process/memory_file.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// How a process ended and what it used.
struct ProcessEnd {
  int status = 0;  ///< as waitpid(2) gives it; 0: exit code 0
  Seconds wall;    ///< from its start on, measured
  Seconds cpu;     ///< user and system time, also of its children that it waited for
  Bytes peak;      ///< most memory resident, pages shared with its parent included

  /// As a shell reports it: 128 + signal for a process that a signal ended.
  int exit_code() const;

  /// "ended with exit code 3", "was ended by signal 6 (Aborted)".
  std::string description() const;
};

/// The last line of some output that is more than a blank, a part of a backtrace, or the list that
/// the line before it announces; may be empty.
std::string last_words(std::string_view output);

/// A program to execute, without a shell.
struct Executable {
  std::vector<std::string> words;  ///< the file to execute, as a path, and its arguments
  std::vector<std::pair<std::string, std::optional<std::string>>> environment =
      {};                             ///< set; unset where there is no value
  int input = -1;                     ///< descriptor of its standard input; -1: nothing to read
  int output = -1, errors = -1;       ///< of what it writes to; -1: nowhere
  bool inherits_descriptors = false;  ///< also those beyond standard error
  Limits limits = {};
  /// Folder of files of the program, which goes with it if this process is killed; empty: none.
  std::string folder = {};
};

/// A process that this one started. It is ended and waited for with this object at the latest.
class Subprocess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Forks; the child runs `body` and ends without running anything else of this program, with exit
  /// code 1 if `body` throws. It has this process's handlers of signals, and only the thread that
  /// forked: OpenMP's parallel regions hang in it once this process had one.
  /// @throws SimulationError if the system has no process left.
  explicit Subprocess(const std::function<void()>& body);

  /// Executes a program in a process group of its own. All that descends from it ends with it and
  /// with this process, however it ends, in sessions of its own too. The limit of memory is kept;
  /// that of time is the caller's to keep, by `deadline`.
  /// @throws InputError if it cannot be started.
  explicit Subprocess(const Executable& program);

  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;
  ~Subprocess();

  /// When the time of the program is over; absent: never.
  const std::optional<Clock::time_point>& deadline() const { return deadline_; }

  bool has_ended() const;

  /// Sends a signal to a child, or to all processes of the group of a program.
  void signal(int number) const;

  /// Waits for its end, and of a program until nothing that it left behind runs. Again: the same
  /// end.
  const ProcessEnd& wait();

 private:
  pid_t pid_ = -1;            ///< of the child or guardian; -1 once it was waited for
  OwnedDescriptor guardian_;  ///< channel to the guardian of a program
  Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> deadline_;
  ProcessEnd end_;
};

}  // namespace vtopo::detail
