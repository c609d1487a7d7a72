#pragma once

#include <optional>
#include <string>
#include <vector>

#include "netmodels/process/memory_file.hpp"
#include "netmodels/process/subprocess.hpp"

namespace vtopo::detail {

/// What a process did.
struct JobEnd {
  ProcessEnd process;
  bool too_long = false;  ///< ended at the limit
  std::string output;     ///< on stdout
  std::string words;      ///< last line on stderr, without the command's name
};

/// A process of its own with this program's code and limits. It and its children end with this
/// object or with this process.
class SweepJob {
 public:
  /// @param arguments without the name of the program.
  /// @throws InputError, SimulationError if the system has no process, memory or descriptor left.
  SweepJob(const std::vector<std::string>& arguments, const Limits& limits);

  /// How it ended; absent while it runs. Ends it at its limit of time. Once.
  std::optional<JobEnd> poll();

 private:
  MemoryFile output_, errors_;
  Subprocess process_;
  bool too_long_ = false;
};

}  // namespace vtopo::detail
