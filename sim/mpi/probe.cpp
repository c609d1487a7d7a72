// MPI_Probe asks again and again until the message is there, so the clock of a simulation in
// which it never comes goes on forever, and SimGrid sees no deadlock.

#include <simgrid/engine.h>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>

#include <algorithm>

#include "sim/mpi/endings.hpp"
#include "sim/mpi/errors.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/polls.hpp"
#include "sim/mpi/recording.hpp"

using namespace vtopo::detail::overlay;

namespace {

constexpr const char* own_name = "MPI_Probe";

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
             !is_in_call(rank_of_actor(actor->get_pid()), own_name);
    });
  }

  std::uint64_t changes_ = num_call_changes();
  double since_ = simgrid_get_clock();
};

}  // namespace

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  const InCall call({.name = own_name, .comm = comm, .source = {source, tag}});
  if (source == MPI_PROC_NULL) return call.result(PMPI_Probe(source, tag, comm, status));
  Quiet quiet;
  for (int there = 0;;) {
    const int code = polled(&there, [&] { return PMPI_Iprobe(source, tag, comm, &there, status); });
    if (code != MPI_SUCCESS || there != 0) return call.result(code);
    if (are_endings_told() && quiet.has_lasted()) end_in_deadlock();
  }
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  const int code = polled(flag, [&] { return PMPI_Iprobe(source, tag, comm, flag, status); });
  return answered("MPI_Iprobe", code, comm);
}
