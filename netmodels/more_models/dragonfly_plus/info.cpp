#include "netmodels/more_models/dragonfly_plus/dragonfly_plus.hpp"
#include "netmodels/more_models/dragonfly_plus/facts.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

const std::vector<NetworkKey>& dragonfly_plus_keys() {
  static const std::vector<NetworkKey> keys{
      {"links", ">= 1, default 1", "N, links from each cell to each other one"},
      {"cells", "runs CELLS:HOSTS+COUNT*HOSTS+... separated by /",
       "hosts at each leaf, where cells are not equal: 19:18*10/10+2+6 is 19 cells of 18 leaves of "
       "10 hosts and one of 3 leaves; LEAVES and HOSTS_PER_LEAF are then the most of any"},
      {"bandwidth", "one, or hosts/leaves/cells", "of one link, per direction"},
      {"latency", "one, or hosts/leaves/cells", "of one link"}};
  return keys;
}

}  // namespace

DragonflyPlusSpec parse_dragonfly_plus(const SpecText& spec, const NetworkDefaults& defaults,
                                       const RoutingOptions& routing) {
  DragonflyPlusSpec plus;
  plus.defaults = defaults;
  plus.routing = routing;
  const SpecKeys keys(spec, dragonfly_plus_keys());
  const auto parts = split(spec.parameters, ';');
  const auto switches = parts.size() == 3 ? split(parts[1], ',') : std::vector<std::string_view>{};
  if (switches.size() != 2)
    spec.fail(
        "a dragonfly-plus is written CELLS;LEAVES,SPINES;HOSTS_PER_LEAF as dragonfly-plus:5;4,4;4");
  plus.cells = spec.positive("number of cells", parts[0]);
  plus.leaves = spec.positive("number of leaves", switches[0]);
  plus.spines = spec.positive("number of spines", switches[1]);
  plus.hosts_per_leaf = spec.positive("number of hosts per leaf", parts[2]);
  plus.links = keys.positive_or_one("links");
  const auto rates = keys.rates("", 3, "hosts/leaves/cells");
  plus.host_rates = rates[0];
  plus.local_rates = rates[1];
  plus.global_rates = rates[2];
  if (const auto cells = keys.find("cells"))
    plus.hosts = dragonfly_plus_runs(plus).parse(spec, *cells);
  return plus;
}

namespace networks {

std::vector<NetworkInfo> dragonfly_plus() {
  return {{.name = "dragonfly-plus",
           .syntax = "CELLS;LEAVES,SPINES;HOSTS_PER_LEAF, leaves and spines of each cell",
           .keys = dragonfly_plus_keys(),
           .example = "dragonfly-plus:5;4,4;4",
           .source = "A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni, E. Zahavi, "
                     "\"Dragonfly+: Low Cost Topology for Scaling Datacenters\" (HiPINEB 2017)",
           .make = [](const SpecText& spec, const NetworkDefaults& defaults,
                      const RoutingOptions& routing) {
             return make_dragonfly_plus(parse_dragonfly_plus(spec, defaults, routing));
           }}};
}

}  // namespace networks

}  // namespace vtopo::detail
