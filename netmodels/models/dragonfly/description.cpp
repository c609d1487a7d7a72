#include "netmodels/models/dragonfly/description.hpp"

#include <array>
#include <cstddef>

#include "netmodels/link_rates.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

void check_routing(const DragonflySpec& spec) {
  const Routing rule = spec.routing.rule;
  if (rule == Routing::positive || rule == Routing::split)
    throw UsageError(
        fmt::format("routing {} is a rule for ties on tori; a dragonfly accepts simgrid, ecmp, "
                    "valiant",
                    to_string(rule)));
  if (!spec.routing.simgrid_compatible) return;
  const auto refuse = [](const std::string& why) {
    throw UsageError("SimGrid 3.32 has no routes for a dragonfly with " + why);
  };
  if (rule != Routing::simgrid)
    refuse(fmt::format("routing {}; accepted: simgrid", to_string(rule)));
  if (spec.groups > spec.blades)
    refuse(fmt::format("more groups ({}) than blades per chassis ({})", spec.groups, spec.blades));
  if (spec.arrangement != GlobalArrangement::simgrid)
    refuse(fmt::format("arrangement {}; accepted: simgrid", arrangement_name(spec.arrangement)));
  if (spec.cables_per_pair != 1)
    refuse(fmt::format("{} cables between two groups; accepted: 1", spec.cables_per_pair));
  if (!spec.hosts.empty()) refuse("unequal groups");
}

/// Host, green, black, blue: as DragonflyColour.
std::array<LinkRates, 4> rates_by_colour(const DragonflySpec& spec) {
  return {spec.host_rates, spec.green_rates, spec.black_rates, spec.blue_rates};
}

}  // namespace

const DragonflySpec& checked_dragonfly(const DragonflySpec& spec) {
  check_routing(spec);
  for (const LinkRates& rates : rates_by_colour(spec)) link_properties(rates, spec.defaults);
  return spec;
}

std::array<LinkProperties, 4> dragonfly_links(const DragonflySpec& spec) {
  const std::array<int, 4> cables{1, spec.green_links, spec.black_links, spec.blue_links};
  const auto rates = rates_by_colour(spec);
  std::array<LinkProperties, 4> links;
  for (std::size_t colour = 0; colour < links.size(); ++colour) {
    links[colour] = link_properties(rates[colour], spec.defaults);
    links[colour].bandwidth = links[colour].bandwidth * cables[colour];
  }
  return links;
}

HostRuns dragonfly_groups(const DragonflySpec& spec) {
  return {"groups", "groups", "routers", spec.groups, spec.blades, spec.hosts_per_blade};
}

std::string dragonfly_description(const DragonflySpec& spec) {
  std::string text =
      fmt::format("dragonfly:{},{};{},{};{},{};{}", spec.groups, spec.blue_links, spec.chassis,
                  spec.black_links, spec.blades, spec.green_links, spec.hosts_per_blade);
  if (spec.arrangement != GlobalArrangement::simgrid)
    text += fmt::format(",arrangement={}", arrangement_name(spec.arrangement));
  if (spec.cables_per_pair != 1) text += fmt::format(",pair_links={}", spec.cables_per_pair);
  text += dragonfly_groups(spec).describe(spec.hosts);
  return text + rate_keys(rates_by_colour(spec), spec.defaults);
}

}  // namespace vtopo::detail
