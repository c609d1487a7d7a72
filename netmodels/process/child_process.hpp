#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "netmodels/limits.hpp"
#include "netmodels/process/limit_keeping.hpp"
#include "netmodels/process/memory_file.hpp"
#include "netmodels/process/subprocess.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

/// A value in memory that processes forked from now on share with this one.
/// @throws SimulationError if the system has no memory left.
template <class T>
std::shared_ptr<T> make_shared_memory() {
  void* page = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw SimulationError("cannot share memory with a child process");
  return {new (page) T(), [](T* value) { munmap(value, sizeof(T)); }};
}

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
