#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "netmodels/process/child_limits.hpp"
#include "netmodels/process/limit_keeping.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// One end of a stream of messages between a parent and its child.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  /// False if the other side is gone.
  bool send(const void* data, std::size_t size) const;

  /// Fills `size` bytes; false if the other side is gone.
  bool receive(void* data, std::size_t size) const;

  /// Waits until something can be received or the other side is gone; false after `milliseconds`.
  bool wait_readable(int milliseconds) const;

  template <class T>
  bool send_value(const T& value) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return send(&value, sizeof value);
  }

  template <class T>
  std::optional<T> receive_value() const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    return receive(&value, sizeof value) ? std::optional<T>(value) : std::nullopt;
  }

  template <class T>
  bool send_vector(const std::vector<T>& values) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return send_value<std::uint64_t>(values.size()) &&
           send(values.data(), values.size() * sizeof(T));
  }

  template <class T>
  std::optional<std::vector<T>> receive_vector() const {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto size = receive_value<std::uint64_t>();
    if (!size) return std::nullopt;
    std::vector<T> values(*size);
    return receive(values.data(), values.size() * sizeof(T)) ? std::optional(std::move(values))
                                                             : std::nullopt;
  }

  bool send_text(const std::string& text) const;
  std::optional<std::string> receive_text() const;

 private:
  int descriptor_;
};

/// File descriptor that is closed when its owner goes.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  OwnedDescriptor(const OwnedDescriptor&) = delete;
  OwnedDescriptor& operator=(const OwnedDescriptor&) = delete;
  ~OwnedDescriptor() { reset(); }

  int get() const { return descriptor_; }
  void reset(int descriptor = -1);

 private:
  int descriptor_;
};

/// What a child used up until its end.
struct ChildUsage {
  double cpu_seconds = 0;       ///< user and system time of all its threads
  std::int64_t peak_bytes = 0;  ///< most memory resident, pages shared with the parent included
};

/// The simulator failed, and what it wrote tells more than the sentence.
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
/// and stderr is kept, and its end is told in words; it outlives neither its parent nor this
/// object.
class ChildProcess {
 public:
  /// Forks; the child runs `body`, then ends without running anything else of this program.
  /// @throws SimulationError if the system has no process, memory or descriptor left.
  explicit ChildProcess(const std::function<void(Channel&)>& body, const ChildLimits& limits = {});
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  Channel& channel() { return channel_; }

  /// Waits for the end of the child and tells it: "ended with exit code 134: <last words>", "takes
  /// more than 10 s, its time limit". Told again in the same words.
  const std::string& end_in_words();

  /// Waits for the end of the child and tells whether a limit was its end.
  bool is_over_limit();

  /// Waits for the end of the child and returns what it wrote, of that at most the last MiB.
  std::string log();

  /// Waits for the end of the child and tells what it used.
  const ChildUsage& usage();

  /// Ends the child if it still runs.
  void end_now();

 private:
  int wait_for_end();

  ChildLimits limits_;
  std::shared_ptr<SharedLimitHit> hit_;
  OwnedDescriptor socket_;
  OwnedDescriptor log_;
  pid_t pid_ = -1;
  std::string end_;  ///< empty while the child may be alive
  ChildUsage usage_;
  Channel channel_;
};

}  // namespace vtopo
