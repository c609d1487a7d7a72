#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>

#include "cli/command/command_line.hpp"
#include "cli/output/console.hpp"
#include "cli/output/output.hpp"
#include "netmodels/platform/lint/look_alikes.hpp"
#include "netmodels/process/child_process.hpp"
#include "netmodels/process/temporary_files.hpp"
#include "sim/clock/simulate.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace {

using namespace vtopo;
using namespace vtopo::detail;

/// Exit codes of the command; 0 is success.
enum ExitCode { internal = 1, usage = 2, bad_input = 3, no_fit = 4 };

/// A sentence that quotes a long word from an input shows its beginning.
std::string shortened(std::string_view sentence) {
  constexpr std::size_t longest_word = 300, shown = 60;
  std::string result;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find_first_of(" \n"), sentence.size() - 1) + 1;
    std::string_view word = sentence.substr(0, end);
    if (word.size() > longest_word) {
      const std::string_view behind = word.substr(word.find_last_not_of(":;, \n") + 1);
      word.remove_suffix(behind.size());
      result += fmt::format("{}...{} ({} characters){}", word.substr(0, shown),
                            word.substr(word.size() - std::min(word.size(), shown / 4)),
                            word.size(), behind);
    } else {
      result += word;
    }
    sentence.remove_prefix(end);
  }
  return result;
}

int complain(int code, std::string_view sentence) {
  say(shortened(sentence) + look_alike_note(sentence));
  return code;
}

/// Keeps what the simulator wrote, if that is more than the error says, in a file for temporary
/// ones, and names it.
void keep_log(const LoggedSimulationError& error) {
  const std::string_view text = trim(error.log());
  if (std::string_view(error.what()).find(text) != std::string_view::npos) return;
  std::error_code none;
  std::string path =
      (std::filesystem::temp_directory_path(none) / "vtopo-simgrid-XXXXXX.log").string();
  const int descriptor = none ? -1 : mkstemps(path.data(), 4);
  if (descriptor == -1) return;
  const bool whole = write(descriptor, error.log().data(), error.log().size()) ==
                     static_cast<ssize_t>(error.log().size());
  close(descriptor);
  if (whole) return say(fmt::format("the log of SimGrid is \"{}\"", path));
  unlink(path.c_str());
}

/// Closed standard descriptors would be given to files and sockets that are opened later. Standard
/// output is opened for reading only, so that writing to it is still an error.
void open_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) == -1)
      open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

bool shows_progress = false;  // read by the signal handler

/// Takes temporary files off the disk and a progress bar off the terminal before a signal ends the
/// command.
void clean_up_and_end(int signal_number) {
  constexpr std::string_view erase_line = "\r\x1b[K";
  remove_temporary_files();
  if (shows_progress && write(STDERR_FILENO, erase_line.data(), erase_line.size()) < 0)
    _exit(internal);
  std::signal(signal_number, SIG_DFL);
  raise(signal_number);
}

void set_signals() {
  std::signal(SIGCHLD, SIG_DFL);  // ends of children would be lost if the caller ignored them
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of write()
  shows_progress = is_capable_terminal(STDERR_FILENO);
  for (const int number : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(number, clean_up_and_end) == SIG_IGN)
      std::signal(number, SIG_IGN);  // nohup stays in force
}

/// With less the command would end by SIGSEGV somewhere. The limit is raised where it may be.
/// @throws UsageError if it may not.
void check_stack_limit() {
  constexpr rlim_t least = rlim_t{256} << 10;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) return;
  const rlim_t given = limit.rlim_cur;
  limit.rlim_cur = std::min(limit.rlim_max, rlim_t{8} << 20);
  if (limit.rlim_cur < least || setrlimit(RLIMIT_STACK, &limit) != 0)
    throw UsageError(fmt::format(
        "the limit of stacks is {} KiB (ulimit -s): accepted are 256 KiB and more", given >> 10));
  pthread_attr_t threads;  // they would have the limit that was there when the process started
  pthread_attr_init(&threads);
  pthread_attr_setstacksize(&threads, limit.rlim_cur);
  pthread_setattr_default_np(&threads);
  pthread_attr_destroy(&threads);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors();
  set_signals();
  try {
    check_stack_limit();
    return run_command(whole_command(), {argv + 1, argv + argc});
  } catch (const UsageError& error) {
    return complain(usage, error.what());
  } catch (const InputError& error) {
    return complain(bad_input, error.what());
  } catch (const FitError& error) {
    return complain(no_fit, error.what());
  } catch (const LoggedSimulationError& error) {
    keep_log(error);
    return complain(internal, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    return complain(bad_input,
                    fmt::format("\"{}\": {}", error.path1().string(), error.code().message()));
  } catch (const std::bad_alloc&) {
    return complain(bad_input, "there is not enough memory for a problem of this size");
  } catch (const std::exception& error) {
    return complain(internal, error.what());
  }
}
