#include "sim/mpi/job.hpp"

#include <simgrid/host.h>

#include <limits>
#include <vector>

#include "sim/mpi/attached_topology.hpp"
#include "topology/error.hpp"

namespace vtopo::overlay {

namespace {

/// The one state of the overlay: SMPI runs all processes in one address space, one at a time.
struct Job {
  std::vector<Process> processes;  ///< by rank in MPI_COMM_WORLD
  int num_joined = 0;
  int key = MPI_KEYVAL_INVALID;
  int next_tag = 0;
};

Job& job() {
  static Job the_job;
  return the_job;
}

}  // namespace

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void join_job() {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (job().key == MPI_KEYVAL_INVALID)
    PMPI_Comm_create_keyval(copy_attached, delete_attached, &job().key, nullptr);
  job().processes.resize(static_cast<std::size_t>(size));
  MPI_Comm messages = MPI_COMM_NULL;
  smpi([&] { return PMPI_Comm_dup(MPI_COMM_WORLD, &messages); });
  PMPI_Comm_set_errhandler(messages, MPI_ERRORS_RETURN);
  job().processes[static_cast<std::size_t>(world_rank())] = {messages, sg_host_self_get_name()};
  ++job().num_joined;
  smpi([&] {
    return PMPI_Barrier(messages);
  });  // from here on, every process knows the host of every other
}

void leave_job() {
  Process& leaving = job().processes[static_cast<std::size_t>(world_rank())];
  if (leaving.messages == MPI_COMM_NULL) return;
  PMPI_Comm_free(&leaving.messages);
  leaving.messages = MPI_COMM_NULL;
  if (--job().num_joined == 0) PMPI_Comm_free_keyval(&job().key);
}

const Process& process(int world_rank) {
  const auto place = static_cast<std::size_t>(world_rank);
  // Who has left may still be asked for: others map onto its host.
  if (place >= job().processes.size() || job().processes[place].host.empty())
    throw UsageError(
        fmt::format("process {} has not called MPI_Init under the overlay: link or preload it "
                    "before SMPI's library",
                    world_rank));
  return job().processes[place];
}

const Process& this_process() {
  return process(world_rank());
}

int topology_key() {
  return job().key;
}

int reserve_tags(int count) {
  if (job().next_tag > std::numeric_limits<int>::max() - count) job().next_tag = 0;
  const int first = job().next_tag;
  job().next_tag += count;
  return first;
}

}  // namespace vtopo::overlay
