// MPI_Init, MPI_Init_thread and MPI_Finalize: where the overlay joins and leaves the job, and what
// the file of VTOPO_RUN says of the whole run.

#include <simgrid/engine.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"
#include "sim/mpi/topologies/construction.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail::overlay;

namespace {

/// Simulated times, in seconds.
struct Run {
  double begin = std::numeric_limits<double>::infinity();
  std::vector<double> finish;  ///< by rank in MPI_COMM_WORLD
};

Run& run() {
  static Run the_run;
  return the_run;
}

void note_finish(int rank) {
  const auto place = static_cast<std::size_t>(rank);
  if (run().finish.size() <= place) run().finish.resize(place + 1);
  run().finish[place] = simgrid_get_clock();
}

/// Once all processes have left.
void append_line_of_run() {
  std::vector<double> finish = run().finish;
  for (double& time : finish) time -= run().begin;
  append_to_run(
      fmt::format("{{\"schema\":\"vtopo/run/v1\",\"simulated_seconds\":{},\"rank_seconds\":[{}],"
                  "\"topologies\":[{}]}}\n",
                  *std::max_element(finish.begin(), finish.end()), fmt::join(finish, ","),
                  fmt::join(topology_lines(), ",")));
}

/// Joins the job, once: SMPI's MPI_Init_thread calls MPI_Init, which is the one below. Wrong
/// settings end the program before it has computed anything.
void join() {
  if (has_joined()) return;
  const Uncharged own_time;
  try {
    settings();
    machine();
    report_endings();
    check_own_host();
    begin_topologies();
    join_job();
  } catch (const Error& error) {
    end_simulation(2, error.what());
  }
  run().begin = std::min(run().begin, simgrid_get_clock());
}

void leave() {
  if (!has_joined()) return;
  note_finish(world_rank());
  if (!leave_job()) return;
  end_topologies();
  append_line_of_run();
}

}  // namespace

int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) join();
  return answered("MPI_Init", code);
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) join();
  return code;
}

int MPI_Finalize() {
  try {
    leave();
  } catch (const Error& error) {
    end_simulation(2, error.what());
  }
  return answered("MPI_Finalize", PMPI_Finalize());
}
