#include "netmodels/process/child_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo {

namespace {

[[noreturn]] void fail(std::string_view what) {
  throw SimulationError(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

/// The end of a file, whole lines.
std::string tail_of(int log, std::size_t most) {
  std::string text(most, '\0');
  const off_t size = lseek(log, 0, SEEK_END);
  const off_t start = std::max<off_t>(0, size - static_cast<off_t>(most));
  const ssize_t count = pread(log, text.data(), text.size(), start);
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (start > 0) text.erase(0, std::min(text.find('\n'), text.size()));
  return text;
}

/// Without a last sentence that only announces a list.
std::string without_announcement(std::string words) {
  const auto end = words.ends_with(':') ? words.rfind(". ") : words.npos;
  if (end != words.npos) words.resize(end + 1);
  return words;
}

/// Output that matters for a reader: the last line that is more than a separator, a backtrace or
/// the list that the line before it announces.
std::string last_words(int log) {
  std::string result;
  const std::string text = tail_of(log, std::size_t{1} << 16);  // backtraces are long
  for (const auto line : split(text, '\n')) {
    const auto words = trim(line);
    if (words.empty() || words.starts_with("->") || words.find("Backtrace") != words.npos) continue;
    if (!result.ends_with(':')) result = words;
  }
  return without_announcement(result);
}

/// `20 ms`, `3600 s`.
std::string format_limit(Seconds time) {
  return time.value < 1 ? format_seconds(time) : fmt::format("{:.6g} s", time.value);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
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

void OwnedDescriptor::reset(int descriptor) {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = descriptor;
}

namespace {

/// Ends the process when the other side of the channel is gone, however busy other threads are.
void end_with_parent(int socket) {
  pollfd channel{socket, POLLRDHUP, 0};
  while (poll(&channel, 1, -1) < 0 && errno == EINTR) {
  }
  _exit(1);
}

/// The child's side of the fork: never returns.
[[noreturn]] void run_child(int socket, int log, const std::function<void(Channel&)>& body,
                            const ChildLimits& limits, SharedLimitHit& hit) {
  for (const int number : {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGSEGV, SIGTERM})
    std::signal(number, SIG_DFL);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  Channel channel(socket);
  int code = 0;
  try {
    std::thread(end_with_parent, socket).detach();
    keep_limits(limits, hit);
    body(channel);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  std::fflush(nullptr);
  _exit(code);
}

}  // namespace

ChildLimits or_usual(ChildLimits limits, Seconds time, Bytes stacks) {
  if (!limits.time) limits.time = time;
  if (limits.memory) return limits;
  const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
  limits.memory = Bytes{pages * static_cast<double>(sysconf(_SC_PAGESIZE))} + stacks;
  limits.memory_is_usual = true;
  return limits;
}

ChildProcess::ChildProcess(const std::function<void(Channel&)>& body, const ChildLimits& limits)
    : limits_(within_own(limits)), hit_(share_limit_hit()), channel_(-1) {
  std::array<int, 2> sockets{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
    fail("open a channel to a child process");
  socket_.reset(sockets[0]);
  OwnedDescriptor child_socket(sockets[1]);
  log_.reset(memfd_create("vtopo-child-log", MFD_CLOEXEC));
  if (log_.get() < 0) fail("open a log for a child process");
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ < 0) fail("start a child process");
  if (pid_ == 0) {
    socket_.reset();
    run_child(child_socket.get(), log_.get(), body, limits_, *hit_);
  }
  channel_ = Channel(socket_.get());
}

int ChildProcess::wait_for_end() {
  int status = 0;
  rusage used{};
  while (wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  usage_ = {seconds(used.ru_utime) + seconds(used.ru_stime),
            std::int64_t{used.ru_maxrss} * 1024};  // getrusage(2): kilobytes
  return status;
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  wait_for_end();
}

const std::string& ChildProcess::end_in_words() {
  if (!end_.empty()) return end_;
  const int status = wait_for_end();
  const bool by_signal = WIFSIGNALED(status);
  if (hit_->load() == LimitHit::time && limits_.time)
    return end_ = fmt::format("takes more than {}, its time limit", format_limit(*limits_.time));
  if (hit_->load() == LimitHit::memory && limits_.memory)
    return end_ = fmt::format("needs more memory than {}, its memory limit",
                              format_bytes(*limits_.memory));
  end_ = by_signal ? fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                                 strsignal(WTERMSIG(status)))
                   : fmt::format("ended with exit code {}", WEXITSTATUS(status));
  if (const std::string words = last_words(log_.get()); !words.empty()) end_ += ": " + words;
  if (limits_.memory && !limits_.memory_is_usual && std::isfinite(limits_.memory->value))
    end_ += fmt::format(" (its memory limit is {})", format_bytes(*limits_.memory));
  return end_;
}

bool ChildProcess::is_over_limit() {
  end_in_words();
  return hit_->load() != LimitHit::none;
}

std::string ChildProcess::log() {
  end_in_words();
  return tail_of(log_.get(), std::size_t{1} << 20);
}

const ChildUsage& ChildProcess::usage() {
  end_in_words();
  return usage_;
}

void ChildProcess::end_now() {
  if (pid_ > 0) kill(pid_, SIGKILL);
}

}  // namespace vtopo
