#include "netmodels/process/child_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <thread>

#include "netmodels/process/shared_memory.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// `20 ms`, `3600 s`.
std::string format_limit(Seconds time) {
  return time.value < 1 ? format_seconds(time) : fmt::format("{:.6g} s", time.value);
}

/// Ends the process when the other side of the channel is gone, however busy other threads are.
/// PR_SET_PDEATHSIG would end it with the thread that started it.
void end_with_parent(int socket) {
  pollfd channel{socket, POLLRDHUP, 0};
  while (poll(&channel, 1, -1) < 0 && errno == EINTR) {
  }
  _exit(1);
}

/// The child's side of the fork.
void run_child(int socket, int log, const std::function<void(Channel&)>& body, const Limits& limits,
               SharedLimitHit& hit) {
  for (const int number : {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGSEGV, SIGTERM})
    std::signal(number, SIG_DFL);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  std::thread(end_with_parent, socket).detach();
  keep_limits(limits, hit);
  Channel channel(socket);
  body(channel);
}

}  // namespace

ChildProcess::ChildProcess(const std::function<void(Channel&)>& body, const Limits& limits)
    : limits_(within_own(limits)), hit_(make_shared_memory<SharedLimitHit>()), channel_(-1) {
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    throw SimulationError(
        fmt::format("cannot open a channel to a child process: {}", std::strerror(errno)));
  socket_.reset(sockets[0]);
  const OwnedDescriptor child_socket(sockets[1]);
  process_.emplace([&] {
    socket_.reset();
    run_child(child_socket.get(), log_.descriptor(), body, limits_, *hit_);
  });
  channel_ = Channel(socket_.get());
}

std::string ChildProcess::exit_description() {
  const LimitHit hit = limit_hit();
  if (hit == LimitHit::time && limits_.time)
    return fmt::format("takes more than {}, its time limit", format_limit(*limits_.time));
  if (hit == LimitHit::memory && limits_.memory)
    return fmt::format("needs more memory than {}, its memory limit",
                       format_bytes(*limits_.memory));
  std::string result = end().description();
  constexpr std::size_t long_backtrace = std::size_t{1} << 16;
  if (const std::string words = last_words(log_.text(long_backtrace)); !words.empty())
    result += ": " + words;
  if (limits_.memory && !limits_.memory_is_usual && std::isfinite(limits_.memory->value))
    result += fmt::format(" (its memory limit is {})", format_bytes(*limits_.memory));
  return result;
}

LimitHit ChildProcess::limit_hit() {
  end();
  return hit_->load();
}

std::string ChildProcess::log() {
  end();
  return log_.text(std::size_t{1} << 20);
}

}  // namespace vtopo::detail
