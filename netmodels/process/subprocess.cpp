#include "netmodels/process/subprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>

#include "netmodels/process/limit_keeping.hpp"
#include "topology/base/deadline.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// What the guardian of a program reports at its end.
struct GuardedEnd {
  int status = 0;  ///< of the program, as waitpid(2) gives it
  rusage used{};   ///< by it and by its children that it waited for
};

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

/// The life of a guardian: the process between this command and a program, which ends the program
/// and all that descends from it, in other sessions too, once one of both has gone. Nothing that
/// it calls takes a lock: fit for the child of a program with threads.
/// @param channel socket to the command: it sends numbers of signals for the group of the program,
/// and receives a GuardedEnd when nothing of the program is left.
/// @param nowhere descriptor of /dev/null
/// @param failure where the number of the error is written if there is no process for the program
/// @param become turns the process that calls it into the program.
/// @param if_alone words of a program that this process becomes if the command is gone at the end;
/// null: none
[[noreturn]] void guard(int channel, int nowhere, int failure, const std::function<void()>& become,
                        char* const* if_alone) {
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
  if (send(channel, &end, sizeof end, MSG_NOSIGNAL) == sizeof end) _exit(0);
  if (if_alone != nullptr) execv(if_alone[0], if_alone);
  _exit(1);
}

/// The child's side of a fork.
[[noreturn]] void run_and_exit(const std::function<void()>& body) {
  int code = EXIT_SUCCESS;
  try {
    body();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = EXIT_FAILURE;
  }
  std::fflush(nullptr);
  _exit(code);
}

/// Strings as execve(2) takes them.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size());
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// `NAME=value` of this process, changed as the program asks.
std::vector<std::string> environment_of(const Executable& program) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view name = split(*entry, '=').front();
    if (std::none_of(program.environment.begin(), program.environment.end(),
                     [name](const auto& change) { return change.first == name; }))
      result.emplace_back(*entry);
  }
  for (const auto& [name, value] : program.environment)
    if (value) result.push_back(name + '=' + *value);
  return result;
}

/// What is ignored stays so (nohup), but for what this command ignores itself.
void reset_signals() {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_IGN || number == SIGPIPE || number == SIGXFSZ)
      std::signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// What a program is started with, made before the fork.
struct Start {
  char* const* words;
  char* const* environment;
  int nowhere;  ///< /dev/null
  int failure;  ///< where to write why it did not start
};

/// Only what may be called between fork and exec of a program with threads.
[[noreturn]] void become(const Executable& program, const Start& start) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // of its guardian, which nothing else ends before
  reset_signals();
  const auto given = [&](int descriptor) { return descriptor < 0 ? start.nowhere : descriptor; };
  dup2(given(program.input), STDIN_FILENO);
  dup2(given(program.output), STDOUT_FILENO);
  dup2(given(program.errors), STDERR_FILENO);
  if (!program.inherits_descriptors) close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (program.limits.memory) limit_addresses(*program.limits.memory);
  execve(start.words[0], start.words, start.environment);
  const int error = errno;
  if (write(start.failure, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

[[noreturn]] void fail(const Executable& program, int error) {
  if (error == E2BIG) {  // the kernel has a limit for one word (128 KiB) and for all
    const auto longest = std::max_element(
        program.words.begin(), program.words.end(),
        [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
    throw InputError(
        fmt::format("\"{:.40}...\" has {} characters: the system passes no more than "
                    "131071 of them to a program",
                    *longest, longest->size()));
  }
  throw InputError(
      fmt::format("\"{}\" cannot be run: {}", program.words.front(), std::strerror(error)));
}

/// The error number that a program was not started for; 0 once it runs.
int wait_for_start(int failure) {
  int error = 0;
  while (read(failure, &error, sizeof error) < 0 && errno == EINTR) continue;
  return error;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

int ProcessEnd::exit_code() const {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string ProcessEnd::description() const {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

std::string last_words(std::string_view output) {
  std::string_view result;
  for (const auto line : split(output, '\n')) {
    const auto words = trim(line);
    if (words.empty() || words.starts_with("->") || words.find("acktrace") != words.npos ||
        words.starts_with("Traceback"))
      continue;
    if (!result.ends_with(':')) result = words;
  }
  if (result.ends_with(':')) result = result.substr(0, result.rfind(". "));  // announces a list
  return std::string(result);
}

Subprocess::Subprocess(const std::function<void()>& body) {
  std::fflush(nullptr);
  pid_ = fork();
  if (pid_ == 0) run_and_exit(body);
  if (pid_ < 0)
    throw SimulationError(fmt::format("cannot start a child process: {}", std::strerror(errno)));
}

Subprocess::Subprocess(const Executable& program) {
  const auto& time = program.limits.time;
  if (time && time->value < 1e9) deadline_ = time_point_after(start_, *time);
  std::vector<std::string> words = program.words, environment = environment_of(program);
  std::vector<std::string> remove{"/bin/rm", "-rf", "--", program.folder};
  const auto word_pointers = pointers_to(words), environment_pointers = pointers_to(environment);
  const auto remove_pointers = pointers_to(remove);
  const OwnedDescriptor nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  int ends[2] = {-1, -1};
  if (nowhere.get() < 0 || pipe2(ends, O_CLOEXEC) != 0) fail(program, errno);
  const OwnedDescriptor failure_in(ends[0]);
  OwnedDescriptor failure_out(ends[1]);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(program, errno);
  guardian_.reset(ends[0]);
  OwnedDescriptor guardian_side(ends[1]);
  const Start start{word_pointers.data(), environment_pointers.data(), nowhere.get(),
                    failure_out.get()};
  const auto become_it = [&] { become(program, start); };
  std::fflush(nullptr);  // what this command wrote comes first
  pid_ = fork();
  if (pid_ == 0)
    guard(guardian_side.get(), nowhere.get(), failure_out.get(), become_it,
          program.folder.empty() ? nullptr : remove_pointers.data());
  if (pid_ < 0) fail(program, errno);
  failure_out.reset();
  guardian_side.reset();
  if (const int error = wait_for_start(failure_in.get()); error != 0) {
    wait();
    fail(program, error);
  }
}

Subprocess::~Subprocess() {
  signal(SIGKILL);
  wait();
}

bool Subprocess::has_ended() const {
  siginfo_t info{};
  return pid_ < 0 ||
         waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == pid_;
}

void Subprocess::signal(int number) const {
  if (pid_ < 0) return;
  if (guardian_.get() < 0)
    kill(pid_, number);
  else  // it knows whether the number of the group is still the program's
    send(guardian_.get(), &number, sizeof number, MSG_NOSIGNAL | MSG_DONTWAIT);
}

const ProcessEnd& Subprocess::wait() {
  if (pid_ < 0) return end_;
  GuardedEnd end;
  ssize_t received = -1;
  if (guardian_.get() >= 0)
    while ((received = recv(guardian_.get(), &end, sizeof end, MSG_WAITALL)) < 0 && errno == EINTR)
      continue;
  const bool is_reported = received == sizeof end;
  while (wait4(pid_, is_reported ? nullptr : &end.status, 0, is_reported ? nullptr : &end.used) <
             0 &&
         errno == EINTR)
    continue;
  guardian_.reset();
  const rusage& used = end.used;
  end_.status = end.status;
  pid_ = -1;
  end_.wall = {std::chrono::duration<double>(Clock::now() - start_).count()};
  end_.cpu = {seconds_of(used.ru_utime) + seconds_of(used.ru_stime)};
  end_.peak = {static_cast<double>(used.ru_maxrss) * 1024};  // getrusage(2): kilobytes
  return end_;
}

}  // namespace vtopo::detail
