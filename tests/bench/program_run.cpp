#include "program_run.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

[[noreturn]] void become(const std::vector<std::string>& words, Seconds limit) {
  const auto most = static_cast<rlim_t>(std::ceil(limit.value));
  const rlimit cpu{most, most};
  setrlimit(RLIMIT_CPU, &cpu);
  dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  _exit(127);
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

std::optional<Seconds> cpu_time_of(const std::vector<std::string>& words, Seconds limit,
                                   const std::string& hint) {
  const pid_t pid = fork();
  if (pid == 0) become(words, limit);
  int status = 0;
  rusage used{};
  if (pid < 0 || wait4(pid, &status, 0, &used) < 0)
    throw InputError(fmt::format("cannot run {}", words.front()));
  if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return std::nullopt;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw InputError(fmt::format("{} failed; {}", join(words, " "), hint));
  return Seconds{seconds(used.ru_utime) + seconds(used.ru_stime)};
}

bool is_on_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const auto folder : split(path == nullptr ? "" : path, ':'))
    if (access(fmt::format("{}/{}", folder, name).c_str(), X_OK) == 0) return true;
  return false;
}
