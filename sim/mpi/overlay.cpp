// What libvtopo_smpi has besides the repairs of SMPI: topologies, and a network that knows which
// hosts are places in one machine.

#include <dlfcn.h>
#include <errno.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/library.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"
#include "sim/mpi/topologies/construction.hpp"
#include "topology/base/environment.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail::overlay {

namespace {

/// The network knows which hosts are places in one machine.
Hardware hardware_of_network() {
  const Machine* const known = machine();
  if (known == nullptr) return {};
  const auto host_of = [known](const std::string& name) -> std::optional<HostId> {
    const auto found = known->hosts.find(name);
    return found == known->hosts.end() ? std::nullopt : std::optional(found->second);
  };
  return {.node_of =
              [known, host_of](const std::string& name) {
                const auto host = host_of(name);
                return host ? known->network->host_place(*host).node : name;
              },
          .distance =
              [known, host_of](const std::string& name, const std::string& other) {
                const auto from = host_of(name), to = host_of(other);
                return from && to ? known->network->hops(*from, *to) : 0;
              }};
}

/// Of most platform files SimGrid computes the routes, in a child process. SimGrid has one engine
/// per process and its forked copies, so the child is made before the simulation has its own.
__attribute__((constructor)) void load_platform_early() {
  if (std::strcmp(program_invocation_short_name, "smpimain") != 0) return;
  if (environment("VTOPO_PLATFORM").empty()) return;
  try {
    machine();
  } catch (const vtopo::Error& error) {
    end_simulation(2, error.what());
  }
}

}  // namespace

void begin_library() {
  settings();
  machine();
  begin_topologies();
  set_hardware(hardware_of_network());
}

void end_library() {
  end_topologies();
}

std::string topologies_json() {
  return fmt::format("{}", fmt::join(topology_lines(), ","));
}

void note_opened(void* handle) {
  if (dlsym(handle, "vtopo_unweighted_is_not_null") != nullptr) is_unweighted_null = false;
}

bool replaces_profiled(std::string_view name) {
  for (const std::string_view beginning : {"MPI_Cart", "MPI_Graph", "MPI_Dist_graph", "MPI_Topo",
                                           "MPI_Dims", "MPI_Neighbor", "MPI_Ineighbor"})
    if (name.starts_with(beginning)) return true;
  return false;
}

}  // namespace vtopo::detail::overlay
