// Errors of functions of MPI, and how a simulation ends that does not end well: MPI_Abort, an
// error, a deadlock, a signal. SMPI returns success after some of them.

#include <fcntl.h>
#include <unistd.h>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "sim/mpi/smpi_repairs/environment.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"
#include "sim/mpi/smpi_repairs/smpi.hpp"

namespace vtopo::detail::overlay {

namespace {

/// Gives an error to a handler, one of SMPI's functions calls those of the program; false if it is
/// fatal. The predefined handlers are treated here: SMPI crashes when asked to call them.
template <class Owner>
bool handled(Owner owner, MPI_Errhandler handler, int (*call)(Owner, int), int code) {
  if (handler == MPI_ERRORS_RETURN) return true;
  if (handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRHANDLER_NULL) return false;
  call(owner, code);
  PMPI_Errhandler_free(&handler);
  return true;
}

bool handled(MPI_Comm comm, int code) {
  if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  return handled(comm, handler, PMPI_Comm_call_errhandler, code);
}

bool handled(MPI_Win window, int code) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (window != MPI_WIN_NULL) PMPI_Win_get_errhandler(window, &handler);
  return handled(window, handler, PMPI_Win_call_errhandler, code);
}

std::string text_of(int code) {
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0;
  PMPI_Error_string(code, text.data(), &length);
  if (length == 0) return fmt::format("error code {}", code);
  return {text.data(), static_cast<std::size_t>(length)};
}

constexpr std::array fatal_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int deadlock_code = 1;
constexpr int aborted_code = 128 + SIGABRT;  // SMPI aborts

std::array<struct sigaction, fatal_signals.size()>& actions_before() {
  static std::array<struct sigaction, fatal_signals.size()> actions{};
  return actions;
}

void restore_signals() {
  for (std::size_t i = 0; i < fatal_signals.size(); ++i)
    sigaction(fatal_signals[i], &actions_before()[i], nullptr);
}

/// A line with ranks that it is about, most often those that have not come to MPI_Finalize.
void report_open_ranks(std::string_view ending, const std::vector<int>& ranks,
                       std::string_view more = "") {
  append_to_run(
      fmt::format("{{\"schema\":\"vtopo/ending/v1\",\"ending\":\"{}\",\"ranks\":[{}]{}}}\n", ending,
                  fmt::join(ranks, ","), more));
}

/// Ranks that ended between MPI_Init and MPI_Finalize, so far.
std::vector<int>& left_early() {
  static std::vector<int> ranks;
  return ranks;
}

void note_termination(int rank) {
  note_end(rank);
  if (has_joined(rank)) left_early().push_back(rank);
}

/// Reports which process it was and leaves the rest to the handler before. SMPI aborts in a process
/// that sends to one that is gone: then that one is reported.
void report_signal(int number) {
  restore_signals();
  if (number == SIGABRT && !left_early().empty()) {
    report_open_ranks("unfinished", left_early());
    raise(number);
    return;
  }
  std::array<char, 128> line{};
  const int length = std::snprintf(
      line.data(), line.size(),
      "{\"schema\":\"vtopo/ending/v1\",\"ending\":\"signal\",\"signal\":%d,\"ranks\":[%d]}\n",
      number, rank_of_this_actor());
  append_to_run({line.data(), static_cast<std::size_t>(length)});
  raise(number);
}

void report_unfinished() {
  if (!joined_ranks().empty()) report_open_ranks("unfinished", joined_ranks());
}

/// Ends the simulation by a call of the current process, with the exit code of SMPI's own end.
/// @param more of the line in the file of VTOPO_RUN; where none is set, the sentence goes to
/// stderr.
[[noreturn]] void end_by_call(std::string_view ending, const std::string& more,
                              const std::string& sentence) {
  const int rank = rank_of_this_actor();
  if (are_endings_reported())
    report_open_ranks(ending, {rank}, more);
  else
    fmt::print(stderr, "vtopo: rank {}{}\n", rank, sentence);
  std::fflush(nullptr);
  _exit(aborted_code);
}

/// A function of MPI failed with that error, which is fatal.
[[noreturn]] void end_in_error(std::string_view function, std::string_view error) {
  end_by_call("error", fmt::format(",\"call\":\"{}\",\"error\":{}", function, json_string(error)),
              fmt::format(": {} failed with {}", function, error));
}

}  // namespace

bool are_endings_reported() {
  static const bool reported = !environment("VTOPO_RUN").empty();
  return reported;
}

void append_to_run(std::string_view line) noexcept {
  static const std::string path = environment("VTOPO_RUN");
  if (path.empty()) return;
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  [[maybe_unused]] const auto written = write(file, line.data(), line.size());
  close(file);
}

void end_simulation(int code, const char* sentence) {
  std::fprintf(stderr, "vtopo: %s\n", sentence);
  std::fflush(nullptr);
  _exit(code);
}

void end_in_absence(std::string_view function) {
  end_by_call("absent", fmt::format(",\"call\":\"{}\"", function),
              fmt::format(" called {}, which simulated ranks do not have", function));
}

int raise_error(std::string_view function, MPI_Comm comm, int code, std::string_view sentence) {
  if (!handled(comm, code)) end_in_error(function, fmt::format("{} ({})", text_of(code), sentence));
  return code;
}

int answered(std::string_view name, int code, MPI_Comm comm) {
  if (code != MPI_SUCCESS && !handled(comm, code)) end_in_error(name, text_of(code));
  return code;
}

int answered(std::string_view name, int code, MPI_Win window) {
  if (code != MPI_SUCCESS && !handled(window, code)) end_in_error(name, text_of(code));
  return code;
}

void inherit_error_handler(MPI_Comm from, MPI_Comm to) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(from, &handler);
  if (handler == MPI_ERRHANDLER_NULL) return;
  PMPI_Comm_set_errhandler(to, handler);
  if (handler != MPI_ERRORS_RETURN && handler != MPI_ERRORS_ARE_FATAL)
    PMPI_Errhandler_free(&handler);
}

void end_in_deadlock() {
  std::vector<int> waiting = joined_ranks();
  std::erase_if(waiting, has_ended);  // by exit, say
  report_open_ranks("deadlock", waiting,
                    fmt::format(",\"seconds\":{},\"waits\":[{}]", simgrid::s4u::Engine::get_clock(),
                                open_calls_json(waiting)));
  std::fflush(nullptr);
  _exit(deadlock_code);
}

void report_endings() {
  static bool done = false;
  if (done || !are_endings_reported()) return;
  done = true;
  simgrid::s4u::Engine::on_deadlock_cb(end_in_deadlock);
  simgrid::s4u::Actor::on_termination_cb(
      [](const simgrid::s4u::Actor& actor) { note_termination(rank_of_actor(actor.get_pid())); });
  simgrid::s4u::Engine::on_simulation_end_cb(report_unfinished);
  struct sigaction action {};
  action.sa_handler = report_signal;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_NODEFER);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < fatal_signals.size(); ++i)
    sigaction(fatal_signals[i], &action, &actions_before()[i]);
}

}  // namespace vtopo::detail::overlay

using namespace vtopo::detail::overlay;

/// SMPI's own end by a signal where the handler is a predefined one.
int MPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  if (!handled(comm, errorcode)) end_in_error("MPI_Comm_call_errhandler", text_of(errorcode));
  return MPI_SUCCESS;
}

int MPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  if (!handled(win, errorcode)) end_in_error("MPI_Win_call_errhandler", text_of(errorcode));
  return MPI_SUCCESS;
}

/// SMPI's own may end the simulation with code 0.
int MPI_Abort(MPI_Comm comm, int errorcode) {
  const int rank = world_rank();
  append_to_run(fmt::format(
      "{{\"schema\":\"vtopo/ending/v1\",\"ending\":\"abort\",\"code\":{},\"ranks\":[{}]}}\n",
      errorcode, rank));
  if (!are_endings_reported()) return PMPI_Abort(comm, errorcode);
  std::fflush(nullptr);
  _exit(errorcode & 0xff);
}

/// Level 0 leaves what follows out of the recording.
int MPI_Pcontrol(const int level, ...) {
  pause_recording(level == 0);
  return MPI_SUCCESS;
}

// Functions of MPI that neither SMPI nor the overlay has; SMPI's own abort the simulation.
// Never called with arguments, so their types do not matter; the names are those of the headers.
#define VTOPO_ABSENT(name)                                                                     \
  extern "C" __attribute__((visibility("default"))) void vtopo_absent_##name() __asm__(#name); \
  void vtopo_absent_##name() {                                                                 \
    end_in_absence(#name);                                                                     \
  }

VTOPO_ABSENT(MPI_Close_port)
VTOPO_ABSENT(MPI_Comm_accept)
VTOPO_ABSENT(MPI_Comm_connect)
VTOPO_ABSENT(MPI_Comm_join)
VTOPO_ABSENT(MPI_Comm_spawn)
VTOPO_ABSENT(MPI_Comm_spawn_multiple)
VTOPO_ABSENT(MPI_Lookup_name)
VTOPO_ABSENT(MPI_Open_port)
VTOPO_ABSENT(MPI_Publish_name)
VTOPO_ABSENT(MPI_Register_datarep)
VTOPO_ABSENT(MPI_Unpublish_name)
VTOPO_ABSENT(MPI_Win_test)
