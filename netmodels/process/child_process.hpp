#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "netmodels/process/channel.hpp"
#include "netmodels/process/limit_keeping.hpp"
#include "netmodels/process/limits.hpp"
#include "netmodels/process/memory_file.hpp"
#include "netmodels/process/subprocess.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

/// The simulator failed, and what it wrote says more than the sentence.
class LoggedSimulationError : public SimulationError {
 public:
  LoggedSimulationError(const std::string& sentence, std::string log)
      : SimulationError(sentence), log_(std::move(log)) {}

  /// Many lines.
  const std::string& log() const { return log_; }

 private:
  std::string log_;
};

/// A forked child for code that may abort, exit or crash (SimGrid). What the child writes to stdout
/// and stderr is kept, and its end is described; it outlives neither its parent nor this object.
class ChildProcess {
 public:
  /// Forks; the child runs `body`, then ends without running anything else of this program.
  /// @throws SimulationError if the system has no process, memory or descriptor left.
  explicit ChildProcess(const std::function<void(Channel&)>& body, const Limits& limits = {});

  Channel& channel() { return channel_; }

  /// Waits for the end of the child and describes it: "ended with exit code 134: <last words>",
  /// "takes more than 10 s, its time limit".
  std::string exit_description();

  /// Waits for the end of the child: the limit at which it ended itself.
  LimitHit limit_hit();

  /// Waits for the end of the child and returns what it wrote, of that at most the last MiB.
  std::string log();

  /// Waits for the end of the child.
  const ProcessEnd& end() { return process_->wait(); }

 private:
  Limits limits_;
  std::shared_ptr<SharedLimitHit> hit_;
  OwnedDescriptor socket_;
  MemoryFile log_;
  Channel channel_;
  std::optional<Subprocess> process_;  ///< present once constructed
};

}  // namespace vtopo::detail
