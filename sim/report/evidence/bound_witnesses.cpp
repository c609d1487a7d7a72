#include "sim/report/evidence/bound_witnesses.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "sim/evaluation/bounds/assignment.hpp"
#include "sim/evaluation/bounds/guest_cuts.hpp"
#include "sim/evaluation/bounds/hop_bounds.hpp"
#include "sim/evaluation/bounds/host_profiles.hpp"
#include "sim/evaluation/bounds/rank_types.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

namespace {

/// Least volumes are listed up to this many ranks.
constexpr int max_listed_ranks = 4096;

bool all_links_are_hops(const Network& network) {
  for (int l = 0; l < network.num_links(); ++l)
    if (network.link(LinkId{l}).hops <= 0) return false;
  return true;
}

void write_profiles(const HostProfiles& hosts, JsonLists& json) {
  json.raw("\"profiles\":").list(hosts.profiles, [&](const HostProfile& p) { json.list(p); });
  json.raw(",\"profile_of\":").list(hosts.profile_of);
  json.raw(",\"closest\":").number(hosts.closest);
}

/// Cells of the cuts that the network names.
void write_cells(const Network& network, JsonLists& json) {
  json.raw(",\n\"cells\":").list(network.cuts(), [&](const VertexCells& cells) {
    json.raw("{\"name\":").raw(nlohmann::json(cells.name).dump()).raw(",\"joined\":\"");
    json.raw(cells.joined == AxisKind::complete ? "complete"
             : cells.joined == AxisKind::path   ? "path"
                                                : "ring");
    json.raw("\",\"count\":").number(cells.count).raw(",\"hops\":").number(cells.hops);
    json.raw(",\"cell_of\":").list(cells.cell_of).raw("}");
  });
}

/// Entry k: what k ranks exchange with the others at least.
void write_least_volumes(GuestCuts& guest, JsonLists& json) {
  std::vector<double> least;
  for (int k = 0; 2 * k <= guest.num_ranks(); ++k) least.push_back(guest.least(k));
  json.raw(",\n\"least_volumes\":").list(least);
  if (!guest.grid()) return;
  json.raw(",\n\"grid\":").list(guest.grid()->sides, [&](const GuestSide& side) {
    json.raw("[").number(side.size).raw(side.wraps ? ",1," : ",0,").number(side.volume).raw("]");
  });
}

}  // namespace

void write_bound_witnesses(const Experiment& experiment, const Bounds& bounds, JsonLists& json) {
  const Network& network = *experiment.network;
  const Allocation& allocation = experiment.allocation;
  const Partners partners(experiment.guest);
  const RankTypes ranks = rank_types(partners);
  GuestCuts guest(partners, ranks);
  const HostProfiles hosts = host_profiles(network, allocation, index(partners.max_degree()),
                                           all_links_are_hops(network), {});
  json.raw("{");
  write_profiles(hosts, json);
  json.raw(",\n\"injection\":").list(allocation.hosts, [&](HostId host) {
    json.number(network.injection_bandwidth(host).value);
  });
  if (bounds.hop_bytes_kind == "assignment") {
    const auto prices = least_assignment_prices(assignment_costs(ranks, hosts, allocation));
    json.raw(",\n\"prices\":{\"ranks\":").list(prices.rows);
    json.raw(",\"slots\":").list(prices.columns).raw("}");
  }
  if (const auto grid = network.coordinates())
    json.raw(",\n\"axes\":").list(grid->axes, [&](const NetworkAxis& axis) {
      json.raw("[").number(axis.size).raw(axis.kind == AxisKind::ring ? ",1]" : ",0]");
    });
  write_cells(network, json);
  if (guest.num_ranks() <= max_listed_ranks) write_least_volumes(guest, json);
  json.raw("}");
}

}  // namespace vtopo::detail
