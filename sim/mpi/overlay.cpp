// What libvtopo_smpi has besides the repairs of SMPI: topologies, and a network that knows which
// hosts are places in one machine.

#include <dlfcn.h>
#include <errno.h>
#include <simgrid/s4u/Engine.hpp>
#include <xbt/config.hpp>

#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/clock/simgrid/simgrid_zone.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/smpi_repairs/environment.hpp"
#include "sim/mpi/smpi_repairs/job.hpp"
#include "sim/mpi/smpi_repairs/library.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"
#include "sim/mpi/topologies/construction.hpp"
#include "topology/base/error.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/units.hpp"

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

/// Those that SMPI's host file names, ascending; all without one.
std::vector<HostId> hosts_of_job(const Machine& known) {
  std::vector<bool> named(known.hosts.size());
  const auto path = simgrid::config::get_value<std::string>("smpi/hostfile");
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::string name = line.substr(0, line.find_first_of(": \t\r"));  // host:slots
    if (name.empty()) continue;
    const auto found = known.hosts.find(name);
    if (found == known.hosts.end())
      throw InputError(fmt::format("{}: host \"{}\", which {} does not have", path, name,
                                   known.network->description()));
    named[index(found->second)] = true;
  }
  std::vector<HostId> hosts;
  for (int h = 0; h < known.network->num_hosts(); ++h)
    if (path.empty() || named[index(HostId{h})]) hosts.push_back(HostId{h});
  return hosts;
}

/// The links of a network, or only those between some of its hosts where these have few routes.
std::vector<LinkId> links_between(const Network& network, const std::vector<HostId>& hosts) {
  std::vector<bool> used(
      static_cast<std::size_t>(network.num_links()),
      hosts.size() * hosts.size() > static_cast<std::size_t>(network.num_links()));
  std::vector<LinkId> links;
  if (used.empty() || !used.front())
    for (const HostId source : hosts)
      for (const HostId destination : hosts) {
        if (source != destination) network.append_route(source, destination, links);
        for (const LinkId link : links) used[index(link)] = true;
        links.clear();
      }
  for (int l = 0; l < network.num_links(); ++l)
    if (used[index(LinkId{l})]) links.push_back(LinkId{l});
  return links;
}

/// A message inside a host.
LinkProperties loopback() {
  LinkProperties link{{std::numeric_limits<double>::infinity()}, {10e-9}};
  if (const auto text = environment("VTOPO_LOOPBACK_BANDWIDTH"); !text.empty())
    link.bandwidth = parse_bandwidth(text);
  if (const auto text = environment("VTOPO_LOOPBACK_LATENCY"); !text.empty())
    link.latency = parse_seconds(text);
  return link;
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

using namespace vtopo::detail;
using namespace vtopo::detail::overlay;

/// Called by SimGrid where this library is given as the platform: it has no file of routes to read.
extern "C" __attribute__((visibility("default"))) void load_platform(const simgrid::s4u::Engine&) {
  try {
    const Machine* const known = machine();
    if (known == nullptr)
      throw vtopo::UsageError(
          "without VTOPO_NETWORK or VTOPO_PLATFORM this library cannot be the platform");
    const vtopo::Network& network = *known->network;
    const std::vector<vtopo::HostId> hosts = hosts_of_job(*known);
    host_on_simgrid(network, hosts, links_between(network, hosts), ZoneLatency::as_modelled, 1,
                    loopback());
  } catch (const vtopo::Error& error) {
    end_simulation(2, error.what());
  }
}
