// Questions that do not block: tests, probes, and the time. MPI_Probe asks again and again until
// the message is there, so the clock of a simulation in which it never comes goes on forever, and
// SimGrid sees no deadlock. In SMPI each call of MPI_Wtime takes 10 ns: a program that waits for a
// time of day would ask a hundred million times per second. Such a loop is recognised and its steps
// grow.

#include "sim/mpi/smpi_repairs/polls.hpp"

#include <simgrid/engine.h>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
#include <xbt/config.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/open_calls.hpp"

namespace vtopo::detail::overlay {

namespace {

constexpr double shortest = 1e-7;   ///< seconds
constexpr double exact_for = 1e-3;  ///< seconds of questions that all take that
constexpr double growth = 0.01;     ///< of the time waited
constexpr double given_up = 1e6;    ///< seconds

/// Seconds that a loop which only asks may take for itself where the program's computation counts.
constexpr double longest_pause = 2e-6;

/// What a process has waited by questions in a row.
struct Wait {
  double seconds = 0;
  double until = 0;  ///< end of the last question
};

Wait& wait_of(int rank) {
  static std::map<int, Wait> of_rank;
  return of_rank[rank];
}

/// Takes SMPI's own time of a question out, unless the user has set it.
bool take_over() {
  const auto options = {"smpi/test", "smpi/iprobe"};
  if (!std::all_of(options.begin(), options.end(), simgrid::config::is_default)) return false;
  for (const char* option : options) simgrid::config::set_value(option, 0.0);
  return true;
}

[[noreturn]] void end_in_vain(int rank, std::string_view name) {
  const InCall call({.name = name});
  if (are_endings_reported()) end_in_deadlock();
  const std::string sentence =
      fmt::format("rank {} has asked by {} for {} simulated seconds for what never comes", rank,
                  name, given_up);
  end_simulation(1, sentence.c_str());
}

constexpr const char* probe_name = "MPI_Probe";

/// Simulated time without any change after which nothing is still on its way: latencies are far
/// below.
constexpr double quiet_seconds = 1000;

/// Looks whether anything still happens while a process asks for a message.
class Quiet {
 public:
  /// To be called between two questions.
  bool has_lasted() {
    const double now = simgrid_get_clock();
    const bool changed = num_call_changes() != changes_;
    if (!changed && now - since_ < quiet_seconds) return false;
    changes_ = num_call_changes();
    since_ = now;
    return !changed && all_are_stuck() && !is_any_link_used() && !is_any_host_computing();
  }

 private:
  static bool is_any_link_used() {
    const auto links = simgrid::s4u::Engine::get_instance()->get_all_links();
    return std::any_of(links.begin(), links.end(),
                       [](const simgrid::s4u::Link* link) { return link->is_used(); });
  }

  /// Operations of a reduction, say. Who asks for a message computes, too, as SMPI has it.
  static bool is_any_host_computing() {
    const auto actors = simgrid::s4u::Engine::get_instance()->get_all_actors();
    return std::any_of(actors.begin(), actors.end(), [](const simgrid::s4u::ActorPtr& actor) {
      return actor->get_host()->get_load() > 0 &&
             !is_in_call(rank_of_actor(actor->get_pid()), probe_name);
    });
  }

  std::uint64_t changes_ = num_call_changes();
  double since_ = simgrid_get_clock();
};

using Clock = std::chrono::steady_clock;

/// What a process has asked for the time lately.
struct Asked {
  const void* caller = nullptr;
  Clock::time_point returned{};  ///< of the machine that simulates
  double first = 0;              ///< simulated
  int times = 0;                 ///< without a pause
};

constexpr auto loop_pause = std::chrono::microseconds(2);  ///< a loop that computes takes longer
constexpr int many_times = 1000;
constexpr double longest_step = 1e-3;

Asked& asked_here() {
  static std::map<int, Asked> of_rank;
  return of_rank[rank_of_this_actor()];
}

/// The time, asked by the code at that place.
double time_for(const void* caller) {
  const Clock::time_point asked = Clock::now();
  const double now = PMPI_Wtime();
  if (!simgrid::s4u::Actor::is_maestro() && rank_of_this_actor() >= 0) {
    const Asked before = asked_here();
    const bool again = before.caller == caller && asked - before.returned < loop_pause;
    Asked next{caller, {}, again ? before.first : now, again ? before.times + 1 : 0};
    if (next.times > many_times) {
      const Uncharged own_time;
      simgrid::s4u::this_actor::sleep_for(std::min(growth * (now - next.first), longest_step));
    }
    next.returned = Clock::now();
    asked_here() = next;
  }
  return now;
}

}  // namespace

void pass_time_of_poll(std::string_view name) {
  static const bool is_taken_over = take_over();
  const int rank = rank_of_this_actor();
  if (!is_taken_over || rank < 0) return;
  const Uncharged own_time;
  Wait& wait = wait_of(rank);
  const double pause = simgrid_get_clock() - wait.until;
  if (pause > std::max(longest_pause, growth * wait.seconds)) wait.seconds = 0;
  if (wait.seconds > given_up) end_in_vain(rank, name);
  const double step = wait.seconds < exact_for ? shortest : growth * wait.seconds;
  simgrid::s4u::this_actor::sleep_for(step);
  wait.seconds += step;
  wait.until = simgrid_get_clock();
}

void end_polls() {
  wait_of(rank_of_this_actor()).seconds = 0;
}

}  // namespace vtopo::detail::overlay

using namespace vtopo::detail::overlay;

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  const InCall call({.name = probe_name, .comm = comm, .source = {source, tag}});
  if (source == MPI_PROC_NULL) return call.result(PMPI_Probe(source, tag, comm, status));
  Quiet quiet;
  for (int there = 0;;) {
    const int code = polled(&there, [&] { return PMPI_Iprobe(source, tag, comm, &there, status); });
    if (code != MPI_SUCCESS || there != 0) return call.result(code);
    if (are_endings_reported() && quiet.has_lasted()) end_in_deadlock();
  }
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  const int code = polled(flag, [&] { return PMPI_Iprobe(source, tag, comm, flag, status); });
  return answered("MPI_Iprobe", code, comm);
}

double MPI_Wtime() {
  return time_for(__builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) double mpi_wtime_() {
  return time_for(__builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"), alias("mpi_wtime_"))) double pmpi_wtime_();

extern "C" __attribute__((visibility("default"))) double pmpi_wtick_() {
  return PMPI_Wtick();
}
