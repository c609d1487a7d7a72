#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/bounds/assignment.hpp"
#include "sim/bounds/congestion_bounds.hpp"
#include "sim/bounds/guest_cuts.hpp"
#include "sim/bounds/guest_grid.hpp"
#include "sim/bounds/hop_bounds.hpp"
#include "sim/bounds/host_profiles.hpp"
#include "sim/bounds/network_cuts.hpp"
#include "sim/bounds/spectrum.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/bounds_library.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/placement/embedding.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// What the links of a network admit as a bound.
struct Links {
  BytesPerSecond hop_bandwidth;  ///< sum over the links of bandwidth times hops
  BytesPerSecond least{std::numeric_limits<double>::infinity()};
  BytesPerSecond most;
  BytesPerSecond max_hop;  ///< of the links that count as hops
  bool all_hops = true;
  bool fatpipe_hop = false;
  bool fatpipe = false;

  bool alike() const { return !fatpipe && least == most && std::isfinite(most.value); }
};

Links survey_links(const Network& network) {
  Links links;
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    const bool fatpipe = link.sharing == LinkSharing::fatpipe;
    links.fatpipe = links.fatpipe || fatpipe;
    links.all_hops = links.all_hops && link.hops > 0;
    links.least = std::min(links.least, link.bandwidth);
    links.most = std::max(links.most, link.bandwidth);
    if (link.hops <= 0) continue;
    links.fatpipe_hop = links.fatpipe_hop || fatpipe;
    links.max_hop = std::max(links.max_hop, link.bandwidth);
    links.hop_bandwidth += link.bandwidth * link.hops;
  }
  return links;
}

/// Unit of all volumes that leave a rank: hops and whole flows make multiples of it.
double unit_of(const CommGraph& guest) {
  double unit = 0;
  bool whole = true;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    if (!whole || unit == 1 || edge.destination == source || edge.volume.value == 0) return;
    const double both[] = {unit, edge.volume.value};
    unit = edge.volume.value == unit ? unit : whole_unit(both);
    whole = unit > 0;
  });
  return unit;
}

/// Whether all sets of ranks exchange much: where few do, eigenvalues prove less than other
/// arguments, and take longer.
bool is_expander(const Partners& partners, double connectivity) {
  constexpr double much = 0.05;  // of what a rank exchanges in the mean
  double volume = 0;
  for (int r = 0; r < partners.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r})) volume += partner.both().value;
  return connectivity > 0 && connectivity >= much * volume / partners.num_ranks();
}

/// What all bounds look at.
struct Problem {
  const Network& network;
  const Allocation& allocation;
  const Partners& partners;
  const RankTypes& ranks;
  const Links& links;
  const HostProfiles& hosts;
  const JobCuts& cuts;
  double unit;
};

NamedBound bound_hop_bytes(const Problem& problem, GuestCuts& guest) {
  NamedBound best;
  const std::int64_t slots = problem.allocation.num_slots();
  improve(best, "nearest slots", nearest_slots_bound(problem.ranks, problem.hosts));
  improve(best, "assignment", assignment_bound(problem.ranks, problem.hosts, problem.allocation));
  const double leaving = least_across(guest, host_sets(problem.allocation), slots) / 2;
  improve(best, "hosts", leaving * problem.hosts.closest);
  improve(best, "cuts", cuts_bound(guest, problem.cuts.named, slots));
  improve(best, "hypercube", hypercube_bound(guest, problem.network, problem.allocation));
  if (problem.hosts.joins_hosts)
    if (const auto stars = ascend_stars(problem.partners, problem.network, problem.allocation))
      improve(best, "stars", stars->value);
  if (problem.hosts.joins_hosts && is_expander(problem.partners, guest.connectivity()))
    improve(best, "spectrum",
            spectral_bound(problem.partners, problem.network, problem.allocation));
  best.value = round_up(best.value, problem.unit);
  return best;
}

/// A host that can send without any link has no limit.
bool every_flow_has_links(const Problem& problem) {
  const auto& hosts = problem.allocation.hosts;
  return std::all_of(hosts.begin(), hosts.end(), [&](HostId host) {
    return std::isfinite(problem.network.injection_bandwidth(host).value);
  });
}

/// If the largest congestion of shared links is C, then the traffic of a set of links is at most C
/// times their bandwidth. That fails for a fatpipe link, which carries any traffic in the time of
/// its largest flow: no bound from a set that may hold one. Hop-bytes are the traffic of the links
/// that count as hops, so only those are in the first set, and limiters neither help nor harm. Of
/// split flows the links carry shares: hop-bytes are then volumes times mean hops, at least volumes
/// times least hops, and every share begins with a link out of its source.
NamedBound bound_congestion(const Problem& problem, GuestCuts& guest, double hop_bytes) {
  NamedBound best;
  const Links& links = problem.links;
  if (!links.fatpipe_hop)
    improve(best, "hop-bytes", time_over(Bytes{hop_bytes}, links.hop_bandwidth).value);
  // Which links leave a host is the network's knowledge: any fatpipe link may be one of them.
  const bool leaves_hosts = !links.fatpipe && problem.hosts.joins_hosts;
  if (leaves_hosts)
    bound_by_hosts(problem.partners, guest, problem.network, problem.allocation, best);
  if (leaves_hosts && !problem.network.splits_flows() && every_flow_has_links(problem)) {
    bound_by_flows(problem.partners, problem.allocation,
                   problem.hosts.closest > 0 ? links.max_hop : links.most, best);
    bound_by_doors(problem.partners, problem.allocation, problem.cuts.used.doors, links.most, best);
  }
  bound_by_cuts(guest, problem.cuts.named, problem.allocation.num_slots(), best);
  bound_by_cuts(guest, problem.cuts.cheapest, problem.allocation.num_slots(), best);
  for (const LinkCuts& cuts : problem.cuts.links)
    improve(best, "cells",
            least_divided_time(problem.partners, cuts, problem.allocation, best.value));
  if (links.alike() && !problem.network.splits_flows())
    best.value = round_up(best.value * links.least.value, problem.unit) / links.least.value;
  return best;
}

}  // namespace

Bounds detail::lower_bounds(const CommGraph& guest, const Network& network,
                            const Allocation& allocation, const JobCuts& cuts,
                            const Progress& progress) {
  check_fit(guest.num_ranks(), allocation);
  const Partners partners(guest);
  const RankTypes ranks = rank_types(partners);
  const Links links = survey_links(network);
  const auto degree = index(partners.max_degree());
  const HostProfiles hosts = host_profiles(network, allocation, degree, links.all_hops, progress);
  const Problem problem{network, allocation, partners, ranks, links, hosts, cuts, unit_of(guest)};
  GuestCuts guest_cuts(partners, ranks);
  const NamedBound hop_bytes = bound_hop_bytes(problem, guest_cuts);
  const NamedBound congestion = bound_congestion(problem, guest_cuts, hop_bytes.value);
  return {{hop_bytes.value}, {congestion.value}, hop_bytes.kind, congestion.kind};
}

namespace detail {

namespace {

JobBounds of_job(const Network& network, const Allocation& allocation) {
  return [&network, &allocation, cuts = job_cuts(network, allocation)](const CommGraph& guest,
                                                                       const Progress& progress) {
    return lower_bounds(guest, network, allocation, cuts, progress);
  };
}

/// Of more ranks no trees are packed; above some thousand trees of some ranks only, in half of
/// this time on a machine that does nothing else.
constexpr int max_ranks_of_trees = 1 << 16;
constexpr double most_for_trees = 4;

/// Whether trees are packed: where ranks share a host or, on networks that are not grids, a switch,
/// unless the guest holds a grid.
bool packs_trees(const CommGraph& guest, const Network& network, const Allocation& allocation) {
  if (guest.num_ranks() > max_ranks_of_trees) return false;
  const bool parts_ranks = allocation.slots.front() > 1 || !network.coordinates();
  return parts_ranks && !find_guest_grid(Partners(guest));
}

/// Up to 1,024 ranks a guest that is not a grid is factorised.
double seconds_of_bounds(const CommGraph& guest, const Network& network,
                         const Allocation& allocation) {
  const double ranks = guest.num_ranks();
  return (ranks <= 1024 ? 1.5e-10 * ranks * ranks * ranks : 4e-6 * ranks) +
         (packs_trees(guest, network, allocation) ? std::min(5e-4 * ranks, most_for_trees) : 0);
}

}  // namespace

/// Named by the link options of vtopo::bounds: without them the linker would leave out this object,
/// which the core does not name.
constinit const BoundsLibrary vtopo_lower_bounds{of_job, seconds_of_bounds};

}  // namespace detail

}  // namespace vtopo
