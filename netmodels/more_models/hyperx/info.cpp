#include "netmodels/more_models/hyperx/hyperx.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

const std::vector<NetworkKey>& hyperx_keys() {
  static const std::vector<NetworkKey> keys{
      {"per_router", ">= 1, default 1",
       "T, hosts per router; with 2 or more each host has a cable to its router"},
      {"links", "one, or one per dimension; default 1",
       "K, relative bandwidth of a dimension: multiplies that of its links"},
      {"bandwidth", "one, or one per dimension", "of one link of a dimension, per direction"},
      {"latency", "one, or one per dimension", "of the links of a dimension"},
      {"host_bandwidth", "one", "of the cables of hosts, with per_router >= 2"},
      {"host_latency", "one", "of the cables of hosts, with per_router >= 2"}};
  return keys;
}

}  // namespace

HyperXSpec parse_hyperx(const SpecText& spec, const NetworkDefaults& defaults,
                        const RoutingOptions& routing) {
  HyperXSpec hyperx{{}, defaults, routing};
  const SpecKeys keys(spec, hyperx_keys());
  for (const auto size : split(spec.parameters, 'x'))
    hyperx.dimensions.push_back({spec.positive("hyperx size", size)});
  const auto links = keys.positives("links", hyperx.dimensions.size(), "one per dimension");
  const auto rates = keys.rates("", hyperx.dimensions.size(), "one per dimension");
  for (std::size_t d = 0; d < hyperx.dimensions.size(); ++d) {
    if (!links.empty()) hyperx.dimensions[d].links = links[d];
    hyperx.dimensions[d].rates = rates[d];
  }
  hyperx.hosts_per_router = keys.positive_or_one("per_router");
  hyperx.host_rates = keys.rates("host_", 1, "the cables of hosts").front();
  if (hyperx.hosts_per_router == 1 && (hyperx.host_rates.bandwidth || hyperx.host_rates.latency))
    spec.fail(
        "host_bandwidth and host_latency are those of cables between hosts and routers; accepted "
        "with per_router=2 or more, for a single host is its router");
  return hyperx;
}

namespace networks {

std::vector<NetworkInfo> hyperx() {
  return {{.name = "hyperx",
           .syntax = "SIZExSIZE..., routers that differ in one dimension are joined all to all",
           .keys = hyperx_keys(),
           .example = "hyperx:4x4x4",
           .source = "J. H. Ahn, N. Binkert, A. Davis, M. McLaren, R. S. Schreiber, \"HyperX: "
                     "Topology, Routing, and Packaging of Efficient Large-Scale Networks\" (SC09)",
           .make = [](const SpecText& spec, const NetworkDefaults& defaults,
                      const RoutingOptions& routing) {
             return make_hyperx(parse_hyperx(spec, defaults, routing));
           }}};
}

}  // namespace networks

}  // namespace vtopo::detail
