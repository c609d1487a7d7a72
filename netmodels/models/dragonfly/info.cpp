#include <fmt/format.h>

#include <array>

#include "netmodels/models/dragonfly/dragonfly.hpp"
#include "netmodels/models/dragonfly/facts.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::array arrangements{GlobalArrangement::simgrid, GlobalArrangement::absolute,
                                  GlobalArrangement::relative, GlobalArrangement::circulant};

const std::vector<NetworkKey>& dragonfly_keys() {
  static const std::vector<NetworkKey> keys = [] {
    std::vector<std::string> names;
    names.reserve(arrangements.size());
    for (const GlobalArrangement arrangement : arrangements)
      names.emplace_back(arrangement_name(arrangement));
    return std::vector<NetworkKey>{
        {"arrangement", "simgrid (default), absolute, relative, circulant",
         "how the global links are laid", names},
        {"pair_links", "1 to 1024, default 1",
         "global cables between two groups, each between routers of its own"},
        {"groups", "runs GROUPS:COUNT*HOSTS+... separated by /, with one chassis",
         "hosts of each router, where groups are not equal: 20:32*16/6:16*16 is 20 groups of 32 "
         "routers and 6 of 16; BLADES and HOSTS are then the most of any"},
        {"bandwidth", "one, or host/green/black/blue",
         "of one cable, per direction; SimGrid's numbers of links multiply it"},
        {"latency", "one, or host/green/black/blue", "of one cable"}};
  }();
  return keys;
}

void read_keys(const SpecText& spec, DragonflySpec& dragonfly) {
  const SpecKeys keys(spec, dragonfly_keys());
  if (const auto arrangement = keys.choice("arrangement"))
    dragonfly.arrangement = arrangements[*arrangement];
  dragonfly.cables_per_pair = keys.positive_or_one("pair_links");
  if (const auto groups = keys.find("groups")) {
    if (dragonfly.chassis != 1)
      spec.fail(
          fmt::format("groups with {} chassis; accepted: 1 chassis, whose routers are all joined",
                      dragonfly.chassis));
    dragonfly.hosts = dragonfly_groups(dragonfly).parse(spec, *groups);
  }
  const auto rates = keys.rates("", 4, "host/green/black/blue");
  dragonfly.host_rates = rates[0];
  dragonfly.green_rates = rates[1];
  dragonfly.black_rates = rates[2];
  dragonfly.blue_rates = rates[3];
}

}  // namespace

DragonflySpec parse_dragonfly(const SpecText& spec, const NetworkDefaults& defaults,
                              const RoutingOptions& routing) {
  const auto parts = split(spec.parameters, ';');
  std::array<std::vector<int>, 4> counts;
  constexpr std::array<std::string_view, 4> names{"groups", "chassis", "blades", "hosts per blade"};
  bool complete = parts.size() == 4;
  for (std::size_t i = 0; complete && i < 4; ++i) {
    counts[i] = spec.positives(names[i], parts[i]);
    complete = counts[i].size() == (i < 3 ? 2 : 1);
  }
  if (!complete)
    spec.fail(
        "a dragonfly is written groups,links;chassis,links;blades,links;hosts as "
        "dragonfly:9,4;6,3;16,1;4");
  DragonflySpec dragonfly{counts[0][0], counts[0][1], counts[1][0], counts[1][1], counts[2][0],
                          counts[2][1], counts[3][0], defaults,     routing};
  read_keys(spec, dragonfly);
  return dragonfly;
}

namespace networks {

std::vector<NetworkInfo> dragonfly() {
  return {{.name = "dragonfly",
           .syntax = "GROUPS,LINKS;CHASSIS,LINKS;BLADES,LINKS;HOSTS, links multiply the bandwidth",
           .keys = dragonfly_keys(),
           .example = "dragonfly:9,4;6,3;16,1;4",
           .source = "J. Kim, W. J. Dally, S. Scott, D. Abts, \"Technology-Driven, Highly-Scalable "
                     "Dragonfly Topology\" (ISCA 2008)",
           .make =
               [](const SpecText& spec, const NetworkDefaults& defaults,
                  const RoutingOptions& routing) {
                 return make_dragonfly(parse_dragonfly(spec, defaults, routing));
               },
           .from_cluster = "DRAGONFLY"}};
}

}  // namespace networks

}  // namespace vtopo::detail
