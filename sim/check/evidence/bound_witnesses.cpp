#include "sim/check/evidence/bound_witnesses.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "sim/bounds/assignment.hpp"
#include "sim/bounds/guest_cuts.hpp"
#include "sim/bounds/hop_bounds.hpp"
#include "sim/bounds/host_profiles.hpp"
#include "sim/bounds/network_cuts.hpp"
#include "sim/evaluation/guest_lattice.hpp"
#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

namespace {

/// Least volumes are listed up to this many ranks; trees, of which there are more, up to fewer.
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

/// Whether the grid's cells are the ranks in their order.
bool holds_in_order(const GuestGrid& grid, const Partners& partners) {
  int stride = 1;
  for (const GuestSide& side : grid.sides) {
    for (int cell = 0; cell + stride < partners.num_ranks(); ++cell) {
      const auto row = partners.of(Rank{cell});
      const auto is_next = [&](const Partner& partner) {
        return number(partner.rank) == cell + stride && partner.both().value >= side.volume;
      };
      if (cell / stride % side.size + 1 < side.size &&
          std::none_of(row.begin(), row.end(), is_next))
        return false;
    }
    stride *= side.size;
  }
  return true;
}

/// Entry k: what k ranks exchange with the others at least.
void write_least_volumes(const Partners& partners, GuestCuts& guest, JsonLists& json) {
  std::vector<double> least;
  for (int k = 0; 2 * k <= guest.num_ranks(); ++k) least.push_back(guest.least(k));
  json.raw(",\n\"least_volumes\":").list(least);
  if (!guest.grid()) return;
  json.raw(",\n\"grid\":").list(guest.grid()->sides, [&](const GuestSide& side) {
    json.raw("[").number(side.size).raw(side.wraps ? ",1," : ",0,").number(side.volume).raw("]");
  });
  const auto lattice =
      holds_in_order(*guest.grid(), partners) ? std::nullopt : find_lattice(partners);
  if (lattice)
    json.raw(",\n\"grid_cells\":").list(lattice->cell_of, [&](Rank cell) {
      json.number(number(cell));
    });
}

/// Sizes of sets that cuts between disjoint cells, and hosts, part the ranks into, where trees say
/// something about them.
std::set<int> sizes_of_sets(const Network& network, const Allocation& allocation,
                            const UsedLinks& used, const std::vector<LinkCuts>& cheapest,
                            GuestCuts& guest) {
  auto families = network_cuts(network, allocation, used);
  families.push_back(host_sets(allocation));
  for (const LinkCuts& cuts : cheapest)
    families.push_back(capacities_of(cuts, network, allocation));
  std::set<int> sizes;
  for (const CutFamily& family : families)
    if (family.disjoint)
      sizes.insert(ranks_on_any(family, allocation.num_slots(), guest.num_ranks()).most);
  std::erase_if(sizes, [&](int size) { return guest.trees(size).trees.empty(); });
  return sizes;
}

/// Trees by the size of the sets that they speak of: weight, root, then rank and step of the parent
/// of every further one.
void write_trees(GuestCuts& guest, const std::set<int>& sizes, JsonLists& json) {
  json.raw(",\n\"trees\":").list(sizes, [&](int size) {
    json.raw("{\"set\":").number(size).raw(",\"list\":");
    json.list(guest.trees(size).trees, [&](const PackedTree& tree) {
      json.raw("[").number(tree.weight);
      for (std::size_t step = 0; step < tree.steps.size(); ++step) {
        json.raw(",").number(number(tree.steps[step].rank));
        if (step > 0) json.raw(",").number(tree.steps[step].parent);
      }
      json.raw("]");
    });
    json.raw("}");
  });
}

/// Places of hosts, and the links that part them from the others.
void write_link_cuts(const std::vector<LinkCuts>& cheapest, JsonLists& json) {
  const auto write_links = [&](const char* way, const std::vector<LinkId>& links) {
    json.raw(way).list(links, [&](LinkId link) { json.number(number(link)); });
  };
  json.raw(",\n\"link_cuts\":").list(cheapest, [&](const LinkCuts& c) {
    json.raw(c.disjoint ? "{\"disjoint\":true,\"cuts\":" : "{\"disjoint\":false,\"cuts\":");
    json.list(c.cuts, [&](const LinkCut& cut) {
      json.raw("{\"places\":").list(cut.places);
      write_links(",\"out\":", cut.out), write_links(",\"in\":", cut.in);
      json.raw("}");
    });
    json.raw("}");
  });
}

void write_stars(const Partners& partners, const Network& network, const Allocation& allocation,
                 JsonLists& json) {
  const auto stars = ascend_stars(partners, network, allocation);
  if (!stars) return;
  const auto write = [&](const char* name, std::vector<double> StarPrices::*prices) {
    json.raw(name).list(stars->stars, [&](const auto& of_rank) {
      json.list(of_rank, [&](const StarPrices& star) { json.list(star.*prices); });
    });
  };
  write(",\n\"stars\":{\"partners\":", &StarPrices::partners);
  write(",\"places\":", &StarPrices::places);
  json.raw(",\"ranks\":").list(stars->prices.rows);
  json.raw(",\"slots\":").list(stars->prices.columns).raw("}");
}

}  // namespace

bool needs_all_routes(const Experiment& experiment, const Bounds& bounds) {
  static const std::set<std::string_view> others{"",      "one rank",  "one flow",
                                                 "hosts", "hop-bytes", "phases"};
  const Network& network = *experiment.network;
  if (experiment.allocation.num_hosts() > max_routed_hosts || network.splits_flows() ||
      others.contains(bounds.congestion_kind))
    return false;
  if (bounds.congestion_kind == "flows of one rank" || bounds.congestion_kind == "cheapest cuts")
    return true;
  const UsedLinks used = find_used_links(network, experiment.allocation);
  for (int l = 0; l < network.num_links(); ++l)
    if (network.link_is_up(LinkId{l}) && !used.takes(LinkId{l})) return true;
  return false;
}

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
  if (bounds.hop_bytes_kind == "stars") write_stars(partners, network, allocation, json);
  const UsedLinks used = find_used_links(network, allocation);
  std::vector<LinkCuts> cheapest;
  if (bounds.congestion_kind == "cheapest cuts" || bounds.congestion_kind == "cells")
    cheapest = cheapest_link_cuts(used);
  if (!cheapest.empty()) write_link_cuts(cheapest, json);
  if (const auto grid = network.coordinates())
    json.raw(",\n\"axes\":").list(grid->axes, [&](const NetworkAxis& axis) {
      json.raw("[").number(axis.size).raw(axis.kind == AxisKind::ring ? ",1]" : ",0]");
    });
  write_cells(network, json);
  if (guest.num_ranks() <= max_listed_ranks) write_least_volumes(partners, guest, json);
  if (guest.num_ranks() <= max_tree_ranks)
    write_trees(guest, sizes_of_sets(network, allocation, used, cheapest, guest), json);
  json.raw("}");
}

}  // namespace vtopo::detail
