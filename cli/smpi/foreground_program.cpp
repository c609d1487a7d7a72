#include "cli/smpi/foreground_program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "netmodels/process/child_process.hpp"
#include "netmodels/process/limit_keeping.hpp"
#include "topology/base/error.hpp"

namespace vtopo {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array forwarded{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr std::chrono::seconds grace{2};

/// While it lives the forwarded signals and those of children wait to be asked for.
class WaitingSignals {
 public:
  WaitingSignals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGCHLD);
    for (const int number : forwarded) {
      struct sigaction action {};
      sigaction(number, nullptr, &action);
      if (action.sa_handler != SIG_IGN) sigaddset(&set_, number);  // nohup stays in force
    }
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  WaitingSignals(const WaitingSignals&) = delete;
  WaitingSignals& operator=(const WaitingSignals&) = delete;
  ~WaitingSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  const sigset_t& mask_before() const { return before_; }

  /// The next one; 0 if none comes in time.
  int next(std::chrono::nanoseconds patience) const {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(patience);
    const timespec time{whole.count(), (patience - whole).count()};
    const int number = sigtimedwait(&set_, nullptr, &time);
    return number > 0 ? number : 0;
  }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

void set_environment(const ForegroundProgram& program) {
  for (const auto& [name, value] : program.environment) {
    if (value)
      setenv(name.c_str(), value->c_str(), 1);
    else
      unsetenv(name.c_str());
  }
}

void redirect(const ForegroundProgram& program) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  if (isatty(STDIN_FILENO)) dup2(nowhere, STDIN_FILENO);  // another group may not read it
  if (program.drops_output) dup2(nowhere, STDOUT_FILENO);
}

[[noreturn]] void become(const ForegroundProgram& program, const sigset_t& mask, int failure) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  if (program.address_space) limit_addresses(*program.address_space);
  set_environment(program);
  redirect(program);
  std::vector<char*> words;
  for (const std::string& word : program.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  const int error = errno;
  if (write(failure, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

[[noreturn]] void fail(const std::string& program, int error) {
  throw InputError(fmt::format("\"{}\" cannot be run: {}", program, std::strerror(error)));
}

/// Starts the program; returns when it has become it.
pid_t start(const ForegroundProgram& program, const sigset_t& mask) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) fail(program.words[0], errno);
  const OwnedDescriptor failure_in(ends[0]);
  OwnedDescriptor failure_out(ends[1]);
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) fail(program.words[0], errno);
  if (pid == 0) become(program, mask, failure_out.get());
  failure_out.reset();
  int error = 0;
  ssize_t count = 0;
  while ((count = read(failure_in.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (count <= 0) return pid;
  waitpid(pid, nullptr, 0);
  fail(program.words[0], error);
}

bool has_ended(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid;
}

/// Waits, passes signals on and keeps the limit.
void attend(pid_t pid, const ForegroundProgram& program, const WaitingSignals& signals,
            ForegroundEnd& end) {
  const auto start = Clock::now();
  const auto duration = [](Seconds time) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time.value));
  };
  std::optional<Clock::time_point> deadline, last;
  if (program.limit && program.limit->value < 1e9) deadline = start + duration(*program.limit);
  while (!has_ended(pid)) {
    const auto now = Clock::now();
    if (last && now >= *last) kill(-pid, SIGKILL);
    if (!last && deadline && now >= *deadline) {
      end.limit_hit = true;
      kill(-pid, SIGTERM);
      last = now + grace;
    }
    std::chrono::nanoseconds patience = std::chrono::seconds{1};
    for (const auto& time : {deadline, last})
      if (time && *time > now) patience = std::min<std::chrono::nanoseconds>(patience, *time - now);
    const int number = signals.next(patience);
    if (number == 0 || number == SIGCHLD) continue;
    kill(-pid, number);
    if (number == SIGUSR1 || number == SIGUSR2) continue;
    end.interrupted = number;
    if (!last) last = Clock::now() + grace;
  }
  end.wall = Seconds{std::chrono::duration<double>(Clock::now() - start).count()};
}

}  // namespace

ForegroundEnd run_in_foreground(const ForegroundProgram& program) {
  const WaitingSignals signals;
  const pid_t pid = start(program, signals.mask_before());
  ForegroundEnd end;
  attend(pid, program, signals, end);
  kill(-pid, SIGKILL);  // what it has left behind
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

}  // namespace vtopo
