// How a simulation ends that does not end well: MPI_Abort, a deadlock, a signal. SMPI returns
// success after some of them.

#include "sim/mpi/endings.hpp"

#include <simgrid/actor.h>
#include <unistd.h>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <vector>

#include "sim/mpi/decision/report_line.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/job.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/recording.hpp"
#include "sim/mpi/run_times.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

namespace {

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
void tell_open_ranks(std::string_view ending, const std::vector<int>& ranks,
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
void tell_signal(int number) {
  restore_signals();
  if (number == SIGABRT && !left_early().empty()) {
    tell_open_ranks("unfinished", left_early());
    raise(number);
    return;
  }
  std::array<char, 128> line{};
  const int length = std::snprintf(
      line.data(), line.size(),
      "{\"schema\":\"vtopo/ending/v1\",\"ending\":\"signal\",\"signal\":%d,\"ranks\":[%d]}\n",
      number, rank_of_actor(sg_actor_self_get_pid()));
  append_to_run({line.data(), static_cast<std::size_t>(length)});
  raise(number);
}

void tell_unfinished() {
  if (!joined_ranks().empty()) tell_open_ranks("unfinished", joined_ranks());
}

}  // namespace

bool are_endings_told() {
  static const bool told = !environment("VTOPO_RUN").empty();
  return told;
}

void end_in_deadlock() {
  std::vector<int> waiting = joined_ranks();
  std::erase_if(waiting, has_ended);  // by exit, say
  tell_open_ranks("deadlock", waiting,
                  fmt::format(",\"seconds\":{},\"waits\":[{}]", simgrid::s4u::Engine::get_clock(),
                              open_calls_json(waiting)));
  std::fflush(nullptr);
  _exit(deadlock_code);
}

void end_in_error(std::string_view function, std::string_view error) {
  const int rank = rank_of_actor(sg_actor_self_get_pid());
  if (are_endings_told())
    tell_open_ranks("error", {rank},
                    fmt::format(",\"call\":\"{}\",\"error\":{}", function, json_string(error)));
  else
    fmt::print(stderr, "vtopo: rank {}: {} failed with {}\n", rank, function, error);
  std::fflush(nullptr);
  _exit(aborted_code);
}

void end_in_absence(std::string_view function) {
  const int rank = rank_of_actor(sg_actor_self_get_pid());
  if (are_endings_told())
    tell_open_ranks("absent", {rank}, fmt::format(",\"call\":\"{}\"", function));
  else
    fmt::print(stderr, "vtopo: rank {} called {}, which simulated ranks do not have\n", rank,
               function);
  std::fflush(nullptr);
  _exit(aborted_code);
}

void tell_endings() {
  static bool done = false;
  if (done || !are_endings_told()) return;
  done = true;
  simgrid::s4u::Engine::on_deadlock_cb(end_in_deadlock);
  simgrid::s4u::Actor::on_termination_cb(
      [](const simgrid::s4u::Actor& actor) { note_termination(rank_of_actor(actor.get_pid())); });
  simgrid::s4u::Engine::on_simulation_end_cb(tell_unfinished);
  struct sigaction action {};
  action.sa_handler = tell_signal;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_NODEFER);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < fatal_signals.size(); ++i)
    sigaction(fatal_signals[i], &action, &actions_before()[i]);
}

}  // namespace vtopo::detail::overlay

/// SMPI's own may end the simulation with code 0.
int MPI_Abort(MPI_Comm comm, int errorcode) {
  using namespace vtopo::detail::overlay;
  const int rank = world_rank();
  append_to_run(fmt::format(
      "{{\"schema\":\"vtopo/ending/v1\",\"ending\":\"abort\",\"code\":{},\"ranks\":[{}]}}\n",
      errorcode, rank));
  if (vtopo::detail::overlay::environment("VTOPO_RUN").empty()) return PMPI_Abort(comm, errorcode);
  std::fflush(nullptr);
  _exit(errorcode & 0xff);
}

/// Level 0 leaves what follows out of the recording.
int MPI_Pcontrol(const int level, ...) {
  vtopo::detail::overlay::pause_recording(level == 0);
  return MPI_SUCCESS;
}
