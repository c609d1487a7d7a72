#include "netmodels/child_process.hpp"

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
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "topology/error.hpp"
#include "topology/text.hpp"

namespace vtopo {

namespace {

[[noreturn]] void fail(std::string_view what) {
  throw SimulationError(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

/// Output that matters for a reader: the last line that is more than a separator or a backtrace.
std::string last_words(int log) {
  std::vector<char> buffer(std::size_t{1} << 16);  // backtraces come after the words, and are long
  const off_t size = lseek(log, 0, SEEK_END);
  const off_t start =
      size > static_cast<off_t>(buffer.size()) ? size - static_cast<off_t>(buffer.size()) : 0;
  const ssize_t count = pread(log, buffer.data(), buffer.size(), start);
  if (count <= 0) return {};
  std::string result;
  std::string_view text(buffer.data(), static_cast<std::size_t>(count));
  if (start > 0) text.remove_prefix(std::min(text.find('\n'), text.size()));  // a part of a line
  for (const auto line : split(text, '\n')) {
    const auto words = trim(line);
    if (words.empty() || words.starts_with("->") || words.find("Backtrace") != words.npos) continue;
    result = words;
  }
  return result;
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
[[noreturn]] void run_child(int socket, int log, const std::function<void(Channel&)>& body) {
  for (const int number : {SIGABRT, SIGBUS, SIGFPE, SIGHUP, SIGILL, SIGINT, SIGSEGV, SIGTERM})
    std::signal(number, SIG_DFL);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  Channel channel(socket);
  int code = 0;
  try {
    std::thread(end_with_parent, socket).detach();
    body(channel);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 1;
  }
  std::fflush(nullptr);
  _exit(code);
}

}  // namespace

ChildProcess::ChildProcess(const std::function<void(Channel&)>& body) : channel_(-1) {
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
    run_child(child_socket.get(), log_.get(), body);
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
  end_ = WIFSIGNALED(status) ? fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                                           strsignal(WTERMSIG(status)))
                             : fmt::format("ended with exit code {}", WEXITSTATUS(status));
  if (const std::string words = last_words(log_.get()); !words.empty()) end_ += ": " + words;
  return end_;
}

const ChildUsage& ChildProcess::usage() {
  end_in_words();
  return usage_;
}

void ChildProcess::end_now() {
  if (pid_ > 0) kill(pid_, SIGKILL);
}

}  // namespace vtopo
