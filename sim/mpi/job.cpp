#include "sim/mpi/job.hpp"

#include <simgrid/host.h>
#include <simgrid/s4u/Barrier.hpp>
#include <simgrid/s4u/Host.hpp>

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <vector>

#include "sim/mpi/attached_topology.hpp"
#include "sim/mpi/open_calls.hpp"
#include "sim/mpi/recording.hpp"
#include "sim/mpi/run_times.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

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

/// Lets all processes go on at one simulated time, as they leave MPI_Init in SMPI. After a barrier
/// of messages they would not: equal steps would then be many events, which take several times
/// longer to simulate.
void meet(int size) {
  static const auto all = simgrid::s4u::Barrier::create(static_cast<unsigned>(size));
  smpi([] {
    all->wait();
    return MPI_SUCCESS;
  });
}

}  // namespace

int world_rank() {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

void check_own_host() {
  static std::unordered_set<sg_host_t> hosts;
  const sg_host_t host = sg_host_self();
  if (hosts.insert(host).second) return;  // the first process there
  std::vector<simgrid::s4u::Link*> links;
  double latency = 0;
  host->route_to(host, links, &latency);
  if (links.empty())
    throw InputError(fmt::format(
        "several processes run on host \"{}\", from which the platform has no way to itself: "
        "accepted are platforms with loopback links (loopback_bw and loopback_lat of a cluster, or "
        "a route with this host as source and destination)",
        host->get_name()));
}

void join_job() {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (job().key == MPI_KEYVAL_INVALID)
    PMPI_Comm_create_keyval(copy_attached, delete_attached, &job().key, nullptr);
  job().processes.resize(static_cast<std::size_t>(size));
  MPI_Comm messages = MPI_COMM_NULL;
  note_process(size);
  note_job(size);
  smpi([&] { return PMPI_Comm_dup(MPI_COMM_WORLD, &messages); });
  PMPI_Comm_set_errhandler(messages, MPI_ERRORS_RETURN);
  job().processes[static_cast<std::size_t>(world_rank())] = {messages, sg_host_self_get_name()};
  ++job().num_joined;
  meet(size);  // from here on, every process knows the host of every other
  begin_recording();
  begin_run();
}

bool has_joined() {
  const auto place = static_cast<std::size_t>(world_rank());
  return place < job().processes.size() && job().processes[place].messages != MPI_COMM_NULL;
}

void leave_job() {
  if (!has_joined()) return;
  Process& leaving = job().processes[static_cast<std::size_t>(world_rank())];
  end_recording();
  end_run();
  PMPI_Comm_free(&leaving.messages);
  leaving.messages = MPI_COMM_NULL;
  if (--job().num_joined > 0) return;
  PMPI_Comm_free_keyval(&job().key);
  write_recording();
  write_run();
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

int first_rank_on_own_host() {
  const auto& all = job().processes;
  const std::string& own = this_process().host;
  const auto first =
      std::find_if(all.begin(), all.end(), [&](const Process& one) { return one.host == own; });
  return static_cast<int>(first - all.begin());
}

bool carries_neighbour_messages(MPI_Comm comm) {
  const auto place = static_cast<std::size_t>(world_rank());
  return place < job().processes.size() && job().processes[place].messages == comm;
}

bool has_joined(int rank) {
  const auto& processes = job().processes;
  const auto r = static_cast<std::size_t>(rank);  // of no process: too large
  return r < processes.size() && processes[r].messages != MPI_COMM_NULL;
}

std::vector<int> joined_ranks() {
  std::vector<int> ranks;
  for (int r = 0; r < static_cast<int>(job().processes.size()); ++r)
    if (has_joined(r)) ranks.push_back(r);
  return ranks;
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

}  // namespace vtopo::detail::overlay
