#include "cli/sweep/sweep_job.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "netmodels/process/limit_keeping.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

constexpr int exit_not_started = 126;

int checked(int result, std::string_view what) {
  if (result == -1) throw SimulationError(fmt::format("cannot {}: {}", what, std::strerror(errno)));
  return result;
}

/// Everything from fork to exec: only calls that are safe between them.
[[noreturn]] void become(char* const* arguments, int output, int errors, Bytes addresses,
                         pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(exit_not_started);
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) std::signal(number, SIG_DFL);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  limit_addresses(addresses);
  execv("/proc/self/exe", arguments);
  _exit(exit_not_started);
}

std::string text_of(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer{};
  off_t offset = 0;
  for (;;) {
    const ssize_t count = pread(descriptor, buffer.data(), buffer.size(), offset);
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    offset += count;
  }
}

std::string last_sentence(const std::string& text) {
  std::string_view last;
  for (const auto line : split(text, '\n'))
    if (!trim(line).empty()) last = trim(line);
  constexpr std::string_view name = "vtopo: ";
  if (last.starts_with(name)) last.remove_prefix(name.size());
  return std::string(last);
}

Seconds seconds_of(const timeval& time) {
  return {static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec)};
}

}  // namespace

SweepJob::SweepJob(const std::vector<std::string>& arguments, const JobLimits& limits)
    : output_(checked(memfd_create("vtopo-out", MFD_CLOEXEC), "make a file in memory")),
      errors_(checked(memfd_create("vtopo-err", MFD_CLOEXEC), "make a file in memory")),
      start_(Clock::now()),
      limit_(limits.time.value < 1e9 ? std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(limits.time.value))
                                     : Clock::duration::max()) {
  std::vector<std::string> words{"vtopo"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  pid_ = checked(fork(), "start a process");
  if (pid_ == 0) become(pointers.data(), output_.get(), errors_.get(), limits.memory, parent);
  setpgid(pid_, pid_);  // whoever comes first
}

SweepJob::~SweepJob() {
  if (pid_ == -1) return;
  end_group();
  while (waitpid(pid_, nullptr, 0) == -1 && errno == EINTR) continue;
}

void SweepJob::end_group() const {
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
}

std::optional<JobEnd> SweepJob::poll() {
  if (Clock::now() - start_ > limit_ && !too_long_) {
    too_long_ = true;
    end_group();
  }
  siginfo_t ended{};
  waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT);
  if (ended.si_pid != pid_) return std::nullopt;
  kill(-pid_, SIGKILL);  // what it left behind, while its number is not free for others
  int status = 0;
  struct rusage usage {};
  wait4(pid_, &status, 0, &usage);
  pid_ = -1;
  return end_of(status, usage);
}

JobEnd SweepJob::end_of(int status, const struct rusage& usage) const {
  JobEnd end;
  end.too_long = too_long_;
  end.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  end.output = text_of(output_.get());
  end.words = last_sentence(text_of(errors_.get()));
  end.wall = {std::chrono::duration<double>(Clock::now() - start_).count()};
  end.cpu = {seconds_of(usage.ru_utime).value + seconds_of(usage.ru_stime).value};
  end.peak = {static_cast<double>(usage.ru_maxrss) * 1024};
  return end;
}

}  // namespace vtopo
