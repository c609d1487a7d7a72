#include "netmodels/process/guardian.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>

namespace vtopo::detail {

namespace {

/// Blocks all signals: those of the terminal are for the program, which the command passes them.
void block_signals() {
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
}

/// Becomes readable when a child ends.
int ends_of_children() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/// What the program's files and pipes are must not depend on who guards it.
void keep_only(int one, int other, int nowhere) {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, standard);
  const auto first = static_cast<unsigned>(std::min(one, other));
  const auto second = static_cast<unsigned>(std::max(one, other));
  if (first > 3) close_range(3, first - 1, 0);
  if (second > first + 1) close_range(first + 1, second - 1, 0);
  close_range(second + 1, ~0U, 0);
}

/// Takes the ends of orphans of the program; whether it has ended itself, which stays to be taken.
bool has_program_ended(pid_t program) {
  for (;;) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD;
    if (info.si_pid == 0) return false;
    if (info.si_pid == program) return true;
    waitpid(info.si_pid, nullptr, 0);
  }
}

/// Until the program has ended or the command is gone.
void watch(int channel, int ends, pid_t program) {
  std::array<pollfd, 2> polled{{{channel, POLLIN, 0}, {ends, POLLIN, 0}}};
  for (;;) {
    if (poll(polled.data(), polled.size(), -1) < 0) continue;
    int number = 0;
    if (polled[0].revents != 0) {
      if (recv(channel, &number, sizeof number, MSG_WAITALL) != sizeof number) return;
      kill(-program, number);
    }
    signalfd_siginfo ended{};
    while (read(ends, &ended, sizeof ended) > 0) continue;
    if (has_program_ended(program)) return;
  }
}

/// Kills the children that this process has by now; false if there are none, or none are known.
bool kill_children() {
  std::array<char, 4096> text{};
  const int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
  const ssize_t size = list < 0 ? 0 : read(list, text.data(), text.size());
  close(list);
  pid_t child = 0;
  for (ssize_t i = 0; i < size; ++i) {  // "12 345 "
    const char letter = text[static_cast<std::size_t>(i)];
    if (letter >= '0' && letter <= '9') {
      child = 10 * child + (letter - '0');
    } else if (child > 0) {
      kill(child, SIGKILL);
      child = 0;
    }
  }
  return size > 0;
}

/// Ends all that descends from the program: children of those that end become this process's own.
void end_descendants() {
  constexpr int max_rounds = 5000;  // of a millisecond: another user's processes do not end
  for (int round = 0; round < max_rounds && kill_children(); ++round) {
    const timespec pause{0, 1'000'000};
    while (waitpid(-1, nullptr, WNOHANG) > 0) continue;
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

void guard(int channel, int nowhere, int failure, const std::function<void()>& become) {
  setpgid(0, 0);
  block_signals();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int ends = ends_of_children();
  const pid_t program = ends < 0 ? -1 : _Fork();
  if (program == 0) become();
  if (program < 0) {
    const int error = errno;
    _exit(write(failure, &error, sizeof error) < 0 ? 126 : 127);
  }
  setpgid(program, program);
  keep_only(channel, ends, nowhere);
  watch(channel, ends, program);
  GuardedEnd end;
  kill(-program, SIGKILL);
  kill(program, SIGKILL);  // of no group yet if the command died meanwhile
  while (wait4(program, &end.status, 0, &end.used) < 0 && errno == EINTR) continue;
  end_descendants();
  _exit(send(channel, &end, sizeof end, MSG_NOSIGNAL) == sizeof end ? 0 : 1);
}

}  // namespace vtopo::detail
