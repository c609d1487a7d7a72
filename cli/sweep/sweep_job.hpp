#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/process/child_process.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// What a process may use; infinite: as much as it likes.
struct JobLimits {
  Seconds time;  ///< by the clock on the wall
  Bytes memory;  ///< addresses
};

/// What a process did.
struct JobEnd {
  int exit_code = 0;      ///< as a shell tells it: 128 + signal for one that a signal ended
  bool too_long = false;  ///< ended at the limit
  std::string output;     ///< on stdout
  std::string words;      ///< last line on stderr, without the command's name
  Seconds wall;
  Seconds cpu;  ///< of the process and its children
  Bytes peak;   ///< resident
};

/// A process of its own with this program's code and limits. It and its children end with this
/// object or with this process.
class SweepJob {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param arguments without the name of the program.
  /// @throws SimulationError if the system has no process, memory or descriptor left.
  SweepJob(const std::vector<std::string>& arguments, const JobLimits& limits);
  SweepJob(const SweepJob&) = delete;
  SweepJob& operator=(const SweepJob&) = delete;
  ~SweepJob();

  /// How it ended; absent while it runs. Ends it at its limit of time. Once.
  std::optional<JobEnd> poll();

 private:
  void end_group() const;
  JobEnd end_of(int status, const struct rusage& usage) const;

  OwnedDescriptor output_, errors_;
  pid_t pid_ = -1;
  Clock::time_point start_;
  Clock::duration limit_;
  bool too_long_ = false;
};

}  // namespace vtopo
