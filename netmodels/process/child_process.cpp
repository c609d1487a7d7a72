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

bool Channel::send(const void* data, std::size_t size) const {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = ::send(descriptor_, next, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::receive(void* data, std::size_t size) const {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = ::recv(descriptor_, next, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::wait_readable(int milliseconds) const {
  pollfd channel{descriptor_, POLLIN, 0};
  return poll(&channel, 1, milliseconds) > 0;
}

bool Channel::send_text(const std::string& text) const {
  return send_value<std::uint64_t>(text.size()) && send(text.data(), text.size());
}

std::optional<std::string> Channel::receive_text() const {
  const auto letters = receive_vector<char>();
  if (!letters) return std::nullopt;
  return std::string(letters->begin(), letters->end());
}

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
