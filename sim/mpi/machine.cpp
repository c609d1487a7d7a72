#include "sim/mpi/machine.hpp"

#include <numeric>

#include "netmodels/machine_file.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/mpi/job.hpp"
#include "sim/mpi/settings.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units_text.hpp"

namespace vtopo::overlay {

namespace {

std::shared_ptr<const Network> load_network() {
  const std::string spec = environment("VTOPO_NETWORK");
  const std::string platform = environment("VTOPO_PLATFORM");
  if (!spec.empty() && !platform.empty())
    throw UsageError("VTOPO_NETWORK and VTOPO_PLATFORM are both set: accepted is one of them");
  RoutingOptions routing;
  if (const std::string rule = environment("VTOPO_ROUTING"); !rule.empty())
    routing.rule = parse_routing(rule);
  NetworkDefaults defaults;
  if (const std::string text = environment("VTOPO_BANDWIDTH"); !text.empty())
    defaults.bandwidth = parse_bandwidth(text);
  if (const std::string text = environment("VTOPO_LATENCY"); !text.empty())
    defaults.latency = parse_seconds(text);
  if (!spec.empty()) return make_network(spec, defaults, routing);
  if (platform.empty()) return nullptr;
  MachineOptions options;
  options.platform.routing = routing.rule;
  options.cables = {defaults.bandwidth, defaults.latency, {}};
  options.routing = routing;
  return load_machine(platform, options);
}

Machine load_machine_of_environment() {
  Machine machine{load_network(), {}};
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

}  // namespace vtopo::overlay
