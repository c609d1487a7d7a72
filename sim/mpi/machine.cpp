#include "sim/mpi/machine.hpp"

#include <numeric>

#include "sim/mpi/decision/network_of_environment.hpp"
#include "sim/mpi/job.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

namespace {

Machine load_machine_of_environment() {
  Machine machine{network_of_environment(), {}};
  if (!machine.network) return machine;
  for (int h = 0; h < machine.network->num_hosts(); ++h)
    machine.hosts.emplace(machine.network->host_name(HostId{h}), HostId{h});
  return machine;
}

}  // namespace

const Machine* machine() {
  static const Machine the_machine = load_machine_of_environment();
  return the_machine.network ? &the_machine : nullptr;
}

std::vector<HostId> hosts_of(MPI_Comm comm, const Machine& machine) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  std::vector<int> world(ranks.size());
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group world_group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  PMPI_Group_translate_ranks(group, size, ranks.data(), world_group, world.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world_group);
  std::vector<HostId> hosts;
  hosts.reserve(world.size());
  for (const int rank : world) {
    const std::string& name = process(rank).host;
    const auto found = machine.hosts.find(name);
    if (found == machine.hosts.end())
      throw InputError(fmt::format("process {} runs on host \"{}\", which {} does not have", rank,
                                   name, machine.network->description()));
    hosts.push_back(found->second);
  }
  return hosts;
}

}  // namespace vtopo::detail::overlay
