#include "sim/mapping/external/program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include "netmodels/process/child_process.hpp"
#include "topology/base/error.hpp"

namespace vtopo {

namespace {

using Clock = std::chrono::steady_clock;

/// Only what may be called between fork and exec of a program with threads.
[[noreturn]] void execute(char* const* words, int input, int output, int failure) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; ++number) std::signal(number, SIG_DFL);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  execv(words[0], words);
  const int error = errno;
  if (write(failure, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

[[noreturn]] void fail(const std::string& program, int error) {
  throw InputError(fmt::format("\"{}\" cannot be run: {}", program, std::strerror(error)));
}

/// Starts the program; returns when it has become it.
pid_t start(std::span<const std::string> words, const std::string& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const OwnedDescriptor input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const OwnedDescriptor output(open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  int ends[2] = {-1, -1};
  if (input.get() < 0 || output.get() < 0 || pipe2(ends, O_CLOEXEC) != 0) fail(words[0], errno);
  const OwnedDescriptor failure_in(ends[0]);
  OwnedDescriptor failure_out(ends[1]);
  const pid_t pid = fork();
  if (pid < 0) fail(words[0], errno);
  if (pid == 0) execute(arguments.data(), input.get(), output.get(), failure_out.get());
  failure_out.reset();
  int error = 0;
  ssize_t count = 0;
  while ((count = read(failure_in.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (count <= 0) return pid;
  waitpid(pid, nullptr, 0);
  fail(words[0], error);
}

bool has_ended(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

/// Why patience ended before the program did, or an empty string.
std::string wait_for(pid_t pid, const Patience& patience) {
  constexpr std::chrono::milliseconds longest_pause{20};
  std::chrono::milliseconds pause{1};
  while (!has_ended(pid)) {
    if (patience.stop != nullptr && patience.stop->load(std::memory_order_relaxed))
      return "was interrupted";
    if (patience.deadline && Clock::now() >= *patience.deadline)
      return "did not end within the time limit";
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest_pause);
  }
  return {};
}

std::string end_in_words(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

std::optional<std::string> run_program(std::span<const std::string> words, const std::string& log,
                                       const Patience& patience) {
  const pid_t pid = start(words, log);
  const std::string impatience = wait_for(pid, patience);
  kill(-pid, SIGKILL);  // and what it has started
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!impatience.empty()) return impatience;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  return end_in_words(status);
}

}  // namespace vtopo
